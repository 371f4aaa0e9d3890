// Exponentiation over a Montgomery multiplier: r = x^e mod N; with CRT r = c^d mod p * q.
//
// With W = 2^WordBits, D = Delay and K = rows - D, the Montgomery factor of the multiplier is
// R = W^K. With DigitBits below WordBits it is R = B^K, where B = 2^DigitBits and D = 0.
//
// The sequencer goes through the steps of monpro_order, which says what each of them computes. A
// step is a pass of monpro_alu, a product, a look-up in monpro_table, or it takes bits from
// monpro_exponent:
//
//   monpro_method           What do the steps have to know of the scheme?
//   monpro_configuration    Can an operation run with this configuration?
//   monpro_lengths          How many words, digits and rows do the operands have?
//   monpro_order            Which step is next?
//   monpro_counts           Which pass or product of a fixed number of them is the last?
//   monpro_recoding         What do the bits of the exponent ask for?
//   monpro_look_up_control  When may a look-up begin?
//   monpro_position         What has been done so far?
//   monpro_issue            Offers the pass or the product of a step to its unit.
//   monpro_outcome          How does an operation end, and what does it leave?
//
// A pass takes s + 9 cycles from its start to the start of the next one, where s is the number of
// words of an operand. Products follow each other without a gap, and look-ups run beside the
// squarings. With a secret exponent the sequence of steps, addresses and cycles depends only on
// words, bits, scheme, window and warm. python/monpro/models has the cycles as a formula, which the
// tests assert.
//
// An error, an abort, a reset and wipe_i lead to StWipe. That step zeroes every memory and every
// register that held a word. With wipes_i it follows every operation and leaves the result, while
// clearing_o is high. Then wipe_i and abort_i begin it again, for everything (monpro_wipe).
//
// SPDX-License-Identifier: Apache-2.0
module monpro_sequencer
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter  int unsigned WordBits     = 17,
  parameter  int unsigned DigitBits    = WordBits,
  parameter  int unsigned Elements     = 16,    // of the multiplier, see monpro_rows
  parameter  int unsigned Delay        = 0,     // of the multiplier
  parameter  int unsigned MinBits      = 128,
  parameter  int unsigned MaxBits      = 4096,
  parameter  int unsigned TableWords   = 8192,
  parameter  int unsigned TableBanks   = 1,
  parameter  schemes_t    Schemes      = '1,
  parameter  bit          Crt          = 1'b0,
  localparam int unsigned IndexBits    = index_bits(MaxBits, WordBits, Elements, Delay, Crt),
  localparam int unsigned ElementsBits = $clog2(Elements + 1),
  localparam int unsigned WipeBits     = wipe_bits(TableWords / TableBanks, IndexBits, Crt)
) (
  input  logic clk_i,
  input  logic rst_ni,

  // Commands and configuration; the configuration is static while busy_o.
  input  logic                 start_i,
  input  logic                 wipe_i,             // ignored while busy, except clearing
  input  logic                 abort_i,
  input  logic [11:0]          length_i,           // words of the modulus
  input  logic [15:0]          bits_i,             // of the exponent
  input  scheme_e              scheme_i,
  input  logic [2:0]           window_i,
  input  logic                 public_i,
  input  logic                 crt_i,
  input  logic                 loaded_i,           // every operand is there
  input  logic                 length_changed_i,
  input  logic                 modulus_changed_i,  // what was precomputed is void
  input  logic                 wipes_i,            // an operation leaves nothing but its result
  output logic                 length_ok_o,
  output logic [IndexBits-1:0] words_o,            // of this step: see the next but one
  output logic [ElementsBits-1:0] elements_o,      // of the multiplier, in use
  output logic [IndexBits-1:0] operand_words_o,    // s
  output logic [IndexBits-1:0] digits_o,           // K, for CRT; narrow ones may be too many
  output logic [2:0]           window_o,           // of the table
  output logic                 busy_o,
  output logic                 end_o,              // pulse: an operation or a wipe has ended
  output error_e               error_o,            // how
  output logic                 warm_o,
  output logic                 result_o,
  output logic                 precomputing_o,     // an operation runs: constants to come
  output logic                 exponentiating_o,   // an operation runs: constants there

  output logic                clearing_o,  // the wipe leaves the result
  output logic                wipe_o,
  output logic [WipeBits-1:0] wipe_addr_o,

  output logic                 alu_o,            // the adder has the memories
  output logic                 alu_start_o,
  output logic                 alu_half_o,
  output alu_op_e              alu_op_o,
  output work_e                alu_source_o,     // a
  output work_e                alu_other_o,      // b
  output logic                 alu_other_half_o,
  output work_e                alu_target_o,
  output logic                 alu_to_scaled_o,  // the pass writes N' instead of alu_target_o
  output logic                 alu_wide_o,       // a and the target have both halves
  input  logic                 alu_done_i,
  input  logic                 alu_below_i,
  input  logic                 alu_odd_i,
  input  logic                 alu_size_i,
  input  logic                 alu_negative_i,

  output logic     mul_valid_o,
  input  logic     mul_ready_i,
  output product_t mul_product_o,
  input  logic     mul_look_up_i,  // pulse: a product with look_up set has started
  input  logic     mul_begin_i,    // pulse: a product with begins set has started
  input  logic     mul_busy_i,     // a product is waiting or in flight

  output logic       exponent_rewind_o,
  output logic       exponent_take_o,
  output logic       exponent_append_o,
  output logic [2:0] exponent_count_o,
  input  logic       exponent_taken_i,
  input  logic [2:0] exponent_taken_count_i,
  input  logic [5:0] exponent_value_i,       // what was taken; used only when public_i

  output logic       look_up_o,
  output logic       look_up_half_o,
  output work_e      look_up_target_o,
  output logic       look_up_public_o,  // by look_up_entry_o, not by what was taken
  output logic [5:0] look_up_entry_o,
  input  logic       look_up_done_i
);

  // Narrow digits are more than words are, but less than twice as many.
  localparam int unsigned RowBits = row_bits(IndexBits + 32'(DigitBits != WordBits), Elements);
  // A smaller power to begin with saves doublings and costs squarings, which are cheap where digits
  // are wide.
  localparam int unsigned SplitBits = (DigitBits > 18 && DigitBits % 4 == 0) ? 2 : 0;
  localparam int unsigned FirstDoublings = 2 + ((SplitBits != 0) ? DigitBits >> SplitBits : 0);
  localparam int unsigned LastDoublings = (SplitBits != 0) ? 2 : 3;  // words of them
  // With narrow digits doublings are counted in bits.
  localparam int unsigned LengthBits = IndexBits + $clog2(WordBits + 1) + $clog2(Elements + 1);
  localparam int unsigned DoublingBits = (DigitBits != WordBits) ? LengthBits
                                         : $clog2(Elements + Delay + LastDoublings);

  state_t after;  // the step to come
  // One of the states from the first moment on, so that `unique` holds before the reset too.
  state_t state_d, state_q = to(StWipe);
  logic step_end, leave_q, stop, start, start_q, wipe, wipe_q, failed;
  logic first, half, combining, wide, rows_restart, from_base, last_entry;  // see monpro_position
  logic [5:0] entry;
  logic both, half_done, pass_done, product_done, alu_done;
  logic taken, none_taken, none_taken_q, one_taken, one_taken_q;

  // ---- configuration: static long before it is used, so that no path leads through it

  logic crt;
  error_e config_error;
  method_t method;

  assign crt = Crt && crt_i;

  monpro_method #(
    .Schemes(Schemes)
  ) u_method (
    .clk_i,
    .scheme_i,
    .public_i,
    .method_o(method)
  );

  monpro_configuration #(
    .WordBits  (WordBits),
    .Delay     (Delay),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .TableWords(TableWords),
    .TableBanks(TableBanks),
    .Schemes   (Schemes),
    .Crt       (Crt),
    .IndexBits (IndexBits)
  ) u_configuration (
    .clk_i,
    .length_i,
    .bits_i,
    .scheme_i,
    .window_i,
    .public_i,
    .crt_i,
    .loaded_i,
    .length_ok_o,
    .window_o,
    .error_o (config_error)
  );

  // ---- lengths and counts

  logic [RowBits-1:0] rows;
  logic [DoublingBits-1:0] doublings;
  logic rows_settled, last_pass, last_doubling, power_one, power_last, power_end;

  monpro_lengths #(
    .WordBits    (WordBits),
    .DigitBits   (DigitBits),
    .Elements    (Elements),
    .Delay       (Delay),
    .Crt         (Crt),
    .IndexBits   (IndexBits),
    .RowBits     (RowBits),
    .DoublingBits(DoublingBits),
    .Doublings   (LastDoublings)
  ) u_lengths (
    .clk_i,
    .rst_ni,
    .length_i,
    .wide_i     (wide),
    .restart_i  (rows_restart),
    .operand_words_o,
    .words_o,
    .digits_o,
    .rows_o     (rows),
    .elements_o,
    .doublings_o(doublings),
    .settled_o  (rows_settled)
  );

  monpro_counts #(
    .WordBits      (WordBits),
    .DigitBits     (DigitBits),
    .Delay         (Delay),
    .RowBits       (RowBits),
    .DoublingBits  (DoublingBits),
    .SplitBits     (SplitBits),
    .FirstDoublings(FirstDoublings)
  ) u_counts (
    .clk_i,
    .rst_ni,
    .state_i        (state_q),
    .rows_i         (rows),
    .doublings_i    (doublings),
    .pass_done_i    (pass_done),
    .alu_done_i     (alu_done),
    .product_done_i (product_done),
    .last_pass_o    (last_pass),
    .last_doubling_o(last_doubling),
    .power_one_o    (power_one),
    .power_last_o   (power_last),
    .power_end_o    (power_end)
  );

  // ---- bits of the exponent and look-ups

  logic settled, last_squaring, zeros, last_zero, repeats, no_repeats;
  logic look_up_ready, look_up_begin, look_up_end, look_up_step_end, selected, consume;

  monpro_recoding #(
    .Schemes(Schemes)
  ) u_recoding (
    .clk_i,
    .rst_ni,
    .clear_i        (wipe_o),
    .state_i        (state_q),
    .method_i       (method),
    .window_i       (window_o),
    .settled_i      (settled),
    .product_done_i (product_done),
    .take_o         (exponent_take_o),
    .append_o       (exponent_append_o),
    .count_o        (exponent_count_o),
    .taken_i        (exponent_taken_i),
    .taken_count_i  (exponent_taken_count_i),
    .value_i        (exponent_value_i),
    .taken_o        (taken),
    .none_taken_o   (none_taken),
    .none_taken_q_o (none_taken_q),
    .one_taken_o    (one_taken),
    .one_taken_q_o  (one_taken_q),
    .last_squaring_o(last_squaring),
    .zeros_o        (zeros),
    .last_zero_o    (last_zero),
    .entry_o        (look_up_entry_o),
    .repeats_o      (repeats),
    .none_o         (no_repeats)
  );

  monpro_look_up_control #(
    .Crt(Crt)
  ) u_look_up_control (
    .clk_i,
    .rst_ni,
    .state_i   (state_q),
    .ready_i   (look_up_ready),
    .both_i    (both),
    .product_i (mul_look_up_i),
    .consume_i (consume),
    .begin_o   (look_up_begin),
    .end_o     (look_up_end),
    .step_end_o(look_up_step_end),
    .selected_o(selected),
    .look_up_o,
    .half_o    (look_up_half_o),
    .target_o  (look_up_target_o),
    .done_i    (look_up_done_i)
  );

  assign look_up_public_o = method.sliding;

  // ---- passes and products

  monpro_issue #(
    .Crt(Crt)
  ) u_issue (
    .clk_i,
    .rst_ni,
    .clear_i        (wipe_o),
    .state_i        (state_q),
    .after_i        (after),
    .step_i         (step_end),
    .method_i       (method),
    .public_i,
    .crt_i          (crt),
    .both_i         (crt && !combining),
    .half_i         (half),
    .first_i        (first),
    .from_base_i    (from_base),
    .last_pass_i    (last_pass),
    .entry_i        (entry),
    .selected_i     (selected),
    .taken_i        (taken),
    .failed_i       (failed),
    .look_up_begin_i(look_up_begin),
    .look_up_end_i  (look_up_end),
    .both_o         (both),
    .settled_o      (settled),
    .look_up_ready_o(look_up_ready),
    .half_done_o    (half_done),
    .pass_done_o    (pass_done),
    .product_done_o (product_done),
    .consume_o      (consume),
    .alu_o,
    .alu_start_o,
    .alu_half_o,
    .alu_op_o,
    .alu_source_o,
    .alu_other_o,
    .alu_other_half_o,
    .alu_target_o,
    .alu_to_scaled_o,
    .alu_wide_o,
    .alu_done_i,
    .alu_done_o     (alu_done),
    .mul_valid_o,
    .mul_ready_i,
    .mul_product_o,
    .mul_busy_i
  );

  // ---- steps
  //
  // The step that follows is known before a step ends: what decides it is there a cycle earlier. An
  // error leads to the wipe a cycle later, from any step.

  monpro_position #(
    .Crt(Crt)
  ) u_position (
    .clk_i,
    .rst_ni,
    .state_i       (state_q),
    .method_i      (method),
    .window_i      (window_o),
    .length_changed_i,
    .both_i        (both),
    .half_done_i   (half_done),
    .product_done_i(product_done),
    .alu_done_i    (alu_done),
    .taken_i       (taken),
    .none_taken_i  (none_taken_q),
    .one_taken_i   (one_taken_q),
    .none_i        (no_repeats),
    .first_o       (first),
    .from_base_o   (from_base),
    .entry_o       (entry),
    .last_entry_o  (last_entry),
    .half_o        (half),
    .combining_o   (combining),
    .wide_o        (wide),
    .restart_o     (rows_restart)
  );

  monpro_order u_order (
    .clk_i,
    .state_i     (state_q),
    .method_i    (method),
    .public_i,
    .crt_i       (crt),
    .window_i    (window_o),
    .conditions_i('{
      wipe: wipe_i && !start_i, warm: warm_o,
      last_pass: last_pass, last_doubling: last_doubling,
      power_one: power_one, power_last: power_last, power_end: power_end,
      last_entry: last_entry, first: first, combining: combining,
      none_taken: none_taken, one_taken: one_taken, one_taken_q: one_taken_q,
      last_squaring: last_squaring, zeros: zeros, last_zero: last_zero, repeats: repeats
    }),
    .after_o     (after)
  );

  // Products, passes and bits end only in their own steps, or after an abort in a wipe.
  assign step_end =
      leave_q || (Crt && state_q[StWideInit] && rows_settled && !rows_restart) ||
      (!state_q[StWipe] && (pass_done || taken || product_done || look_up_step_end));

  // ---- commands, and how an operation ends

  logic operation, result_end, clears, clear_again, wipe_last, wiped, running_q;
  logic busy_d, end_d, leave_d, precomputing_d;

  assign state_d = (stop || clears || clear_again) ? to(StWipe) : step_end ? after : state_q;

  monpro_wipe #(.WipeBits(WipeBits)) u_wipe (
    .clk_i,
    .rst_ni,
    .state_i    (state_q),
    .clear_i    (clears && !stop),
    .stop_i     (wipe_i || abort_i),
    .last_o     (wipe_last),
    .ended_o    (wiped),
    .again_o    (clear_again),
    .clearing_o,
    .wipe_o,
    .wipe_addr_o
  );

  monpro_outcome u_outcome (
    .clk_i,
    .rst_ni,
    .state_i       (state_q),
    .start_i       (start_q),
    .wipe_i        (wipe_q),
    .stop_i        (stop || (clear_again && abort_i)),
    .clearing_i    (clearing_o),
    .crt_i         (crt),
    .half_i        (half),
    .config_error_i(config_error),
    .modulus_changed_i,
    .pass_done_i   (pass_done),
    .last_pass_i   (last_pass),
    .alu_done_i    (alu_done),
    .alu_below_i,
    .alu_odd_i,
    .alu_size_i,
    .alu_negative_i,
    .failed_o      (failed),
    .error_o,
    .warm_o,
    .result_o
  );

  assign start = start_i && !busy_o;  // a command while busy is ignored
  assign wipe = wipe_i && !busy_o;
  assign operation = start_q || !(state_q[StIdle] || state_q[StWipe]);
  assign stop = (abort_i || failed) && operation;
  assign result_end = (state_q[StRestore] && pass_done && !crt) ||
                      (state_q[StWideSum] && alu_done);
  assign clears = result_end && wipes_i;
  assign leave_d = start || wipe || wipe_last;  // StIdle, or StWipe
  assign busy_d = start || wipe || start_q || wipe_q || !state_q[StIdle];
  assign end_d = (result_end && !stop) || wiped;

  // The constants end where the first product or pass of the exponentiation begins.
  always_comb begin
    precomputing_d = precomputing_o && !(mul_begin_i || (alu_start_o && state_q[StOne]));
    if (start) precomputing_d = 1'b1;
    if (state_q[StWipe]) precomputing_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= to(StWipe);
      start_q <= 1'b0;
      wipe_q <= 1'b0;
      leave_q <= 1'b0;
      busy_o <= 1'b1;
      end_o <= 1'b0;
      precomputing_o <= 1'b0;
      running_q <= 1'b0;
    end else begin
      state_q <= state_d;
      start_q <= start;
      wipe_q <= wipe;
      leave_q <= leave_d;
      busy_o <= busy_d;
      end_o <= end_d;
      precomputing_o <= precomputing_d;
      running_q <= start || operation;
    end
  end

  assign exponent_rewind_o = state_q[StCheck];
  assign exponentiating_o = running_q && !precomputing_o;

endmodule
