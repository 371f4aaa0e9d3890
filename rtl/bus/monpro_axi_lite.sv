// AXI4-Lite in front of the register block. It does one access at a time, in registers from end to
// end, so no path leads from a pin through the register block to a pin. Accesses to DataAddr go to
// a port of their own, which answers when it can. A write to DataAddr needs all four bytes: one of
// fewer is answered SLVERR and goes nowhere. Another master may use the same two ports: while it
// holds them with hold_i no request goes out, and it begins only while active_o is low.
//
// When a read and a write are both there they take turns, the write first.
//
// Cycles, when no other access is under way: two from the cycle in which the last request channel
// is taken to the request, and one from the answer of the port to the response. A refused write
// takes as long as one that is answered at once. The channels are ready again in the cycle after
// the response was taken.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_axi_lite #(
  parameter int unsigned       AddrBits = 7,
  parameter bit [AddrBits-1:0] DataAddr = '0  // of that port
) (
  input  logic clk_i,
  input  logic rst_ni,

  output logic                s_axil_awready,
  input  logic                s_axil_awvalid,
  input  logic [AddrBits-1:0] s_axil_awaddr,
  output logic                s_axil_wready,
  input  logic                s_axil_wvalid,
  input  logic [31:0]         s_axil_wdata,
  input  logic [ 3:0]         s_axil_wstrb,
  input  logic                s_axil_bready,
  output logic                s_axil_bvalid,
  output logic [ 1:0]         s_axil_bresp,
  output logic                s_axil_arready,
  input  logic                s_axil_arvalid,
  input  logic [AddrBits-1:0] s_axil_araddr,
  input  logic                s_axil_rready,
  output logic                s_axil_rvalid,
  output logic [31:0]         s_axil_rdata,
  output logic [ 1:0]         s_axil_rresp,

  input  logic hold_i,
  output logic active_o,  // an access is under way, or begins if hold_i is low

  // A request to either port is a pulse and has one answer, in the same cycle or later.
  output logic                req_o,
  output logic                req_is_write_o,
  output logic [AddrBits-1:0] addr_o,
  output logic [31:0]         write_data_o,
  output logic [31:0]         write_enable_o,  // by bits
  input  logic                read_ack_i,
  input  logic                read_error_i,
  input  logic [31:0]         read_data_i,
  input  logic                write_ack_i,
  input  logic                write_error_i,

  output logic        writing_o,  // from the first channel asked for to the response taken
  output logic        reading_o,

  output logic        data_req_o,
  output logic        data_is_write_o,
  output logic [31:0] data_o,
  input  logic        data_read_ack_i,
  input  logic [31:0] data_i,
  input  logic        data_write_ack_i
);

  localparam logic [1:0] Okay = 2'b00;
  localparam logic [1:0] SlaveError = 2'b10;

  logic aw_q, w_q, ar_q;           // taken, and not yet answered
  logic busy_q, req_q, data_req_q, is_write_q;
  logic partial_q;                 // a write to DataAddr that is refused, in place of its request
  logic [AddrBits-1:2] write_addr_q, read_addr_q, addr_q;  // a register has all of its four bytes
  logic [31:0] write_data_q;
  logic [3:0] strobe_q;
  logic bvalid_q, rvalid_q, error_q;
  logic [31:0] read_data_q;
  logic choose_write, choose_read, to_data, partial;
  logic [AddrBits-1:2] next_addr;

  assign choose_write = aw_q && w_q && !(ar_q && is_write_q);
  assign choose_read = ar_q && !choose_write;
  assign next_addr = choose_write ? write_addr_q : read_addr_q;
  assign to_data = next_addr == DataAddr[AddrBits-1:2];
  assign partial = choose_write && to_data && strobe_q != '1;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      aw_q <= 1'b0;
      w_q <= 1'b0;
      ar_q <= 1'b0;
      busy_q <= 1'b0;
      req_q <= 1'b0;
      data_req_q <= 1'b0;
      partial_q <= 1'b0;
      is_write_q <= 1'b0;
      write_addr_q <= '0;
      read_addr_q <= '0;
      addr_q <= '0;
      write_data_q <= '0;
      strobe_q <= '0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
      error_q <= 1'b0;
      read_data_q <= '0;
    end else begin
      if (s_axil_awvalid && s_axil_awready) begin
        aw_q <= 1'b1;
        write_addr_q <= s_axil_awaddr[AddrBits-1:2];
      end
      if (s_axil_wvalid && s_axil_wready) begin
        w_q <= 1'b1;
        write_data_q <= s_axil_wdata;
        strobe_q <= s_axil_wstrb;
      end
      if (s_axil_arvalid && s_axil_arready) begin
        ar_q <= 1'b1;
        read_addr_q <= s_axil_araddr[AddrBits-1:2];
      end

      req_q <= 1'b0;
      data_req_q <= 1'b0;
      partial_q <= 1'b0;
      if (!busy_q && !hold_i && (choose_write || choose_read)) begin
        busy_q <= 1'b1;
        req_q <= !to_data;
        data_req_q <= to_data && !partial;
        is_write_q <= choose_write;
        addr_q <= next_addr;
        partial_q <= partial;
      end
      if (write_ack_i || data_write_ack_i || partial_q) begin
        bvalid_q <= 1'b1;
        error_q <= partial_q || (write_ack_i && write_error_i);
      end
      if (read_ack_i || data_read_ack_i) begin
        rvalid_q <= 1'b1;
        error_q <= read_ack_i && read_error_i;
        read_data_q <= data_read_ack_i ? data_i : read_data_i;
      end
      // An operand is a secret: it does not stay here.
      if (bvalid_q && s_axil_bready) begin
        bvalid_q <= 1'b0;
        busy_q <= 1'b0;
        aw_q <= 1'b0;
        w_q <= 1'b0;
        write_data_q <= '0;
      end
      if (rvalid_q && s_axil_rready) begin
        rvalid_q <= 1'b0;
        busy_q <= 1'b0;
        ar_q <= 1'b0;
        read_data_q <= '0;
      end
    end
  end

  assign s_axil_awready = !aw_q;
  assign s_axil_wready = !w_q;
  assign s_axil_arready = !ar_q;
  assign s_axil_bvalid = bvalid_q;
  assign s_axil_bresp = error_q ? SlaveError : Okay;
  assign s_axil_rvalid = rvalid_q;
  assign s_axil_rdata = read_data_q;
  assign s_axil_rresp = error_q ? SlaveError : Okay;

  assign active_o = busy_q || choose_write || choose_read;
  assign writing_o = s_axil_awvalid || s_axil_wvalid || aw_q || w_q;
  assign reading_o = s_axil_arvalid || ar_q;

  assign req_o = req_q;
  assign req_is_write_o = is_write_q;
  assign data_req_o = data_req_q;
  assign data_is_write_o = is_write_q;
  assign data_o = write_data_q;
  assign addr_o = {addr_q, 2'b00};

  logic unused;
  assign unused = ^{s_axil_awaddr[1:0], s_axil_araddr[1:0]};
  assign write_data_o = write_data_q;
  for (genvar i = 0; i < 4; i++) begin : g_strobe
    assign write_enable_o[8*i+:8] = {8{strobe_q[i]}};
  end

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  WriteAnswerStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    s_axil_bvalid && !s_axil_bready |=>
    s_axil_bvalid && $stable(s_axil_bresp))
    else $error("the answer to a write changes before it is taken");
  ReadAnswerStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    s_axil_rvalid && !s_axil_rready |=>
    s_axil_rvalid && $stable({s_axil_rdata, s_axil_rresp}))
    else $error("the answer to a read changes before it is taken");
`endif

endmodule
