// The coprocessor on a ULX3S board (LFE5U-85F): its registers by USB, through the bridge of
// monpro_uart_bridge.sv at one million baud, clocked by the board's crystal.
//
//   btn_ni[0]   the button PWR: reset
//   led_o[0]    a blink a second or so: it is clocked
//   led_o[1]    the interrupt line: an operation is done, and its interrupt enabled
//   led_o[2]    the bridge drops bytes until a break
//   led_o[3]    the host sends
//   led_o[4]    the bridge answers
//
// SPDX-License-Identifier: Apache-2.0
module monpro_ulx3s #(
  parameter string       Multiplier = "array",
  parameter int unsigned WordBits   = 17,
  parameter int unsigned Elements   = 16,
  parameter int unsigned MinBits    = 128,
  parameter int unsigned MaxBits    = 4096,
  parameter int unsigned TableWords = 8192,
  parameter int unsigned TableBanks = 1,
  parameter int unsigned Entries    = 0,
  parameter int unsigned Schemes    = 63,
  parameter int unsigned Crt        = 0
) (
  input  logic       clk_i,       // 25 MHz
  input  logic [0:0] btn_ni,
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic       wifi_off_o,  // high: the ESP32 leaves the board alone
  output logic [7:0] led_o
);

  localparam int unsigned ClockHz = 25_000_000;
  localparam int unsigned Baud = 1_000_000;
  localparam int unsigned AddrBits = monpro_regs_pkg::MONPRO_REGS_MIN_ADDR_WIDTH;
  localparam int unsigned BlinkBits = 25;

  // ---- reset: at once, and released with the clock; a register starts as zero on this device

  logic [1:0] running_q;
  logic rst_n;

  always_ff @(posedge clk_i or negedge btn_ni[0]) begin
    if (!btn_ni[0]) begin
      running_q <= '0;
      rst_n <= 1'b0;
    end else begin
      running_q <= {running_q[0], 1'b1};
      rst_n <= running_q[1];
    end
  end

  // ---- bridge and coprocessor

  logic lost, irq;
  logic awready, awvalid, wready, wvalid, bready, bvalid, arready, arvalid, rready, rvalid;
  logic [AddrBits-1:0] awaddr, araddr;
  logic [2:0] awprot, arprot;
  logic [31:0] wdata, rdata;
  logic [3:0] wstrb;
  logic [1:0] bresp, rresp;

  monpro_uart_bridge #(
    .BitCycles(ClockHz / Baud),
    .AddrBits (AddrBits)
  ) u_bridge (
    .clk_i,
    .rst_ni        (rst_n),
    .rx_i          (uart_rx_i),
    .tx_o          (uart_tx_o),
    .lost_o        (lost),
    .m_axil_awready(awready),
    .m_axil_awvalid(awvalid),
    .m_axil_awaddr (awaddr),
    .m_axil_awprot (awprot),
    .m_axil_wready (wready),
    .m_axil_wvalid (wvalid),
    .m_axil_wdata  (wdata),
    .m_axil_wstrb  (wstrb),
    .m_axil_bready (bready),
    .m_axil_bvalid (bvalid),
    .m_axil_bresp  (bresp),
    .m_axil_arready(arready),
    .m_axil_arvalid(arvalid),
    .m_axil_araddr (araddr),
    .m_axil_arprot (arprot),
    .m_axil_rready (rready),
    .m_axil_rvalid (rvalid),
    .m_axil_rdata  (rdata),
    .m_axil_rresp  (rresp)
  );

  logic [38:0] unused_stream;

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
    .Target    ("ecp5")
  ) u_coprocessor (
    .clk_i,
    .rst_ni        (rst_n),
    .irq_o         (irq),
    .s_axil_awready(awready),
    .s_axil_awvalid(awvalid),
    .s_axil_awaddr (awaddr),
    .s_axil_awprot (awprot),
    .s_axil_wready (wready),
    .s_axil_wvalid (wvalid),
    .s_axil_wdata  (wdata),
    .s_axil_wstrb  (wstrb),
    .s_axil_bready (bready),
    .s_axil_bvalid (bvalid),
    .s_axil_bresp  (bresp),
    .s_axil_arready(arready),
    .s_axil_arvalid(arvalid),
    .s_axil_araddr (araddr),
    .s_axil_arprot (arprot),
    .s_axil_rready (rready),
    .s_axil_rvalid (rvalid),
    .s_axil_rdata  (rdata),
    .s_axil_rresp  (rresp),
    .s_axis_tvalid (1'b0),
    .s_axis_tready (unused_stream[0]),
    .s_axis_tdata  ('0),
    .s_axis_tkeep  ('0),
    .s_axis_tlast  (1'b0),
    .m_axis_tvalid (unused_stream[1]),
    .m_axis_tready (1'b0),
    .m_axis_tdata  (unused_stream[33:2]),
    .m_axis_tkeep  (unused_stream[37:34]),
    .m_axis_tlast  (unused_stream[38])
  );

  // ---- lights

  logic [BlinkBits-1:0] blink_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) blink_q <= '0;
    else blink_q <= blink_q + 1'b1;
  end

  assign led_o = {3'b000, !uart_tx_o, !uart_rx_i, lost, irq, blink_q[BlinkBits-1]};
  assign wifi_off_o = 1'b1;

endmodule
