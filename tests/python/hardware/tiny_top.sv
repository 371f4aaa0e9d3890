// SPDX-License-Identifier: Apache-2.0
// The smallest top that the harness can drive: every read answers with WordBits and the address.
module tiny_top #(
  parameter string       Multiplier = "none",
  parameter int unsigned WordBits   = 1,
  parameter int unsigned Elements   = 1,
  parameter int unsigned MinBits    = 1,
  parameter int unsigned MaxBits    = 1,
  parameter int unsigned TableWords = 1,
  parameter int unsigned TableBanks = 1,
  parameter int unsigned Entries    = 0,
  parameter int unsigned Schemes    = 1,
  parameter int unsigned Crt        = 0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        irq_o,
  input  logic        s_axil_awvalid,
  output logic        s_axil_awready,
  input  logic [6:0]  s_axil_awaddr,
  input  logic [2:0]  s_axil_awprot,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [3:0]  s_axil_wstrb,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  output logic [1:0]  s_axil_bresp,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  input  logic [6:0]  s_axil_araddr,
  input  logic [2:0]  s_axil_arprot,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [1:0]  s_axil_rresp
);

  assign irq_o = 1'b0;
  assign s_axil_awready = 1'b1;
  assign s_axil_wready = 1'b1;
  assign s_axil_bresp = 2'd0;
  assign s_axil_arready = 1'b1;
  assign s_axil_rresp = 2'd0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
      s_axil_rdata  <= '0;
    end else begin
      s_axil_bvalid <= s_axil_wvalid;
      s_axil_rvalid <= s_axil_arvalid;
      s_axil_rdata  <= 32'(WordBits) << 16 | 32'(s_axil_araddr);
    end
  end

endmodule
