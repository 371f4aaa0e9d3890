// SPDX-License-Identifier: Apache-2.0
// A stand-in for the coprocessor, with its ports and parameters and the real registers and bus, that does what a test of
// the harness needs: it counts, it keeps what was written, and it can leave the bus without an answer.
module echo
  import monpro_regs_pkg::*;
  import monpro_regs_enum_pkg::*;
#(
  parameter string Multiplier = "none",
  parameter int unsigned WordBits = 17,
  parameter int unsigned Elements = 1,
  parameter int unsigned MinBits = 128,
  parameter int unsigned MaxBits = 4096,
  parameter int unsigned TableWords = 2048,
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
  input  logic [ 6:0] s_axil_awaddr,
  input  logic [ 2:0] s_axil_awprot,
  input  logic        s_axil_wvalid,
  output logic        s_axil_wready,
  input  logic [31:0] s_axil_wdata,
  input  logic [ 3:0] s_axil_wstrb,
  output logic        s_axil_bvalid,
  input  logic        s_axil_bready,
  output logic [ 1:0] s_axil_bresp,
  input  logic        s_axil_arvalid,
  output logic        s_axil_arready,
  input  logic [ 6:0] s_axil_araddr,
  input  logic [ 2:0] s_axil_arprot,
  output logic        s_axil_rvalid,
  input  logic        s_axil_rready,
  output logic [31:0] s_axil_rdata,
  output logic [ 1:0] s_axil_rresp
);

  localparam int unsigned RunCycles = 500;
  localparam logic [31:0] Silence = 32'hDEAD_DEAD;  // while DATA holds this, reading it gets no answer

  monpro__in_t  hwif_in;
  monpro__out_t hwif_out;
  logic [31:0] word_q;
  logic [ 9:0] left_q;
  logic        done_q;

  logic s_cpuif_req, s_cpuif_req_is_wr, s_cpuif_req_stall_wr, s_cpuif_req_stall_rd;
  logic s_cpuif_rd_ack, s_cpuif_rd_err, s_cpuif_wr_ack, s_cpuif_wr_err;
  logic [ 6:0] s_cpuif_addr;
  logic [31:0] s_cpuif_wr_data, s_cpuif_wr_biten, s_cpuif_rd_data, data;
  logic data_req, data_is_write;

  always_comb begin
    hwif_in = '{default: '0};
    hwif_in.PARAM_ARRAY.word_bits.next = 8'(WordBits);
    hwif_in.PARAM_ARRAY.elements.next = 16'(Elements);
    hwif_in.PARAM_BITS.min_bits.next = 16'(MinBits);
    hwif_in.PARAM_BITS.max_bits.next = 16'(MaxBits);
    hwif_in.PARAM_TABLE.words.next = TableWords;
    hwif_in.STATUS.busy.next = left_q != 0;
    hwif_in.STATUS.done.next = done_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
      left_q <= '0;
      done_q <= 1'b0;
    end else begin
      if (data_req && data_is_write) word_q <= data;
      if (left_q != 0) left_q <= left_q - 1'b1;
      if (left_q == 1) done_q <= 1'b1;
      if (hwif_out.COMMAND.start.value) left_q <= 10'(RunCycles);
      if (hwif_out.COMMAND.clear.value) done_q <= 1'b0;
    end
  end

  assign irq_o = done_q && hwif_out.INTERRUPT.enable.value;

  monpro_axi_lite #(
    .AddrBits(7),
    .DataAddr(DataOffset)
  ) u_axi_lite (
    .hold_i          (1'b0),
    .active_o        (),
    .req_o           (s_cpuif_req),
    .req_is_write_o  (s_cpuif_req_is_wr),
    .addr_o          (s_cpuif_addr),
    .write_data_o    (s_cpuif_wr_data),
    .write_enable_o  (s_cpuif_wr_biten),
    .read_ack_i      (s_cpuif_rd_ack),
    .read_error_i    (s_cpuif_rd_err),
    .read_data_i     (s_cpuif_rd_data),
    .write_ack_i     (s_cpuif_wr_ack),
    .write_error_i   (s_cpuif_wr_err),
    .data_req_o      (data_req),
    .data_is_write_o (data_is_write),
    .data_o          (data),
    .data_read_ack_i (data_req && !data_is_write && word_q != Silence),
    .data_i          (word_q),
    .data_write_ack_i(data_req && data_is_write),
    .writing_o       (),
    .reading_o       (),
    .*
  );

  monpro_regs u_regs (.clk(clk_i), .arst_n(rst_ni), .*);

endmodule
