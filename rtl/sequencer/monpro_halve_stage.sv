// One halving modulo n of a number that comes as a stream, least significant word first, a word a
// cycle:
//
//   a_o = (a_i + (a_i odd ? n : 0)) / 2
//
// The output is two cycles late, with n beside it for the next stage. a + n fits into the words.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_halve_stage #(
  parameter int unsigned WordBits  = 36,
  parameter int unsigned IndexBits = 7
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic                 valid_i,
  input  logic                 first_i,  // the number's first word: the others follow without a gap
  input  logic                 last_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [WordBits-1:0]  a_i,
  input  logic [WordBits-1:0]  n_i,
  output logic                 valid_o,
  output logic                 first_o,
  output logic                 last_o,
  output logic [IndexBits-1:0] index_o,
  output logic [WordBits-1:0]  a_o,
  output logic [WordBits-1:0]  n_o
);

  logic valid_q, first_q, last_q, sum_valid_q, sum_first_q, sum_last_q, odd_q, carry_q;
  logic odd, carry_out;
  logic [IndexBits-1:0] index_q, sum_index_q;
  logic [WordBits-1:0] a_q, n_q, addend_q, sum, sum_n_q;
  logic [WordBits-1:1] sum_q;

  assign odd = first_i ? a_i[0] : odd_q;
  assign {carry_out, sum} = {1'b0, a_q} + {1'b0, addend_q} + (WordBits + 1)'(!first_q && carry_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      valid_q <= 1'b0;
      sum_valid_q <= 1'b0;
      first_q <= 1'b0;
      last_q <= 1'b0;
      sum_first_q <= 1'b0;
      sum_last_q <= 1'b0;
      odd_q <= 1'b0;
      addend_q <= '0;
      carry_q <= 1'b0;
      index_q <= '0;
      sum_index_q <= '0;
      a_q <= '0;
      n_q <= '0;
      sum_q <= '0;
      sum_n_q <= '0;
    end else begin
      valid_q <= valid_i;
      first_q <= first_i;
      last_q <= last_i;
      index_q <= index_i;
      a_q <= a_i;
      n_q <= n_i;
      odd_q <= odd;
      addend_q <= n_i & {WordBits{odd}};
      carry_q <= carry_out;
      sum_valid_q <= valid_q;
      sum_first_q <= first_q;
      sum_last_q <= last_q;
      sum_index_q <= index_q;
      sum_q <= sum[WordBits-1:1];
      sum_n_q <= n_q;
    end
  end

  assign valid_o = sum_valid_q;
  assign first_o = sum_first_q;
  assign last_o = sum_last_q;
  assign index_o = sum_index_q;
  assign a_o = {sum[0] && valid_q, sum_q};
  assign n_o = sum_n_q;

endmodule
