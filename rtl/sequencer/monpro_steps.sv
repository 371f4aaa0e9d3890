// What each step of an exponentiation asks of the adder or the multiplier. Combinational; see
// monpro_sequencer for the order of the steps and for what they compute.
module monpro_steps
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter int unsigned WordBits  = 17,
  parameter int unsigned IndexBits = 8,
  parameter int unsigned Delay     = 0
) (
  input  state_e               state_i,
  input  scheme_e              scheme_i,
  input  logic                 public_i,
  input  logic                 crt_i,
  input  logic                 table_i,       // the scheme multiplies by entries of the table
  input  logic                 half_i,        // which half this step is about
  input  logic                 first_i,
  input  logic                 no_ones_i,     // a public exponent of zeros: the result is 1
  input  logic                 from_base_i,   // the running value is still in WorkBase
  input  logic                 last_pass_i,   // of a row of passes
  input  logic [5:0]           entry_i,
  input  logic [IndexBits-1:0] words_i,

  output logic                        pass_o,          // the step is a pass of the adder
  output alu_op_e                     alu_op_o,
  output work_e                       alu_source_o,    // a
  output work_e                       alu_other_o,     // b
  output logic                        alu_other_half_o,
  output work_e                       alu_target_o,
  output logic                        alu_to_scaled_o,  // writes N' instead of alu_target_o
  output logic                        alu_wide_o,       // a and the target have both halves
  output logic [IndexBits-1:0]        alu_const_word_o,
  output logic [$clog2(WordBits)-1:0] alu_const_bit_o,

  output logic     multiply_o,  // the step is a product
  output product_t product_o
);

  work_e running;
  logic right_to_left, sliding;

  assign running = from_base_i ? WorkBase : WorkAcc;
  assign right_to_left = scheme_i == SchemeRightToLeft;
  assign sliding = scheme_i == SchemeSlidingWindow;

  always_comb begin
    pass_o = 1'b1;
    alu_op_o = AluConst;
    alu_source_o = WorkAcc;
    alu_other_o = WorkAcc;
    alu_other_half_o = 1'b1;
    alu_target_o = WorkAcc;
    alu_to_scaled_o = 1'b0;
    alu_wide_o = 1'b0;
    alu_const_word_o = '0;
    alu_const_bit_o = '0;
    unique case (state_i)
      StCheck: begin
        alu_op_o = AluCheck;
        alu_source_o = crt_i ? WorkInv : WorkBase;
      end
      StScaleInit: ;
      StScale: begin
        alu_op_o = AluHalve;
        alu_to_scaled_o = last_pass_i;
      end
      StPowerInit: begin
        alu_const_word_o = words_i - IndexBits'(3 + Delay);
        alu_const_bit_o = ($bits(alu_const_bit_o))'(WordBits - 2);
      end
      StPower: alu_op_o = AluDouble;
      StPowerEnd: begin
        alu_op_o = AluRestore;
        alu_target_o = WorkSel;
      end
      StSum: begin
        alu_op_o = AluAdd;
        alu_other_o = WorkSel;
        alu_other_half_o = half_i;
        alu_target_o = WorkBase;
      end
      StOne: alu_target_o = WorkSel;
      StLastInit: begin
        alu_target_o = no_ones_i ? WorkAcc : WorkSel;
        alu_const_word_o = IndexBits'(1 + Delay);
      end
      StUnscale: alu_op_o = AluHalve;
      StSub: alu_op_o = AluSub;
      StRestore: alu_op_o = AluRestore;
      StDiff: begin
        alu_op_o = AluDiff;
        alu_target_o = WorkSel;
      end
      StDiffFix: begin
        alu_op_o = AluRestore;
        alu_source_o = WorkSel;
        alu_target_o = WorkSel;
      end
      StCopyQ: begin
        alu_op_o = AluCopy;
        alu_target_o = WorkSel;
      end
      StWideSum: begin
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
    unique case (state_i)
      StSquareR2:
        if (first_i) product_o = multiply(WorkSel, WorkSel, WorkR2, half_i);
        else product_o = multiply(WorkR2, WorkR2, WorkR2, half_i);
      StMultiplyR2: product_o = multiply(WorkSel, WorkR2, WorkR2, half_i);
      StHighIn: begin
        product_o = multiply(WorkBase, WorkR2, WorkAcc, half_i);
        product_o.x_half = 1'b1;
        product_o.long_x = 1'b1;
      end
      StHighShift: product_o = multiply(WorkAcc, WorkR2, WorkAcc, half_i);
      StLowIn: begin
        product_o = multiply(WorkBase, WorkR2, WorkSel, half_i);
        product_o.x_half = 1'b0;
        product_o.long_x = 1'b1;
      end
      StEntry0: product_o = multiply_and_store(WorkSel, WorkR2, WorkAcc, half_i, 6'd0);
      StBase:
        product_o = multiply_and_store(WorkBase, crt_i ? WorkAcc : WorkR2, WorkBase, half_i,
                                       6'(!sliding));
      StSquareBase: product_o = multiply(WorkBase, WorkBase, WorkSel, half_i);
      StTable:
        product_o = multiply_and_store(sliding ? WorkSel : WorkBase, running, WorkAcc, half_i,
                                       entry_i);
      StSquare, StZeros: product_o = multiply(running, running, WorkAcc, half_i);
      StMultiply: product_o = multiply(table_i ? WorkSel : WorkBase, WorkAcc, WorkAcc, half_i);
      StBitFirst:
        if (right_to_left) product_o = multiply(public_i ? WorkBase : WorkSel, WorkAcc, WorkAcc,
                                                half_i);
        else product_o = multiply_and_store(WorkBase, WorkAcc, WorkAcc, half_i, 6'd0);
      StBitSecond:
        if (right_to_left) product_o = multiply_and_store(WorkBase, WorkBase, WorkBase, half_i,
                                                          6'd1);
        else product_o = multiply_and_store(WorkSel, WorkSel, WorkBase, half_i, 6'd1);
      StRepeat: product_o = multiply(WorkBase, running, WorkAcc, half_i);
      StLast: product_o = multiply(WorkSel, running, WorkAcc, half_i);
      StDiffIn: product_o = multiply(WorkSel, WorkR2, WorkSel, half_i);
      StInverseIn: product_o = multiply(WorkInv, WorkR2, WorkAcc, half_i);
      StFactor: product_o = multiply(WorkSel, WorkAcc, WorkAcc, half_i);
      StWide: begin
        product_o = multiply(WorkAcc, WorkSel, WorkBase, half_i);
        product_o.y_half = 1'b1;
        product_o.wide = 1'b1;
      end
      default: multiply_o = 1'b0;
    endcase
  end

endmodule
