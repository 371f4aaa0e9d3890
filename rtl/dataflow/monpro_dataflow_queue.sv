// Queue of beats, first in, first out, in a small memory, with the oldest beat in a register. It
// holds what comes out of a pipeline that cannot stop. push_i must not come while it is full: a
// beat is begun only when there is space for it. A beat is at the output two cycles after its push
// into the empty queue.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow_queue #(
  parameter int unsigned Width = 64,
  parameter int unsigned Depth = 16  // power of two
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] beat_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] beat_o
);

  localparam int unsigned AddrBits = $clog2(Depth);

  logic [Width-1:0] beats_q[Depth];
  logic [AddrBits-1:0] head_q, tail_q;
  logic [AddrBits:0] count_q;
  logic valid_q, pop;
  logic [Width-1:0] beat_q;

  assign pop = count_q != '0 && (!valid_q || ready_i);

  always_ff @(posedge clk_i) begin
    if (push_i) beats_q[tail_q] <= beat_i;
    if (pop) beat_q <= beats_q[head_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
      valid_q <= 1'b0;
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop) head_q <= head_q + 1'b1;
      count_q <= count_q + (AddrBits + 1)'(push_i) - (AddrBits + 1)'(pop);
      if (pop) valid_q <= 1'b1;
      else if (ready_i) valid_q <= 1'b0;
    end
  end

  assign valid_o = valid_q;
  assign beat_o = beat_q;

endmodule
