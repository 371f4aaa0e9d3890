// The custom function unit by the name and ports that LiteX gives it.
//
// SPDX-License-Identifier: Apache-2.0
module Cfu (
  input  logic        cmd_valid,
  output logic        cmd_ready,
  input  logic [9:0]  cmd_payload_function_id,
  input  logic [31:0] cmd_payload_inputs_0,
  input  logic [31:0] cmd_payload_inputs_1,
  output logic        rsp_valid,
  input  logic        rsp_ready,
  output logic [31:0] rsp_payload_outputs_0,
  input  logic        clk,
  input  logic        reset
);
  monpro_assist #(
    .Forms(3)
  ) u_assist (
    .clk_i         (clk),
    .rst_ni        (!reset),
    .cmd_valid_i   (cmd_valid),
    .cmd_ready_o   (cmd_ready),
    .cmd_function_i(cmd_payload_function_id),
    .cmd_a_i       (cmd_payload_inputs_0),
    .cmd_b_i       (cmd_payload_inputs_1),
    .rsp_valid_o   (rsp_valid),
    .rsp_ready_i   (rsp_ready),
    .rsp_data_o    (rsp_payload_outputs_0)
  );
endmodule
