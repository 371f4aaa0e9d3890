// Adds words of numbers, least significant first, one a cycle:
//
//   r = (a << double_i) -/+ (n << shift_i),  modulo 2^(Width * words)
//
// restore_i adds, and only if the subtraction before was below zero: the two together subtract if
// that is possible, in the same steps whether it is or not.
//
// Cycles: first_i with word 0 of a and n, last_i with the last one; r one cycle after its word,
// below_o one cycle after the last.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_serial_adder #(
  parameter int unsigned Width = 32
) (
  input  logic             clk_i,
  input  logic             clear_i,    // zeroes every register
  input  logic             first_i,
  input  logic             last_i,
  input  logic             double_i,
  input  logic [1:0]       shift_i,    // 0 to 2
  input  logic             restore_i,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] n_i,
  output logic [Width-1:0] r_o,
  output logic             below_o     // the last subtraction's result was below zero
);

  logic carry_q, below_q, a_high_q;
  logic [1:0] n_high_q;
  logic [Width-1:0] r_q, a, b;
  logic [Width+1:0] n;
  logic [Width:0] sum;

  always_comb begin
    n = {n_i, first_i ? 2'b00 : n_high_q};
    unique case (shift_i)
      2'd0: b = n[Width+1:2];
      2'd1: b = n[Width:1];
      default: b = n[Width-1:0];
    endcase
    b = restore_i ? b & {Width{below_q}} : ~b;
    a = double_i ? {a_i[Width-2:0], a_high_q && !first_i} : a_i;
    sum = {1'b0, a} + {1'b0, b} + (Width + 1)'(first_i ? !restore_i : carry_q);
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      carry_q <= 1'b0;
      below_q <= 1'b0;
      a_high_q <= 1'b0;
      n_high_q <= '0;
      r_q <= '0;
    end else begin
      carry_q <= sum[Width];
      a_high_q <= a_i[Width-1];
      n_high_q <= n_i[Width-1-:2];
      r_q <= sum[Width-1:0];
      if (last_i && !restore_i) below_q <= !sum[Width];
    end
  end

  assign r_o = r_q;
  assign below_o = below_q;

endmodule
