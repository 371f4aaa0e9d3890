// Montgomery multiplier: a chain of processing elements with one multiplier block each. The rows of
// a product go through the chain in as many passes as they need.
//
//   r = x * y / R mod M
//   R = 2^(DigitBits * rows),  rows = elements * passes,  passes = ceil(digits / elements)
//   digits = ceil(WordBits * (words - 1) / DigitBits) + 1, which is words where digits are words
//
// elements is the number of elements in use: elements_i, the first ones of the chain. No row begins
// in the others, and nothing takes what they compute.
//
// The modulus is given as N' = B^-1 mod N with B = 2^DigitBits, and M = B * N' - 1. This M is a
// multiple of N. With it each quotient digit equals the lowest digit of the running sum (Orup), so
// no multiplication stands between a row and its digit. Operands: x, y < 2M, where 4M < B *
// 2^(WordBits * (words - 1)). Then r < 2M too (Walter), and every row fits into `words` words.
// There is no final subtraction, and no step depends on data.
//
// With DigitBits below WordBits one multiplier block of unequal sides multiplies a digit by a word.
// A DSP48E1 takes 17 x 24 bits. There are then more rows with fewer words; nothing else changes.
//
// Cycles, with Period = max(2 * words, 6 * elements + 10):
//   start to start      passes * Period
//   start to last word  (passes - 1) * Period + 6 * elements + 2 * words + 7
// A product may start as early as start_ready_o allows and use the result of the product before it,
// if each word of the result can be read in the second cycle after its r_valid_o.
//
// Contract of the ports: see monpro_multiplier.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_mul_array
  import monpro_pkg::*;
#(
  parameter  string       Target       = "portable",
  parameter  int unsigned WordBits     = 17,
  parameter  int unsigned DigitBits    = WordBits,
  parameter  int unsigned Elements     = 16,
  parameter  int unsigned MaxWords     = 243,
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

  // With narrow digits the bits of x that the rows take are counted beside the rows.
  localparam bit Narrow = DigitBits != WordBits;
  localparam int unsigned Least = least_elements(Elements);

  if (DigitBits > WordBits || 2 * DigitBits < WordBits) begin : g_illegal_digit_bits
    $error("DigitBits must be WordBits / 2 to WordBits");
  end

  // ---- passes: time 0 is the cycle of the start
  //
  // A pass ends when y has been through, but not before its own first word has been through the
  // last element in use, and a memory: time 6 * elements + 10. Its end is the next one's time 0.
  // That is even; the end is known a cycle before.

  logic busy_q, odd_q, odd_next, first_pass_q, last_pass, context_q, accept, pass_end_q, pass_start;
  logic [Elements:0] load_chain;
  logic [5:1] start_line_q;  // pass_start, so many cycles later
  logic out_load;            // of an element behind the last one in use, a cycle later
  logic [6:5] out_line_q;    // the same, later
  logic out_start_q;         // time 6 * elements + 7: two later the first word is out of the chain
  logic out_started_q;
  logic first_out_q;         // it is
  logic y_end, idle;
  logic draining_q;  // words come out of the last element
  // Each element's own odd_q, and for its adder the opposite; between products all are even.
  logic [Elements-1:0] odd_line, odd_line_q, even_line_q;

  assign start_ready_o = !odd_q && (!busy_q || (pass_end_q && last_pass));
  assign accept = start_valid_i && start_ready_o;
  assign pass_start = accept || (pass_end_q && !last_pass);
  assign busy_o = busy_q || draining_q;
  assign idle = !(accept || busy_o);
  assign odd_next = !idle && !odd_q;
  assign odd_line = idle ? '0 : (Elements)'({~odd_line_q, odd_next});

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      busy_q <= 1'b0;
      odd_q <= 1'b0;
      odd_line_q <= '0;
      even_line_q <= '0;
      first_pass_q <= 1'b0;
      context_q <= 1'b0;
      start_line_q <= '0;
      out_line_q <= '0;
      out_start_q <= 1'b0;
      out_started_q <= 1'b0;
      first_out_q <= 1'b0;
      pass_end_q <= 1'b0;
    end else begin
      pass_end_q <= odd_q && first_out_q && y_end;
      odd_q <= odd_next;
      odd_line_q <= odd_line;
      even_line_q <= ~odd_line;
      start_line_q <= {start_line_q[4:1], pass_start};
      out_line_q <= {out_line_q[5], out_load};
      out_start_q <= out_line_q[6];
      out_started_q <= out_start_q;
      if (pass_end_q) first_out_q <= 1'b0;
      else if (out_started_q) first_out_q <= 1'b1;
      if (accept) begin
        busy_q <= 1'b1;
        first_pass_q <= 1'b1;
        context_q <= start_context_i;
      end else if (pass_end_q) begin
        busy_q <= !last_pass;
        first_pass_q <= 1'b0;
      end
    end
  end

  // ---- digits of x: element m loads row + m at time 3 + 6 * m

  logic [DigitBits-1:0] x_digit;

  if (Narrow) begin : g_digits
    localparam int unsigned PlaceBits = $clog2((MaxWords + 1) * WordBits + Elements * DigitBits);
    logic [PlaceBits-1:0] pass_bits_q;  // of x, in a pass
    logic [PlaceBits-1:0] next_pass_q, end_row_q;
    logic last_pass_q;

    always_ff @(posedge clk_i) pass_bits_q <= PlaceBits'(times(32'(elements_i), DigitBits));

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        next_pass_q <= '0;
        end_row_q <= '0;
        last_pass_q <= 1'b0;
      end else begin
        end_row_q <= PlaceBits'(times(32'(words_i) - 1, WordBits) + DigitBits);
        if (accept) next_pass_q <= pass_bits_q;
        else if (pass_start) next_pass_q <= next_pass_q + pass_bits_q;
        last_pass_q <= next_pass_q >= end_row_q;
      end
    end

    assign last_pass = last_pass_q;

    monpro_digits #(
      .WordBits (WordBits),
      .DigitBits(DigitBits),
      .Elements (Elements),
      .IndexBits(IndexBits)
    ) u_digits (
      .clk_i,
      .clear_i,
      .words_i,
      .elements_i,
      .begin_i(accept),
      .next_i (pass_start),
      .index_o(x_index_o),
      .word_i (x_data_i),
      .digit_o(x_digit)
    );
  end else begin : g_words
    localparam int unsigned RowBits = $clog2(MaxWords + Elements + 1);
    logic row_ok_q, x_valid_q, x_count_q;
    logic [2:0] x_step_q;
    logic [RowBits-1:0] row_q;  // of the next element to load: after the last one, of the next pass

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        x_count_q <= 1'b0;
        x_step_q <= '0;
        row_q <= '0;
        row_ok_q <= 1'b0;
        x_valid_q <= 1'b0;
      end else begin
        if (start_line_q[1]) x_count_q <= 1'b1;
        else if (out_load) x_count_q <= 1'b0;
        if (start_line_q[1]) x_step_q <= 3'd1;
        else x_step_q <= (x_step_q == 3'd5) ? '0 : x_step_q + 1'b1;
        if (accept) row_q <= '0;
        else if (x_count_q && x_step_q == 3'd5) row_q <= row_q + 1'b1;
        row_ok_q <= row_q < (RowBits)'(words_i);
        x_valid_q <= row_ok_q;
      end
    end

    assign last_pass = !row_ok_q;
    assign x_index_o = (IndexBits)'(row_q);
    // With one element there is no row without a digit.
    assign x_digit = (Elements == 1 || x_valid_q) ? x_data_i : '0;

    logic unused_valid;
    assign unused_valid = x_valid_q;
  end

  assign x_context_o = context_q;

  // ---- streams: y from time 1, T of the pass before from time 5, N' from time 6

  logic unused_last, unused_end;
  logic y_valid, n_valid, t_valid, t_first_q, n_context_q;
  logic [1:0] y_valid_q, n_valid_q, t_valid_q;
  logic [IndexBits-1:0] t_index;
  logic [5:1][IndexBits-1:0] index_line_q;  // that of y, so many cycles later
  logic [5:1] valid_line_q;
  logic [WordBits-1:0] bus_q, t_q, t_data;

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_y_index (
    .clk_i,
    .clear_i,
    .start_i(pass_start),
    .words_i,
    .valid_o(y_valid),
    .last_o (unused_last),
    .end_o  (y_end),
    .index_o(y_index_o)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      index_line_q <= '0;
      valid_line_q <= '0;
    end else begin
      index_line_q <= {index_line_q[4:1], y_index_o};
      valid_line_q <= {valid_line_q[4:1], y_valid};
    end
  end

  assign t_index = index_line_q[4];
  assign t_valid = valid_line_q[4];
  assign n_index_o = index_line_q[5];
  assign n_valid = valid_line_q[5];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      y_valid_q <= '0;
      n_valid_q <= '0;
      t_valid_q <= '0;
      t_first_q <= 1'b0;
      n_context_q <= 1'b0;
    end else begin
      if (start_line_q[4]) t_first_q <= first_pass_q;
      if (start_line_q[5]) n_context_q <= context_q;
      y_valid_q <= {y_valid_q[0], y_valid};
      n_valid_q <= {n_valid_q[0], n_valid};
      t_valid_q <= {t_valid_q[0], t_valid && !t_first_q};
    end
  end

  // Zero without a word. A word of y comes in odd cycles, one of N' in even ones.
  always_ff @(posedge clk_i) begin
    if (clear_i || !(y_valid_q[1] || n_valid_q[1])) bus_q <= '0;
    else bus_q <= y_valid_q[1] ? y_data_i : n_data_i;
    if (clear_i || !t_valid_q[1]) t_q <= '0;
    else t_q <= t_data;
  end

  assign y_context_o = context_q;
  assign n_context_o = n_context_q;

  // ---- the chain

  logic [Elements:0][WordBits-1:0] bus_chain, t_chain;

  assign load_chain[0] = start_line_q[3];
  assign bus_chain[0] = bus_q;
  assign t_chain[0] = t_q;

  for (genvar i = 0; i < Elements; i++) begin : g_element
    logic load;

    if (i < Least) begin : g_always
      assign load = load_chain[i];
    end else begin : g_maybe
      logic in_use_q;
      always_ff @(posedge clk_i) in_use_q <= elements_i > ElementsBits'(i);
      assign load = load_chain[i] && in_use_q;
    end

    monpro_element #(
      .Target   (Target),
      .WordBits (WordBits),
      .DigitBits(DigitBits)
    ) u_element (
      .clk_i,
      .clear_i,
      .odd_i (odd_line_q[i]),
      .even_i(even_line_q[i]),
      .load_i(load),
      .x_i   (x_digit),
      .bus_i (bus_chain[i]),
      .t_i   (t_chain[i]),
      .load_o(load_chain[i+1]),
      .bus_o (bus_chain[i+1]),
      .t_o   (t_chain[i+1])
    );
  end

  // ---- out of the last element in use: to the next pass, or as result

  localparam int unsigned Taps = Elements - Least + 1;
  localparam int unsigned TapBits = (Taps > 1) ? $clog2(Taps) : 1;

  logic [Taps-1:0][WordBits:0] ends;
  logic [WordBits-1:0] t_end;

  for (genvar i = 0; i < Taps; i++) begin : g_end
    assign ends[i] = {load_chain[Least+i], t_chain[Least+i]};
  end

  monpro_taps #(
    .Width (WordBits + 1),
    .Taps  (Taps),
    .Stages(1)
  ) u_taps (
    .clk_i,
    .clear_i,
    .tap_i  (TapBits'(32'(elements_i) - Least)),
    .words_i(ends),
    .word_o ({out_load, t_end})
  );

  logic word_next, last_next, word_q, last_q, result_q, result_context_q;
  logic [IndexBits-1:0] index_next, index_q;
  logic [IndexBits-1:0] clear_index_q;

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_r_index (
    .clk_i,
    .clear_i,
    .start_i(out_start_q),
    .words_i,
    .valid_o(word_next),
    .last_o (last_next),
    .end_o  (unused_end),
    .index_o(index_next)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      draining_q <= 1'b0;
      result_q <= 1'b0;
      result_context_q <= 1'b0;
      word_q <= 1'b0;
      last_q <= 1'b0;
      index_q <= '0;
    end else begin
      if (out_start_q) draining_q <= 1'b1;
      else if (last_next) draining_q <= 1'b0;
      if (out_started_q) begin
        result_q <= last_pass;
        result_context_q <= context_q;
      end
      word_q <= word_next;
      last_q <= last_next;
      index_q <= index_next;
    end
  end

  always_ff @(posedge clk_i) clear_index_q <= clear_i ? clear_index_q + 1'b1 : '0;

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << IndexBits)
  ) u_t_ram (
    .clk_i,
    .write_i     (clear_i || word_q),
    .write_addr_i(clear_i ? clear_index_q : index_q),
    .write_data_i(t_end),  // zero from the clear's second cycle on
    .read_addr_i (t_index),
    .read_data_o (t_data)
  );

  assign r_data_o = t_end;
  assign r_valid_o = word_q && result_q;
  assign r_last_o = last_q && result_q;
  assign r_index_o = index_q;
  assign r_context_o = result_context_q;

  // Outputs that no one takes.
  logic unused;
  assign unused = ^{bus_chain[Elements], unused_last, unused_end};

endmodule
