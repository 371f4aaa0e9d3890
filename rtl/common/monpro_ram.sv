// Synchronous memory with one write port and one read port. A word comes two cycles after its
// address; the second register is the one that block memories have at their output. A read of the
// address that is being written is undefined. In simulation it gives the complement of the old
// word, so that a test sees who relies on it. The contents are undefined until they are written.
//
// Target   "portable"   any synthesis and any simulator. The synthesis decides whether the second
//                       register lies inside the block memory (Yosys leaves it outside)
//          "xilinx7"    the same
//          "ecp5"       block memories with their output register, which Yosys does not use by
//                       itself; below SmallDepth words as "portable"
//
// SPDX-License-Identifier: Apache-2.0
module monpro_ram #(
  parameter  int unsigned Width    = 17,
  parameter  int unsigned Depth    = 256,
  parameter  string       Target   = "portable",
  localparam int unsigned AddrBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [Width-1:0]    write_data_i,
  input  logic [AddrBits-1:0] read_addr_i,
  output logic [Width-1:0]    read_data_o
);

  localparam int unsigned SmallDepth = 64;

  if (Target == "ecp5" && Depth >= SmallDepth) begin : g_ecp5

    monpro_ram_ecp5 #(
      .Width(Width),
      .Depth(Depth)
    ) u_ram (
      .clk_i,
      .write_i,
      .write_addr_i,
      .write_data_i,
      .read_addr_i,
      .read_data_o
    );

  end else begin : g_portable

    if (Target != "portable" && Target != "ecp5" && Target != "xilinx7") begin : g_unknown
      $error("Target is none of portable, ecp5, xilinx7");
    end

    (* no_rw_check *) logic [Width-1:0] memory_q[Depth];
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) begin
      if (write_i) memory_q[write_addr_i] <= write_data_i;
      word_q <= memory_q[read_addr_i];
`ifndef SYNTHESIS
      if (write_i && write_addr_i == read_addr_i) word_q <= ~memory_q[read_addr_i];
`endif
      read_data_o <= word_q;
    end

  end

endmodule
