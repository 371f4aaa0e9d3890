// Takes the digits of x, of DigitBits each, out of a memory of wider words, for monpro_mul_array.
//
// A pass takes elements_i digits, one every six cycles. The next pass goes on where it stopped.
// index_o is the word that holds the highest bit of a digit: the word of the digit before, or the
// next one. The part of the digit that lies in the word before is kept from there.
//
// Times count from begin_i or next_i, where m is the number of a digit in its pass:
//
//   1 + 6m          index_o, for six cycles
//   3 + 6m          word_i, and digit_o from it
//
// Digits are zero from word words_i on.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_digits #(
  parameter  int unsigned WordBits     = 24,
  parameter  int unsigned DigitBits    = 17,
  parameter  int unsigned Elements     = 16,
  parameter  int unsigned IndexBits    = 8,
  localparam int unsigned ElementsBits = $clog2(Elements + 1)
) (
  input  logic                    clk_i,
  input  logic                    clear_i,     // the reset: zeroes every register
  input  logic [IndexBits-1:0]    words_i,
  input  logic [ElementsBits-1:0] elements_i,  // static, as words_i
  input  logic                    begin_i,     // a pass begins, the first of a product
  input  logic                    next_i,      // a pass begins, a further one
  output logic [IndexBits-1:0]    index_o,
  input  logic [WordBits-1:0]     word_i,      // two cycles after its index
  output logic [DigitBits-1:0]    digit_o
);

  if (DigitBits > WordBits || DigitBits < 2) begin : g_illegal
    $error("DigitBits must be 2 to WordBits");
  end

  localparam int unsigned Spacing = 6;  // cycles from a digit to the next
  localparam int unsigned PlaceBits = $clog2(WordBits + DigitBits);
  // The last pass may ask for many more digits than there are.
  localparam int unsigned LongIndexBits = IndexBits + ElementsBits;

  logic [2:0] step_q;
  logic [ElementsBits-1:0] left_q;        // digits of this pass, that of now among them
  logic [LongIndexBits-1:0] index_q;
  logic [PlaceBits-1:0] top_q, next_top;  // where in its word the digit has its highest bit
  logic [1:0] x_valid_q;
  logic [DigitBits-2:0] kept_q;           // the highest bits of the word before
  logic [WordBits-1:0] word;

  assign next_top = top_q + PlaceBits'(DigitBits);
  assign word = x_valid_q[1] ? word_i : '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      step_q <= '0;
      left_q <= '0;
      index_q <= '0;
      top_q <= '0;
      x_valid_q <= '0;
      kept_q <= '0;
    end else begin
      x_valid_q <= {x_valid_q[0], index_q < LongIndexBits'(words_i)};
      if (begin_i || next_i) begin
        step_q <= '0;
        left_q <= elements_i;
        if (begin_i) begin
          index_q <= '0;
          top_q <= PlaceBits'(DigitBits - 1);
        end
      end else if (left_q != '0) begin
        step_q <= step_q + 1'b1;
        if (step_q == 3'd2) kept_q <= word[WordBits-1-:DigitBits-1];
        if (step_q == 3'(Spacing - 1)) begin
          step_q <= '0;
          left_q <= left_q - 1'b1;
          if (next_top < PlaceBits'(WordBits)) begin
            top_q <= next_top;
          end else begin
            top_q <= next_top - PlaceBits'(WordBits);
            index_q <= index_q + 1'b1;
          end
        end
      end
    end
  end

  assign index_o = index_q[IndexBits-1:0];
  assign digit_o = DigitBits'({word, kept_q} >> top_q);

endmodule
