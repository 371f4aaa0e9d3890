// The Montgomery multiplier that a design names: r = x * y / R mod M. The module monpro_mul_* says
// what R and M are, which operands it takes, and in how many cycles.
//
// Contract of every multiplier of this folder:
//   words_i          length of the operands in words, static while a product is in flight
//   elements_i       elements in use, the first ones of the array: least_elements(Elements) to
//                    Elements, static while a product is in flight; "word" does not look at it
//   inverse_i        only "word", see there, and so is inverse_wrong_o
//   start_*          handshake: valid stays until ready. start_context_i is a number that the
//                    product has on each port
//   x_, y_, n_*      read ports: data comes two cycles after its index. With an index of words_i or
//                    above any data will do (but see monpro_mul_pipelined for x)
//   r_*              words of the result, least significant first; r_last_o comes with the last
//   busy_o           a product is in flight. Its last word may come in the cycle after
//   clear_i          the reset: it ends every product and zeroes every register at once, and every
//                    memory if it is held for longer than 2^IndexBits cycles
//
// SPDX-License-Identifier: Apache-2.0
module monpro_multiplier #(
  parameter  string       Multiplier   = "array",  // module monpro_mul_*
  parameter  string       Target       = "portable",
  parameter  int unsigned WordBits     = 17,
  parameter  int unsigned DigitBits    = WordBits,  // "array" alone may have narrower ones
  parameter  int unsigned Elements     = 16,
  parameter  int unsigned MaxWords     = 243,
  localparam int unsigned IndexBits    = $clog2(MaxWords + 1),
  localparam int unsigned ElementsBits = $clog2(Elements + 1)
) (
  input  logic                    clk_i,
  input  logic                    clear_i,
  input  logic [IndexBits-1:0]    words_i,
  input  logic [ElementsBits-1:0] elements_i,
  input  logic [WordBits-1:0]     inverse_i,
  output logic                    inverse_wrong_o,

  input  logic start_valid_i,
  output logic start_ready_o,
  input  logic start_context_i,
  output logic busy_o,

  output logic                 x_context_o,
  output logic [IndexBits-1:0] x_index_o,
  input  logic [WordBits-1:0]  x_data_i,
  output logic                 y_context_o,
  output logic [IndexBits-1:0] y_index_o,
  input  logic [WordBits-1:0]  y_data_i,
  output logic                 n_context_o,
  output logic [IndexBits-1:0] n_index_o,
  input  logic [WordBits-1:0]  n_data_i,

  output logic                 r_valid_o,
  output logic                 r_last_o,
  output logic                 r_context_o,
  output logic [IndexBits-1:0] r_index_o,
  output logic [WordBits-1:0]  r_data_o
);

  if (DigitBits != WordBits && Multiplier != "array") begin : g_illegal_digit_bits
    $error("Digits narrower than words want the multiplier array");
  end

  if (Multiplier == "array") begin : g_array
    monpro_mul_array #(
      .Target   (Target),
      .WordBits (WordBits),
      .DigitBits(DigitBits),
      .Elements (Elements),
      .MaxWords (MaxWords)
    ) u_multiplier (
      .clk_i,
      .clear_i,
      .words_i,
      .elements_i,
      .start_valid_i,
      .start_ready_o,
      .start_context_i,
      .busy_o,
      .x_context_o,
      .x_index_o,
      .x_data_i,
      .y_context_o,
      .y_index_o,
      .y_data_i,
      .n_context_o,
      .n_index_o,
      .n_data_i,
      .r_valid_o,
      .r_last_o,
      .r_context_o,
      .r_index_o,
      .r_data_o
    );

    logic unused;
    assign unused = ^inverse_i;
    assign inverse_wrong_o = 1'b0;
  end else if (Multiplier == "pipelined") begin : g_pipelined
    monpro_mul_pipelined #(
      .Target  (Target),
      .WordBits(WordBits),
      .Elements(Elements),
      .MaxWords(MaxWords)
    ) u_multiplier (
      .clk_i,
      .clear_i,
      .words_i,
      .elements_i,
      .start_valid_i,
      .start_ready_o,
      .start_context_i,
      .busy_o,
      .x_context_o,
      .x_index_o,
      .x_data_i,
      .y_context_o,
      .y_index_o,
      .y_data_i,
      .n_context_o,
      .n_index_o,
      .n_data_i,
      .r_valid_o,
      .r_last_o,
      .r_context_o,
      .r_index_o,
      .r_data_o
    );

    logic unused;
    assign unused = ^inverse_i;
    assign inverse_wrong_o = 1'b0;
  end else if (Multiplier == "word") begin : g_word
    monpro_mul_word #(
      .Target  (Target),
      .WordBits(WordBits),
      .Elements(Elements),
      .MaxWords(MaxWords)
    ) u_multiplier (
      .clk_i,
      .clear_i,
      .words_i,
      .inverse_i,
      .inverse_wrong_o,
      .start_valid_i,
      .start_ready_o,
      .start_context_i,
      .busy_o,
      .x_context_o,
      .x_index_o,
      .x_data_i,
      .y_context_o,
      .y_index_o,
      .y_data_i,
      .n_context_o,
      .n_index_o,
      .n_data_i,
      .r_valid_o,
      .r_last_o,
      .r_context_o,
      .r_index_o,
      .r_data_o
    );

    logic unused;
    assign unused = ^elements_i;
  end else begin : g_illegal_multiplier
    $error("no such multiplier");
  end

endmodule
