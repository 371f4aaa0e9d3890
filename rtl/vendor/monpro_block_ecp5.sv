// monpro_block by one ECP5 multiplier, MULT18X18D: p = a * b, unsigned, three cycles later.
//
// All three registers are those inside the primitive: input, pipeline, output. They share clock 0,
// are always enabled and are cleared by reset 0, which is synchronous; the global set/reset net of
// the device has no part in it. WordBits <= 18; the bits above are zero.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_block_ecp5 #(
  parameter int unsigned WordBits = 18
) (
  input  logic                  clk_i,
  input  logic                  clear_i,
  input  logic [WordBits-1:0]   a_i,
  input  logic [WordBits-1:0]   b_i,
  output logic [2*WordBits-1:0] p_o
);

  localparam int unsigned Side = 18;

  if (WordBits > Side) begin : g_too_wide
    $error("WordBits = %0d: MULT18X18D takes at most 18", WordBits);
  end

  logic [Side-1:0] a, b;
  logic [2*Side-1:0] p;

  assign a = (Side)'(a_i);
  assign b = (Side)'(b_i);

  MULT18X18D #(
    .REG_INPUTA_CLK  ("CLK0"),
    .REG_INPUTA_CE   ("CE0"),
    .REG_INPUTA_RST  ("RST0"),
    .REG_INPUTB_CLK  ("CLK0"),
    .REG_INPUTB_CE   ("CE0"),
    .REG_INPUTB_RST  ("RST0"),
    .REG_INPUTC_CLK  ("NONE"),
    .REG_PIPELINE_CLK("CLK0"),
    .REG_PIPELINE_CE ("CE0"),
    .REG_PIPELINE_RST("RST0"),
    .REG_OUTPUT_CLK  ("CLK0"),
    .REG_OUTPUT_CE   ("CE0"),
    .REG_OUTPUT_RST  ("RST0"),
    .GSR             ("DISABLED"),
    .MULT_BYPASS     ("DISABLED"),
    .RESETMODE       ("SYNC")
  ) u_mult (
    .CLK0(clk_i),
    .CE0(1'b1),
    .RST0(clear_i),
    .SIGNEDA(1'b0),
    .SIGNEDB(1'b0),
    .SOURCEA(1'b0),
    .SOURCEB(1'b0),
    .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]), .A6(a[6]), .A7(a[7]),
    .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]),
    .A15(a[15]), .A16(a[16]), .A17(a[17]),
    .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]), .B6(b[6]), .B7(b[7]),
    .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]), .B13(b[13]), .B14(b[14]),
    .B15(b[15]), .B16(b[16]), .B17(b[17]),
    .C0(1'b0), .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0), .C6(1'b0), .C7(1'b0),
    .C8(1'b0), .C9(1'b0), .C10(1'b0), .C11(1'b0), .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0),
    .C16(1'b0), .C17(1'b0),
    .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]), .P5(p[5]), .P6(p[6]), .P7(p[7]),
    .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]), .P12(p[12]), .P13(p[13]), .P14(p[14]),
    .P15(p[15]), .P16(p[16]), .P17(p[17]), .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]),
    .P22(p[22]), .P23(p[23]), .P24(p[24]), .P25(p[25]), .P26(p[26]), .P27(p[27]), .P28(p[28]),
    .P29(p[29]), .P30(p[30]), .P31(p[31]), .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35])
  );

  assign p_o = p[2*WordBits-1:0];

  if (WordBits < Side) begin : g_unused
    logic unused;
    assign unused = ^p[2*Side-1:2*WordBits];
  end

endmodule
