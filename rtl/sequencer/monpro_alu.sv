// Word-serial adder: one pass over an operand a and the modulus n, least significant word first,
// for the few steps of an exponentiation that are not Montgomery products. Numbers are two's
// complement over words_i words.
//
//   AluConst    r = 2^(WordBits * const_word_i + const_bit_i)    negative := 0
//   AluHalve    r = (a + (a odd ? n : 0)) / 2                    negative := 0       a/2 mod n
//   AluDouble   r = 2a + (negative ? n : -n)                     negative := r < 0
//               r = 2a mod n, and -n <= r < n if a was so
//   AluSub      r = a - n                                        negative := r < 0
//   AluRestore  r = a + (negative ? n : 0)                       negative := 0
//   AluCheck    nothing is written; below_o, odd_o, size_o speak of a and n from done_o on
//
// No cycle depends on a value: words_i + 3 cycles from start_i to done_o, which comes with the
// last word written. The result may replace a.
module monpro_alu
  import monpro_pkg::*;
#(
  parameter int unsigned WordBits  = 17,
  parameter int unsigned IndexBits = 8
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic [IndexBits-1:0] words_i,

  input  logic                        start_i,
  input  alu_op_e                     op_i,          // this and the next two: static until done_o
  input  logic [IndexBits-1:0]        const_word_i,
  input  logic [$clog2(WordBits)-1:0] const_bit_i,
  output logic                        done_o,

  output logic [IndexBits-1:0] read_index_o,  // of a and n, which follow in the next cycle
  input  logic [WordBits-1:0]  a_i,
  input  logic [WordBits-1:0]  n_i,
  output logic                 write_o,
  output logic [IndexBits-1:0] write_index_o,
  output logic [WordBits-1:0]  write_data_o,

  output logic below_o,  // a < n
  output logic odd_o,    // n is odd
  // n has words_i - 1 words, two bits free: with W = WordBits, s = words_i
  // 2^(W * (s - 2) - 2) <= n < 2^(W * (s - 1) - 2)
  output logic size_o
);

  // The stages of a word: index out, data back, in the adder, summed (and written).
  logic [2:0] valid_q;
  logic active_q;
  logic [IndexBits-1:0] index_q, data_index_q, add_index_q, sum_index_q;
  logic [WordBits-1:0] a_q, n_q, sum_q, addend, shifted, constant;
  logic a_top_q, carry_q, carry_in, odd_a_q, use_n, negate, negative_q, first, last, carry_out;
  logic [WordBits-1:0] sum;
  logic below_q, n_odd_q, n_top_q, n_size_q;

  assign first = add_index_q == '0;
  assign last = add_index_q == words_i - 1'b1;
  assign constant = (add_index_q == const_word_i) ? WordBits'(1) << const_bit_i : '0;

  always_comb begin
    use_n = 1'b0;
    negate = 1'b0;
    unique case (op_i)
      AluHalve:   use_n = first ? a_q[0] : odd_a_q;
      AluDouble:  begin
        use_n = 1'b1;
        negate = !negative_q;
      end
      AluSub, AluCheck: begin
        use_n = 1'b1;
        negate = 1'b1;
      end
      AluRestore: use_n = negative_q;
      default: ;
    endcase
  end

  always_comb begin
    unique case (op_i)
      AluConst:  shifted = constant;
      AluDouble: shifted = {a_q[WordBits-2:0], a_top_q};
      default:   shifted = a_q;
    endcase
  end

  assign addend = (n_q & {WordBits{use_n}}) ^ {WordBits{negate}};
  assign carry_in = first ? negate : carry_q;
  assign {carry_out, sum} = {1'b0, shifted} + {1'b0, addend} + (WordBits + 1)'(carry_in);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      valid_q <= '0;
      index_q <= '0;
    end else begin
      valid_q <= {valid_q[1:0], active_q};
      if (start_i) begin
        active_q <= 1'b1;
        index_q <= '0;
      end else if (active_q) begin
        active_q <= index_q != words_i - 1'b1;
        index_q <= index_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      data_index_q <= '0;
      add_index_q <= '0;
      sum_index_q <= '0;
      a_q <= '0;
      n_q <= '0;
      a_top_q <= 1'b0;
      sum_q <= '0;
      carry_q <= 1'b0;
      odd_a_q <= 1'b0;
      negative_q <= 1'b0;
      below_q <= 1'b0;
      n_odd_q <= 1'b0;
      n_top_q <= 1'b0;
      n_size_q <= 1'b0;
    end else begin
      data_index_q <= index_q;
      add_index_q <= data_index_q;
      sum_index_q <= add_index_q;
      // Beyond the last word a and n are zero: halving takes its top bit from there.
      a_q <= valid_q[0] ? a_i : '0;
      n_q <= valid_q[0] ? n_i : '0;
      a_top_q <= valid_q[1] && !last && a_q[WordBits-1];
      sum_q <= sum;
      if (valid_q[1]) begin
        carry_q <= carry_out;
        if (first) odd_a_q <= a_q[0];
        if (last) begin
          negative_q <= (op_i == AluDouble || op_i == AluSub) && sum[WordBits-1];
          below_q <= !carry_out;
        end
        // n is long enough if the third word from the top has one of its two highest bits set, or
        // the second any; short enough if the second has those two clear and the highest is zero.
        if (first) n_odd_q <= n_q[0];
        if (add_index_q == words_i - IndexBits'(3)) n_top_q <= |n_q[WordBits-1-:2];
        if (add_index_q == words_i - IndexBits'(2)) begin
          n_size_q <= (n_top_q || |n_q) && ~|n_q[WordBits-1-:2];
        end
        if (last) n_size_q <= n_size_q && n_q == '0;
      end
    end
  end

  assign read_index_o = index_q;
  assign write_o = valid_q[2] && op_i != AluCheck;
  assign write_index_o = sum_index_q;
  assign write_data_o = (op_i == AluHalve) ? {sum[0] && valid_q[1], sum_q[WordBits-1:1]} : sum_q;
  assign done_o = valid_q[2] && !valid_q[1];
  assign below_o = below_q;
  assign odd_o = n_odd_q;
  assign size_o = n_size_q;

endmodule
