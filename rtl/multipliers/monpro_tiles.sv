// Product of two words in parts, four cycles later, with a new pair in every cycle:
//
//   a * b = lo + W * (hi + mid)      W = 2^WordBits
//
// A word of up to 18 bits takes one multiplier block, with mid = 0. A longer word, up to 36 bits
// and even, takes 2 x 2 blocks of half a word. With H = 2^TileBits, W = H^2:
//
//   lo  = a0 * b0 + H * (low halves of a0 * b1 and a1 * b0)      below 3 * W
//   mid = high halves of a0 * b1 and a1 * b0                     below 2 * H
//   hi  = a1 * b1                                                below W
//
// hi + mid is below W. The parts are not added here, because the accumulator behind this module
// adds them anyway. So no carry chain in this module is longer than half a word.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_tiles #(
  parameter  string       Target   = "portable",
  parameter  int unsigned WordBits = 36,
  localparam int unsigned TileBits = (WordBits > 18) ? WordBits / 2 : WordBits
) (
  input  logic                clk_i,
  input  logic                clear_i,  // the reset: zeroes every register
  input  logic [WordBits-1:0] a_i,
  input  logic [WordBits-1:0] b_i,
  output logic [WordBits+1:0] lo_o,
  output logic [TileBits:0]   mid_o,
  output logic [WordBits-1:0] hi_o
);

  logic [WordBits+1:0] lo_d, lo_q;
  logic [WordBits-1:0] hi_d, hi_q;
  logic [TileBits:0] mid_d, mid_q;

  if (WordBits > 36 || (WordBits > 18 && WordBits % 2 != 0)) begin : g_illegal_word_bits
    $error("words have up to 18 bits, or an even number of up to 36");
  end

  if (WordBits == TileBits) begin : g_one
    logic [2*WordBits-1:0] product;

    monpro_block #(
      .Target  (Target),
      .WordBits(WordBits)
    ) u_block (
      .clk_i,
      .clear_i,
      .a_i,
      .b_i,
      .p_o(product)
    );

    assign lo_d = (WordBits + 2)'(product[WordBits-1:0]);
    assign mid_d = '0;
    assign hi_d = product[2*WordBits-1:WordBits];
  end else begin : g_four
    logic [1:0][1:0][2*TileBits-1:0] product;  // of half i of a and half j of b
    logic [TileBits+1:0] upper;

    for (genvar i = 0; i < 2; i++) begin : g_a
      for (genvar j = 0; j < 2; j++) begin : g_b
        monpro_block #(
          .Target  (Target),
          .WordBits(TileBits)
        ) u_block (
          .clk_i,
          .clear_i,
          .a_i(a_i[i*TileBits+:TileBits]),
          .b_i(b_i[j*TileBits+:TileBits]),
          .p_o(product[i][j])
        );
      end
    end

    assign upper = (TileBits + 2)'(product[0][0][2*TileBits-1:TileBits]) +
                   (TileBits + 2)'(product[0][1][TileBits-1:0]) +
                   (TileBits + 2)'(product[1][0][TileBits-1:0]);
    assign lo_d = {upper, product[0][0][TileBits-1:0]};
    assign mid_d = (TileBits + 1)'(product[0][1][2*TileBits-1:TileBits]) +
                   (TileBits + 1)'(product[1][0][2*TileBits-1:TileBits]);
    assign hi_d = product[1][1];
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      lo_q <= '0;
      mid_q <= '0;
      hi_q <= '0;
    end else begin
      lo_q <= lo_d;
      mid_q <= mid_d;
      hi_q <= hi_d;
    end
  end

  assign lo_o = lo_q;
  assign mid_o = mid_q;
  assign hi_o = hi_q;

endmodule
