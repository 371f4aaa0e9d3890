// Receiver of a UART: eight data bits, least significant first, one stop bit, no parity.
//
// The line is sampled in the middle of each bit, BitCycles / 2 + k * BitCycles cycles after the
// fall of the start bit has come through the synchronizer. A start bit that is gone by its middle
// was noise. One pulse for each frame, in the middle of its stop bit: valid_o with the byte, or
// broken_o if the line is low there. A break, the line held low for a whole frame or longer, is
// broken_o with data_o = 0, once; after broken_o the receiver waits for the line to be high.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_uart_receiver #(
  parameter int unsigned BitCycles = 25  // 8 or more
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,      // asynchronous
  output logic       valid_o,
  output logic       broken_o,
  output logic [7:0] data_o     // with either pulse
);

  if (BitCycles < 8) begin : g_illegal_bit_cycles
    $error("BitCycles must be 8 or more");
  end

  typedef enum logic [1:0] {
    StIdle,
    StStart,
    StBits,  // the data and the stop bit
    StLow    // until the line is high
  } state_e;

  localparam int unsigned TimeBits = $clog2(BitCycles);

  state_e state_q;
  logic [2:0] line_q;  // the last is the line's value, after a synchronizer of two
  logic line;
  logic [TimeBits-1:0] time_q;
  logic [3:0] bit_q;
  logic [7:0] data_q;
  logic valid_q, broken_q;

  assign line = line_q[2];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StLow;
      line_q <= '0;
      time_q <= '0;
      bit_q <= '0;
      data_q <= '0;
      valid_q <= 1'b0;
      broken_q <= 1'b0;
    end else begin
      line_q <= {line_q[1:0], rx_i};
      valid_q <= 1'b0;
      broken_q <= 1'b0;
      time_q <= (time_q == '0) ? '0 : time_q - 1'b1;
      unique case (state_q)
        StIdle: begin
          if (!line) state_q <= StStart;
          time_q <= (TimeBits)'(BitCycles / 2 - 1);
        end
        StStart: begin
          bit_q <= '0;
          if (time_q == '0) begin
            state_q <= line ? StIdle : StBits;
            time_q <= (TimeBits)'(BitCycles - 1);
          end
        end
        StBits: begin
          if (time_q == '0) begin
            time_q <= (TimeBits)'(BitCycles - 1);
            bit_q <= bit_q + 1'b1;
            if (bit_q != 4'd8) begin
              data_q <= {line, data_q[7:1]};
            end else begin
              state_q <= line ? StIdle : StLow;
              valid_q <= line;
              broken_q <= !line;
            end
          end
        end
        StLow: if (line) state_q <= StIdle;
        default: state_q <= StLow;
      endcase
    end
  end

  assign valid_o = valid_q;
  assign broken_o = broken_q;
  assign data_o = data_q;

endmodule
