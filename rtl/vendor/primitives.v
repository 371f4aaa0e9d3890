// The vendors' primitives as black boxes, with the ports and parameters that the wrappers of this
// folder use. Only for a synthesis whose SystemVerilog reader does not know them by itself (Yosys
// with read_slang): read it beside the RTL; synth_ecp5 and synth_xilinx then put their own full
// declarations in place of these (synth_xilinx: with -nodsp, see monpro_block_xilinx7). Not for
// simulation, which needs a model: hence not *.sv.
//
// SPDX-License-Identifier: Apache-2.0

(* blackbox *)
module MULT18X18D #(
  parameter string REG_INPUTA_CLK   = "NONE",
  parameter string REG_INPUTA_CE    = "CE0",
  parameter string REG_INPUTA_RST   = "RST0",
  parameter string REG_INPUTB_CLK   = "NONE",
  parameter string REG_INPUTB_CE    = "CE0",
  parameter string REG_INPUTB_RST   = "RST0",
  parameter string REG_INPUTC_CLK   = "NONE",
  parameter string REG_PIPELINE_CLK = "NONE",
  parameter string REG_PIPELINE_CE  = "CE0",
  parameter string REG_PIPELINE_RST = "RST0",
  parameter string REG_OUTPUT_CLK   = "NONE",
  parameter string REG_OUTPUT_CE    = "CE0",
  parameter string REG_OUTPUT_RST   = "RST0",
  parameter string GSR              = "ENABLED",
  parameter string MULT_BYPASS      = "DISABLED",
  parameter string RESETMODE        = "SYNC"
) (
  input  logic
    CLK0, CE0, RST0, SIGNEDA, SIGNEDB, SOURCEA, SOURCEB, A0, A1, A2, A3, A4, A5, A6, A7, A8, A9,
    A10, A11, A12, A13, A14, A15, A16, A17, B0, B1, B2, B3, B4, B5, B6, B7, B8, B9, B10, B11,
    B12, B13, B14, B15, B16, B17, C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C13,
    C14, C15, C16, C17,
  output logic
    P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16, P17, P18, P19,
    P20, P21, P22, P23, P24, P25, P26, P27, P28, P29, P30, P31, P32, P33, P34, P35
);
endmodule

(* blackbox *)
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
endmodule

(* blackbox *)
module DP16KD #(
  parameter integer DATA_WIDTH_A        = 18,
  parameter integer DATA_WIDTH_B        = 18,
  parameter string  REGMODE_A           = "NOREG",
  parameter string  REGMODE_B           = "NOREG",
  parameter string  RESETMODE           = "SYNC",
  parameter string  ASYNC_RESET_RELEASE = "SYNC",
  parameter string  CSDECODE_A          = "0b000",
  parameter string  CSDECODE_B          = "0b000",
  parameter string  WRITEMODE_A         = "NORMAL",
  parameter string  WRITEMODE_B         = "NORMAL",
  parameter string  GSR                 = "ENABLED"
) (
  input  logic
    CLKA, CEA, OCEA, WEA, RSTA, CSA0, CSA1, CSA2, ADA0, ADA1, ADA2, ADA3, ADA4, ADA5, ADA6, ADA7,
    ADA8, ADA9, ADA10, ADA11, ADA12, ADA13, DIA0, DIA1, DIA2, DIA3, DIA4, DIA5, DIA6, DIA7, DIA8,
    DIA9, DIA10, DIA11, DIA12, DIA13, DIA14, DIA15, DIA16, DIA17, CLKB, CEB, OCEB, WEB, RSTB,
    CSB0, CSB1, CSB2, ADB0, ADB1, ADB2, ADB3, ADB4, ADB5, ADB6, ADB7, ADB8, ADB9, ADB10, ADB11,
    ADB12, ADB13, DIB0, DIB1, DIB2, DIB3, DIB4, DIB5, DIB6, DIB7, DIB8, DIB9, DIB10, DIB11, DIB12,
    DIB13, DIB14, DIB15, DIB16, DIB17,
  output logic
    DOA0, DOA1, DOA2, DOA3, DOA4, DOA5, DOA6, DOA7, DOA8, DOA9, DOA10, DOA11, DOA12, DOA13, DOA14,
    DOA15, DOA16, DOA17, DOB0, DOB1, DOB2, DOB3, DOB4, DOB5, DOB6, DOB7, DOB8, DOB9, DOB10, DOB11,
    DOB12, DOB13, DOB14, DOB15, DOB16, DOB17
);
endmodule
