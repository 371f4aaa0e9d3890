// monpro_ram by ECP5 block memories, DP16KD: port A writes, port B reads through the memory's own
// output register, so that the read word leaves the block 1 ns after the clock and not 6 ns.
//
// A block is 16384 x 1, 8192 x 2, 4096 x 4, 2048 x 9, 1024 x 18 or, with the data pins of both
// ports for each of the two, 512 x 36. The widest that holds Depth words is taken, as many side by
// side as Width needs: no multiplexer stands behind them. Depth <= 16384. Reset and the global
// set/reset net of the device have no part in it.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_ram_ecp5 #(
  parameter  int unsigned Width    = 17,
  parameter  int unsigned Depth    = 1024,
  localparam int unsigned AddrBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [Width-1:0]    write_data_i,
  input  logic [AddrBits-1:0] read_addr_i,
  output logic [Width-1:0]    read_data_o
);

  // An address counts single bits, so a word's is shifted; the ninth bits of bytes do not count.
  localparam int unsigned Shift =
      (Depth > 8192) ? 0 : (Depth > 4096) ? 1 : (Depth > 2048) ? 2 : (Depth > 1024) ? 3 :
      (Depth > 512 || Width <= 18) ? 4 : 5;
  localparam int unsigned Side = (Shift < 3) ? 1 << Shift : 9 << (Shift - 3);
  localparam int unsigned Blocks = (Width + Side - 1) / Side;
  // From 18 bits on the lowest bits of the write address enable the bytes.
  localparam bit [13:0] Bytes = (Shift == 5) ? 14'd15 : (Shift == 4) ? 14'd3 : 14'd0;

  if (Depth > 16384) begin : g_too_deep
    $error("Depth = %0d: a DP16KD has at most 16384 words", Depth);
  end

  logic [13:0] ada, adb;
  logic [Blocks*Side-1:0] write_data, read_data;

  assign ada = ((14)'(write_addr_i) << Shift) | Bytes;
  assign adb = (14)'(read_addr_i) << Shift;
  assign write_data = (Blocks * Side)'(write_data_i);
  assign read_data_o = read_data[Width-1:0];

  for (genvar i = 0; i < Blocks; i++) begin : g_block
    logic [35:0] di;
    logic [17:0] doa, dob;

    assign di = 36'(write_data[Side*i+:Side]);

    if (Side == 36) begin : g_both
      assign read_data[Side*i+:Side] = {dob, doa};
    end else begin : g_one
      assign read_data[Side*i+:Side] = dob[Side-1:0];
      logic unused;
      assign unused = ^{doa, dob};
    end

    DP16KD #(
      .DATA_WIDTH_A       (Side),
      .DATA_WIDTH_B       (Side),
      .REGMODE_A          ("OUTREG"),
      .REGMODE_B          ("OUTREG"),
      .RESETMODE          ("SYNC"),
      .ASYNC_RESET_RELEASE("SYNC"),
      .CSDECODE_A         ("0b000"),
      .CSDECODE_B         ("0b000"),
      .WRITEMODE_A        ("NORMAL"),
      .WRITEMODE_B        ("NORMAL"),
      .GSR                ("DISABLED")
    ) u_block (
      .CLKA(clk_i), .CEA(write_i), .OCEA(1'b1), .WEA(1'b1), .RSTA(1'b0),
      .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
      .ADA0(ada[0]), .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]), .ADA5(ada[5]),
      .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]), .ADA9(ada[9]), .ADA10(ada[10]),
      .ADA11(ada[11]), .ADA12(ada[12]), .ADA13(ada[13]),
      .DIA0(di[0]), .DIA1(di[1]), .DIA2(di[2]), .DIA3(di[3]), .DIA4(di[4]), .DIA5(di[5]),
      .DIA6(di[6]), .DIA7(di[7]), .DIA8(di[8]), .DIA9(di[9]), .DIA10(di[10]), .DIA11(di[11]),
      .DIA12(di[12]), .DIA13(di[13]), .DIA14(di[14]), .DIA15(di[15]), .DIA16(di[16]),
      .DIA17(di[17]),
      .CLKB(clk_i), .CEB(1'b1), .OCEB(1'b1), .WEB(1'b0), .RSTB(1'b0),
      .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0),
      .ADB0(adb[0]), .ADB1(adb[1]), .ADB2(adb[2]), .ADB3(adb[3]), .ADB4(adb[4]), .ADB5(adb[5]),
      .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]), .ADB10(adb[10]),
      .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]),
      .DIB0(di[18]), .DIB1(di[19]), .DIB2(di[20]), .DIB3(di[21]), .DIB4(di[22]), .DIB5(di[23]),
      .DIB6(di[24]), .DIB7(di[25]), .DIB8(di[26]), .DIB9(di[27]), .DIB10(di[28]), .DIB11(di[29]),
      .DIB12(di[30]), .DIB13(di[31]), .DIB14(di[32]), .DIB15(di[33]), .DIB16(di[34]),
      .DIB17(di[35]),
      .DOA0(doa[0]), .DOA1(doa[1]), .DOA2(doa[2]), .DOA3(doa[3]), .DOA4(doa[4]), .DOA5(doa[5]),
      .DOA6(doa[6]), .DOA7(doa[7]), .DOA8(doa[8]), .DOA9(doa[9]), .DOA10(doa[10]),
      .DOA11(doa[11]), .DOA12(doa[12]), .DOA13(doa[13]), .DOA14(doa[14]), .DOA15(doa[15]),
      .DOA16(doa[16]), .DOA17(doa[17]),
      .DOB0(dob[0]), .DOB1(dob[1]), .DOB2(dob[2]), .DOB3(dob[3]), .DOB4(dob[4]), .DOB5(dob[5]),
      .DOB6(dob[6]), .DOB7(dob[7]), .DOB8(dob[8]), .DOB9(dob[9]), .DOB10(dob[10]),
      .DOB11(dob[11]), .DOB12(dob[12]), .DOB13(dob[13]), .DOB14(dob[14]), .DOB15(dob[15]),
      .DOB16(dob[16]), .DOB17(dob[17])
    );
  end

  if (Blocks * Side > Width) begin : g_unused
    logic unused;
    assign unused = ^read_data[Blocks*Side-1:Width];
  end

endmodule
