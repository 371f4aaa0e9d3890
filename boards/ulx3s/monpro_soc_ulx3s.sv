// The system on chip on a ULX3S board (LFE5U-85F), clocked by the crystal of the board. Its pins
// are in boards/ulx3s/ulx3s.lpf. The program in its ROM runs after a reset and reports over USB,
// 115200 baud.
//
//   btn_ni[0]   the button PWR: reset
//   led_o[0]    a blink a second or so: it is clocked
//   led_o[3]    the host sends
//   led_o[4]    the system sends
//
// LiteX writes the module monpro_soc: python/monpro/soc/bitstream.py.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_soc_ulx3s (
  input  logic       clk_i,       // 25 MHz
  input  logic [0:0] btn_ni,
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic       wifi_off_o,  // high: the ESP32 leaves the board alone
  output logic [7:0] led_o
);

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

  monpro_soc u_soc (
    .clk      (clk_i),
    .rst      (!rst_n),
    .serial_rx(uart_rx_i),
    .serial_tx(uart_tx_o)
  );

  // ---- lights

  logic [BlinkBits-1:0] blink_q;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) blink_q <= '0;
    else blink_q <= blink_q + 1'b1;
  end

  assign led_o = {3'b000, !uart_tx_o, !uart_rx_i, 2'b00, blink_q[BlinkBits-1]};
  assign wifi_off_o = 1'b1;

endmodule
