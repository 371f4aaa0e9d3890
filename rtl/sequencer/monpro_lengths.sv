// Lengths of the operands and of the products of an operation.
//
// With D = Delay, an operand has s = length_i + 1 + D words. With wide_i (the integer product of
// CRT) words_o is digits_o instead. rows_o is what monpro_rows gives for s words, with wide_i for 2
// * length_i words; digits_o = K = rows_o - D. doublings_o is, less one, how often StPower repeats
// its doublings: in words, or with digits narrower than words in bits.
//
// words_o and operand_words_o are known a few cycles after length_i. rows_o and what follows from
// it is known when settled_o says so, after restart_i.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_lengths
  import monpro_pkg::*;
#(
  parameter  int unsigned WordBits     = 17,
  parameter  int unsigned DigitBits    = WordBits,
  parameter  int unsigned Elements     = 16,
  parameter  int unsigned Delay        = 0,
  parameter  bit          Crt          = 1'b0,
  parameter  int unsigned IndexBits    = 8,
  parameter  int unsigned RowBits      = 9,
  parameter  int unsigned DoublingBits = 5,
  parameter  int unsigned Doublings    = 2,  // words of them beside those between R and W^s
  localparam int unsigned ElementsBits = $clog2(Elements + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [11:0]             length_i,         // words of the modulus
  input  logic                    wide_i,
  input  logic                    restart_i,        // length_i or wide_i has changed
  output logic [IndexBits-1:0]    operand_words_o,  // s
  output logic [IndexBits-1:0]    words_o,          // of an operand of the step
  output logic [IndexBits-1:0]    digits_o,
  output logic [RowBits-1:0]      rows_o,
  output logic [ElementsBits-1:0] elements_o,       // of the multiplier, in use
  output logic [DoublingBits-1:0] doublings_o,
  output logic                    settled_o
);

  logic wide;
  logic [IndexBits-1:0] operand_length_d, operand_length_q, words_d, words_q;
  logic [RowBits-1:0] row_words;

  assign wide = Crt && wide_i;
  assign operand_length_d = IndexBits'(length_i) + IndexBits'(1 + Delay);
  assign words_d = wide ? digits_o : operand_length_q;
  assign row_words = wide ? RowBits'(length_i) << 1 : RowBits'(operand_length_q);

  always_ff @(posedge clk_i) begin
    operand_length_q <= operand_length_d;
    words_q <= words_d;
  end

  monpro_rows #(
    .WordBits (WordBits),
    .DigitBits(DigitBits),
    .Elements (Elements),
    .Delay    (Delay),
    .RowBits  (RowBits)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .restart_i,
    .words_i(row_words),
    .rows_o,
    .elements_o,
    .settled_o
  );

  if (DigitBits != WordBits) begin : g_narrow
    logic [DoublingBits-1:0] row_bits_d, row_bits_q, word_bits_d, word_bits_q;

    assign row_bits_d = DoublingBits'(times(32'(rows_o), DigitBits));
    assign word_bits_d = DoublingBits'(times(32'(operand_length_q), WordBits));

    always_ff @(posedge clk_i) begin
      row_bits_q <= row_bits_d;
      word_bits_q <= word_bits_d;
    end

    assign doublings_o = row_bits_q - word_bits_q + DoublingBits'(DigitBits + 2 * WordBits + 1);
  end else begin : g_whole
    assign doublings_o = DoublingBits'(rows_o) - DoublingBits'(operand_length_q) +
                         DoublingBits'(Doublings);
  end

  // A length that is too long is refused before it is of use.
  logic unused;
  assign unused = ^length_i;

  assign operand_words_o = operand_length_q;
  assign words_o = words_q;
  assign digits_o = IndexBits'(rows_o - RowBits'(Delay));

endmodule
