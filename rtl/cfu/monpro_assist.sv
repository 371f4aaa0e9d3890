// A custom function unit for a RISC-V processor with VexRiscv's port for one: halvings modulo M,
// which Montgomery multiplication bit by bit consists of.
//
//   Forms = 1  monpro_assist_word: the instruction of a paper as drawn, 32 bits
//           2  and monpro_assist_limbs: chained words, numbers of any length
//           3  and monpro_assist_held: 128 bits inside
//
// An instruction is taken when cmd_valid_i and cmd_ready_o are high, and its result offered from
// the next cycle on until rsp_ready_i takes it: then it is in the processor's next stage just when
// the instruction is. Cycles: 1 each, but OpStep of monpro_assist_held, which has cmd_ready_o low
// until its last. cmd_function_i is {funct7, funct3}; what no form knows has the result 0.
//
// The state inside (a carry, one bit above, 128-bit numbers) belongs to one program: a handler of
// interrupts that uses these instructions would lose it.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_assist
  import monpro_assist_pkg::*;
#(
  parameter int unsigned Forms = 3
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        cmd_valid_i,
  output logic        cmd_ready_o,
  input  logic [9:0]  cmd_function_i,
  input  logic [31:0] cmd_a_i,
  input  logic [31:0] cmd_b_i,

  output logic        rsp_valid_o,
  input  logic        rsp_ready_i,
  output logic [31:0] rsp_data_o
);

  if (Forms < 1 || Forms > 3) begin : gen_check_forms
    $error("monpro_assist: Forms is 1, 2 or 3");
  end

  form_e form;
  logic room, taken, held_done, rsp_valid_q;
  logic [31:0] word, limbs, held, data, rsp_data_q;

  assign form = form_e'(cmd_function_i[2:0]);
  assign room = !rsp_valid_q || rsp_ready_i;
  assign cmd_ready_o = room && (form != FormHeld || held_done);
  assign taken = cmd_valid_i && cmd_ready_o;

  monpro_assist_word u_word (
    .z_i(cmd_a_i),
    .m_i(cmd_b_i),
    .z_o(word)
  );

  if (Forms >= 2) begin : gen_limbs
    monpro_assist_limbs u_limbs (
      .clk_i,
      .rst_ni,
      .valid_i(taken && form == FormLimbs),
      .op_i(limbs_op_e'(cmd_function_i[9:3])),
      .a_i(cmd_a_i),
      .b_i(cmd_b_i),
      .data_o(limbs)
    );
  end else begin : gen_no_limbs
    assign limbs = '0;
  end

  if (Forms >= 3) begin : gen_held
    monpro_assist_held u_held (
      .clk_i,
      .rst_ni,
      .valid_i(cmd_valid_i && room && form == FormHeld),
      .op_i(held_op_e'(cmd_function_i[9:3])),
      .a_i(cmd_a_i),
      .b_i(cmd_b_i),
      .done_o(held_done),
      .data_o(held)
    );
  end else begin : gen_no_held
    assign held_done = 1'b1;
    assign held = '0;
  end

  always_comb begin
    unique case (form)
      FormWord: data = cmd_function_i[9:3] == '0 ? word : '0;
      FormLimbs: data = limbs;
      FormHeld: data = held;
      default: data = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rsp_valid_q <= 1'b0;
      rsp_data_q <= '0;
    end else if (room) begin
      rsp_valid_q <= taken;
      if (taken) rsp_data_q <= data;
    end
  end

  assign rsp_valid_o = rsp_valid_q;
  assign rsp_data_o = rsp_data_q;

endmodule
