// SPDX-License-Identifier: Apache-2.0
// A vendor's block beside the portable one, on the same inputs, for a test to compare.
module monpro_block_pair #(
  parameter int unsigned WordBits = 17,
  parameter int unsigned DigitBits = WordBits,
  parameter string Target = "ecp5"
) (
  input  logic                          clk_i,
  input  logic                          clear_i,
  input  logic [DigitBits-1:0]          a_i,
  input  logic [WordBits-1:0]           b_i,
  output logic [WordBits+DigitBits-1:0] portable_o,
  output logic [WordBits+DigitBits-1:0] vendor_o
);

  monpro_block #(
    .WordBits(WordBits),
    .DigitBits(DigitBits),
    .Target("portable")
  ) u_portable (
    .clk_i,
    .clear_i,
    .a_i,
    .b_i,
    .p_o(portable_o)
  );

  monpro_block #(
    .WordBits(WordBits),
    .DigitBits(DigitBits),
    .Target(Target)
  ) u_vendor (
    .clk_i,
    .clear_i,
    .a_i,
    .b_i,
    .p_o(vendor_o)
  );

endmodule
