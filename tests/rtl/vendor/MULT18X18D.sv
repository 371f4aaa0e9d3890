// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5's multiplier, written from its documented behaviour as far as monpro_block_ecp5
// uses it: p = a * b, unsigned. Each of the three registers (input, pipeline, output) is there if
// its clock is "CLK0" and not if that is "NONE"; RST0 clears it at the clock. Whatever else the
// primitive can do ends the simulation.
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

  logic [17:0] a, b, a_reg, b_reg;
  logic [35:0] m_reg, p;

  assign a = {
    A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0
  };
  assign b = {
    B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0
  };
  assign {
    P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18, P17,
    P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
  } = p;

  if (REG_INPUTA_CLK == "CLK0") begin : g_a
    always_ff @(posedge CLK0) a_reg <= RST0 ? '0 : a;
  end else begin : g_a_none
    assign a_reg = a;
  end

  if (REG_INPUTB_CLK == "CLK0") begin : g_b
    always_ff @(posedge CLK0) b_reg <= RST0 ? '0 : b;
  end else begin : g_b_none
    assign b_reg = b;
  end

  if (REG_PIPELINE_CLK == "CLK0") begin : g_m
    always_ff @(posedge CLK0) m_reg <= RST0 ? '0 : a_reg * b_reg;
  end else begin : g_m_none
    assign m_reg = a_reg * b_reg;
  end

  if (REG_OUTPUT_CLK == "CLK0") begin : g_p
    always_ff @(posedge CLK0) p <= RST0 ? '0 : m_reg;
  end else begin : g_p_none
    assign p = m_reg;
  end

  localparam bit Clocks =
      (REG_INPUTA_CLK == "CLK0" || REG_INPUTA_CLK == "NONE") &&
      (REG_INPUTB_CLK == "CLK0" || REG_INPUTB_CLK == "NONE") &&
      (REG_PIPELINE_CLK == "CLK0" || REG_PIPELINE_CLK == "NONE") &&
      (REG_OUTPUT_CLK == "CLK0" || REG_OUTPUT_CLK == "NONE") && REG_INPUTC_CLK == "NONE";
  localparam bit Enables =
      REG_INPUTA_CE == "CE0" && REG_INPUTB_CE == "CE0" &&
      REG_PIPELINE_CE == "CE0" && REG_OUTPUT_CE == "CE0";
  localparam bit Resets =
      REG_INPUTA_RST == "RST0" && REG_INPUTB_RST == "RST0" &&
      REG_PIPELINE_RST == "RST0" && REG_OUTPUT_RST == "RST0" && RESETMODE == "SYNC";

  initial begin
    if (!Clocks) $fatal(1, "a register's clock is neither CLK0 nor NONE");
    if (!Enables) $fatal(1, "a register's enable is not CE0");
    if (!Resets) $fatal(1, "a register's reset is not RST0, synchronous");
    if (GSR != "DISABLED") $fatal(1, "the global reset is not modelled");
    if (MULT_BYPASS != "DISABLED") $fatal(1, "MULT_BYPASS is not modelled");
  end

  logic [17:0] c;

  assign c = {
    C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0
  };

  always_ff @(posedge CLK0) begin
    if (CE0 !== 1'b1) $fatal(1, "CE0 must be 1");
    if ({SIGNEDA, SIGNEDB, SOURCEA, SOURCEB} !== '0) $fatal(1, "signed, or a cascade");
    if (c !== '0) $fatal(1, "C is not modelled");
  end

endmodule
