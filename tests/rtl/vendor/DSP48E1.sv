// SPDX-License-Identifier: Apache-2.0
// Model of the 7-series DSP slice, written from its documented behaviour as far as
// monpro_block_xilinx7 uses it: P = A[24:0] * B, signed. The registers of A, B, M and P are there
// (one each) or not, as AREG, BREG, MREG, PREG say; their resets are synchronous. Whatever else the
// slice can do ends the simulation.
module DSP48E1 #(
  parameter string A_INPUT = "DIRECT",
  parameter string B_INPUT = "DIRECT",
  parameter string USE_DPORT = "FALSE",
  parameter string USE_MULT = "MULTIPLY",
  parameter string USE_PATTERN_DETECT = "NO_PATDET",
  parameter string USE_SIMD = "ONE48",
  parameter integer AREG = 1,
  parameter integer ACASCREG = 1,
  parameter integer BREG = 1,
  parameter integer BCASCREG = 1,
  parameter integer MREG = 1,
  parameter integer PREG = 1,
  parameter integer ADREG = 1,
  parameter integer ALUMODEREG = 1,
  parameter integer CARRYINREG = 1,
  parameter integer CARRYINSELREG = 1,
  parameter integer CREG = 1,
  parameter integer DREG = 1,
  parameter integer INMODEREG = 1,
  parameter integer OPMODEREG = 1
) (
  input  logic        CLK,
  input  logic [29:0] A,
  input  logic [17:0] B,
  input  logic [47:0] C,
  input  logic [24:0] D,
  output logic [47:0] P,
  input  logic [3:0]  ALUMODE,
  input  logic [4:0]  INMODE,
  input  logic [6:0]  OPMODE,
  input  logic        CARRYIN,
  input  logic [2:0]  CARRYINSEL,
  input  logic        CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED,
  input  logic        CEINMODE, CEM, CEP,
  input  logic        RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM,
  input  logic        RSTP,
  input  logic [29:0] ACIN,
  input  logic [17:0] BCIN,
  input  logic [47:0] PCIN,
  input  logic        CARRYCASCIN,
  input  logic        MULTSIGNIN
);

  logic signed [24:0] a_reg;
  logic signed [17:0] b_reg;
  logic signed [42:0] m_reg;
  logic signed [47:0] p_reg;

  if (AREG == 1) begin : g_a
    always_ff @(posedge CLK) a_reg <= RSTA ? '0 : A[24:0];
  end else begin : g_a_none
    assign a_reg = A[24:0];
  end

  if (BREG == 1) begin : g_b
    always_ff @(posedge CLK) b_reg <= RSTB ? '0 : B;
  end else begin : g_b_none
    assign b_reg = B;
  end

  if (MREG == 1) begin : g_m
    always_ff @(posedge CLK) m_reg <= RSTM ? '0 : 43'(a_reg) * 43'(b_reg);
  end else begin : g_m_none
    assign m_reg = 43'(a_reg) * 43'(b_reg);
  end

  if (PREG == 1) begin : g_p
    always_ff @(posedge CLK) p_reg <= RSTP ? '0 : 48'(m_reg);
  end else begin : g_p_none
    assign p_reg = 48'(m_reg);
  end

  assign P = p_reg;

  localparam bit Registers = AREG <= 1 && BREG <= 1 && ACASCREG == AREG && BCASCREG == BREG &&
      MREG <= 1 && PREG <= 1;
  localparam bit Others = ADREG == 0 && ALUMODEREG == 0 && CARRYINREG == 0 && CARRYINSELREG == 0 &&
      CREG == 0 && DREG == 0 && INMODEREG == 0 && OPMODEREG == 0;
  localparam bit Uses = A_INPUT == "DIRECT" && B_INPUT == "DIRECT" && USE_DPORT == "FALSE" &&
      USE_MULT == "MULTIPLY" && USE_PATTERN_DETECT == "NO_PATDET" && USE_SIMD == "ONE48";

  initial begin
    if (!Registers) $fatal(1, "A, B, M, P: one register or none is modelled");
    if (!Others) $fatal(1, "registers of C, D and the controls are not modelled");
    if (!Uses) $fatal(1, "only the multiplier is modelled");
  end

  logic [11:0] other_enables;
  logic [5:0] other_resets;

  assign other_enables = {
    CEA1, CEAD, CEALUMODE, CEB1, CEC, CECARRYIN, CECTRL, CED, CEINMODE, CARRYCASCIN, MULTSIGNIN,
    CARRYIN
  };
  assign other_resets = {RSTALLCARRYIN, RSTALUMODE, RSTC, RSTCTRL, RSTD, RSTINMODE};

  always_ff @(posedge CLK) begin
    if (OPMODE !== 7'b0000101) $fatal(1, "OPMODE: Z = 0, X and Y the product");
    if ({ALUMODE, INMODE, CARRYINSEL} !== '0) $fatal(1, "ALUMODE, INMODE, CARRYINSEL must be 0");
    if ({CEA2, CEB2, CEM, CEP} !== '1) $fatal(1, "the enables of A, B, M, P must be 1");
    if (A[29:25] !== {5{A[24]}}) $fatal(1, "A is more than 25 bits, signed");
    if (C !== '0 || D !== '0) $fatal(1, "C and D are not modelled");
    if (ACIN !== '0 || BCIN !== '0 || PCIN !== '0) $fatal(1, "cascades are not modelled");
    if (other_enables !== '0 || other_resets !== '0) $fatal(1, "an input without use is not 0");
  end

endmodule
