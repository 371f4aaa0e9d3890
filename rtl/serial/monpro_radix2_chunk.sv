// A slice of Width bits of the running sum of monpro_radix2, which see. One row a cycle:
//
//   F = T + select + carry,  T = F / 2
//
// The bit that T takes from the slice above is the lowest one of F there, in the row before, which
// that slice computes in this very cycle: no more than the sum of three bits.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_radix2_chunk #(
  parameter int unsigned Width = 32
) (
  input  logic clk_i,
  input  logic clear_i,  // zeroes every register

  input  logic             load_modulus_i,
  input  logic [Width-1:0] modulus_i,  // of 2 N'
  input  logic             load_i,
  input  logic [Width-1:0] y_i,
  input  logic [Width-1:0] sum_i,      // of y + 2 N'

  input  logic             zero_i,     // the next row is the first: T is 0,
  input  logic             first_i,    // and this is that row
  input  logic             take_y_i,   // of the next row: its digit of x,
  input  logic             take_n_i,   // and the quotient digit of this row
  input  logic             carry_i,
  input  logic             above_i,
  output logic             low_o,      // lowest bit of F
  output logic             carry_o,    // of the row before
  output logic [Width-1:0] last_o      // F of the row before
);

  logic [Width-1:0] y_q, n_q, sum_q, select_q;
  logic [Width-2:0] t_q;
  logic low_q, carry_q;
  logic [Width:0] f;

  assign low_o = t_q[0] ^ select_q[0] ^ carry_i;
  assign f = {1'b0, above_i && !first_i, t_q} + {1'b0, select_q} + (Width + 1)'(carry_i);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      y_q <= '0;
      n_q <= '0;
      sum_q <= '0;
      select_q <= '0;
      t_q <= '0;
      low_q <= 1'b0;
      carry_q <= 1'b0;
    end else begin
      if (load_modulus_i) n_q <= modulus_i;
      if (load_i) begin
        y_q <= y_i;
        sum_q <= sum_i;
      end
      unique case ({take_y_i, take_n_i})
        2'b00: select_q <= '0;
        2'b10: select_q <= y_q;
        2'b01: select_q <= n_q;
        default: select_q <= sum_q;
      endcase
      low_q <= f[0];
      carry_q <= f[Width];
      if (zero_i) t_q <= '0;
      else t_q <= f[Width-1:1];
    end
  end

  assign carry_o = carry_q;
  assign last_o = {t_q, low_q};

endmodule
