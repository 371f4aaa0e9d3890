// Exponentiation over a Montgomery multiplier: r = x^e mod N; with CRT r = c^d mod p * q.
//
// With W = 2^WordBits, D = Delay, s = words, R = W^K the multiplier's Montgomery factor,
// K = rows - D (with DigitBits below WordBits R = B^K, B = 2^DigitBits, D = 0, and wherever W^(1+D)
// stands below B takes its place), [x, y] the product x * y / R, and "pass" a pass of monpro_alu, s + 9 cycles each,
// start to start:
//
//   StCheck       1 pass: N odd and of its size, x < N (with CRT: qInv < p)
//   a cold key:
//   StScale*      N' = W^-(1+D) mod N: 1, halved DigitBits * (1 + D) times modulo N
//   StPower*      2^b * R mod N, b = DigitBits / PowerSplit: the power of two below N, doubled
//                 DigitBits * rows - WordBits * (s - 2) + 2 + b times modulo N
//   StSquareR2,   R^2 mod N, which is (2^b)^(PowerSplit * K) in Montgomery form, from left to right
//   StMultiplyR2  over the bits of PowerSplit * K
//   CRT: c = cH * W^K + cL modulo p and q
//   StHigh*       [[cH, R^2], R^2] = cH * W^K * R
//   StLowIn,      [cL, R^2] = cL * R, and the sum of the two: c * R, below W^s
//   StSum
//   into Montgomery form, and the table:
//   StOne to      [1, R^2] is entry 0, [x, R^2] (with CRT: [c * R, entry 0]) entry 1, and each further
//   StTable       one [x * R, the one before]; the sliding window has the odd powers alone, from
//                 x * R in steps of its square (StSquareBase)
//   by scheme (a look-up reads the whole table of a half, see monpro_table):
//   StNext to     fixed window, and binary unless public: the first k bits choose the first value;
//   StMultiply    then for each k bits (the last may be fewer) as many squarings and one
//                 multiplication by the chosen entry, also when that is 1
//                 binary, public: from the highest one bit on a squaring for each bit, a
//                 multiplication for a one
//   StMore,       sliding window: zero bits are squarings; at a one, k bits are taken, and what
//   StZeros       follows their last one is squarings again
//   StBit*        right to left: [Acc, bit ? S : 1] and S = [S, S]; public: no multiplication for a
//                 zero; no look-up. Ladder: P = [R0, R1] and S = [R_bit, R_bit], the one of the two
//                 that comes to be squared next is looked up
//   StCount,      repeated: e - 1 multiplications by x
//   StRepeat
//   either way:
//   StLast*       [a, W^(1+D)], out of Montgomery form; below W^(1+D) * N or equal
//   StUnscale     halved DigitBits * (1 + D) times modulo N: below 2N
//   StSub,        minus N, plus N again if that was negative
//   StRestore
//   CRT: m = m_q + q * (qInv * (m_p - m_q) mod p)
//   StDiff to     (m_p - m_q) * qInv in Montgomery form of p, and StLast* to StRestore again
//   StFactor
//   StCopyQ to    the integer product by q, plus m_q
//   StWideSum
//
// With CRT each step from StCheck to StRestore is done for p, then for q: the products of the two
// are in the multiplier together. From StDiff on it is p alone.
//
// Products follow each other without a gap, and window look-ups run beside the squarings. With a
// secret exponent the sequence of steps, addresses and cycles follows from words, bits, scheme,
// window and warm alone. python/monpro/models has the cycles as a formula; the tests assert it.
//
// An error, an abort, a reset and wipe_i lead to StWipe, in which every memory and every register
// that held a word is zeroed.
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
  input  logic                 wipe_i,             // ignored while busy
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
  localparam int unsigned PassBits = $clog2(WordBits * (1 + Delay) + 2);
  localparam int unsigned UnscalePasses = DigitBits * (1 + Delay) / pass_halvings(DigitBits, Delay);
  // A smaller power to begin with saves doublings and costs squarings, which are cheap where digits
  // are wide.
  localparam int unsigned SplitBits = (DigitBits > 18 && DigitBits % 4 == 0) ? 2 : 0;
  localparam int unsigned PowerBits = RowBits + SplitBits;
  localparam int unsigned FirstDoublings = 2 + ((SplitBits != 0) ? DigitBits >> SplitBits : 0);
  localparam int unsigned LastDoublings = (SplitBits != 0) ? 2 : 3;  // words of them
  // Narrow digits: what follows from lengths is counted in bits.
  localparam bit Narrow = DigitBits != WordBits;
  localparam int unsigned LengthBits = IndexBits + $clog2(WordBits + 1) + $clog2(Elements + 1);
  localparam int unsigned DoublingBits = Narrow ? LengthBits
                                                : $clog2(Elements + Delay + LastDoublings);

  state_t state_q, after_q;  // the step, and the one to come
  logic step_end;
  error_e error_q;
  logic [WipeBits-1:0] wipe_addr_q;
  logic warm_q, result_q;
  logic start_q, wipe_q, busy_q, end_q;
  logic running_q, precomputing_q;
  logic [IndexBits-1:0] operand_length_q, words_q;
  logic [RowBits-1:0] rows;
  logic rows_restart_q, rows_settled;
  logic [PowerBits-1:0] power_q;             // PowerSplit * K, its highest one bit at the top
  logic [$clog2(PowerBits)-1:0] power_bit_q;  // its bits still to come
  logic [DoublingBits-1:0] doublings_q;      // WordBits each, or one with narrow digits
  logic [PassBits-1:0] pass_q;               // passes left, less one
  logic half_q;                              // of the step
  logic [5:0] entry_q;
  logic [2:0] squarings_q, zeros_q, window_q;
  logic [5:0] odd_entry_q;                   // sliding window: entry of the bits last taken
  logic [31:0] repeats_q;
  logic repeats_more_q;                      // it is above 1, of a step that has begun
  logic first_q;                             // of this loop, nothing yet
  logic from_base_q;                         // the running value is still in WorkBase
  logic selected_q;                          // WorkSel holds the entry of the bits last taken
  logic issued_q;                            // the pass, or what else this state does, has begun
  logic first_look_up_q;                     // the look-up is StFirst's
  logic settled_q;                           // what the step asks is decoded
  logic combining_q;                         // CRT: past StDiff
  logic wide_q;                              // CRT: past StWideInit

  // ---- configuration: static long before it is of use, so that no path leads through it

  logic crt, sliding_q, right_to_left_q, ladder_q, repeated_q, tabled_q, selecting_q;
  error_e config_error, config_error_q;

  assign crt = Crt && crt_i;

  always_ff @(posedge clk_i) begin
    sliding_q <= Schemes[SchemeSlidingWindow] && scheme_i == SchemeSlidingWindow;
    right_to_left_q <= Schemes[SchemeRightToLeft] && scheme_i == SchemeRightToLeft;
    ladder_q <= Schemes[SchemeLadder] && scheme_i == SchemeLadder;
    repeated_q <= Schemes[SchemeRepeated] && scheme_i == SchemeRepeated;
    // Entries 0 and up, all powers.
    tabled_q <= looks_up(scheme_i, public_i) && !is_in(scheme_i, SchemesOddPowers);
    // Multiplies by what was looked up.
    selecting_q <= looks_up(scheme_i, public_i);
    config_error_q <= config_error;
  end

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
    .window_o(window_q),
    .error_o (config_error)
  );

  // ---- lengths: all of them are there a few cycles after their cause, but rows and what follows
  // from them when monpro_rows says

  always_ff @(posedge clk_i) begin
    operand_length_q <= IndexBits'(length_i) + IndexBits'(1 + Delay);
    words_q <= (Crt && wide_q) ? digits_o : operand_length_q;
  end

  monpro_rows #(
    .WordBits (WordBits),
    .DigitBits(DigitBits),
    .Elements (Elements),
    .Delay    (Delay),
    .RowBits  (RowBits)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .restart_i(rows_restart_q),
    .words_i  ((Crt && wide_q) ? RowBits'(length_i) << 1 : RowBits'(operand_length_q)),
    .rows_o   (rows),
    .elements_o,
    .settled_o(rows_settled)
  );

  // In bits with narrow digits, and less one, for the last is the zeroth.
  logic [DoublingBits-1:0] doublings;

  if (Narrow) begin : g_narrow
    logic [LengthBits-1:0] row_bits_q, word_bits_q;

    always_ff @(posedge clk_i) begin
      row_bits_q <= LengthBits'(times(32'(rows), DigitBits));
      word_bits_q <= LengthBits'(times(32'(operand_length_q), WordBits));
    end

    assign doublings = row_bits_q - word_bits_q + LengthBits'(DigitBits + 2 * WordBits + 1);
  end else begin : g_whole
    assign doublings = DoublingBits'(rows) - DoublingBits'(operand_length_q) +
                       DoublingBits'(LastDoublings);
  end

  // ---- what the steps ask of the units
  //
  // A step takes three cycles before it begins: what it asks is put together, its conditions are
  // looked at, and the pass or the product is offered. A product hides them, for one waits in front
  // of the multiplier.

  typedef struct packed {
    logic     pass;
    alu_op_e  op;
    work_e    source;
    work_e    other;
    logic     other_half;
    work_e    target;
    logic     to_scaled;
    logic     wide;
    logic     multiply;
    product_t mul;
  } ask_t;

  ask_t ask, ask_q;
  logic step_half, step_half_q, both_q, half_done, pass_done, product_done, mul_accept;
  logic last_pass, last_half, last_half_q, no_ones;
  logic mul_busy_q, mul_valid, mul_valid_q, mul_last_q, alu_q, alu_start_q, alu_done_q, pass_end_q;

  assign no_ones = first_q;
  assign last_pass = pass_q == '0;
  assign step_half = half_q || state_q[StCopyQ];
  assign last_half = !both_q || half_q;

  product_t step_product;

  always_comb begin
    ask.mul = step_product;
    ask.mul.look_up = state_q[StSquare] && first_q && selecting_q && last_half;
    // What waits for the last product of R^2 still belongs to the constants.
    ask.mul.begins = (state_q[StHighIn] && !half_q) ||
                     (state_q[StBase] && !crt && !tabled_q);
  end

  monpro_steps u_steps (
    .clk_i,
    .clear_i         (wipe_o),
    .after_i         (after_q),
    .step_i          (step_end),
    .right_to_left_i (right_to_left_q),
    .sliding_i       (sliding_q),
    .public_i,
    .crt_i           (crt),
    .table_i         (selecting_q),
    .half_i          (Crt && step_half),
    .first_i         (first_q),
    .no_ones_i       (no_ones),
    .from_base_i     (from_base_q),
    .last_pass_i     (last_pass),
    .entry_i         (entry_q),
    .pass_o          (ask.pass),
    .alu_op_o        (ask.op),
    .alu_source_o    (ask.source),
    .alu_other_o     (ask.other),
    .alu_other_half_o(ask.other_half),
    .alu_target_o    (ask.target),
    .alu_to_scaled_o (ask.to_scaled),
    .alu_wide_o      (ask.wide),
    .multiply_o      (ask.multiply),
    .product_o       (step_product)
  );

  // A pass begins when no product is in flight any more. The multiplication by a selected entry
  // waits for it.
  always_ff @(posedge clk_i) begin
    if (wipe_o) begin
      ask_q <= '0;
      both_q <= 1'b0;
      step_half_q <= 1'b0;
      mul_busy_q <= 1'b0;
      mul_valid_q <= 1'b0;
      mul_last_q <= 1'b0;
      alu_q <= 1'b0;
      alu_start_q <= 1'b0;
      alu_done_q <= 1'b0;
      pass_end_q <= 1'b0;
    end else begin
      ask_q <= ask;
      both_q <= crt && !combining_q;  // the step is one of both halves
      step_half_q <= Crt && step_half;
      mul_busy_q <= mul_busy_i;
      mul_valid_q <= mul_valid;
      mul_last_q <= mul_valid && last_half_q;
      alu_q <= settled_q && ask_q.pass && !mul_busy_q;
      alu_start_q <= settled_q && ask_q.pass && !mul_busy_q && !issued_q && !alu_start_q;
      alu_done_q <= alu_done_i;
      pass_end_q <= alu_done_i && last_half;
    end
  end

  assign mul_valid = settled_q && ask_q.multiply && !mul_accept &&
                     (!state_q[StMultiply] || !selecting_q || selected_q);
  assign alu_o = alu_q;
  assign alu_start_o = alu_start_q;
  assign alu_half_o = step_half_q;
  assign alu_op_o = ask_q.op;
  assign alu_source_o = ask_q.source;
  assign alu_other_o = ask_q.other;
  assign alu_other_half_o = ask_q.other_half;
  assign alu_target_o = ask_q.target;
  assign alu_to_scaled_o = ask_q.to_scaled;
  assign alu_wide_o = ask_q.wide;
  assign mul_valid_o = mul_valid_q;
  assign mul_product_o = ask_q.mul;
  assign mul_accept = mul_valid_q && mul_ready_i;
  assign pass_done = pass_end_q;
  assign product_done = mul_last_q && mul_ready_i;
  assign half_done = mul_accept || alu_done_q;

  // ---- look-ups
  //
  // The look-up into WorkSel may begin when the multiplication before has read it: when the next
  // product has started.

  logic look_up_begin, look_up_end, look_up_q, look_up_again_q, look_up_half_q;
  logic last_look_up, last_look_up_q;
  logic look_up_ends_q;  // the step waits for a look-up, and this is its last half

  assign look_up_begin = mul_look_up_i ||
                         ((state_q[StFirst] || state_q[StBitSelect]) && settled_q && !issued_q &&
                          !mul_busy_q);
  assign last_look_up = !both_q || look_up_half_q;
  assign look_up_end = look_up_done_i && last_look_up_q;
  assign look_up_o = look_up_q || (Crt && look_up_again_q);
  assign look_up_half_o = Crt && look_up_half_q;
  assign look_up_target_o = first_look_up_q ? WorkAcc : WorkSel;
  assign look_up_public_o = sliding_q;
  assign look_up_entry_o = odd_entry_q;

  // ---- bits of the exponent

  logic take_q, append_q, taking_q, taken_q, taken_none, taken_none_q, taken_one, taken_one_q;
  logic [2:0] take_count_q, trailing_zeros, trailing_zeros_q;

  always_comb begin
    trailing_zeros = '0;
    for (int i = MaxWindow - 1; i >= 0; i--) begin
      if (exponent_value_i[i]) trailing_zeros = 3'(i);
    end
  end

  assign taken_none = exponent_taken_count_i == '0;
  assign taken_one = exponent_value_i[0];

  always_ff @(posedge clk_i) begin
    if (wipe_o) begin
      take_q <= 1'b0;
      taking_q <= 1'b0;
      append_q <= 1'b0;
      take_count_q <= '0;
      taken_q <= 1'b0;
      taken_none_q <= 1'b0;
      taken_one_q <= 1'b0;
      trailing_zeros_q <= '0;
    end else begin
      take_q <= (state_q[StNext] || state_q[StMore] || state_q[StBit] || state_q[StCount]) &&
                settled_q && !taking_q && !take_q;
      taking_q <= take_q || (taking_q && !taken_q);
      append_q <= state_q[StMore];
      take_count_q <= (state_q[StMore] || (state_q[StNext] && tabled_q)) ? window_q : 3'd1;
      taken_q <= taking_q && exponent_taken_i && !taken_q;
      taken_none_q <= taken_none;
      taken_one_q <= taken_one;
      trailing_zeros_q <= trailing_zeros;
    end
  end

  assign exponent_take_o = take_q;
  assign exponent_append_o = append_q;
  assign exponent_count_o = take_count_q;

  // ---- control

  state_t after_constants_q, after_base_q, after_multiply, after;
  error_e check_error;
  logic operation, stop, failed_q, last_entry_q, result_end;
  logic start, wipe, wipe_last, wipe_last_q, leave_q;
  logic [5:0] table_end_q;

  assign start = start_i && !busy_q;  // a command while busy is ignored
  assign wipe = wipe_i && !busy_q;
  assign operation = start_q || !((state_q[StIdle] || state_q[StWipe]));
  assign stop = (abort_i || failed_q) && operation;
  assign wipe_last = state_q[StWipe] && wipe_addr_q == ~WipeBits'(1);
  assign result_end = (state_q[StRestore] && pass_done && !crt) ||
                      (state_q[StWideSum] && alu_done_q);

  always_comb begin
    check_error = ErrorNone;
    if (!alu_odd_i) check_error = ErrorModulusEven;
    else if (!alu_size_i) check_error = ErrorModulusSize;
    else if (!alu_below_i && !half_q) check_error = ErrorBaseRange;
  end

  always_ff @(posedge clk_i) begin
    if (crt) after_constants_q <= to(StHighIn);
    else after_constants_q <= tabled_q ? to(StOne) : to(StBase);

    if (right_to_left_q || ladder_q) after_base_q <= to(StBit);
    else if (repeated_q) after_base_q <= to(StCount);
    else if (sliding_q && window_q != 3'd0) after_base_q <= to(StSquareBase);
    else if (tabled_q && window_q != 3'd1) after_base_q <= to(StTable);
    else after_base_q <= to(StNext);

    for (int i = 0; i < MaxWindow; i++) table_end_q[i] <= window_q > 3'(i);
    last_entry_q <= entry_q == table_end_q;
    last_half_q <= last_half;  // a cycle late, which is before anything of that half can end
    last_look_up_q <= last_look_up;
    look_up_ends_q <= last_look_up && (state_q[StFirst] || state_q[StBitSelect]);
    repeats_more_q <= repeats_q[31:1] != '0;
  end

  // Where a step leads to is known before it ends: what decides that is there a cycle earlier. An
  // error leads to the wipe a cycle later, from whatever step that is.
  always_comb begin
    unique case (1'b1)
      state_q[StWipe]: after = to(StIdle);
      state_q[StIdle]: after = (wipe_i && !start_i) ? to(StWipe) : to(StCheck);
      state_q[StCheck]: after = warm_q ? after_constants_q : to(StScaleInit);

      // N' = W^-(1+D) mod N
      state_q[StScaleInit]: after = to(StScale);
      state_q[StScale]: after = last_pass ? to(StPowerInit) : to(StScale);

      // 2^b * R mod N
      state_q[StPowerInit]: after = to(StPower);
      state_q[StPower]:
        after = ((last_pass || Narrow) && doublings_q == '0) ? to(StPowerEnd) : to(StPower);
      state_q[StPowerEnd]: after = to(StSquareR2);

      // R^2 mod N: power_bit_q bits of power are still to come
      state_q[StSquareR2]: begin
        if (power_q[PowerBits-2]) after = to(StMultiplyR2);
        else after = (power_bit_q == 1) ? after_constants_q : to(StSquareR2);
      end
      state_q[StMultiplyR2]: after = (power_bit_q == '0) ? after_constants_q : to(StSquareR2);

      // CRT: c modulo p and q
      state_q[StHighIn]: after = to(StHighShift);
      state_q[StHighShift]: after = to(StLowIn);
      state_q[StLowIn]: after = to(StSum);
      state_q[StSum]: after = to(StOne);

      // Into Montgomery form, and the table
      state_q[StOne]: after = to(StEntry0);
      state_q[StEntry0]: after = to(StBase);
      state_q[StBase]: after = after_base_q;
      state_q[StSquareBase]: after = to(StTable);
      state_q[StTable]: after = last_entry_q ? to(StNext) : to(StTable);

      // The exponent, from its highest bit on
      state_q[StNext]: begin
        if (taken_none) after = to(StLastInit);
        else if (sliding_q) begin
          // Zeros before the highest one are skipped.
          if (taken_one) after = to(StMore);
          else after = first_q ? to(StNext) : to(StZeros);
        end
        else if (!first_q) after = to(StSquare);
        else after = tabled_q ? to(StFirst) : to(StNext);
      end
      state_q[StMore]: after = first_q ? to(StFirst) : to(StSquare);
      state_q[StFirst]: begin
        if (ladder_q) after = to(StLastInit);
        else after = after_multiply;
      end
      state_q[StSquare]: begin
        if (squarings_q != 3'd1) after = to(StSquare);
        else after = (selecting_q || taken_one_q) ? to(StMultiply) : to(StNext);
      end
      state_q[StMultiply]: after = after_multiply;
      state_q[StZeros]: after = (zeros_q == 3'd1) ? to(StNext) : to(StZeros);

      // A bit at a time
      state_q[StBit]: begin
        if (taken_none) after = ladder_q ? to(StFirst) : to(StLastInit);
        else if (ladder_q || !public_i) after = to(StBitSelect);
        else after = taken_one ? to(StBitFirst) : to(StBitSecond);
      end
      state_q[StBitSelect]: after = to(StBitFirst);
      state_q[StBitFirst]: after = to(StBitSecond);
      state_q[StBitSecond]: after = to(StBit);

      // Repeated
      state_q[StCount]: begin
        if (!taken_none) after = to(StCount);
        else after = repeats_more_q ? to(StRepeat) : to(StLastInit);
      end
      state_q[StRepeat]: after = repeats_more_q ? to(StRepeat) : to(StLastInit);

      // Out of Montgomery form
      state_q[StLastInit]: after = no_ones ? to(StUnscale) : to(StLast);
      state_q[StLast]: after = to(StUnscale);
      state_q[StUnscale]: after = last_pass ? to(StSub) : to(StUnscale);
      state_q[StSub]: after = to(StRestore);
      state_q[StRestore]: begin
        if (!crt) after = to(StIdle);
        else after = combining_q ? to(StCopyQ) : to(StDiff);
      end

      // CRT: recombination. m_q may be as large as 2p, with primes of one length
      state_q[StDiff]: after = to(StDiffFix);
      state_q[StDiffFix]: after = last_pass ? to(StDiffIn) : to(StDiffFix);
      state_q[StDiffIn]: after = to(StInverseIn);
      state_q[StInverseIn]: after = to(StFactor);
      state_q[StFactor]: after = to(StLastInit);
      state_q[StCopyQ]: after = to(StWideInit);
      state_q[StWideInit]: after = to(StWide);
      state_q[StWide]: after = to(StWideSum);
      state_q[StWideSum]: after = to(StIdle);
      default: after = to(StWipe);
    endcase
  end

  assign after_multiply = (sliding_q && zeros_q != '0) ? to(StZeros) : to(StNext);

  // Products, passes and bits of the exponent end in their own steps alone, or after an abort in a
  // wipe.
  assign step_end =
      leave_q || (Crt && state_q[StWideInit] && rows_settled && !rows_restart_q) ||
      (!state_q[StWipe] && (pass_done || taken_q || product_done ||
                            (look_up_done_i && look_up_ends_q)));

  always_ff @(posedge clk_i) after_q <= after;

  initial begin  // one of the states from the first moment on
    state_q = to(StWipe);
    after_q = to(StWipe);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= to(StWipe);
      start_q <= 1'b0;
      wipe_q <= 1'b0;
      wipe_last_q <= 1'b0;
      leave_q <= 1'b0;
      failed_q <= 1'b0;
      busy_q <= 1'b1;
      end_q <= 1'b0;
      wipe_o <= 1'b1;
      wipe_addr_o <= '0;
      precomputing_q <= 1'b0;
      running_q <= 1'b0;
      error_q <= ErrorNone;
      wipe_addr_q <= '0;
      warm_q <= 1'b0;
      result_q <= 1'b0;
      rows_restart_q <= 1'b0;
      power_q <= '0;
      power_bit_q <= '0;
      doublings_q <= '0;
      pass_q <= '0;
      half_q <= 1'b0;
      entry_q <= '0;
      squarings_q <= '0;
      zeros_q <= '0;
      odd_entry_q <= '0;
      repeats_q <= '0;
      first_q <= 1'b0;
      from_base_q <= 1'b0;
      selected_q <= 1'b0;
      issued_q <= 1'b0;
      settled_q <= 1'b0;
      first_look_up_q <= 1'b0;
      combining_q <= 1'b0;
      wide_q <= 1'b0;
      look_up_q <= 1'b0;
      look_up_again_q <= 1'b0;
      look_up_half_q <= 1'b0;
    end else begin
      if (modulus_changed_i) begin
        warm_q <= 1'b0;
        result_q <= 1'b0;
      end
      start_q <= start;
      wipe_q <= wipe;
      wipe_last_q <= wipe_last;
      leave_q <= start || wipe || wipe_last;  // StIdle, or StWipe
      failed_q <= (state_q[StIdle] && start_q && config_error_q != ErrorNone) ||
                  (state_q[StCheck] && alu_done_q && check_error != ErrorNone) ||
                  (state_q[StDiffFix] && alu_done_q && last_pass && alu_negative_i);
      busy_q <= start || wipe || start_q || wipe_q || !state_q[StIdle];
      end_q <= (result_end && !stop) || wipe_last_q;
      wipe_o <= state_q[StWipe];
      wipe_addr_o <= wipe_addr_q;
      settled_q <= !(half_done || taken_q || failed_q || (look_up_end && issued_q) ||
                     (state_q[StIdle] || state_q[StWipe] || state_q[StWideInit]));

      if (alu_start_q) issued_q <= 1'b1;
      if (alu_done_q) issued_q <= 1'b0;
      if (half_done && both_q) half_q <= !half_q;

      look_up_again_q <= look_up_done_i && !look_up_end;
      if (look_up_done_i) look_up_half_q <= !look_up_end;
      look_up_q <= look_up_begin;
      if (mul_accept && ask_q.mul.look_up) selected_q <= 1'b0;
      if (look_up_end) selected_q <= 1'b1;

      // The constants end where the first product or pass of the exponentiation begins.
      if (mul_begin_i || (alu_start_q && state_q[StOne])) precomputing_q <= 1'b0;
      if (start) precomputing_q <= 1'b1;
      running_q <= start || operation;

      rows_restart_q <= length_changed_i;

      unique case (1'b1)
        state_q[StWipe]: begin
          wipe_addr_q <= wipe_addr_q + 1'b1;
          precomputing_q <= 1'b0;
          first_look_up_q <= 1'b0;
          warm_q <= 1'b0;
          result_q <= 1'b0;
          issued_q <= 1'b0;
          half_q <= 1'b0;
          look_up_half_q <= 1'b0;
          look_up_again_q <= 1'b0;
          odd_entry_q <= '0;
          repeats_q <= '0;
        end

        state_q[StIdle]: begin
          combining_q <= 1'b0;
          wide_q <= 1'b0;
          selected_q <= 1'b0;
          if (wide_q) rows_restart_q <= 1'b1;
          if (start_q) begin
            error_q <= config_error_q;
            result_q <= 1'b0;
          end else if (wipe_q) begin
            error_q <= ErrorNone;
          end
        end

        state_q[StCheck]: if (alu_done_q) error_q <= check_error;

        // N' = W^-(1+D) mod N

        state_q[StScaleInit]: pass_q <= PassBits'(UnscalePasses - 1);

        state_q[StScale]: if (pass_done) pass_q <= pass_q - 1'b1;

        // 2^b * R mod N

        state_q[StPowerInit]: begin
          pass_q <= PassBits'(FirstDoublings - 1);
          doublings_q <= doublings;
          power_q <= PowerBits'(rows - RowBits'(Delay)) << SplitBits;
          power_bit_q <= ($bits(power_bit_q))'(PowerBits - 1);
        end

        state_q[StPower]: begin
          if (!power_q[PowerBits-1]) begin
            power_q <= power_q << 1;
            power_bit_q <= power_bit_q - 1'b1;
          end
          if (pass_done) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass || Narrow) begin
              pass_q <= PassBits'(WordBits - 1);
              doublings_q <= doublings_q - 1'b1;
            end
          end
        end

        state_q[StPowerEnd]: first_q <= 1'b1;

        state_q[StSquareR2]:
          if (product_done) begin
            first_q <= 1'b0;
            power_q <= power_q << 1;
            power_bit_q <= power_bit_q - 1'b1;
          end

        state_q[StBase]: begin
          warm_q <= 1'b1;
          first_q <= 1'b1;
          from_base_q <= 1'b1;
          entry_q <= sliding_q ? 6'd1 : 6'd2;
        end

        state_q[StTable]:
          if (product_done) begin
            from_base_q <= 1'b0;
            entry_q <= entry_q + 1'b1;
          end

        state_q[StNext]:
          if (taken_q && !taken_none_q) begin
            squarings_q <= exponent_taken_count_i;
            if (sliding_q) zeros_q <= 3'd1;
            else if (!first_q) first_q <= 1'b1;
            else if (tabled_q) from_base_q <= 1'b0;
            else first_q <= !taken_one_q;  // zeros before the highest one; that one is x
          end

        state_q[StMore]:
          if (taken_q) begin
            from_base_q <= 1'b0;
            first_q <= 1'b1;
            squarings_q <= exponent_taken_count_i + 3'd1 - trailing_zeros_q;
            zeros_q <= trailing_zeros_q;
            odd_entry_q <= exponent_value_i >> trailing_zeros_q >> 1;
          end

        state_q[StFirst]: begin
          if (look_up_begin) issued_q <= 1'b1;
          first_q <= 1'b0;
          first_look_up_q <= 1'b1;
          if (look_up_end) begin
            issued_q <= 1'b0;
            first_look_up_q <= 1'b0;
          end
        end

        state_q[StSquare]:
          if (product_done) begin
            first_q <= 1'b0;
            from_base_q <= 1'b0;
            squarings_q <= squarings_q - 1'b1;
          end

        state_q[StZeros]: if (product_done) zeros_q <= zeros_q - 1'b1;

        state_q[StBit]: begin
          first_q <= 1'b0;
          from_base_q <= 1'b0;
        end

        state_q[StBitSelect]: begin
          if (look_up_begin) issued_q <= 1'b1;
          if (look_up_end) issued_q <= 1'b0;
        end

        state_q[StCount]:
          if (taken_q) begin
            if (!taken_none_q) begin
              repeats_q <= {repeats_q[30:0], taken_one_q};
            end else begin
              first_q <= repeats_q == '0;
              repeats_q <= repeats_q - 32'd1;
            end
          end

        state_q[StRepeat]:
          if (product_done) begin
            from_base_q <= 1'b0;
            repeats_q <= repeats_q - 32'd1;
          end

        state_q[StUnscale]: if (pass_done) pass_q <= pass_q - 1'b1;

        state_q[StRestore]: if (pass_done) result_q <= !crt;

        state_q[StDiff]: begin
          combining_q <= 1'b1;
          pass_q <= PassBits'(1);
        end

        state_q[StDiffFix]:
          if (alu_done_q) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass && alu_negative_i) error_q <= ErrorModulusSize;
          end

        state_q[StCopyQ]:
          if (alu_done_q) begin
            wide_q <= 1'b1;
            rows_restart_q <= 1'b1;
          end

        state_q[StWideSum]: if (alu_done_q) result_q <= 1'b1;

        default: ;
      endcase

      if ((state_q[StLastInit] || state_q[StLast])) pass_q <= PassBits'(UnscalePasses - 1);
      if (state_q[StBase]) repeats_q <= '0;

      if (step_end) state_q <= after_q;
      if (stop) begin
        if (!failed_q) error_q <= ErrorAborted;
        state_q <= to(StWipe);
      end

      // What a design without the scheme has no use for, in words that synthesis understands.
      if (!Schemes[SchemeRepeated]) repeats_q <= '0;
      if (!Schemes[SchemeSlidingWindow]) begin
        zeros_q <= '0;
        odd_entry_q <= '0;
      end
      if (!Crt) begin
        half_q <= 1'b0;
        combining_q <= 1'b0;
        wide_q <= 1'b0;
        look_up_half_q <= 1'b0;
        look_up_again_q <= 1'b0;
      end
    end
  end

  assign operand_words_o = operand_length_q;
  assign digits_o = IndexBits'(rows - RowBits'(Delay));
  assign words_o = words_q;
  assign window_o = window_q;
  assign busy_o = busy_q;
  assign end_o = end_q;
  assign error_o = error_q;
  assign warm_o = warm_q;
  assign result_o = result_q;
  assign exponent_rewind_o = state_q[StCheck];
  assign precomputing_o = precomputing_q;
  assign exponentiating_o = running_q && !precomputing_q;

endmodule
