// What each step of an exponentiation asks of the adder or the multiplier. monpro_order says what
// the steps compute, and their order.
//
// A step is decoded before it comes. With step_i the step after_i comes: from the next cycle on the
// outputs say what it asks, until the next step_i. The inputs that differ between the halves,
// passes and products of one step act on the outputs in the same cycle.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_steps
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
(
  input  logic       clk_i,
  input  logic       clear_i,          // nothing is asked

  input  state_t     after_i,          // the step to come
  input  logic       step_i,           // it comes
  // Of the operation
  input  logic       right_to_left_i,
  input  logic       sliding_i,
  input  logic       public_i,
  input  logic       crt_i,
  input  logic       table_i,          // the scheme multiplies by entries of the table
  // Of the step that has come
  input  logic       half_i,           // which half it is about
  input  logic       first_i,
  input  logic       no_ones_i,        // a public exponent of zeros: the result is 1
  input  logic       from_base_i,      // the running value is still in WorkBase
  input  logic       last_pass_i,      // of a row of passes
  input  logic [5:0] entry_i,

  output logic    pass_o,           // the step is a pass of the adder
  output alu_op_e alu_op_o,
  output work_e   alu_source_o,     // a
  output work_e   alu_other_o,      // b
  output logic    alu_other_half_o,
  output work_e   alu_target_o,
  output logic    alu_to_scaled_o,  // writes N' instead of alu_target_o
  output logic    alu_wide_o,       // a and the target have both halves

  output logic     multiply_o,  // the step is a product
  output product_t product_o
);

  // What a step asks as far as it says so itself.
  typedef struct packed {
    logic    pass;
    alu_op_e op;
    work_e   source;
    work_e   other;
    logic    other_half;      // 1: whatever half_i is
    work_e   target;
    logic    acc_if_no_ones;  // then WorkAcc
    logic    scaled_if_last;
    logic    wide;
  } pass_t;

  typedef struct packed {
    logic     multiply;
    product_t ask;          // its halves: 1, whatever half_i is
    logic     x_low;        // 0, whatever half_i is
    logic     first_apart;  // the first one squares WorkSel
    logic     x_running;    // x is the running value
    logic     y_running;
    logic     this_entry;   // stores entry_i
  } multiply_t;

  pass_t pass, next_pass, next_pass_q, pass_q;
  multiply_t mul, next_mul, next_mul_q, mul_q;
  logic step_q;

  always_comb begin
    next_pass = '{pass: 1'b1, op: AluOne, source: WorkAcc, other: WorkAcc, other_half: 1'b1,
                  target: WorkAcc, default: 1'b0};
    unique case (1'b1)
      after_i[StCheck]: begin
        next_pass.op = AluCheck;
        next_pass.source = crt_i ? WorkInv : WorkBase;
      end
      after_i[StScaleInit]: ;
      after_i[StScale]: begin
        next_pass.op = AluHalve;
        next_pass.scaled_if_last = 1'b1;
      end
      after_i[StPowerInit]: next_pass.op = AluPower;
      after_i[StPower]: next_pass.op = AluDouble;
      after_i[StPowerEnd]: begin
        next_pass.op = AluRestore;
        next_pass.target = WorkSel;
      end
      after_i[StSum]: begin
        next_pass.op = AluAdd;
        next_pass.other = WorkSel;
        next_pass.other_half = 1'b0;
        next_pass.target = WorkBase;
      end
      after_i[StOne]: next_pass.target = WorkSel;
      after_i[StLastInit]: begin
        next_pass.op = AluFactor;
        next_pass.target = WorkSel;
        next_pass.acc_if_no_ones = 1'b1;
      end
      after_i[StUnscale]: next_pass.op = AluHalve;
      after_i[StSub]: next_pass.op = AluSub;
      after_i[StRestore]: next_pass.op = AluRestore;
      after_i[StDiff]: begin
        next_pass.op = AluDiff;
        next_pass.target = WorkSel;
      end
      after_i[StDiffFix]: begin
        next_pass.op = AluRestore;
        next_pass.source = WorkSel;
        next_pass.target = WorkSel;
      end
      after_i[StCopyQ]: begin
        next_pass.op = AluCopy;
        next_pass.target = WorkSel;
      end
      after_i[StWideSum]: begin
        next_pass.op = AluAdd;
        next_pass.source = WorkBase;
        next_pass.wide = 1'b1;
      end
      default: next_pass.pass = 1'b0;
    endcase
  end

  always_comb begin
    next_mul = '0;
    next_mul.multiply = 1'b1;
    unique case (1'b1)
      after_i[StSquareR2]: begin
        next_mul.ask = multiply(WorkR2, WorkR2, WorkR2, 1'b0);
        next_mul.first_apart = 1'b1;
      end
      after_i[StMultiplyR2]: next_mul.ask = multiply(WorkSel, WorkR2, WorkR2, 1'b0);
      after_i[StHighIn]: begin
        next_mul.ask = multiply(WorkBase, WorkR2, WorkAcc, 1'b0);
        next_mul.ask.x_half = 1'b1;
        next_mul.ask.long_x = 1'b1;
      end
      after_i[StHighShift]: next_mul.ask = multiply(WorkAcc, WorkR2, WorkAcc, 1'b0);
      after_i[StLowIn]: begin
        next_mul.ask = multiply(WorkBase, WorkR2, WorkSel, 1'b0);
        next_mul.ask.long_x = 1'b1;
        next_mul.x_low = 1'b1;
      end
      after_i[StEntry0]:
        next_mul.ask = multiply_and_store(WorkSel, WorkR2, WorkAcc, 1'b0, 6'd0);
      after_i[StBase]:
        next_mul.ask = multiply_and_store(WorkBase, crt_i ? WorkAcc : WorkR2, WorkBase, 1'b0,
                                          6'(!sliding_i));
      after_i[StSquareBase]: next_mul.ask = multiply(WorkBase, WorkBase, WorkSel, 1'b0);
      after_i[StTable]: begin
        next_mul.ask = multiply_and_store(sliding_i ? WorkSel : WorkBase, WorkAcc, WorkAcc, 1'b0,
                                          6'd0);
        next_mul.y_running = 1'b1;
        next_mul.this_entry = 1'b1;
      end
      after_i[StSquare], after_i[StZeros]: begin
        next_mul.ask = multiply(WorkAcc, WorkAcc, WorkAcc, 1'b0);
        next_mul.x_running = 1'b1;
        next_mul.y_running = 1'b1;
      end
      after_i[StMultiply]:
        next_mul.ask = multiply(table_i ? WorkSel : WorkBase, WorkAcc, WorkAcc, 1'b0);
      after_i[StBitFirst]:
        if (right_to_left_i) begin
          next_mul.ask = multiply(public_i ? WorkBase : WorkSel, WorkAcc, WorkAcc, 1'b0);
        end else begin
          next_mul.ask = multiply_and_store(WorkBase, WorkAcc, WorkAcc, 1'b0, 6'd0);
        end
      after_i[StBitSecond]:
        if (right_to_left_i) begin
          next_mul.ask = multiply_and_store(WorkBase, WorkBase, WorkBase, 1'b0, 6'd1);
        end else begin
          next_mul.ask = multiply_and_store(WorkSel, WorkSel, WorkBase, 1'b0, 6'd1);
        end
      after_i[StRepeat]: begin
        next_mul.ask = multiply(WorkBase, WorkAcc, WorkAcc, 1'b0);
        next_mul.y_running = 1'b1;
      end
      after_i[StLast]: begin
        next_mul.ask = multiply(WorkSel, WorkAcc, WorkAcc, 1'b0);
        next_mul.y_running = 1'b1;
      end
      after_i[StDiffIn]: next_mul.ask = multiply(WorkSel, WorkR2, WorkSel, 1'b0);
      after_i[StInverseIn]: next_mul.ask = multiply(WorkInv, WorkR2, WorkAcc, 1'b0);
      after_i[StFactor]: next_mul.ask = multiply(WorkSel, WorkAcc, WorkAcc, 1'b0);
      after_i[StWide]: begin
        next_mul.ask = multiply(WorkAcc, WorkSel, WorkBase, 1'b0);
        next_mul.ask.y_half = 1'b1;
        next_mul.ask.wide = 1'b1;
      end
      default: next_mul.multiply = 1'b0;
    endcase
  end

  assign pass = step_q ? next_pass_q : pass_q;
  assign mul = step_q ? next_mul_q : mul_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      step_q <= 1'b0;
      next_pass_q <= '0;
      next_mul_q <= '0;
      pass_q <= '0;
      mul_q <= '0;
    end else begin
      step_q <= step_i;
      next_pass_q <= next_pass;
      next_mul_q <= next_mul;
      pass_q <= pass;
      mul_q <= mul;
    end
  end

  assign pass_o = pass.pass;
  assign alu_op_o = pass.op;
  assign alu_source_o = pass.source;
  assign alu_other_o = pass.other;
  assign alu_other_half_o = pass.other_half || half_i;
  assign alu_target_o = (pass.acc_if_no_ones && no_ones_i) ? WorkAcc : pass.target;
  assign alu_to_scaled_o = pass.scaled_if_last && last_pass_i;
  assign alu_wide_o = pass.wide;
  assign multiply_o = mul.multiply;

  always_comb begin
    product_o = mul.ask;
    product_o.half = half_i;
    product_o.x_half = (half_i && !mul.x_low) || mul.ask.x_half;
    product_o.y_half = half_i || mul.ask.y_half;
    if (mul.first_apart && first_i) begin
      product_o.x = WorkSel;
      product_o.y = WorkSel;
    end
    if (mul.x_running && from_base_i) product_o.x = WorkBase;
    if (mul.y_running && from_base_i) product_o.y = WorkBase;
    if (mul.this_entry) product_o.entry = entry_i;
  end

  // Some steps ask for nothing.
  logic unused;
  assign unused = ^{after_i, mul.ask.half};

endmodule
