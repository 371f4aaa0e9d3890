// SPDX-License-Identifier: Apache-2.0
// Model of the ECP5's block memory, written from its documented behaviour as far as monpro_ram_ecp5
// uses it: port A writes and port B reads, words of the same width, 36 bits with the data pins of
// both ports for each of the two. The word read is at the output one cycle after its address, or
// with REGMODE_B = "OUTREG" two. A read of the word that is being written gives its complement: the
// device promises nothing. Whatever else the primitive can do ends the simulation.
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

  localparam int unsigned Width = DATA_WIDTH_B;
  localparam int unsigned Shift = (Width == 36) ? 5 : (Width == 18) ? 4 : (Width == 9) ? 3 :
      (Width == 4) ? 2 : (Width == 2) ? 1 : 0;
  localparam bit [4:0] Bytes = (Width == 36) ? 5'd15 : (Width == 18) ? 5'd3 : 5'd0;
  localparam bit [4:0] Below = 5'((1 << Shift) - 1);  // of the address: no part of the word's

  logic [13:0] ada, adb;
  logic [35:0] di, q;
  logic [Width-1:0] memory[16384 >> Shift], word;

  assign ada = {
    ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0
  };
  assign adb = {
    ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0
  };
  assign di[17:0] = {
    DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5,
    DIA4, DIA3, DIA2, DIA1, DIA0
  };
  assign di[35:18] = {
    DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5,
    DIB4, DIB3, DIB2, DIB1, DIB0
  };
  assign {
    DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5,
    DOA4, DOA3, DOA2, DOA1, DOA0
  } = (Width == 36) ? q[17:0] : '0;  // what port A reads is not modelled
  assign {
    DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5,
    DOB4, DOB3, DOB2, DOB1, DOB0
  } = (Width == 36) ? q[35:18] : q[17:0];

  always_ff @(posedge CLKA) begin
    if (CEA && WEA) memory[(14-Shift)'(ada >> Shift)] <= di[Width-1:0];
  end

  always_ff @(posedge CLKB) begin
    word <= memory[(14-Shift)'(adb >> Shift)];
    if (CEA && WEA && ada >> Shift == adb >> Shift) word <= ~memory[(14-Shift)'(adb >> Shift)];
  end

  if (REGMODE_B == "OUTREG") begin : g_output
    always_ff @(posedge CLKB) q <= 36'(word);
  end else begin : g_no_output
    assign q = 36'(word);
  end

  initial begin
    if (DATA_WIDTH_A != DATA_WIDTH_B) $fatal(1, "ports of different widths are not modelled");
    if (!(Width inside {1, 2, 4, 9, 18, 36})) $fatal(1, "no such width");
    if (!(REGMODE_B == "OUTREG" || REGMODE_B == "NOREG")) $fatal(1, "REGMODE_B");
    if (REGMODE_A != REGMODE_B) $fatal(1, "36 bits come out of both ports: the same REGMODE");
    if (RESETMODE != "SYNC" || ASYNC_RESET_RELEASE != "SYNC") $fatal(1, "RESETMODE");
    if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") $fatal(1, "CSDECODE");
    if (WRITEMODE_A != "NORMAL" || WRITEMODE_B != "NORMAL") $fatal(1, "WRITEMODE");
    if (GSR != "DISABLED") $fatal(1, "the global reset is not modelled");
  end

  always_ff @(posedge CLKA) begin
    if (CLKA !== CLKB) $fatal(1, "two clocks are not modelled");
    if ({OCEA, CEB, OCEB} !== '1) $fatal(1, "the enables of the output must be 1");
    if ({RSTA, RSTB, WEB} !== '0) $fatal(1, "resets and writes by port B are not modelled");
    if ({CSA0, CSA1, CSA2, CSB0, CSB1, CSB2} !== '0) $fatal(1, "chip selects must be 0");
    if ((ada[4:0] & Below) !== Bytes) $fatal(1, "bytes not enabled, or part of a word addressed");
    if ((adb[4:0] & Below) !== '0) $fatal(1, "part of a word addressed");
    if (36'(di[Width-1:0]) !== di) $fatal(1, "data beyond the width");
  end

endmodule
