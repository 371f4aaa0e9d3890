// Queue of words, first in, first out. It keeps the operand of a product until the result comes and
// one of the two is chosen. A word comes two cycles after pop_i, which must not come while it is
// empty.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_serial_fifo #(
  parameter  string       Target   = "portable",  // see monpro_ram
  parameter  int unsigned Width    = 32,
  parameter  int unsigned Depth    = 64,          // power of two
  localparam int unsigned AddrBits = $clog2(Depth)
) (
  input  logic                clk_i,
  input  logic                clear_i,  // empties it, zeroes every register; memory: wipe_i
  input  logic                wipe_i,
  input  logic [AddrBits-1:0] wipe_addr_i,
  input  logic                push_i,
  input  logic [Width-1:0]    word_i,
  input  logic                pop_i,
  output logic [Width-1:0]    word_o
);

  logic [AddrBits-1:0] head_q, tail_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      head_q <= '0;
      tail_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + 1'b1;
      if (pop_i) head_q <= head_q + 1'b1;
    end
  end

  monpro_ram #(
    .Target(Target),
    .Width (Width),
    .Depth (Depth)
  ) u_ram (
    .clk_i,
    .write_i     (push_i || wipe_i),
    .write_addr_i(wipe_i ? wipe_addr_i : tail_q),
    .write_data_i(wipe_i ? '0 : word_i),
    .read_addr_i (head_q),
    .read_data_o (word_o)
  );

endmodule
