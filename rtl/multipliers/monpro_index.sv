// Index of a stream of words, two cycles a word. From the cycle after start_i it is 0, 0, 1, 1,
// ..., words_i - 1, words_i - 1. valid_o comes with the first cycle of each, last_o with the last
// valid_o. end_o says from the first cycle of the last word on that no other word follows. Between
// streams the index is 0. words_i must be there a cycle before start_i.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_index #(
  parameter int unsigned IndexBits = 8
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic                 start_i,
  input  logic [IndexBits-1:0] words_i,
  output logic                 valid_o,
  output logic                 last_o,
  output logic                 end_o,
  output logic [IndexBits-1:0] index_o
);

  logic active_q, second_q, valid_q, last_q;
  logic one_q, near_q;  // there is but one word; this is the last but one
  logic [IndexBits-1:0] index_q, near_index_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      second_q <= 1'b0;
      valid_q <= 1'b0;
      index_q <= '0;
      last_q <= 1'b0;
      one_q <= 1'b0;
      near_q <= 1'b0;
      near_index_q <= '0;
    end else begin
      one_q <= words_i == IndexBits'(1);
      near_index_q <= words_i - IndexBits'(2);
      near_q <= index_q == near_index_q;  // of use in the second cycle of a word
      valid_q <= start_i || (active_q && second_q && !last_q);
      if (start_i || (second_q && last_q)) begin
        active_q <= start_i;
        second_q <= 1'b0;
        index_q <= '0;
        last_q <= one_q;
      end else if (active_q) begin
        second_q <= !second_q;
        if (second_q) begin
          index_q <= index_q + 1'b1;
          last_q <= near_q;
        end
      end
    end
  end

  assign valid_o = valid_q;
  assign last_o = valid_q && last_q;
  assign end_o = !active_q || last_q;
  assign index_o = index_q;

endmodule
