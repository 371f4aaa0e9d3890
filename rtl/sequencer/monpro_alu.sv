// Word-serial adder, for the steps of an exponentiation that are not Montgomery products. A pass
// goes over an operand a and the modulus n, or with CRT over a and another operand b, least
// significant word first. Numbers are two's complement over words_i words.
//
//   AluOne      r = 1                                            negative := 0
//   AluFactor   r = 2^(DigitBits * (1 + Delay))                  negative := 0
//               narrow digits: without Delay
//   AluPower    r = 2^(WordBits * (l - 1) - 2)                   negative := 0       l: see size_o
//   AluHalve    r = (a + (a odd ? n : 0)) / 2, Halvings times    negative := 0
//               r = a / 2^Halvings mod n
//   AluDouble   r = 2a + (negative ? n : -n)                     negative := r < 0
//               r = 2a mod n, with -n <= r < n if -n <= a < n
//   AluSub      r = a - n                                        negative := r < 0
//   AluRestore  r = a + (negative ? n : 0)                       negative := r < 0
//   AluCheck    writes nothing; from done_o on below_o, odd_o and size_o describe a and n
//   with CRT only:
//   AluCopy     r = n                                            negative := 0
//   AluAdd      r = a + b                                        negative := 0
//   AluDiff     r = a - b                                        negative := r < 0
//
// With CRT each half has its own `negative`, so passes over p and q may alternate.
//
// Cycles: words_i + 5 from start_i to done_o, and 2 * Halvings - 2 more for AluHalve. No cycle
// depends on a value. done_o comes with the last word that is written. The result may replace a.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_alu
  import monpro_pkg::*;
#(
  parameter int unsigned WordBits  = 17,
  parameter int unsigned DigitBits = WordBits,
  parameter int unsigned IndexBits = 8,
  parameter int unsigned Delay     = 0,  // of the multiplier: words that operands have above n
  parameter int unsigned Halvings  = 1,
  parameter bit          Crt       = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic [IndexBits-1:0] words_i,

  input  logic    start_i,
  input  alu_op_e op_i,     // this and the next: static until done_o
  input  logic    half_i,
  output logic    done_o,

  // of a, b and n, which follow two cycles later; 0 between passes
  output logic [IndexBits-1:0] read_index_o,
  input  logic [WordBits-1:0]  a_i,
  input  logic [WordBits-1:0]  b_i,
  input  logic [WordBits-1:0]  n_i,
  output logic                 write_o,
  output logic [IndexBits-1:0] write_index_o,
  output logic [WordBits-1:0]  write_data_o,

  output logic below_o,  // a < n
  output logic odd_o,    // n is odd
  // n has words_i - 1 - Delay words, two bits free: with W = WordBits, l = words_i - 1 - Delay
  // 2^(W * (l - 1) - 2) <= n < 2^(W * l - 2)
  output logic size_o,
  output logic negative_o  // of this half, after the pass
);

  localparam bit Narrow = DigitBits != WordBits;

  // The stages of a word: index out, in the memory, data back, operands, in the adder, summed (and
  // written). What a word's place in the number means is known before the word is there.
  typedef struct packed {
    logic first;
    logic last;
    logic third;   // the third word of n from the top
    logic second;  // the second from the top
    logic beyond;  // the words above that
  } place_t;

  logic [4:0] valid_q;
  logic active_q;
  logic [IndexBits-1:0] index_q, third_index_q, sum_index_q;
  logic [4:1][IndexBits-1:0] index_pipe_q;
  place_t place, place_read_q, place_data_q, place_word_q, place_add_q, place_sum_q;
  logic beyond_q, factor;
  logic [WordBits-1:0] a_q, n_q, shifted_q, addend_q, sum_q, sum, constant;
  logic a_top_q, carry_q, carry_in_q, carry_in, carry_out, odd_a_q, use_n;
  logic negative, new_negative;
  logic [Crt:0] negative_q;
  logic new_end, n_odd_q, n_top_q, n_size_q;

  // Static while a pass runs, and a few cycles later is early enough.
  alu_op_e op_q;
  logic half_q, other_q, plain_q, double_q, halve_q, n_used_q, negate_q, signed_q, silent_q;
  logic n_always_q, negate_always_q, restore_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      op_q <= AluOne;
      half_q <= 1'b0;
      other_q <= 1'b0;
      plain_q <= 1'b0;
      double_q <= 1'b0;
      halve_q <= 1'b0;
      n_used_q <= 1'b0;
      negate_q <= 1'b0;
      n_always_q <= 1'b0;
      negate_always_q <= 1'b0;
      restore_q <= 1'b0;
      signed_q <= 1'b0;
      silent_q <= 1'b0;
      third_index_q <= '0;
    end else begin
      op_q <= op_i;
      half_q <= Crt && half_i;
      other_q <= Crt && op_q inside {AluAdd, AluDiff};
      plain_q <= !(op_q inside {AluOne, AluFactor, AluPower, AluCopy, AluDouble});
      double_q <= op_q == AluDouble;
      halve_q <= op_q == AluHalve;
      n_always_q <= op_q inside {AluDouble, AluSub, AluCheck, AluDiff, AluCopy, AluAdd};
      negate_always_q <= op_q inside {AluSub, AluCheck, AluDiff};
      restore_q <= op_q == AluRestore;
      n_used_q <= n_always_q || (restore_q && negative);
      negate_q <= negate_always_q || (double_q && !negative);
      signed_q <= op_q inside {AluDouble, AluSub, AluRestore, AluDiff};
      silent_q <= op_q == AluCheck;
      third_index_q <= words_i - IndexBits'(3 + Delay);
    end
  end

  always_comb begin
    place.first = active_q && !valid_q[0];
    place.last = (Delay == 0) ? place_data_q.third : place_word_q.third;  // 2 + Delay words later
    place.third = active_q && index_q == third_index_q;
    place.second = place_read_q.third && valid_q[0];
    place.beyond = (place_read_q.second || beyond_q) && valid_q[0];
  end

  always_comb begin
    constant = '0;
    constant[0] = op_q == AluOne && place_word_q.first;
    if (op_q == AluFactor && factor) constant[Narrow ? DigitBits : 0] = 1'b1;
    constant[WordBits-2] = op_q == AluPower && place_word_q.third;
  end

  // 1 + Delay words later, or with narrow digits in the first word.
  assign factor = Narrow ? place_word_q.first
                : (Delay == 0) ? place_add_q.first : place_sum_q.first;
  // The last word's highest bit; it is kept a cycle after the sum is there.
  assign new_end = valid_q[4] && place_sum_q.last;
  assign new_negative = signed_q && sum_q[WordBits-1];
  assign negative = new_end ? new_negative : negative_q[Crt && half_q];
  assign use_n = halve_q ? (place_word_q.first ? a_q[0] : odd_a_q) : n_used_q;
  assign carry_in = place_add_q.first ? carry_in_q : carry_q;
  assign {carry_out, sum} = {1'b0, shifted_q} + {1'b0, addend_q} + (WordBits + 1)'(carry_in);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      valid_q <= '0;
      index_q <= '0;
    end else begin
      valid_q <= {valid_q[3:0], active_q};
      if (start_i || (active_q && place.last)) begin
        active_q <= start_i;
        index_q <= '0;
      end else if (active_q) begin
        index_q <= index_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      index_pipe_q <= '0;
      sum_index_q <= '0;
      place_read_q <= '0;
      place_data_q <= '0;
      place_word_q <= '0;
      place_add_q <= '0;
      place_sum_q <= '0;
      beyond_q <= 1'b0;
      a_q <= '0;
      n_q <= '0;
      a_top_q <= 1'b0;
      shifted_q <= '0;
      addend_q <= '0;
      carry_in_q <= 1'b0;
      sum_q <= '0;
      carry_q <= 1'b0;
      odd_a_q <= 1'b0;
      negative_q <= '0;
      n_odd_q <= 1'b0;
      n_top_q <= 1'b0;
      n_size_q <= 1'b0;
    end else begin
      index_pipe_q <= {index_pipe_q[3:1], index_q};
      sum_index_q <= valid_q[3] ? index_pipe_q[4] : '0;
      place_read_q <= place;
      beyond_q <= place.beyond;
      place_data_q <= place_read_q;
      place_word_q <= place_data_q;
      place_add_q <= place_word_q;
      place_sum_q <= place_add_q;
      // Beyond the last word a and n are zero: halving takes its top bit from there.
      a_q <= valid_q[1] ? a_i : '0;
      n_q <= valid_q[1] ? (other_q ? b_i : n_i) : '0;

      a_top_q <= valid_q[2] && !place_word_q.last && a_q[WordBits-1];
      shifted_q <= (a_q & {WordBits{plain_q}}) | constant |
                   ({a_q[WordBits-2:0], a_top_q} & {WordBits{double_q}});
      addend_q <= (n_q & {WordBits{use_n}}) ^ {WordBits{negate_q}};
      carry_in_q <= negate_q;
      if (valid_q[2]) begin
        if (place_word_q.first) odd_a_q <= a_q[0];
        // n is long enough if the third word from the top has one of its two highest bits set, or
        // the second any; short enough if the second has those two clear and the highest is zero.
        if (place_word_q.first) n_odd_q <= n_q[0];
        if (place_word_q.third) n_top_q <= |n_q[WordBits-1-:2];
        if (place_word_q.second) n_size_q <= (n_top_q || |n_q) && ~|n_q[WordBits-1-:2];
        if (place_word_q.beyond) n_size_q <= n_size_q && n_q == '0;
      end

      sum_q <= valid_q[3] ? sum : '0;
      if (valid_q[3]) carry_q <= carry_out;
      if (new_end) negative_q[Crt && half_q] <= new_negative;
    end
  end

  // ---- further halvings, each in a stage of its own

  logic [Halvings-1:0] halved_valid, halved_first, halved_last;
  logic [Halvings-1:0][IndexBits-1:0] halved_index;
  logic [Halvings-1:0][WordBits-1:0] halved, halved_n;

  assign halved_valid[0] = valid_q[4] && halve_q;
  assign halved_first[0] = place_sum_q.first;
  assign halved_last[0] = place_sum_q.last;
  assign halved_index[0] = sum_index_q;
  assign halved[0] = {sum[0] && valid_q[3], sum_q[WordBits-1:1]};

  if (Halvings > 1) begin : g_halved_n
    logic [1:0][WordBits-1:0] sum_n_q;
    always_ff @(posedge clk_i) sum_n_q <= clear_i ? '0 : {sum_n_q[0], n_q};
    assign halved_n[0] = sum_n_q[1];
  end else begin : g_no_halved_n
    assign halved_n[0] = '0;
  end

  for (genvar i = 1; i < Halvings; i++) begin : g_halve
    monpro_halve_stage #(
      .WordBits (WordBits),
      .IndexBits(IndexBits)
    ) u_stage (
      .clk_i,
      .clear_i,
      .valid_i(halved_valid[i-1]),
      .first_i(halved_first[i-1]),
      .last_i (halved_last[i-1]),
      .index_i(halved_index[i-1]),
      .a_i    (halved[i-1]),
      .n_i    (halved_n[i-1]),
      .valid_o(halved_valid[i]),
      .first_o(halved_first[i]),
      .last_o (halved_last[i]),
      .index_o(halved_index[i]),
      .a_o    (halved[i]),
      .n_o    (halved_n[i])
    );
  end

  logic unused;
  assign unused = ^{halved_n[Halvings-1], halved_first[Halvings-1], place_sum_q};

  always_comb begin
    write_o = valid_q[4] && !silent_q;
    write_index_o = sum_index_q;
    write_data_o = sum_q;
    done_o = valid_q[4] && place_sum_q.last;
    if (halve_q) begin
      write_o = halved_valid[Halvings-1];
      write_index_o = halved_index[Halvings-1];
      write_data_o = halved[Halvings-1];
      done_o = write_o && halved_last[Halvings-1];
    end
  end

  assign read_index_o = index_q;
  assign below_o = !carry_q;
  assign odd_o = n_odd_q;
  assign size_o = n_size_q;
  assign negative_o = negative;

endmodule
