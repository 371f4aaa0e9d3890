// A slot of the operand memory with its three writers: the bus, a stream that is kept, and the
// adder. Only one of them writes at a time. A word comes two cycles after its index.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_serial_slot #(
  parameter string       Target   = "portable",  // see monpro_ram
  parameter int unsigned AddrBits = 6
) (
  input  logic                clk_i,
  input  logic                wipe_i,
  input  logic [AddrBits-1:0] wipe_addr_i,
  input  logic                load_i,
  input  logic [AddrBits-1:0] load_index_i,
  input  logic [31:0]         load_data_i,
  input  logic                keep_i,
  input  logic [AddrBits-1:0] keep_index_i,
  input  logic [31:0]         keep_data_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] write_index_i,
  input  logic [31:0]         write_data_i,
  input  logic [AddrBits-1:0] read_index_i,
  output logic [31:0]         read_data_o
);

  logic [AddrBits-1:0] address;
  logic [31:0] data;

  always_comb begin
    address = load_index_i;
    data = load_data_i;
    if (wipe_i) begin
      address = wipe_addr_i;
      data = '0;
    end else if (keep_i) begin
      address = keep_index_i;
      data = keep_data_i;
    end else if (write_i) begin
      address = write_index_i;
      data = write_data_i;
    end
  end

  monpro_ram #(
    .Target(Target),
    .Width (32),
    .Depth (1 << AddrBits)
  ) u_ram (
    .clk_i,
    .write_i     (load_i || keep_i || write_i || wipe_i),
    .write_addr_i(address),
    .write_data_i(data),
    .read_addr_i (read_index_i),
    .read_data_o
  );

endmodule
