// What each step of an exponentiation asks of the adder or the multiplier. Combinational; see
// monpro_sequencer for the order of the steps and for what they compute.
module monpro_steps
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
(
  input  state_t     state_i,
  input  logic       right_to_left_i,
  input  logic       sliding_i,
  input  logic       public_i,
  input  logic       crt_i,
  input  logic       table_i,       // the scheme multiplies by entries of the table
  input  logic       half_i,        // which half this step is about
  input  logic       first_i,
  input  logic       no_ones_i,     // a public exponent of zeros: the result is 1
  input  logic       from_base_i,   // the running value is still in WorkBase
  input  logic       last_pass_i,   // of a row of passes
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

  work_e running;

  assign running = from_base_i ? WorkBase : WorkAcc;

  always_comb begin
    pass_o = 1'b1;
    alu_op_o = AluOne;
    alu_source_o = WorkAcc;
    alu_other_o = WorkAcc;
    alu_other_half_o = 1'b1;
    alu_target_o = WorkAcc;
    alu_to_scaled_o = 1'b0;
    alu_wide_o = 1'b0;
    unique case (1'b1)
      state_i[StCheck]: begin
        alu_op_o = AluCheck;
        alu_source_o = crt_i ? WorkInv : WorkBase;
      end
      state_i[StScaleInit]: ;
      state_i[StScale]: begin
        alu_op_o = AluHalve;
        alu_to_scaled_o = last_pass_i;
      end
      state_i[StPowerInit]: alu_op_o = AluPower;
      state_i[StPower]: alu_op_o = AluDouble;
      state_i[StPowerEnd]: begin
        alu_op_o = AluRestore;
        alu_target_o = WorkSel;
      end
      state_i[StSum]: begin
        alu_op_o = AluAdd;
        alu_other_o = WorkSel;
        alu_other_half_o = half_i;
        alu_target_o = WorkBase;
      end
      state_i[StOne]: alu_target_o = WorkSel;
      state_i[StLastInit]: begin
        alu_target_o = no_ones_i ? WorkAcc : WorkSel;
        alu_op_o = AluFactor;
      end
      state_i[StUnscale]: alu_op_o = AluHalve;
      state_i[StSub]: alu_op_o = AluSub;
      state_i[StRestore]: alu_op_o = AluRestore;
      state_i[StDiff]: begin
        alu_op_o = AluDiff;
        alu_target_o = WorkSel;
      end
      state_i[StDiffFix]: begin
        alu_op_o = AluRestore;
        alu_source_o = WorkSel;
        alu_target_o = WorkSel;
      end
      state_i[StCopyQ]: begin
        alu_op_o = AluCopy;
        alu_target_o = WorkSel;
      end
      state_i[StWideSum]: begin
        alu_op_o = AluAdd;
        alu_source_o = WorkBase;
        alu_wide_o = 1'b1;
      end
      default: pass_o = 1'b0;
    endcase
  end

  always_comb begin
    multiply_o = 1'b1;
    product_o = multiply(WorkAcc, WorkAcc, WorkAcc, half_i);
    unique case (1'b1)
      state_i[StSquareR2]:
        if (first_i) product_o = multiply(WorkSel, WorkSel, WorkR2, half_i);
        else product_o = multiply(WorkR2, WorkR2, WorkR2, half_i);
      state_i[StMultiplyR2]: product_o = multiply(WorkSel, WorkR2, WorkR2, half_i);
      state_i[StHighIn]: begin
        product_o = multiply(WorkBase, WorkR2, WorkAcc, half_i);
        product_o.x_half = 1'b1;
        product_o.long_x = 1'b1;
      end
      state_i[StHighShift]: product_o = multiply(WorkAcc, WorkR2, WorkAcc, half_i);
      state_i[StLowIn]: begin
        product_o = multiply(WorkBase, WorkR2, WorkSel, half_i);
        product_o.x_half = 1'b0;
        product_o.long_x = 1'b1;
      end
      state_i[StEntry0]: product_o = multiply_and_store(WorkSel, WorkR2, WorkAcc, half_i, 6'd0);
      state_i[StBase]:
        product_o = multiply_and_store(WorkBase, crt_i ? WorkAcc : WorkR2, WorkBase, half_i,
                                       6'(!sliding_i));
      state_i[StSquareBase]: product_o = multiply(WorkBase, WorkBase, WorkSel, half_i);
      state_i[StTable]:
        product_o = multiply_and_store(sliding_i ? WorkSel : WorkBase, running, WorkAcc, half_i,
                                       entry_i);
      state_i[StSquare], state_i[StZeros]: product_o = multiply(running, running, WorkAcc, half_i);
      state_i[StMultiply]:
        product_o = multiply(table_i ? WorkSel : WorkBase, WorkAcc, WorkAcc, half_i);
      state_i[StBitFirst]:
        if (right_to_left_i) product_o = multiply(public_i ? WorkBase : WorkSel, WorkAcc, WorkAcc,
                                                half_i);
        else product_o = multiply_and_store(WorkBase, WorkAcc, WorkAcc, half_i, 6'd0);
      state_i[StBitSecond]:
        if (right_to_left_i) product_o = multiply_and_store(WorkBase, WorkBase, WorkBase, half_i,
                                                          6'd1);
        else product_o = multiply_and_store(WorkSel, WorkSel, WorkBase, half_i, 6'd1);
      state_i[StRepeat]: product_o = multiply(WorkBase, running, WorkAcc, half_i);
      state_i[StLast]: product_o = multiply(WorkSel, running, WorkAcc, half_i);
      state_i[StDiffIn]: product_o = multiply(WorkSel, WorkR2, WorkSel, half_i);
      state_i[StInverseIn]: product_o = multiply(WorkInv, WorkR2, WorkAcc, half_i);
      state_i[StFactor]: product_o = multiply(WorkSel, WorkAcc, WorkAcc, half_i);
      state_i[StWide]: begin
        product_o = multiply(WorkAcc, WorkSel, WorkBase, half_i);
        product_o.y_half = 1'b1;
        product_o.wide = 1'b1;
      end
      default: multiply_o = 1'b0;
    endcase
  end

  // Some steps ask for nothing.
  logic unused;
  assign unused = ^state_i;

endmodule
