// SPDX-License-Identifier: Apache-2.0
// The coprocessor as Vivado's block designs take a module: plain Verilog, with the names of its interfaces for the IP
// integrator. Its parameters are set in python/monpro/soc/vivado.py.
module monpro_axi #(
  parameter Multiplier = "array",
  parameter WordBits   = 17,
  parameter Elements   = 16,
  parameter MinBits    = 128,
  parameter MaxBits    = 4096,
  parameter TableWords = 8192,
  parameter TableBanks = 1,
  parameter Entries    = 0,
  parameter Schemes    = 63,
  parameter Crt        = 0,
  parameter Target     = "xilinx7"
) (
  (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
  (* X_INTERFACE_PARAMETER = "ASSOCIATED_BUSIF s_axi, ASSOCIATED_RESET aresetn" *)
  input  wire        aclk,
  (* X_INTERFACE_INFO = "xilinx.com:signal:reset:1.0 aresetn RST" *)
  (* X_INTERFACE_PARAMETER = "POLARITY ACTIVE_LOW" *)
  input  wire        aresetn,
  (* X_INTERFACE_INFO = "xilinx.com:signal:interrupt:1.0 irq INTERRUPT" *)
  (* X_INTERFACE_PARAMETER = "SENSITIVITY LEVEL_HIGH" *)
  output wire        irq,

  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWVALID" *)
  input  wire        s_axi_awvalid,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWREADY" *)
  output wire        s_axi_awready,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWADDR" *)
  input  wire [11:0] s_axi_awaddr,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi AWPROT" *)
  input  wire [ 2:0] s_axi_awprot,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WVALID" *)
  input  wire        s_axi_wvalid,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WREADY" *)
  output wire        s_axi_wready,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WDATA" *)
  input  wire [31:0] s_axi_wdata,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi WSTRB" *)
  input  wire [ 3:0] s_axi_wstrb,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BVALID" *)
  output wire        s_axi_bvalid,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BREADY" *)
  input  wire        s_axi_bready,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi BRESP" *)
  output wire [ 1:0] s_axi_bresp,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARVALID" *)
  input  wire        s_axi_arvalid,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARREADY" *)
  output wire        s_axi_arready,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARADDR" *)
  input  wire [11:0] s_axi_araddr,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi ARPROT" *)
  input  wire [ 2:0] s_axi_arprot,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RVALID" *)
  output wire        s_axi_rvalid,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RREADY" *)
  input  wire        s_axi_rready,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RDATA" *)
  output wire [31:0] s_axi_rdata,
  (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 s_axi RRESP" *)
  output wire [ 1:0] s_axi_rresp
);

  // The coprocessor decodes 128 bytes, which come again and again in the 4 KB that a page of Linux has.
  monpro_coprocessor #(
    .Multiplier(Multiplier),
    .WordBits  (WordBits),
    .Elements  (Elements),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .TableWords(TableWords),
    .TableBanks(TableBanks),
    .Entries   (Entries),
    .Schemes   (Schemes),
    .Crt       (Crt),
    .Target    (Target)
  ) u_coprocessor (
    .clk_i         (aclk),
    .rst_ni        (aresetn),
    .irq_o         (irq),
    .s_axil_awready(s_axi_awready),
    .s_axil_awvalid(s_axi_awvalid),
    .s_axil_awaddr (s_axi_awaddr[6:0]),
    .s_axil_awprot (s_axi_awprot),
    .s_axil_wready (s_axi_wready),
    .s_axil_wvalid (s_axi_wvalid),
    .s_axil_wdata  (s_axi_wdata),
    .s_axil_wstrb  (s_axi_wstrb),
    .s_axil_bready (s_axi_bready),
    .s_axil_bvalid (s_axi_bvalid),
    .s_axil_bresp  (s_axi_bresp),
    .s_axil_arready(s_axi_arready),
    .s_axil_arvalid(s_axi_arvalid),
    .s_axil_araddr (s_axi_araddr[6:0]),
    .s_axil_arprot (s_axi_arprot),
    .s_axil_rready (s_axi_rready),
    .s_axil_rvalid (s_axi_rvalid),
    .s_axil_rdata  (s_axi_rdata),
    .s_axil_rresp  (s_axi_rresp),
    .s_axis_tvalid (1'b0),
    .s_axis_tready (),
    .s_axis_tdata  (32'b0),
    .s_axis_tkeep  (4'b0),
    .s_axis_tlast  (1'b0),
    .m_axis_tvalid (),
    .m_axis_tready (1'b0),
    .m_axis_tdata  (),
    .m_axis_tkeep  (),
    .m_axis_tlast  ()
  );

endmodule
