// Keeps where an operation is: what its steps have done so far, and which half the next one takes.
//
//   first_o      Nothing has been computed in this loop yet: R^2, or the running value.
//   from_base_o  The running value is still in WorkBase.
//   entry_o      The entry of the table that is being computed; last_entry_o: it is the last one.
//                last_entry_o is two cycles late.
//   half_o       CRT: the half of the step.
//   combining_o  CRT: StDiff has begun.
//   wide_o       CRT: the integer product; restart_o: the rows are counted anew.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_position
  import monpro_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter bit Crt = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  state_t     state_i,
  input  method_t    method_i,
  input  logic [2:0] window_i,          // of the table
  input  logic       length_changed_i,
  input  logic       both_i,            // the step takes both halves
  input  logic       half_done_i,       // a half of the step, either
  input  logic       product_done_i,    // of the step, its last half
  input  logic       alu_done_i,        // any pass
  input  logic       taken_i,           // a bit of the exponent
  input  logic       none_taken_i,      // the exponent had no bit left, a cycle ago
  input  logic       one_taken_i,       // the bit taken a cycle ago is a one
  input  logic       none_i,            // repeated: the exponent is zero
  output logic       first_o,
  output logic       from_base_o,
  output logic [5:0] entry_o,
  output logic       last_entry_o,
  output logic       half_o,
  output logic       combining_o,
  output logic       wide_o,
  output logic       restart_o
);

  logic first_d, first_q, from_base_d, from_base_q, half_d, half_q;
  logic combining_d, combining_q, wide_d, wide_q, restart_d, restart_q;
  logic last_entry_d, last_entry_q;
  logic [5:0] entry_d, entry_q, table_end_d, table_end_q;

  always_comb begin
    first_d = first_q;
    from_base_d = from_base_q;
    entry_d = entry_q;
    unique case (1'b1)
      state_i[StPowerEnd]: first_d = 1'b1;
      state_i[StSquareR2]: if (product_done_i) first_d = 1'b0;
      state_i[StBase]: begin
        first_d = 1'b1;
        from_base_d = 1'b1;
        entry_d = method_i.sliding ? 6'd1 : 6'd2;
      end
      state_i[StTable]:
        if (product_done_i) begin
          from_base_d = 1'b0;
          entry_d = entry_q + 1'b1;
        end
      state_i[StNext]:
        if (taken_i && !none_taken_i && !method_i.sliding) begin
          if (!first_q) first_d = 1'b1;
          else if (method_i.tabled) from_base_d = 1'b0;
          else first_d = !one_taken_i;  // zeros before the highest one; that one is x
        end
      state_i[StMore]:
        if (taken_i) begin
          first_d = 1'b1;
          from_base_d = 1'b0;
        end
      state_i[StFirst]: first_d = 1'b0;
      state_i[StSquare]:
        if (product_done_i) begin
          first_d = 1'b0;
          from_base_d = 1'b0;
        end
      state_i[StBit]: begin
        first_d = 1'b0;
        from_base_d = 1'b0;
      end
      state_i[StCount]: if (taken_i && none_taken_i) first_d = none_i;
      state_i[StRepeat]: if (product_done_i) from_base_d = 1'b0;
      default: ;
    endcase
  end

  always_comb begin
    half_d = half_q ^ (half_done_i && both_i);
    combining_d = (combining_q || state_i[StDiff]) && !state_i[StIdle];
    wide_d = (wide_q || (state_i[StCopyQ] && alu_done_i)) && !state_i[StIdle];
    restart_d = length_changed_i || (state_i[StIdle] && wide_q) ||
                (state_i[StCopyQ] && alu_done_i);
    if (state_i[StWipe]) half_d = 1'b0;
    if (!Crt) begin  // synthesis has to be told
      half_d = 1'b0;
      combining_d = 1'b0;
      wide_d = 1'b0;
    end
  end

  always_comb begin
    for (int i = 0; i < MaxWindow; i++) table_end_d[i] = window_i > 3'(i);
    last_entry_d = entry_q == table_end_q;
  end

  always_ff @(posedge clk_i) begin
    table_end_q <= table_end_d;
    last_entry_q <= last_entry_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q <= 1'b0;
      from_base_q <= 1'b0;
      entry_q <= '0;
      half_q <= 1'b0;
      combining_q <= 1'b0;
      wide_q <= 1'b0;
      restart_q <= 1'b0;
    end else begin
      first_q <= first_d;
      from_base_q <= from_base_d;
      entry_q <= entry_d;
      half_q <= half_d;
      combining_q <= combining_d;
      wide_q <= wide_d;
      restart_q <= restart_d;
    end
  end

  assign first_o = first_q;
  assign from_base_o = from_base_q;
  assign entry_o = entry_q;
  assign last_entry_o = last_entry_q;
  assign half_o = half_q;
  assign combining_o = combining_q;
  assign wide_o = wide_q;
  assign restart_o = restart_q;

  // Some of the steps and schemes change nothing here.
  logic unused;
  assign unused = ^{state_i, method_i};

endmodule
