// monpro_block by one 7-series DSP slice, DSP48E1: p = a * b, unsigned, three cycles later.
//
// The three registers are those inside the slice: A and B, M, P. They are always enabled, and the
// synchronous resets of the slice clear them. The slice multiplies 25 by 18 bits, signed, which is
// 24 by 17 unsigned. So WordBits <= 24, on A, and DigitBits <= 17; the bits above are zero. The
// adder behind the multiplier adds zero (OPMODE: X and Y take the product, Z is 0). The adder
// before it is not used.
//
// With Yosys: synth_xilinx -nodsp. Its pass that packs registers into slices does not see that
// these are in use. It moves a register of the logic outside into one of them, and a cycle is lost.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_block_xilinx7 #(
  parameter int unsigned WordBits = 17,
  parameter int unsigned DigitBits = WordBits
) (
  input  logic                          clk_i,
  input  logic                          clear_i,
  input  logic [DigitBits-1:0]          a_i,
  input  logic [WordBits-1:0]           b_i,
  output logic [WordBits+DigitBits-1:0] p_o
);

  if (WordBits > 24 || DigitBits > 17) begin : g_too_wide
    $error("%0d x %0d bits: DSP48E1 takes at most 24 x 17, unsigned", WordBits, DigitBits);
  end

  logic [29:0] a;
  logic [17:0] b;
  logic [47:0] p;

  if (WordBits == DigitBits) begin : g_square
    assign a = 30'(a_i);
    assign b = 18'(b_i);
  end else begin : g_word_on_a
    assign a = 30'(b_i);
    assign b = 18'(a_i);
  end

  DSP48E1 #(
    .A_INPUT           ("DIRECT"),
    .B_INPUT           ("DIRECT"),
    .USE_DPORT         ("FALSE"),
    .USE_MULT          ("MULTIPLY"),
    .USE_PATTERN_DETECT("NO_PATDET"),
    .USE_SIMD          ("ONE48"),
    .AREG              (1),
    .ACASCREG          (1),
    .BREG              (1),
    .BCASCREG          (1),
    .MREG              (1),
    .PREG              (1),
    .ADREG             (0),
    .ALUMODEREG        (0),
    .CARRYINREG        (0),
    .CARRYINSELREG     (0),
    .CREG              (0),
    .DREG              (0),
    .INMODEREG         (0),
    .OPMODEREG         (0)
  ) u_dsp (
    .CLK          (clk_i),
    .A            (a),
    .B            (b),
    .C            ('0),
    .D            ('0),
    .P            (p),
    .ALUMODE      (4'b0000),
    .INMODE       (5'b00000),
    .OPMODE       (7'b0000101),
    .CARRYIN      (1'b0),
    .CARRYINSEL   (3'b000),
    .CEA1         (1'b0),
    .CEA2         (1'b1),
    .CEAD         (1'b0),
    .CEALUMODE    (1'b0),
    .CEB1         (1'b0),
    .CEB2         (1'b1),
    .CEC          (1'b0),
    .CECARRYIN    (1'b0),
    .CECTRL       (1'b0),
    .CED          (1'b0),
    .CEINMODE     (1'b0),
    .CEM          (1'b1),
    .CEP          (1'b1),
    .RSTA         (clear_i),
    .RSTALLCARRYIN(1'b0),
    .RSTALUMODE   (1'b0),
    .RSTB         (clear_i),
    .RSTC         (1'b0),
    .RSTCTRL      (1'b0),
    .RSTD         (1'b0),
    .RSTINMODE    (1'b0),
    .RSTM         (clear_i),
    .RSTP         (clear_i),
    .ACIN         ('0),
    .BCIN         ('0),
    .PCIN         ('0),
    .CARRYCASCIN  (1'b0),
    .MULTSIGNIN   (1'b0)
  );

  assign p_o = p[WordBits+DigitBits-1:0];

  logic unused;
  assign unused = ^p[47:WordBits+DigitBits];

endmodule
