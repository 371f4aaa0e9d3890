// Word-serial Montgomery multiplier: one or two multipliers of a word by a word, over one row of a
// product after the other. One multiplier is never idle in a row. Of two, one is idle for one
// cycle.
//
//   r = x * y / R mod N,  r < N,   R = W^s,  W = 2^WordBits,  s = words_i
//
// The modulus is N itself, which is odd, with n' = -1 / N mod W. Operands: x, y < N. With any
// x, y < R the result is congruent and below R. A row is
//
//   T := (T + x_i * y + q_i * N) / W,   q_i = (t_0 + x_i * y_0) * n' mod W
//
// T < y + N, so T has one bit more than s words. N is subtracted once, after the last row, under a
// mask. No cycle, branch or address depends on data.
//
// A row has a slot for each column j = 1 .. s - 1, in which x_i * y_j and q_i * n_j are computed.
// Column 0 is computed in the row before, in two more slots:
//
//   digit   x_(i+2) * y_0, which is used one row later, and q_(i+1) = h * n' with
//           h = t_0 + x_(i+1) * y_0
//   carry   q_(i+1) * n_0 + h: its lowest word is zero, the rest is what column 1 begins with
//
// The slot of the digit follows column DigitColumn, when t_0 is known. The slot of the carry
// follows column CarryColumn. With one multiplier a column takes two cycles, the digit two and the
// carry one. With two multipliers each slot takes one cycle, and the carry uses only one of them. A
// product begins with a row of MinWords words that has x_0 * y_0 in place of column 1 and no other
// columns.
//
// Cycles, with C = 2 / Elements:
//   start to last word  s * (C * s + 1) + s + C * MinWords + 15
//   start to start      one more: there is one product at a time
//   MinWords            8 with one multiplier, 15 with two: no shorter product is right
//
// Contract of the ports: see monpro_multiplier, with these differences. n_data_i is N itself.
//   inverse_i        n', static while a product is in flight
//   inverse_wrong_o  n' does not belong to N: the lowest word of a row was not zero in this
//                    product, or in the last one until the next start
//
// SPDX-License-Identifier: Apache-2.0
module monpro_mul_word
  import monpro_pkg::word_min_words;
#(
  parameter  string       Target    = "portable",
  parameter  int unsigned WordBits  = 32,
  parameter  int unsigned Elements  = 1,
  parameter  int unsigned MaxWords  = 64,
  localparam int unsigned IndexBits = $clog2(MaxWords + 1)
) (
  input  logic                 clk_i,
  input  logic                 clear_i,
  input  logic [IndexBits-1:0] words_i,
  input  logic [WordBits-1:0]  inverse_i,
  output logic                 inverse_wrong_o,

  input  logic start_valid_i,
  output logic start_ready_o,
  input  logic start_context_i,
  output logic busy_o,

  output logic                 x_context_o,
  output logic [IndexBits-1:0] x_index_o,
  input  logic [WordBits-1:0]  x_data_i,
  output logic                 y_context_o,
  output logic [IndexBits-1:0] y_index_o,
  input  logic [WordBits-1:0]  y_data_i,
  output logic                 n_context_o,
  output logic [IndexBits-1:0] n_index_o,
  input  logic [WordBits-1:0]  n_data_i,

  output logic                 r_valid_o,
  output logic                 r_last_o,
  output logic                 r_context_o,
  output logic [IndexBits-1:0] r_index_o,
  output logic [WordBits-1:0]  r_data_o
);

  // Time 0 of a slot is its last cycle (with one multiplier: that of the second product) at the
  // index ports; operands are there at 2, products at 7. What orders the slots, in cycles:
  //   column 1 to digit    8    h is there at 10, the operand is taken at 2
  //   digit to carry       6    q is there at 8, the operand is taken at 2
  //   carry to column 1    2    the carry is there at 10, the column adds it at 8
  //   last column to the first word of the result   5    T < N is known at 13, N is masked at 8
  localparam int unsigned DigitColumn = (Elements == 1) ? 4 : 8;
  localparam int unsigned CarryColumn = (Elements == 1) ? 7 : 13;
  localparam int unsigned MinWords = word_min_words(Elements);
  localparam int unsigned GapCycles = 4;
  localparam bit OneCycle = Elements == 2;  // is what a slot takes

  if (Elements != 1 && Elements != 2) begin : g_illegal_elements
    $error("there are one or two multipliers");
  end
  if (WordBits < 8 || WordBits % 2 != 0) begin : g_illegal_word_bits
    $error("words have an even number of bits, 8 or more");
  end
  if (MaxWords < MinWords) begin : g_illegal_max_words
    $error("no product has so few words");
  end

  typedef enum logic [2:0] {
    StIdle,
    StHead,
    StRows,
    StGap,
    StResult,
    StDrain
  } state_e;

  typedef enum logic [2:0] {
    SlotNone,    // or the first cycle of two
    SlotHead,    // x_0 * y_0
    SlotColumn,
    SlotDigit,
    SlotCarry,
    SlotResult   // a word of the result
  } slot_e;

  typedef struct packed {
    slot_e slot;
    logic  first;  // column 1; word 0 of the result
    logic  last;   // column s - 1; word s - 1
    logic  first_row;
    logic  last_row;
  } tag_t;

  // ---- the slots

  state_e state_q, state_d;
  slot_e place_q, place_d;  // in a row: column, digit or carry
  logic second_q, second_d;  // the last cycle of the slot
  logic [IndexBits-1:0] column_q, column_d, row_q, row_d, ahead_q, ahead_d;
  logic [IndexBits-1:0] last_q, row_last, index_q, x_index_q;
  logic context_q, accept, r_last_q;
  tag_t tag;
  tag_t [12:1] tag_q;  // at each time of the slot

  assign row_last = (state_q == StHead) ? IndexBits'(MinWords - 1) : last_q;
  assign accept = start_valid_i && start_ready_o;

  always_comb begin
    state_d = state_q;
    place_d = place_q;
    column_d = column_q;
    row_d = row_q;
    ahead_d = ahead_q;
    second_d = 1'b1;
    case (state_q)
      StIdle:
      if (start_valid_i) begin
        state_d = StHead;
        place_d = SlotColumn;
        column_d = IndexBits'(1);
        row_d = '0;
        ahead_d = IndexBits'(1);
        second_d = OneCycle;
      end
      StHead, StRows:
      if (second_q) begin
        second_d = OneCycle;
        if (place_q == SlotColumn && column_q == IndexBits'(DigitColumn)) begin
          place_d = SlotDigit;
        end else if (place_q == SlotColumn && column_q == IndexBits'(CarryColumn)) begin
          place_d = SlotCarry;
          second_d = 1'b1;
        end else if (column_q != row_last) begin
          place_d = SlotColumn;
          column_d = column_q + 1'b1;
        end else begin
          place_d = SlotColumn;
          column_d = IndexBits'(1);
          ahead_d = ahead_q + 1'b1;
          state_d = StRows;
          if (state_q == StRows && row_q != last_q) begin
            row_d = row_q + 1'b1;
          end else if (state_q == StRows) begin
            state_d = StGap;
            column_d = '0;
            second_d = 1'b1;
          end
        end
      end
      StGap: begin
        column_d = column_q + 1'b1;
        if (column_q == IndexBits'(GapCycles - 1)) begin
          state_d = StResult;
          column_d = '0;
        end
      end
      StResult: begin
        column_d = column_q + 1'b1;
        if (column_q == last_q) state_d = StDrain;
      end
      StDrain: if (r_last_q) state_d = StIdle;
      default: state_d = StIdle;
    endcase
  end

  always_comb begin
    tag.slot = SlotNone;
    if (state_q == StRows) tag.slot = place_q;
    else if (state_q == StResult) tag.slot = SlotResult;
    else if (state_q == StHead && place_q != SlotColumn) tag.slot = place_q;
    else if (state_q == StHead && column_q == IndexBits'(1)) tag.slot = SlotHead;
    if (!second_q) tag.slot = SlotNone;
    tag.first = column_q == ((state_q == StResult) ? '0 : IndexBits'(1));
    tag.last = column_q == last_q;
    tag.first_row = row_q == '0;
    tag.last_row = row_q == last_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      state_q <= StIdle;
      place_q <= SlotNone;
      second_q <= 1'b0;
      column_q <= '0;
      row_q <= '0;
      ahead_q <= '0;
      last_q <= '0;
      index_q <= '0;
      x_index_q <= '0;
      context_q <= 1'b0;
      tag_q <= '0;
    end else begin
      state_q <= state_d;
      place_q <= place_d;
      second_q <= second_d;
      column_q <= column_d;
      row_q <= row_d;
      ahead_q <= ahead_d;  // row + 2
      last_q <= words_i - 1'b1;
      index_q <= (state_d == StResult || (state_d == StRows && place_d == SlotColumn)) ? column_d
                                                                                       : '0;
      x_index_q <= (place_d == SlotDigit) ? ahead_d : row_d;
      if (accept) context_q <= start_context_i;
      tag_q <= {tag_q[11:1], tag};
    end
  end

  assign start_ready_o = state_q == StIdle;
  assign busy_o = state_q != StIdle;
  assign x_context_o = context_q;
  assign y_context_o = context_q;
  assign n_context_o = context_q;
  assign r_context_o = context_q;
  assign x_index_o = x_index_q;
  assign y_index_o = index_q;
  assign n_index_o = index_q;

  // ---- products, of operands at time 2: x * y for the head and the digit, q * N for the carry,
  // both for a column; the digit's other one is on its own

  logic [WordBits-1:0] q_q, next_q_q, digit;  // of the row, of the next one; q at time 7
  logic [WordBits+1:0] h_q;
  logic [WordBits-1:0] a, b;
  logic [WordBits+2:0] low;  // at time 8
  logic [WordBits:0] upper;
  logic sum_xy, sum_ab;

  always_comb begin
    a = q_q;
    b = n_data_i;
    if (tag_q[2].slot == SlotDigit) begin
      a = inverse_i;
      b = h_q[WordBits-1:0];
    end else if (tag_q[2].slot == SlotCarry) begin
      a = next_q_q;
    end
    sum_ab = tag_q[7].slot == SlotColumn || tag_q[7].slot == SlotCarry;
    sum_xy = tag_q[7].slot != SlotNone && tag_q[7].slot != SlotCarry;
  end

  monpro_word_products #(
    .Target  (Target),
    .WordBits(WordBits),
    .Elements(Elements)
  ) u_products (
    .clk_i,
    .clear_i,
    .second_i(tag_q[2].slot != SlotNone),
    .x_i     (x_data_i),
    .y_i     (y_data_i),
    .a_i     (a),
    .b_i     (b),
    .xy_i    (sum_xy),
    .ab_i    (sum_ab),
    .digit_o (digit),
    .low_o   (low),
    .upper_o (upper)
  );

  // ---- sums, times 8 to 10: word j - 1 of a row is f mod W of column j
  //
  //   f = low of column j + t_j + upper of column j - 1 + f of column j - 1 div W
  //
  // For column 1 the carry of column 0 stands for the last two. f < 9 * W + carry, carry <= 9. The
  // highest word and the bit above it are the last column's upper and carry, and the bit carried.

  logic [WordBits+3:0] sum_q, f_q;
  logic [WordBits:0] upper_q, last_upper_q, carry_upper_q, carry_q, top_q;
  logic [WordBits+1:0] p_low_q;  // x_(i+1) * y_0 = p_low + W * p_upper
  logic [WordBits-1:0] p_upper_q, h_upper_q, t_data, t;
  logic [WordBits:0] carried;
  logic inverse_wrong_q;

  always_comb begin
    t = tag_q[8].last ? top_q[WordBits-1:0] : t_data;
    if (tag_q[8].slot != SlotColumn || tag_q[8].first_row) t = '0;
    carried = tag_q[8].first ? carry_q : upper_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      next_q_q <= '0;
      q_q <= '0;
      sum_q <= '0;
      upper_q <= '0;
      carry_upper_q <= '0;
      p_low_q <= '0;
      p_upper_q <= '0;
      h_q <= '0;
      h_upper_q <= '0;
      f_q <= '0;
      last_upper_q <= '0;
      carry_q <= '0;
      top_q <= '0;
      inverse_wrong_q <= 1'b0;
    end else begin
      if (tag_q[7].slot == SlotDigit) next_q_q <= digit;
      if (tag_q[1].slot == SlotColumn && tag_q[1].first) q_q <= next_q_q;

      case (tag_q[8].slot)
        SlotHead, SlotDigit: begin
          sum_q <= '0;
          p_low_q <= low[WordBits+1:0];
          p_upper_q <= upper[WordBits-1:0];
        end
        SlotColumn: begin
          sum_q <= (WordBits + 4)'(low) + (WordBits + 4)'(t) + (WordBits + 4)'(carried);
          upper_q <= upper;
        end
        SlotCarry: begin
          sum_q <= (WordBits + 4)'(low) + (WordBits + 4)'(h_q);
          carry_upper_q <= upper + (WordBits + 1)'(h_upper_q);
        end
        default: ;
      endcase

      // That of the row after the last one is of no use, and x has no word for it.
      if (accept) inverse_wrong_q <= 1'b0;
      else if (tag_q[9].slot == SlotCarry && !tag_q[9].last_row && sum_q[WordBits-1:0] != '0) begin
        inverse_wrong_q <= 1'b1;
      end
      if (tag_q[9].slot == SlotCarry) begin
        carry_q <= carry_upper_q + (WordBits + 1)'(sum_q[WordBits+3:WordBits]);
      end
      if (tag_q[9].slot == SlotColumn) begin
        f_q <= sum_q + (tag_q[9].first ? '0 : (WordBits + 4)'(f_q[WordBits+3:WordBits]));
        last_upper_q <= upper_q;
      end
      // The sum of column 1 is f: no carry is added.
      if (tag_q[9].first && (tag_q[9].slot == SlotColumn || tag_q[9].slot == SlotHead)) begin
        h_q <= p_low_q + (WordBits + 2)'(sum_q[WordBits-1:0]);
        h_upper_q <= p_upper_q;
      end
      if (tag_q[10].slot == SlotColumn && tag_q[10].last) begin
        top_q <= last_upper_q + (WordBits + 1)'(f_q[WordBits+3:WordBits]) +
                 (WordBits + 1)'(!tag_q[10].first_row && top_q[WordBits]);
      end
    end
  end

  assign inverse_wrong_o = inverse_wrong_q;

  // ---- T, all but the highest word

  logic [IndexBits-1:0] t_index_q, word_index_q, clear_index_q;
  logic write;

  assign write = tag_q[10].slot == SlotColumn;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      t_index_q <= '0;
      word_index_q <= '0;
    end else begin
      if (tag_q[5].slot == SlotColumn || tag_q[5].slot == SlotResult) begin
        t_index_q <= tag_q[5].first ? IndexBits'(tag_q[5].slot == SlotColumn) : t_index_q + 1'b1;
      end
      if (tag_q[9].slot == SlotColumn || tag_q[9].slot == SlotResult) begin
        word_index_q <= tag_q[9].first ? '0 : word_index_q + 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) clear_index_q <= clear_i ? clear_index_q + 1'b1 : '0;

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << IndexBits)
  ) u_t_ram (
    .clk_i,
    .write_i     (clear_i || write),
    .write_addr_i(clear_i ? clear_index_q : word_index_q),
    .write_data_i(clear_i ? '0 : f_q[WordBits-1:0]),
    .read_addr_i (t_index_q),
    .read_data_o (t_data)
  );

  // ---- one subtractor: of T - N in the last row only the borrow is kept, then T - N or
  // T - 0 is the result

  logic [10:3][WordBits-1:0] n_q;  // at each time of the slot
  logic [WordBits-1:0] n_before_q, minuend_q, subtrahend_q, r_data_q;
  logic [WordBits:0] difference;
  logic subtract_q, subtract_first_q, borrow_q, reduce_q, r_valid_q, top_word, end_of_t;

  assign top_word = tag_q[11].slot == SlotColumn && tag_q[11].last && tag_q[11].last_row;
  assign end_of_t = tag_q[12].slot == SlotColumn && tag_q[12].last && tag_q[12].last_row;
  assign difference = (WordBits + 1)'(minuend_q) - (WordBits + 1)'(subtrahend_q) -
                      (WordBits + 1)'(!subtract_first_q && borrow_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      n_q <= '0;
      n_before_q <= '0;
      minuend_q <= '0;
      subtrahend_q <= '0;
      subtract_q <= 1'b0;
      subtract_first_q <= 1'b0;
      borrow_q <= 1'b0;
      reduce_q <= 1'b0;
      r_valid_q <= 1'b0;
      r_last_q <= 1'b0;
      r_data_q <= '0;
    end else begin
      n_q <= {n_q[9:3], n_data_i};
      // n_0 from the slot of the carry in the row carried, then column after column
      if (tag_q[10].last_row ? write : tag_q[10].slot == SlotCarry) n_before_q <= n_q[10];

      subtract_q <= 1'b1;
      subtract_first_q <= 1'b0;
      if (top_word) begin
        minuend_q <= top_q[WordBits-1:0];
        subtrahend_q <= n_before_q;
      end else if (write) begin
        minuend_q <= f_q[WordBits-1:0];
        subtrahend_q <= n_before_q;
        subtract_first_q <= tag_q[10].first;
      end else if (tag_q[8].slot == SlotResult) begin
        minuend_q <= tag_q[8].last ? top_q[WordBits-1:0] : t_data;
        subtrahend_q <= n_q[8] & {WordBits{reduce_q}};
        subtract_first_q <= tag_q[8].first;
      end else begin
        subtract_q <= 1'b0;
      end

      if (subtract_q) borrow_q <= difference[WordBits];
      if (end_of_t) reduce_q <= top_q[WordBits] || !difference[WordBits];
      r_valid_q <= tag_q[9].slot == SlotResult;
      r_last_q <= tag_q[9].slot == SlotResult && tag_q[9].last;
      if (tag_q[9].slot == SlotResult) r_data_q <= difference[WordBits-1:0];
    end
  end

  assign r_valid_o = r_valid_q;
  assign r_last_o = r_last_q;
  assign r_index_o = word_index_q;
  assign r_data_o = r_data_q;

endmodule
