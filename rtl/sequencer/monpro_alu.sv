// Word-serial adder: one pass over an operand a and the modulus n, or with CRT another operand b,
// least significant word first, for the few steps of an exponentiation that are not Montgomery
// products. Numbers are two's complement over words_i words.
//
//   AluConst    r = 2^(WordBits * const_word_i + const_bit_i)    negative := 0
//   AluHalve    r = (a + (a odd ? n : 0)) / 2, Halvings times     negative := 0       a/2^Halvings mod n
//   AluDouble   r = 2a + (negative ? n : -n)                     negative := r < 0
//               r = 2a mod n, and -n <= r < n if a was so
//   AluSub      r = a - n                                        negative := r < 0
//   AluRestore  r = a + (negative ? n : 0)                       negative := r < 0
//   AluCheck    nothing is written; below_o, odd_o, size_o speak of a and n from done_o on
//   with CRT only:
//   AluCopy     r = n                                            negative := 0
//   AluAdd      r = a + b                                        negative := 0
//   AluDiff     r = a - b                                        negative := r < 0
//
// With CRT there is a "negative" for each half, so that the passes over p and q may alternate.
// No cycle depends on a value: words_i + 4 cycles from start_i to done_o, AluHalve 2 * Halvings - 2
// more. done_o comes with the last word written. The result may replace a.
module monpro_alu
  import monpro_pkg::*;
#(
  parameter int unsigned WordBits  = 17,
  parameter int unsigned IndexBits = 8,
  parameter int unsigned Delay     = 0,  // of the multiplier: words that operands have above n
  parameter int unsigned Halvings  = 1,
  parameter bit          Crt       = 1'b0
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic [IndexBits-1:0] words_i,

  input  logic                        start_i,
  input  alu_op_e                     op_i,          // this and the next two: static until done_o
  input  logic [IndexBits-1:0]        const_word_i,
  input  logic [$clog2(WordBits)-1:0] const_bit_i,
  input  logic                        half_i,
  output logic                        done_o,

  output logic [IndexBits-1:0] read_index_o,  // of a, b and n, which follow two cycles later
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

  // The stages of a word: index out, in the memory, data back, in the adder, summed (and written).
  logic [3:0] valid_q;
  logic active_q;
  logic [IndexBits-1:0] index_q, read_index_q, data_index_q, add_index_q, sum_index_q;
  logic [WordBits-1:0] a_q, n_q, sum_q, addend, shifted, constant;
  logic a_top_q, carry_q, carry_in, odd_a_q, use_n, negate, first, last, carry_out;
  logic negative, new_negative;
  logic [Crt:0] negative_q;
  logic other;  // b in the place of n
  logic [WordBits-1:0] sum;
  logic below_q, n_odd_q, n_top_q, n_size_q;

  // Static while a pass runs, and a cycle later is early enough.
  alu_op_e op_q;
  logic half_q;
  logic [IndexBits-1:0] const_word_q;
  logic [$clog2(WordBits)-1:0] const_bit_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      op_q <= AluConst;
      half_q <= 1'b0;
      const_word_q <= '0;
      const_bit_q <= '0;
    end else begin
      op_q <= op_i;
      half_q <= Crt && half_i;
      const_word_q <= const_word_i;
      const_bit_q <= const_bit_i;
    end
  end

  assign first = add_index_q == '0;
  assign last = add_index_q == words_i - 1'b1;
  assign negative = negative_q[Crt && half_q];
  assign other = Crt && op_q inside {AluAdd, AluDiff};
  assign constant = (add_index_q == const_word_q) ? WordBits'(1) << const_bit_q : '0;

  always_comb begin
    use_n = 1'b0;
    negate = 1'b0;
    unique case (op_q)
      AluHalve:   use_n = first ? a_q[0] : odd_a_q;
      AluDouble:  begin
        use_n = 1'b1;
        negate = !negative;
      end
      AluSub, AluCheck, AluDiff: begin
        use_n = 1'b1;
        negate = 1'b1;
      end
      AluRestore: use_n = negative;
      AluCopy, AluAdd: use_n = 1'b1;
      default: ;
    endcase
  end

  always_comb begin
    unique case (op_q)
      AluConst:  shifted = constant;
      AluCopy:   shifted = '0;
      AluDouble: shifted = {a_q[WordBits-2:0], a_top_q};
      default:   shifted = a_q;
    endcase
  end

  assign new_negative = op_q inside {AluDouble, AluSub, AluRestore, AluDiff} && sum[WordBits-1];
  assign addend = (n_q & {WordBits{use_n}}) ^ {WordBits{negate}};
  assign carry_in = first ? negate : carry_q;
  assign {carry_out, sum} = {1'b0, shifted} + {1'b0, addend} + (WordBits + 1)'(carry_in);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      valid_q <= '0;
      index_q <= '0;
    end else begin
      valid_q <= {valid_q[2:0], active_q};
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
      read_index_q <= '0;
      data_index_q <= '0;
      add_index_q <= '0;
      sum_index_q <= '0;
      a_q <= '0;
      n_q <= '0;
      a_top_q <= 1'b0;
      sum_q <= '0;
      carry_q <= 1'b0;
      odd_a_q <= 1'b0;
      negative_q <= '0;
      below_q <= 1'b0;
      n_odd_q <= 1'b0;
      n_top_q <= 1'b0;
      n_size_q <= 1'b0;
    end else begin
      read_index_q <= index_q;
      data_index_q <= read_index_q;
      add_index_q <= data_index_q;
      sum_index_q <= add_index_q;
      // Beyond the last word a and n are zero: halving takes its top bit from there.
      a_q <= valid_q[1] ? a_i : '0;
      n_q <= valid_q[1] ? (other ? b_i : n_i) : '0;
      a_top_q <= valid_q[2] && !last && a_q[WordBits-1];
      sum_q <= sum;
      if (valid_q[2]) begin
        carry_q <= carry_out;
        if (first) odd_a_q <= a_q[0];
        if (last) begin
          negative_q[Crt && half_q] <= new_negative;
          below_q <= !carry_out;
        end
        // n is long enough if the third word from the top has one of its two highest bits set, or
        // the second any; short enough if the second has those two clear and the highest is zero.
        if (first) n_odd_q <= n_q[0];
        if (add_index_q == words_i - IndexBits'(3 + Delay)) n_top_q <= |n_q[WordBits-1-:2];
        if (add_index_q == words_i - IndexBits'(2 + Delay)) begin
          n_size_q <= (n_top_q || |n_q) && ~|n_q[WordBits-1-:2];
        end
        if (add_index_q > words_i - IndexBits'(2 + Delay)) n_size_q <= n_size_q && n_q == '0;
      end
    end
  end

  // ---- further halvings, each in a stage of its own

  logic [Halvings-1:0] halved_valid;
  logic [Halvings-1:0][IndexBits-1:0] halved_index;
  logic [Halvings-1:0][WordBits-1:0] halved, halved_n;

  assign halved_valid[0] = valid_q[3] && op_q == AluHalve;
  assign halved_index[0] = sum_index_q;
  assign halved[0] = {sum[0] && valid_q[2], sum_q[WordBits-1:1]};

  if (Halvings > 1) begin : g_halved_n
    logic [WordBits-1:0] sum_n_q;
    always_ff @(posedge clk_i) sum_n_q <= clear_i ? '0 : n_q;
    assign halved_n[0] = sum_n_q;
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
      .index_i(halved_index[i-1]),
      .a_i    (halved[i-1]),
      .n_i    (halved_n[i-1]),
      .valid_o(halved_valid[i]),
      .index_o(halved_index[i]),
      .a_o    (halved[i]),
      .n_o    (halved_n[i])
    );
  end

  logic unused;
  assign unused = ^halved_n[Halvings-1];

  always_comb begin
    write_o = valid_q[3] && op_q != AluCheck;
    write_index_o = sum_index_q;
    write_data_o = sum_q;
    done_o = valid_q[3] && !valid_q[2];
    if (op_q == AluHalve) begin
      write_o = halved_valid[Halvings-1];
      write_index_o = halved_index[Halvings-1];
      write_data_o = halved[Halvings-1];
      done_o = write_o && write_index_o == words_i - 1'b1;
    end
  end

  assign read_index_o = index_q;
  assign below_o = below_q;
  assign odd_o = n_odd_q;
  assign size_o = n_size_q;
  assign negative_o = negative;

endmodule
