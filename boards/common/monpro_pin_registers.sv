// The coprocessor with few pins and a register between each of its signals and the outside. `monpro
// synth` places it to measure the clock. Inside a system the bus ends in registers too; with the
// bus on the pins of a package the package would be measured.
//
// The inputs of the bus come out of a shift register, which scan_i fills. Its outputs are caught
// with load_i and shifted out of scan_o.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_pin_registers #(
  parameter string       Multiplier = "array",
  parameter int unsigned WordBits   = 17,
  parameter int unsigned Elements   = 16,
  parameter int unsigned MinBits    = 128,
  parameter int unsigned MaxBits    = 4096,
  parameter int unsigned TableWords = 8192,
  parameter int unsigned TableBanks = 1,
  parameter int unsigned Entries    = 0,
  parameter int unsigned Schemes    = 63,
  parameter int unsigned Crt        = 0,
  parameter int unsigned Stream     = 0,
  parameter string       Target     = "portable"
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic scan_i,
  input  logic load_i,
  output logic scan_o
);

  typedef struct packed {
    logic        awvalid;
    logic [6:0]  awaddr;
    logic [2:0]  awprot;
    logic        wvalid;
    logic [31:0] wdata;
    logic [3:0]  wstrb;
    logic        bready;
    logic        arvalid;
    logic [6:0]  araddr;
    logic [2:0]  arprot;
    logic        rready;
  } inputs_t;

  typedef struct packed {
    logic        irq;
    logic        awready;
    logic        wready;
    logic        bvalid;
    logic [1:0]  bresp;
    logic        arready;
    logic        rvalid;
    logic [31:0] rdata;
    logic [1:0]  rresp;
  } outputs_t;

  typedef struct packed {
    logic        s_tvalid;
    logic [31:0] s_tdata;
    logic [3:0]  s_tkeep;
    logic        s_tlast;
    logic        m_tready;
  } stream_inputs_t;

  typedef struct packed {
    logic        s_tready;
    logic        m_tvalid;
    logic [31:0] m_tdata;
    logic [3:0]  m_tkeep;
    logic        m_tlast;
  } stream_outputs_t;

  inputs_t inputs_q;
  outputs_t outputs, outputs_q;
  stream_inputs_t stream_inputs;
  stream_outputs_t stream_outputs;
  logic stream_scan;

  always_ff @(posedge clk_i) begin
    inputs_q <= {inputs_q[$bits(inputs_q)-2:0], scan_i};
    outputs_q <= load_i ? outputs : {outputs_q[$bits(outputs_q)-2:0], stream_scan};
    scan_o <= outputs_q[$bits(outputs_q)-1];
  end

  // Before and behind the others in the chain, where there are streams.
  if (Stream != 0) begin : g_stream
    stream_inputs_t stream_inputs_q;
    stream_outputs_t stream_outputs_q;

    always_ff @(posedge clk_i) begin
      stream_inputs_q <= {stream_inputs_q[$bits(stream_inputs_q)-2:0],
                          inputs_q[$bits(inputs_q)-1]};
      stream_outputs_q <= load_i ? stream_outputs
                                 : {stream_outputs_q[$bits(stream_outputs_q)-2:0], 1'b0};
    end

    assign stream_inputs = stream_inputs_q;
    assign stream_scan = stream_outputs_q[$bits(stream_outputs_q)-1];
  end else begin : g_no_stream
    logic unused_stream;
    assign unused_stream = ^stream_outputs;
    assign stream_inputs = '0;
    assign stream_scan = 1'b0;
  end

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
    .Stream    (Stream),
    .Target    (Target)
  ) u_coprocessor (
    .clk_i,
    .rst_ni,
    .irq_o         (outputs.irq),
    .s_axil_awready(outputs.awready),
    .s_axil_awvalid(inputs_q.awvalid),
    .s_axil_awaddr (inputs_q.awaddr),
    .s_axil_awprot (inputs_q.awprot),
    .s_axil_wready (outputs.wready),
    .s_axil_wvalid (inputs_q.wvalid),
    .s_axil_wdata  (inputs_q.wdata),
    .s_axil_wstrb  (inputs_q.wstrb),
    .s_axil_bready (inputs_q.bready),
    .s_axil_bvalid (outputs.bvalid),
    .s_axil_bresp  (outputs.bresp),
    .s_axil_arready(outputs.arready),
    .s_axil_arvalid(inputs_q.arvalid),
    .s_axil_araddr (inputs_q.araddr),
    .s_axil_arprot (inputs_q.arprot),
    .s_axil_rready (inputs_q.rready),
    .s_axil_rvalid (outputs.rvalid),
    .s_axil_rdata  (outputs.rdata),
    .s_axil_rresp  (outputs.rresp),
    .s_axis_tvalid (stream_inputs.s_tvalid),
    .s_axis_tready (stream_outputs.s_tready),
    .s_axis_tdata  (stream_inputs.s_tdata),
    .s_axis_tkeep  (stream_inputs.s_tkeep),
    .s_axis_tlast  (stream_inputs.s_tlast),
    .m_axis_tvalid (stream_outputs.m_tvalid),
    .m_axis_tready (stream_inputs.m_tready),
    .m_axis_tdata  (stream_outputs.m_tdata),
    .m_axis_tkeep  (stream_outputs.m_tkeep),
    .m_axis_tlast  (stream_outputs.m_tlast)
  );

endmodule
