// A stand-in for the coprocessor, with its ports and parameters and the real register block, that does what a test of
// the harness needs: it counts, it keeps what was written, and it can leave the bus without an answer.
module echo
  import monpro_regs_pkg::*;
#(
  parameter string Multiplier = "none",
  parameter int unsigned WordBits = 17,
  parameter int unsigned Elements = 1,
  parameter int unsigned MinBits = 128,
  parameter int unsigned MaxBits = 4096,
  parameter int unsigned TableWords = 2048,
  parameter int unsigned TableBanks = 1,
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

  always_comb begin
    hwif_in = '{default: '0};
    hwif_in.PARAM_ARRAY.word_bits.next = 8'(WordBits);
    hwif_in.PARAM_ARRAY.elements.next = 16'(Elements);
    hwif_in.PARAM_BITS.min_bits.next = 16'(MinBits);
    hwif_in.PARAM_BITS.max_bits.next = 16'(MaxBits);
    hwif_in.PARAM_TABLE.words.next = TableWords;
    hwif_in.STATUS.busy.next = left_q != 0;
    hwif_in.STATUS.done.next = done_q;
    hwif_in.DATA.wr_ack = hwif_out.DATA.req && hwif_out.DATA.req_is_wr;
    hwif_in.DATA.rd_ack = hwif_out.DATA.req && !hwif_out.DATA.req_is_wr && word_q != Silence;
    hwif_in.DATA.rd_data.data = word_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      word_q <= '0;
      left_q <= '0;
      done_q <= 1'b0;
    end else begin
      if (hwif_in.DATA.wr_ack) word_q <= hwif_out.DATA.wr_data.data;
      if (left_q != 0) left_q <= left_q - 1'b1;
      if (left_q == 1) done_q <= 1'b1;
      if (hwif_out.COMMAND.start.value) left_q <= 10'(RunCycles);
      if (hwif_out.COMMAND.clear.value) done_q <= 1'b0;
    end
  end

  assign irq_o = done_q && hwif_out.INTERRUPT.enable.value;

  monpro_regs u_regs (.clk(clk_i), .arst_n(rst_ni), .*);

endmodule
