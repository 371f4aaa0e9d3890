// The dataflow kernel with few pins and a register between each of its signals and the outside.
// `monpro synth` places it to measure the clock, as it places monpro_pin_registers for the
// coprocessor.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_pin_streams #(
  parameter int unsigned Lanes     = 1,
  parameter int unsigned MaxDigits = 128,
  parameter string       Target    = "portable"
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic scan_i,
  input  logic load_i,
  output logic scan_o
);

  localparam int unsigned BeatBits = 64 * Lanes;

  typedef struct packed {
    logic                s_tvalid;
    logic [BeatBits-1:0] s_tdata;
    logic                s_tlast;
    logic                m_tready;
  } inputs_t;

  typedef struct packed {
    logic                s_tready;
    logic                m_tvalid;
    logic [BeatBits-1:0] m_tdata;
    logic                m_tlast;
  } outputs_t;

  inputs_t inputs_q;
  outputs_t outputs, outputs_q;

  always_ff @(posedge clk_i) begin
    inputs_q <= {inputs_q[$bits(inputs_q)-2:0], scan_i};
    outputs_q <= load_i ? outputs : {outputs_q[$bits(outputs_q)-2:0], 1'b0};
    scan_o <= outputs_q[$bits(outputs_q)-1];
  end

  monpro_dataflow #(
    .Target   (Target),
    .Lanes    (Lanes),
    .MaxDigits(MaxDigits)
  ) u_dataflow (
    .clk_i,
    .rst_ni,
    .s_axis_tvalid(inputs_q.s_tvalid),
    .s_axis_tready(outputs.s_tready),
    .s_axis_tdata (inputs_q.s_tdata),
    .s_axis_tlast (inputs_q.s_tlast),
    .m_axis_tvalid(outputs.m_tvalid),
    .m_axis_tready(inputs_q.m_tready),
    .m_axis_tdata (outputs.m_tdata),
    .m_axis_tlast (outputs.m_tlast)
  );

endmodule
