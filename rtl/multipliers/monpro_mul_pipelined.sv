// Montgomery multiplier with quotient pipelining (Orup, delay 1): a chain of processing elements.
// The rows of two products, one of each context, go through the chain by turns, in as many passes
// as they need.
//
//   r = x * y / R mod M
//   R = W^K,  W = 2^WordBits,  K = rows - 1,  rows = elements * passes,
//   passes = ceil((words + 1) / elements)
//
// elements is the number of elements in use: elements_i, the first ones of the chain. The others
// are held at zero.
//
// The modulus is given as N' = W^-2 mod N. M = W^2 * N' - 1 is a multiple of N. A row
//
//   F = T + x_i * Y + q_(i-1) * N' * W,   q_i = F mod W,   T = F div W
//
// uses the quotient digit of the row before. So a row and its digit do not wait for each other.
// With S = T + q_(i-1) * N' * W a row is S := (S + x_i * Y + q_i * M) / W, which is Montgomery's
// step. In the last row x has no digit. All words of its F are the result.
//
// Operands: y < 2M, 4M < W^words. x has any K words, which are all read. Then r < 3M, and r < 2M if
// x < 2M (Walter). Word words - 1 of N' is taken to be zero, because N' < W^(words-1).
//
// Products of integers: with N' = W^(K-2) the modulus is M = W^K - 1. With words = K and
// x * y < W^K - 1 then r = x * y, because adding x * y * M makes x * y divisible by W^K.
//
// Cycles, with MinPeriod = 3 * elements + 12, plus 1 if elements is odd:
//   start to start      passes * Period, Period = max(2 * words, MinPeriod), for one context
//                       passes * PairPeriod, PairPeriod = max(2 * Turn, MinPeriod), for each of two
//                       contexts that are both kept busy, the second a Turn behind the first;
//                       Turn = 2 * max(words, elements - 1)
//   start to last word  (passes - 1) * period + 3 * elements + 2 * words + 10
// Passes of two contexts take turns. A product may start as early as start_ready_o allows and use
// the result of the product before it in its own context.
//
// Contract of the ports: see monpro_multiplier, with these differences. start_ready_o answers for
// start_context_i. x has K words: with an index of K or above any data will do. N' of a context
// stays the same while the context has products in flight, because its last word is read after the
// next start. clear_i goes from element to element, a cycle each. It has to be held for
// 2^(IndexBits+1) + 1 cycles to zero the memory.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_mul_pipelined
  import monpro_pkg::*;
#(
  parameter  string       Target       = "portable",
  parameter  int unsigned WordBits     = 36,
  parameter  int unsigned Elements     = 32,
  parameter  int unsigned MaxWords     = 127,
  localparam int unsigned IndexBits    = $clog2(MaxWords + 1),
  localparam int unsigned ElementsBits = $clog2(Elements + 1)
) (
  input  logic                    clk_i,
  input  logic                    clear_i,
  input  logic [IndexBits-1:0]    words_i,
  input  logic [ElementsBits-1:0] elements_i,

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

  localparam int unsigned ReadCycles = 2;  // from an index to its word
  localparam int unsigned Least = least_elements(Elements);

  if (MaxWords < Least - 1) begin : g_illegal_max_words
    $error("x has least_elements(Elements) - 1 words at least, which is more than MaxWords");
  end

  localparam int unsigned Taps = Elements - Least + 1;
  localparam int unsigned TapBits = (Taps > 1) ? $clog2(Taps) : 1;

  // Times of a pass, 0 in the cycle of its start. Element m has its tau at Tau + 3 * m.
  localparam int unsigned Tau = 8 + ReadCycles;
  localparam int unsigned LoadTime = Tau - 6;
  localparam int unsigned LastTime = LoadTime + 3 * Elements;  // load behind the last element
  localparam int unsigned OutDelay = 8;  // from there to q, behind monpro_taps and an adder
  localparam int unsigned SlotBits = $clog2((3 * Elements + 11 + ReadCycles) / 2 + 1);
  localparam int unsigned RowBits = $clog2(MaxWords + Elements + 1);

  // ---- passes: one starts when the element at the head is free and T, or the result of the last
  // product, of its context is on its way; contexts take turns

  logic odd_q, head_free, can_start, accept_q, pass_start_q, pass_context_q;
  logic head_busy_q, head_last_q, last_context_q;
  logic [IndexBits-1:0] head_left_q, head_slots_q;
  logic [SlotBits-1:0] min_slots_q;  // of two cycles, until the context's next pass
  logic [1:0] active_q;  // more passes are to come
  logic [1:0] resting_q, rest_last_q;  // the next pass cannot start yet
  logic [1:0] resting, waiting;        // of the cycle to come
  logic [1:0][SlotBits-1:0] rest_left_q;
  logic [2:0] flying_q;  // products whose last word is still to come
  logic last_word;

  // What a pass is, by the time since its start. It ends at the first element that is not in use.
  logic [LastTime:1] start_line_q, context_line_q;
  logic [Tau-3:1] first_line_q;
  logic [LastTime:LoadTime+1] last_line_q;
  logic last_q;  // of a product's passes; from LoadTime on
  logic [ElementsBits-1:0] elements_q, last_element_q;
  logic [Taps-1:0] at_tap_q;  // the last element in use is Least + i
  logic [Elements-1:0] idle_q;  // not in use

  // What starts in an even cycle is decided in the odd one before, or in any if nothing is in
  // flight.
  assign head_free = (!head_busy_q || head_last_q) && (odd_q || !busy_o) && !pass_start_q;
  assign resting = resting_q & ~rest_last_q;
  assign waiting = active_q & ~resting;
  assign can_start = start_valid_i && !active_q[start_context_i] && !resting[start_context_i] &&
                     !(waiting[!start_context_i] && last_context_q == start_context_i);
  assign start_ready_o = accept_q;
  assign busy_o = flying_q != '0;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      accept_q <= 1'b0;
      pass_start_q <= 1'b0;
      pass_context_q <= 1'b0;
    end else begin
      accept_q <= head_free && can_start;
      pass_start_q <= head_free && (can_start || waiting != '0);
      if (can_start) pass_context_q <= start_context_i;
      else if (waiting == 2'b11) pass_context_q <= !last_context_q;
      else pass_context_q <= waiting[1];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Taps; i++) begin
      at_tap_q[i] <= elements_q == ElementsBits'(Least + i);
    end
    for (int unsigned m = 0; m < Elements; m++) begin
      idle_q[m] <= m >= Least && elements_q <= ElementsBits'(m);
    end
    elements_q <= elements_i;
    last_element_q <= elements_i - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      odd_q <= 1'b0;
      head_busy_q <= 1'b0;
      head_last_q <= 1'b0;
      head_left_q <= '0;
      head_slots_q <= '0;
      min_slots_q <= '0;
      last_context_q <= 1'b0;
      active_q <= '0;
      resting_q <= '0;
      rest_last_q <= '0;
      rest_left_q <= '0;
      flying_q <= '0;
      start_line_q <= '0;
      context_line_q <= '0;
      first_line_q <= '0;
      last_line_q <= '0;
    end else begin
      odd_q <= (accept_q || busy_o) && !odd_q;
      min_slots_q <= SlotBits'((times(32'(elements_q), 3) + 11 + ReadCycles) >> 1);
      head_slots_q <= (32'(words_i) < 32'(last_element_q)) ? IndexBits'(last_element_q) : words_i;
      head_last_q <= head_left_q == IndexBits'(1);
      flying_q <= flying_q + 3'(accept_q) - 3'(last_word);
      if (pass_start_q) begin
        head_busy_q <= 1'b1;
        head_left_q <= head_slots_q;  // a slot for each word, and one for each digit of x
        last_context_q <= pass_context_q;
      end else if (odd_q) begin
        head_left_q <= head_left_q - IndexBits'(head_busy_q);
        if (head_last_q) head_busy_q <= 1'b0;
      end
      for (int unsigned c = 0; c < 2; c++) begin
        rest_last_q[c] <= rest_left_q[c] == SlotBits'(1);
        if (pass_start_q && pass_context_q == 1'(c)) begin
          active_q[c] <= 1'b1;
          resting_q[c] <= 1'b1;
          rest_left_q[c] <= min_slots_q;
        end else begin
          if (start_line_q[LoadTime] && last_q && context_line_q[LoadTime] == 1'(c)) begin
            active_q[c] <= 1'b0;
          end
          if (odd_q) begin
            rest_left_q[c] <= rest_left_q[c] - SlotBits'(resting_q[c]);
            if (rest_last_q[c]) resting_q[c] <= 1'b0;
          end
        end
      end
      start_line_q <= {start_line_q[LastTime-1:1], pass_start_q};
      for (int unsigned m = Least; m < Elements; m++) begin
        if (idle_q[m]) start_line_q[LoadTime+3*m+1] <= 1'b0;
      end
      context_line_q <= {context_line_q[LastTime-1:1], pass_context_q};
      first_line_q <= {first_line_q[Tau-4:1], accept_q};
      last_line_q <= {last_line_q[LastTime-1:LoadTime+1], last_q};
    end
  end

  // ---- digits of x: index from time 2, a word every two cycles, on through an element a cycle, so
  // that digit m is in element m at LoadTime + 3 * m. In the last pass the last element in use has
  // none.

  logic [1:0][RowBits-1:0] next_row_q;  // the first of the context's next pass
  logic [RowBits-1:0] row, row_q, left_q;
  logic x_context_q;

  assign row = first_line_q[1] ? '0 : next_row_q[context_line_q[1]];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      next_row_q <= '0;
      row_q <= '0;
      left_q <= '0;
      last_q <= 1'b0;
      x_context_q <= 1'b0;
    end else begin
      if (start_line_q[1]) begin
        row_q <= row;
        next_row_q[context_line_q[1]] <= row + RowBits'(elements_q);
        left_q <= RowBits'(words_i) - row;
        x_context_q <= context_line_q[1];
      end else if (odd_q) begin
        row_q <= row_q + 1'b1;
      end
      if (start_line_q[2]) last_q <= left_q < RowBits'(elements_q);
    end
  end

  assign x_context_o = x_context_q;
  assign x_index_o = IndexBits'(row_q);

  // Out of the last element in use: two cycles after its load would be, and so many after that.
  logic out_start, out_context, out_last, tap_carry;
  logic [OutDelay:3] out_start_q, out_context_q;
  logic [OutDelay-1:3] out_last_q;
  logic [WordBits-1:0] tap, end_q;

  // Between the elements: index m is the input of element m.
  logic [Elements:0] phase_chain;
  logic [Elements:0][WordBits-1:0] x_chain, q_chain, bus_chain, t_chain;
  logic [Elements:0] t_carry_chain;

  // ---- streams: y index from time 2, N' from time 5, T of the pass before three cycles before tau

  logic [3:0] unused_last;
  logic [4:0] unused_end;
  logic y_valid, n_valid, t_valid, y_context_q, n_context_q, t_context_q;
  logic [ReadCycles:1] y_valid_q, n_valid_q;
  logic y_take;
  logic t_first_q;
  logic [1:0] t_valid_q;
  logic [IndexBits-1:0] t_index;
  logic [WordBits-1:0] bus_q, t_data, t_q, q_head_q;
  logic [IndexBits-1:0] last_index_q;  // of an operand; N' has as many words
  logic [1:0][WordBits-1:0] q_hold_q;  // of each context's last row so far

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_y_index (
    .clk_i,
    .clear_i,
    .start_i(start_line_q[1]),
    .words_i,
    .valid_o(y_valid),
    .last_o (unused_last[0]),
    .end_o  (unused_end[0]),
    .index_o(y_index_o)
  );

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_n_index (
    .clk_i,
    .clear_i,
    .start_i(start_line_q[4]),
    .words_i(last_index_q),
    .valid_o(n_valid),
    .last_o (unused_last[1]),
    .end_o  (unused_end[1]),
    .index_o(n_index_o)
  );

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_t_index (
    .clk_i,
    .clear_i,
    .start_i(start_line_q[Tau-4]),
    .words_i,
    .valid_o(t_valid),
    .last_o (unused_last[2]),
    .end_o  (unused_end[2]),
    .index_o(t_index)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      y_context_q <= 1'b0;
      n_context_q <= 1'b0;
      t_context_q <= 1'b0;
      t_first_q <= 1'b0;
      last_index_q <= '0;
      y_valid_q <= '0;
      n_valid_q <= '0;
      t_valid_q <= '0;
      bus_q <= '0;
      t_q <= '0;
      q_head_q <= '0;
      q_hold_q <= '0;
    end else begin
      if (start_line_q[1]) y_context_q <= context_line_q[1];
      if (start_line_q[4]) n_context_q <= context_line_q[4];
      if (start_line_q[Tau-4]) begin
        t_context_q <= context_line_q[Tau-4];
        t_first_q <= first_line_q[Tau-4];
      end
      last_index_q <= words_i - 1'b1;
      y_valid_q <= ReadCycles'({y_valid_q, y_valid});
      n_valid_q <= ReadCycles'({n_valid_q, n_valid});
      // No cycle has both: y and N' have every other one, and y_0 is taken in its second cycle,
      // which would be that of the word before the first one of N'.
      if (y_take) bus_q <= y_data_i;
      else bus_q <= n_valid_q[ReadCycles] ? n_data_i : '0;
      t_valid_q <= {t_valid_q[0], t_valid && !t_first_q};
      t_q <= t_valid_q[1] ? t_data : '0;
      if (start_line_q[Tau-3]) begin
        q_head_q <= first_line_q[Tau-3] ? '0 : q_hold_q[context_line_q[Tau-3]];
      end
      if (out_start_q[OutDelay]) q_hold_q[out_context_q[OutDelay]] <= end_q;
    end
  end

  assign y_take = (y_valid_q[ReadCycles] && !start_line_q[2+ReadCycles]) ||
                  start_line_q[3+ReadCycles];
  assign y_context_o = y_context_q;
  assign n_context_o = n_context_q;

  // ---- the chain

  assign phase_chain[0] = odd_q ^ Tau[0] ^ 1'b1;
  assign x_chain[0] = x_data_i;
  assign q_chain[0] = q_head_q;
  assign bus_chain[0] = bus_q;
  assign t_chain[0] = t_q;
  assign t_carry_chain[0] = 1'b0;

  // The reset goes down the chain, a register beside each element: one wire to all of them would be
  // a long one. Rows take three cycles from element to element and do not catch up with it.
  logic [Elements-1:0] clear_line, clear_line_q;

  assign clear_line = Elements'({clear_line_q, clear_i});
  always_ff @(posedge clk_i) clear_line_q <= clear_line;

  for (genvar m = 0; m < Elements; m++) begin : g_element
    logic last, last_in_use, clear;

    if (m < Least) begin : g_always
      assign clear = clear_line_q[m];
    end else begin : g_in_use
      logic clear_q;
      always_ff @(posedge clk_i) clear_q <= clear_line[m] || idle_q[m];
      assign clear = clear_q;
    end

    if (m == 0) begin : g_head
      assign last = last_q;
    end else begin : g_next
      assign last = last_line_q[LoadTime+3*m];
    end

    if (m + 1 >= Least) begin : g_tap
      assign last_in_use = at_tap_q[m+1-Least];
    end else begin : g_no_tap
      assign last_in_use = 1'b0;
    end

    monpro_pipelined_element #(
      .Target  (Target),
      .WordBits(WordBits)
    ) u_element (
      .clk_i,
      .clear_i  (clear),
      .phase_i  (phase_chain[m]),
      .load_i   (start_line_q[LoadTime+3*m]),
      .zero_i   (last && last_in_use),
      .x_i      (x_chain[m]),
      .q_i      (q_chain[m]),
      .bus_i    (bus_chain[m]),
      .t_i      (t_chain[m]),
      .t_carry_i(t_carry_chain[m]),
      .phase_o  (phase_chain[m+1]),
      .x_o      (x_chain[m+1]),
      .q_o      (q_chain[m+1]),
      .bus_o    (bus_chain[m+1]),
      .t_o      (t_chain[m+1]),
      .t_carry_o(t_carry_chain[m+1])
    );
  end

  // ---- out of the last element in use: q and T by turns, each in one cycle of a slot; T gets the
  // carries that its words left behind. q and then T are the result; T is kept for the next pass

  localparam int unsigned CarryBit = (WordBits + 4) / 2;  // LowBits of an element
  localparam int unsigned EndBits = WordBits + 4;

  logic [Taps-1:0][EndBits-1:0] ends;

  for (genvar i = 0; i < Taps; i++) begin : g_end
    localparam int unsigned M = Least + i;

    assign ends[i] = {start_line_q[LoadTime+3*M], context_line_q[LoadTime+3*M],
                      last_line_q[LoadTime+3*M], t_carry_chain[M] && phase_chain[M],
                      phase_chain[M] ? t_chain[M] : q_chain[M]};
  end

  monpro_taps #(
    .Width (EndBits),
    .Taps  (Taps),
    .Stages(2)
  ) u_taps (
    .clk_i,
    .clear_i,
    .tap_i  (TapBits'(32'(elements_q) - Least)),
    .words_i(ends),
    .word_o ({out_start, out_context, out_last, tap_carry, tap})
  );

  logic end_carry;
  logic [1:0] end_carry_q;  // a word's is there two cycles later, with the next word
  logic [WordBits-1:0] t_late_q;  // T of the result, whose slots begin with q's
  logic q_first_q;  // the word of a result that is q
  logic r_valid, t_write, r_context_q, t_write_context_q;
  logic [WordBits-1:0] end_sum;
  logic [IndexBits-1:0] t_write_index;
  logic [IndexBits:0] clear_index_q;

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_r_index (
    .clk_i,
    .clear_i,
    .start_i(out_start_q[OutDelay-1] && out_last_q[OutDelay-1]),
    .words_i,
    .valid_o(r_valid),
    .last_o (last_word),
    .end_o  (unused_end[4]),
    .index_o(r_index_o)
  );

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_t_write_index (
    .clk_i,
    .clear_i,
    .start_i(out_start_q[OutDelay]),
    .words_i,
    .valid_o(t_write),
    .last_o (unused_last[3]),
    .end_o  (unused_end[3]),
    .index_o(t_write_index)
  );

  assign {end_carry, end_sum} = {1'b0, tap} + ((WordBits + 1)'(tap_carry) << CarryBit) +
                                (WordBits + 1)'(end_carry_q[1]);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      out_start_q <= '0;
      out_context_q <= '0;
      out_last_q <= '0;
      r_context_q <= 1'b0;
      t_write_context_q <= 1'b0;
      end_carry_q <= '0;
      end_q <= '0;
      t_late_q <= '0;
      q_first_q <= 1'b0;
    end else begin
      out_start_q <= {out_start_q[OutDelay-1:3], out_start};
      out_context_q <= {out_context_q[OutDelay-1:3], out_context};
      out_last_q <= {out_last_q[OutDelay-2:3], out_last};
      if (out_start_q[OutDelay-1]) r_context_q <= out_context_q[OutDelay-1];
      if (out_start_q[OutDelay]) t_write_context_q <= out_context_q[OutDelay];
      end_carry_q <= {end_carry_q[0], end_carry};
      end_q <= end_sum;
      t_late_q <= end_q;
      q_first_q <= out_start_q[OutDelay-1];
    end
  end

  always_ff @(posedge clk_i) clear_index_q <= clear_i ? clear_index_q + 1'b1 : '0;

  monpro_ram #(
    .Width (WordBits),
    .Depth (2 << IndexBits),
    .Target(Target)
  ) u_t_ram (
    .clk_i,
    .write_i     (clear_i || t_write),
    .write_addr_i(clear_i ? clear_index_q : {t_write_context_q, t_write_index}),
    .write_data_i(end_q),  // zero from the clear's second cycle on
    .read_addr_i ({t_context_q, t_index}),
    .read_data_o (t_data)
  );

  assign r_valid_o = r_valid;
  assign r_last_o = last_word;
  assign r_context_o = r_context_q;
  assign r_data_o = q_first_q ? end_q : t_late_q;

  // The last element's other outputs have no one to take them.
  logic unused;
  assign unused = ^{phase_chain[Elements], x_chain[Elements], bus_chain[Elements],
                    unused_last, unused_end};

endmodule
