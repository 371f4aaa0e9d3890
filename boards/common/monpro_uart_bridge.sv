// AXI4-Lite by UART: a host on a serial line reads and writes 32-bit registers.
//
//   host                                   bridge
//   0x57 'W', address, 4 bytes of data     0x4b 'K' written, or 0x45 'E': the bus answered an error
//   0x52 'R', address                      0x4b 'K', 4 bytes of data, or 0x45 'E' alone
//   a break                                0x42 'B': everything before it is forgotten
//
// Data goes least significant byte first. The address is that of a byte; bits above AddrBits are
// not looked at. Eight data bits, one stop bit, no parity.
//
// Any other byte as a command, a frame without its stop bit, or a byte more than there is room for
// gets 0x3f '?'; from there on every byte is dropped until a break. So no byte of a message that
// went wrong is ever taken for a command. A host begins with a break.
//
// Commands may run ahead of answers: any number of writes, or one command behind a read. A break
// ends an answer that is still being sent, after its byte on the line; what the bus has already
// been asked is done all the same.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_uart_bridge #(
  parameter int unsigned BitCycles = 25,  // clock cycles of a bit; 8 or more
  parameter int unsigned AddrBits  = 8    // 1 to 8
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic rx_i,
  output logic tx_o,
  output logic lost_o,  // bytes are dropped, for want of a break

  input  logic                m_axil_awready,
  output logic                m_axil_awvalid,
  output logic [AddrBits-1:0] m_axil_awaddr,
  output logic [2:0]          m_axil_awprot,
  input  logic                m_axil_wready,
  output logic                m_axil_wvalid,
  output logic [31:0]         m_axil_wdata,
  output logic [3:0]          m_axil_wstrb,
  output logic                m_axil_bready,
  input  logic                m_axil_bvalid,
  input  logic [1:0]          m_axil_bresp,
  input  logic                m_axil_arready,
  output logic                m_axil_arvalid,
  output logic [AddrBits-1:0] m_axil_araddr,
  output logic [2:0]          m_axil_arprot,
  output logic                m_axil_rready,
  input  logic                m_axil_rvalid,
  input  logic [31:0]         m_axil_rdata,
  input  logic [1:0]          m_axil_rresp
);

  if (AddrBits < 1 || AddrBits > 8) begin : g_illegal_addr_bits
    $error("AddrBits must be 1 to 8");
  end

  typedef enum logic [7:0] {
    ByteBreak = 8'h42,
    ByteError = 8'h45,
    ByteOk    = 8'h4b,
    ByteRead  = 8'h52,
    ByteWrite = 8'h57,
    ByteLost  = 8'h3f
  } byte_e;

  typedef enum logic [2:0] {
    StCommand,
    StAddress,
    StData,
    StBus,
    StLost
  } state_e;

  // ---- bytes in: one waits while a command is under way

  logic rx_valid, rx_broken, is_break, is_fault, take;
  logic [7:0] rx_data, byte_q;
  logic full_q;

  monpro_uart_receiver #(
    .BitCycles(BitCycles)
  ) u_receiver (
    .clk_i,
    .rst_ni,
    .rx_i,
    .valid_o (rx_valid),
    .broken_o(rx_broken),
    .data_o  (rx_data)
  );

  state_e state_q;
  logic break_q, fault_q;  // has happened, and is to be answered
  logic is_write_q, aw_q, w_q, ar_q;
  logic [1:0] count_q;
  logic [7:0] addr_q;
  logic [31:0] data_q;

  assign take = full_q && state_q != StBus && !break_q && (!fault_q || state_q == StLost);
  assign is_break = rx_broken && rx_data == '0;
  assign is_fault = (rx_broken && rx_data != '0) || (rx_valid && full_q && !take) ||
                    (take && state_q == StCommand && byte_q != ByteRead && byte_q != ByteWrite);

  // ---- answers out

  logic [39:0] answer_q;  // the next byte lowest
  logic [2:0] answer_bytes_q;
  logic tx_ready, answered, bus_end, bus_error;

  monpro_uart_transmitter #(
    .BitCycles(BitCycles)
  ) u_transmitter (
    .clk_i,
    .rst_ni,
    .valid_i(answer_bytes_q != '0),
    .ready_o(tx_ready),
    .data_i (answer_q[7:0]),
    .tx_o
  );

  assign answered = answer_bytes_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
      answer_bytes_q <= '0;
    end else if (break_q && state_q != StBus) begin
      answer_q <= 40'(ByteBreak);
      answer_bytes_q <= 3'd1;
    end else if (bus_end && !break_q) begin
      answer_q <= {m_axil_rdata, bus_error ? ByteError : ByteOk};
      answer_bytes_q <= (is_write_q || bus_error) ? 3'd1 : 3'd5;
    end else if (fault_q && state_q != StBus && answered) begin
      answer_q <= 40'(ByteLost);
      answer_bytes_q <= 3'd1;
    end else if (tx_ready && !answered) begin
      answer_q <= answer_q >> 8;
      answer_bytes_q <= answer_bytes_q - 1'b1;
    end
  end

  // ---- commands

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StCommand;
      full_q <= 1'b0;
      byte_q <= '0;
      break_q <= 1'b0;
      fault_q <= 1'b0;
      is_write_q <= 1'b0;
      aw_q <= 1'b0;
      w_q <= 1'b0;
      ar_q <= 1'b0;
      count_q <= '0;
      addr_q <= '0;
      data_q <= '0;
    end else begin
      if (rx_valid) byte_q <= rx_data;
      full_q <= rx_valid || (full_q && !take);

      unique case (state_q)
        StCommand: begin
          if (take) state_q <= StAddress;  // of no command: a fault, see below
          is_write_q <= byte_q == ByteWrite;
          count_q <= '0;
        end
        StAddress: begin
          if (take) begin
            addr_q <= byte_q;
            state_q <= is_write_q ? StData : StBus;
            ar_q <= !is_write_q;
          end
        end
        StData: begin
          if (take) begin
            data_q <= {byte_q, data_q[31:8]};
            count_q <= count_q + 1'b1;
            if (count_q == 2'd3) begin
              state_q <= StBus;
              aw_q <= 1'b1;
              w_q <= 1'b1;
            end
          end
        end
        StBus: begin
          if (m_axil_awready) aw_q <= 1'b0;
          if (m_axil_wready) w_q <= 1'b0;
          if (m_axil_arready) ar_q <= 1'b0;
          if (bus_end) state_q <= StCommand;
        end
        StLost: ;
        default: state_q <= StLost;
      endcase

      // A transaction on the bus ends before anything else happens.
      if (is_fault && (state_q != StLost || break_q)) fault_q <= 1'b1;
      if (is_break) begin
        break_q <= 1'b1;
        fault_q <= 1'b0;
        full_q <= 1'b0;
      end else if (break_q && state_q != StBus) begin
        break_q <= 1'b0;
        state_q <= StCommand;
      end else if (fault_q && state_q != StBus) begin
        state_q <= StLost;
        if (answered) fault_q <= 1'b0;
      end
    end
  end

  // ---- bus: an answer is taken when there is room for it

  assign bus_end = (m_axil_bvalid && m_axil_bready) || (m_axil_rvalid && m_axil_rready);
  assign bus_error = is_write_q ? m_axil_bresp != '0 : m_axil_rresp != '0;
  assign m_axil_awvalid = aw_q;
  assign m_axil_awaddr = addr_q[AddrBits-1:0];
  assign m_axil_awprot = '0;
  assign m_axil_wvalid = w_q;
  assign m_axil_wdata = data_q;
  assign m_axil_wstrb = '1;
  assign m_axil_bready = state_q == StBus && is_write_q && (answered || break_q);
  assign m_axil_arvalid = ar_q;
  assign m_axil_araddr = addr_q[AddrBits-1:0];
  assign m_axil_arprot = '0;
  assign m_axil_rready = state_q == StBus && !is_write_q && (answered || break_q);
  assign lost_o = state_q == StLost;

  if (AddrBits < 8) begin : g_unused
    logic unused;
    assign unused = ^addr_q[7:AddrBits];
  end

endmodule
