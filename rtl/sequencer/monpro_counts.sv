// Counts the passes and products of the steps that have a fixed number of them.
//
// The steps StScale and StUnscale have DigitBits * (1 + D) / Halvings passes, StDiffFix has two.
// StPower has FirstDoublings passes, then WordBits passes for each of doublings_i + 1 words; with
// digits narrower than words it has doublings_i + 1 passes. R^2 takes a squaring for each bit of
// PowerSplit * K below the highest one, with K = rows_i - D. StPower finds that bit.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_counts
  import monpro_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter int unsigned WordBits       = 17,
  parameter int unsigned DigitBits      = WordBits,
  parameter int unsigned Delay          = 0,
  parameter int unsigned RowBits        = 9,
  parameter int unsigned DoublingBits   = 5,
  parameter int unsigned SplitBits      = 0,  // PowerSplit = 2^SplitBits
  parameter int unsigned FirstDoublings = 2
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  state_t                  state_i,
  input  logic [RowBits-1:0]      rows_i,
  input  logic [DoublingBits-1:0] doublings_i,
  input  logic                    pass_done_i,     // of the step, its last half
  input  logic                    alu_done_i,      // any pass
  input  logic                    product_done_i,  // of the step, its last half
  output logic                    last_pass_o,
  output logic                    last_doubling_o,
  output logic                    power_one_o,     // the next bit of the power is a one
  output logic                    power_last_o,    // one bit of the power is left
  output logic                    power_end_o      // none is left
);

  localparam int unsigned PassBits = $clog2(WordBits * (1 + Delay) + 2);
  localparam int unsigned UnscalePasses = DigitBits * (1 + Delay) / pass_halvings(DigitBits, Delay);
  localparam int unsigned PowerBits = RowBits + SplitBits;
  localparam bit Narrow = DigitBits != WordBits;

  logic [PowerBits-1:0] power_d, power_q;  // PowerSplit * K, with its highest one at the top
  logic [$clog2(PowerBits)-1:0] power_bit_d, power_bit_q;  // bits of it that are left
  logic [DoublingBits-1:0] doublings_d, doublings_q;
  logic [PassBits-1:0] pass_d, pass_q;     // passes left, less one

  always_comb begin
    power_d = power_q;
    power_bit_d = power_bit_q;
    doublings_d = doublings_q;
    pass_d = pass_q;
    unique case (1'b1)
      state_i[StScaleInit], state_i[StLastInit], state_i[StLast]:
        pass_d = PassBits'(UnscalePasses - 1);

      state_i[StScale], state_i[StUnscale]: if (pass_done_i) pass_d = pass_q - 1'b1;

      state_i[StPowerInit]: begin
        pass_d = PassBits'(FirstDoublings - 1);
        doublings_d = doublings_i;
        power_d = PowerBits'(rows_i - RowBits'(Delay)) << SplitBits;
        power_bit_d = ($bits(power_bit_q))'(PowerBits - 1);
      end

      state_i[StPower]: begin
        if (!power_q[PowerBits-1]) begin
          power_d = power_q << 1;
          power_bit_d = power_bit_q - 1'b1;
        end
        if (pass_done_i) begin
          pass_d = pass_q - 1'b1;
          if (last_pass_o || Narrow) begin
            pass_d = PassBits'(WordBits - 1);
            doublings_d = doublings_q - 1'b1;
          end
        end
      end

      state_i[StSquareR2]:
        if (product_done_i) begin
          power_d = power_q << 1;
          power_bit_d = power_bit_q - 1'b1;
        end

      state_i[StDiff]: pass_d = PassBits'(1);

      state_i[StDiffFix]: if (alu_done_i) pass_d = pass_q - 1'b1;

      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      power_q <= '0;
      power_bit_q <= '0;
      doublings_q <= '0;
      pass_q <= '0;
    end else begin
      power_q <= power_d;
      power_bit_q <= power_bit_d;
      doublings_q <= doublings_d;
      pass_q <= pass_d;
    end
  end

  assign last_pass_o = pass_q == '0;
  assign last_doubling_o = (last_pass_o || Narrow) && doublings_q == '0;
  assign power_one_o = power_q[PowerBits-2];
  assign power_last_o = power_bit_q == 1;
  assign power_end_o = power_bit_q == '0;

  // Each state is used by its steps alone.
  logic unused;
  assign unused = ^state_i;

endmodule
