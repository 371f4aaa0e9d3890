// Queue of commands, first in, first out, in registers. A push into a full queue is dropped. pop_i
// must not come while the queue is empty.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_product_queue
  import monpro_product_pkg::*;
(
  input  logic     clk_i,
  input  logic     clear_i,  // the reset: empties it and zeroes every register
  input  logic     push_i,
  input  command_t command_i,
  input  logic     pop_i,
  output command_t command_o,  // the oldest
  output logic     valid_o,    // there is one
  output logic     full_o,
  output logic [3:0] count_o
);

  localparam int unsigned PlaceBits = $clog2(QueueDepth);

  command_t [QueueDepth-1:0] commands_q;
  logic [PlaceBits-1:0] head_q, tail_q;
  logic [PlaceBits:0] count_q;
  logic push;

  assign push = push_i && !full_o;
  assign command_o = commands_q[head_q];
  assign valid_o = count_q != '0;
  assign full_o = count_q == (PlaceBits + 1)'(QueueDepth);
  assign count_o = 4'(count_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      commands_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      count_q <= '0;
    end else begin
      if (push) begin
        commands_q[tail_q] <= command_i;
        tail_q <= tail_q + 1'b1;
      end
      if (pop_i) begin
        commands_q[head_q] <= '0;  // which operand was chosen may be a secret
        head_q <= head_q + 1'b1;
      end
      count_q <= count_q + (PlaceBits + 1)'(push) - (PlaceBits + 1)'(pop_i);
    end
  end

endmodule
