// Transmitter of a UART: eight data bits, least significant first, one stop bit, no parity.
//
// A byte takes 10 * BitCycles cycles from the one in which it is taken; ready_o is high between
// bytes, so that they follow each other with a gap of one cycle.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_uart_transmitter #(
  parameter int unsigned BitCycles = 25  // 2 or more
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  output logic       tx_o
);

  localparam int unsigned TimeBits = $clog2(BitCycles);

  logic [TimeBits-1:0] time_q;
  logic [3:0] left_q;  // bits, the stop bit among them
  logic [8:0] shift_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      time_q <= '0;
      left_q <= '0;
      shift_q <= '1;
    end else if (left_q == '0) begin
      if (valid_i) begin
        left_q <= 4'd10;
        shift_q <= {data_i, 1'b0};
      end
      time_q <= (TimeBits)'(BitCycles - 1);
    end else if (time_q != '0) begin
      time_q <= time_q - 1'b1;
    end else begin
      time_q <= (TimeBits)'(BitCycles - 1);
      left_q <= left_q - 1'b1;
      shift_q <= {1'b1, shift_q[8:1]};
    end
  end

  assign ready_o = left_q == '0;
  assign tx_o = shift_q[0];

endmodule
