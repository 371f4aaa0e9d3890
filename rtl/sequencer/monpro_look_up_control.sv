// Asks monpro_table for the entries that the bits of the exponent choose.
//
// A look-up into WorkSel may begin when the multiplication before has read that slot, that is when
// the next product has started: product_i. StFirst (into WorkAcc) and StBitSelect (into WorkSel)
// are themselves a look-up, which begins when no product is in flight. With two halves the look-up
// of the second half begins in the cycle after the first is done.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_look_up_control
  import monpro_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter bit Crt = 1'b0
) (
  input  logic   clk_i,
  input  logic   rst_ni,

  input  state_t state_i,
  input  logic   ready_i,     // the step may begin a look-up, if it is one
  input  logic   both_i,      // the step is one of both halves
  input  logic   product_i,   // pulse: the product has started behind which the next one may begin
  input  logic   consume_i,   // the entry is no longer wanted: such a product is accepted
  output logic   begin_o,     // a look-up begins
  output logic   end_o,       // its last half ends
  output logic   step_end_o,  // and with it the step
  output logic   selected_o,  // WorkSel holds the entry

  output logic   look_up_o,   // see monpro_table
  output logic   half_o,
  output work_e  target_o,
  input  logic   done_i
);

  logic look_up_q, again_d, look_up_again_q, half_d, look_up_half_q;
  logic last_look_up, last_look_up_q;
  logic ends_d, look_up_ends_q;           // the step waits for a look-up, and this is its last half
  logic first_d, first_look_up_q;         // the look-up is that of StFirst
  logic selected_d, selected_q;

  assign begin_o = product_i || ((state_i[StFirst] || state_i[StBitSelect]) && ready_i);
  assign last_look_up = !both_i || look_up_half_q;
  assign ends_d = last_look_up && (state_i[StFirst] || state_i[StBitSelect]);
  assign end_o = done_i && last_look_up_q;
  assign step_end_o = done_i && look_up_ends_q;

  always_comb begin
    again_d = done_i && !end_o;
    half_d = done_i ? !end_o : look_up_half_q;
    first_d = first_look_up_q;
    if (state_i[StFirst]) first_d = !end_o;
    selected_d = (selected_q && !consume_i) || end_o;
    if (state_i[StIdle]) selected_d = 1'b0;
    if (state_i[StWipe]) begin
      again_d = 1'b0;
      half_d = 1'b0;
      first_d = 1'b0;
    end
    if (!Crt) begin
      again_d = 1'b0;
      half_d = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    last_look_up_q <= last_look_up;
    look_up_ends_q <= ends_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      look_up_q <= 1'b0;
      look_up_again_q <= 1'b0;
      look_up_half_q <= 1'b0;
      first_look_up_q <= 1'b0;
      selected_q <= 1'b0;
    end else begin
      look_up_q <= begin_o;
      look_up_again_q <= again_d;
      look_up_half_q <= half_d;
      first_look_up_q <= first_d;
      selected_q <= selected_d;
    end
  end

  assign selected_o = selected_q;
  assign look_up_o = look_up_q || (Crt && look_up_again_q);
  assign half_o = Crt && look_up_half_q;
  assign target_o = first_look_up_q ? WorkAcc : WorkSel;

  // The other steps look nothing up.
  logic unused;
  assign unused = ^state_i;

endmodule
