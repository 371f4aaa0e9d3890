// Product of two digits, as a low and a high word, five cycles later, with a new pair in every
// cycle:
//
//   x * y = low + W * high      0 <= x, y, low, high < W = 2^DigitBits
//
// There are four partial products of half digits. Their columns are added in the cycle after the
// blocks, and the carry of the low word goes into the high word in the cycle after that.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow_multiplier
  import monpro_dataflow_pkg::*;
#(
  parameter string Target = "portable"
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic [DigitBits-1:0] x_i,
  input  logic [DigitBits-1:0] y_i,
  output logic [DigitBits-1:0] low_o,
  output logic [DigitBits-1:0] high_o
);

  logic [DigitBits+1:0] lo;
  logic [DigitBits/2:0] mid;
  logic [DigitBits-1:0] hi;
  logic [DigitBits-1:0] low_q, high_q;

  monpro_tiles #(
    .Target  (Target),
    .WordBits(DigitBits)
  ) u_tiles (
    .clk_i,
    .clear_i,
    .a_i  (x_i),
    .b_i  (y_i),
    .lo_o (lo),
    .mid_o(mid),
    .hi_o (hi)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      low_q <= '0;
      high_q <= '0;
    end else begin
      low_q <= lo[DigitBits-1:0];
      high_q <= hi + DigitBits'(mid) + DigitBits'(lo[DigitBits+1:DigitBits]);
    end
  end

  assign low_o = low_q;
  assign high_o = high_q;

endmodule
