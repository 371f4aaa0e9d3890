// SPDX-License-Identifier: Apache-2.0
// A vendor's memory beside the portable one, on the same inputs, for a test to compare.
module monpro_ram_pair #(
  parameter  int unsigned Width    = 17,
  parameter  int unsigned Depth    = 1024,
  parameter  string       Target   = "ecp5",
  localparam int unsigned AddrBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [Width-1:0]    write_data_i,
  input  logic [AddrBits-1:0] read_addr_i,
  output logic [Width-1:0]    portable_o,
  output logic [Width-1:0]    vendor_o
);

  monpro_ram #(
    .Width (Width),
    .Depth (Depth),
    .Target("portable")
  ) u_portable (
    .clk_i,
    .write_i,
    .write_addr_i,
    .write_data_i,
    .read_addr_i,
    .read_data_o(portable_o)
  );

  monpro_ram #(
    .Width (Width),
    .Depth (Depth),
    .Target(Target)
  ) u_vendor (
    .clk_i,
    .write_i,
    .write_addr_i,
    .write_data_i,
    .read_addr_i,
    .read_data_o(vendor_o)
  );

endmodule
