// Offers the pass or the product of a step to its unit: what monpro_steps says, when it may begin.
//
// A step takes three cycles before it begins: its request is put together, its conditions are
// looked at, and the pass or the product is offered. A product hides these cycles, because one
// product waits in front of the multiplier. A pass begins when no product is in flight. A step of
// both halves does the first half, then with half_i the second; pass_done_o and product_done_o end
// the last.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_issue
  import monpro_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter bit Crt = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,          // ends what is offered

  input  state_t     state_i,
  input  state_t     after_i,          // the step to come
  input  logic       step_i,           // it comes
  input  method_t    method_i,
  input  logic       public_i,
  input  logic       crt_i,
  input  logic       both_i,           // the step is one of both halves
  input  logic       half_i,           // the half that it is at
  input  logic       first_i,
  input  logic       from_base_i,      // the running value is still in WorkBase
  input  logic       last_pass_i,      // of a row of passes
  input  logic [5:0] entry_i,          // into which a product is stored
  input  logic       selected_i,       // WorkSel holds the entry to multiply by
  input  logic       taken_i,          // pulse: bits of the exponent are there
  input  logic       failed_i,         // pulse: the step is wrong
  input  logic       look_up_begin_i,
  input  logic       look_up_end_i,

  output logic       both_o,           // both_i, a cycle late
  output logic       settled_o,        // the request and its conditions are there
  output logic       look_up_ready_o,  // a step that is a look-up may begin it
  output logic       half_done_o,      // a half of the step
  output logic       pass_done_o,      // the last half
  output logic       product_done_o,
  output logic       consume_o,        // a product is accepted behind which a look-up may begin

  output logic       alu_o,            // see monpro_sequencer
  output logic       alu_start_o,
  output logic       alu_half_o,
  output alu_op_e    alu_op_o,
  output work_e      alu_source_o,
  output work_e      alu_other_o,
  output logic       alu_other_half_o,
  output work_e      alu_target_o,
  output logic       alu_to_scaled_o,
  output logic       alu_wide_o,
  input  logic       alu_done_i,
  output logic       alu_done_o,       // alu_done_i, a cycle late

  output logic       mul_valid_o,
  input  logic       mul_ready_i,
  output product_t   mul_product_o,
  input  logic       mul_busy_i
);

  typedef struct packed {
    logic     pass;
    alu_op_e  op;
    work_e    source;
    work_e    other;
    logic     other_half;
    work_e    target;
    logic     to_scaled;
    logic     wide;
    logic     multiply;
    product_t mul;
  } ask_t;

  ask_t ask_d, ask_q;
  product_t step_product;
  logic step_half, step_half_q, both_q, last_half, last_half_q;
  logic mul_busy_q, mul_valid_d, mul_valid_q, mul_last_d, mul_last_q, mul_accept;
  logic alu_d, alu_q, alu_start_d, alu_start_q, alu_done_q, pass_end_d, pass_end_q;
  logic settled_d, settled_q;
  logic issued_d, issued_q;  // the pass or the look-up of this step has begun

  assign step_half = Crt && (half_i || state_i[StCopyQ]);
  assign last_half = !both_q || half_i;

  monpro_steps u_steps (
    .clk_i,
    .clear_i,
    .after_i,
    .step_i,
    .right_to_left_i (method_i.right_to_left),
    .sliding_i       (method_i.sliding),
    .public_i,
    .crt_i,
    .table_i         (method_i.selecting),
    .half_i          (step_half),
    .first_i,
    .no_ones_i       (first_i),
    .from_base_i,
    .last_pass_i,
    .entry_i,
    .pass_o          (ask_d.pass),
    .alu_op_o        (ask_d.op),
    .alu_source_o    (ask_d.source),
    .alu_other_o     (ask_d.other),
    .alu_other_half_o(ask_d.other_half),
    .alu_target_o    (ask_d.target),
    .alu_to_scaled_o (ask_d.to_scaled),
    .alu_wide_o      (ask_d.wide),
    .multiply_o      (ask_d.multiply),
    .product_o       (step_product)
  );

  always_comb begin
    ask_d.mul = step_product;
    ask_d.mul.look_up = state_i[StSquare] && first_i && method_i.selecting && last_half;
    // The last product of R^2 still belongs to the constants while this one waits for it.
    ask_d.mul.begins = (state_i[StHighIn] && !half_i) ||
                       (state_i[StBase] && !crt_i && !method_i.tabled);
  end

  // A multiplication by an entry waits for its look-up.
  assign mul_valid_d = settled_q && ask_q.multiply && !mul_accept &&
                       (!state_i[StMultiply] || !method_i.selecting || selected_i);
  assign mul_last_d = mul_valid_d && last_half_q;
  assign mul_accept = mul_valid_q && mul_ready_i;
  assign alu_d = settled_q && ask_q.pass && !mul_busy_q;
  assign alu_start_d = alu_d && !issued_q && !alu_start_q;
  assign pass_end_d = alu_done_i && last_half;

  // last_half_q is a cycle late, which is before anything of that half can end.
  always_ff @(posedge clk_i) last_half_q <= last_half;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      ask_q <= '0;
      both_q <= 1'b0;
      step_half_q <= 1'b0;
      mul_busy_q <= 1'b0;
      mul_valid_q <= 1'b0;
      mul_last_q <= 1'b0;
      alu_q <= 1'b0;
      alu_start_q <= 1'b0;
      alu_done_q <= 1'b0;
      pass_end_q <= 1'b0;
    end else begin
      ask_q <= ask_d;
      both_q <= both_i;
      step_half_q <= step_half;
      mul_busy_q <= mul_busy_i;
      mul_valid_q <= mul_valid_d;
      mul_last_q <= mul_last_d;
      alu_q <= alu_d;
      alu_start_q <= alu_start_d;
      alu_done_q <= alu_done_i;
      pass_end_q <= pass_end_d;
    end
  end

  always_comb begin
    settled_d = !(half_done_o || taken_i || failed_i || (look_up_end_i && issued_q) ||
                  state_i[StIdle] || state_i[StWipe] || state_i[StWideInit]);
    issued_d = (issued_q || alu_start_q) && !alu_done_q;
    if (state_i[StFirst] || state_i[StBitSelect]) begin
      if (look_up_begin_i) issued_d = 1'b1;
      if (look_up_end_i) issued_d = 1'b0;
    end
    if (state_i[StWipe]) issued_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      settled_q <= 1'b0;
      issued_q <= 1'b0;
    end else begin
      settled_q <= settled_d;
      issued_q <= issued_d;
    end
  end

  assign both_o = both_q;
  assign settled_o = settled_q;
  assign look_up_ready_o = settled_q && !issued_q && !mul_busy_q;
  assign half_done_o = mul_accept || alu_done_q;
  assign pass_done_o = pass_end_q;
  assign product_done_o = mul_last_q && mul_ready_i;
  assign consume_o = mul_accept && ask_q.mul.look_up;
  assign alu_o = alu_q;
  assign alu_start_o = alu_start_q;
  assign alu_half_o = step_half_q;
  assign alu_op_o = ask_q.op;
  assign alu_source_o = ask_q.source;
  assign alu_other_o = ask_q.other;
  assign alu_other_half_o = ask_q.other_half;
  assign alu_target_o = ask_q.target;
  assign alu_to_scaled_o = ask_q.to_scaled;
  assign alu_wide_o = ask_q.wide;
  assign alu_done_o = alu_done_q;
  assign mul_valid_o = mul_valid_q;
  assign mul_product_o = ask_q.mul;

  // Most steps need nothing but what monpro_steps says.
  logic unused;
  assign unused = ^{state_i, method_i};

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  ProductStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    mul_valid_o && !mul_ready_i && !clear_i && !state_i[StWipe] |=>
    mul_valid_o && $stable(mul_product_o))
    else $error("a product that is offered changes before it is taken");
  OneStep: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    $onehot(state_i) && $onehot(after_i))
    else $error("not one step, or not one step to come");
  OneUnit: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    !(alu_start_o && mul_valid_o))
    else $error("a pass begins while a product is offered");
`endif

endmodule
