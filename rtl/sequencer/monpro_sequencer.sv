// Exponentiation over a Montgomery multiplier: r = x^e mod N; with CRT r = c^d mod p * q.
//
// With W = 2^WordBits, D = Delay, s = words, R = W^K the multiplier's Montgomery factor,
// K = rows - D, [x, y] the product x * y / R, and "pass" a pass of monpro_alu, s + 5 cycles each,
// start to start:
//
//   StCheck       1 pass: N odd and of its size, x < N (with CRT: qInv < p)
//   a cold key:
//   StScale*      N' = W^-(1+D) mod N: 1, halved WordBits * (1 + D) times modulo N
//   StPower*      2^b * R mod N, b = WordBits / PowerSplit: the power of two below N, doubled
//                 WordBits * (rows - s + 2) + 2 + b times modulo N
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
//   StUnscale     halved WordBits * (1 + D) times modulo N: below 2N
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
  parameter  int unsigned WordBits   = 17,
  parameter  int unsigned Elements   = 16,    // the multiplier's rows are a multiple of this
  parameter  int unsigned Delay      = 0,     // of the multiplier
  parameter  int unsigned MinBits    = 128,
  parameter  int unsigned MaxBits    = 4096,
  parameter  int unsigned TableWords = 8192,
  parameter  int unsigned TableBanks = 1,
  parameter  bit [5:0]    Schemes    = 6'h3F,
  parameter  bit          Crt        = 1'b0,
  localparam int unsigned IndexBits  = index_bits(MaxBits, WordBits, Elements, Delay, Crt),
  localparam int unsigned BitBits    = $clog2(WordBits),
  localparam int unsigned WipeBits   = wipe_bits(TableWords / TableBanks, IndexBits, Crt)
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
  output logic [IndexBits-1:0] words_o,            // of this step: see the next two
  output logic [IndexBits-1:0] operand_words_o,    // s
  output logic [IndexBits-1:0] digits_o,           // K
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
  output logic [IndexBits-1:0] alu_const_word_o,
  output logic [BitBits-1:0]   alu_const_bit_o,
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

  localparam int unsigned RowBits = IndexBits + $clog2(Elements) + 1;
  localparam int unsigned PassBits = $clog2(WordBits * (1 + Delay) + 2);
  localparam int unsigned UnscalePasses = WordBits * (1 + Delay) / pass_halvings(WordBits, Delay);
  // A smaller power to begin with saves doublings and costs squarings, which are cheap where words
  // are wide.
  localparam int unsigned SplitBits = (WordBits > 18) ? 2 : 0;
  localparam int unsigned PowerBits = RowBits + SplitBits;
  localparam int unsigned FirstDoublings = 2 + ((SplitBits != 0) ? WordBits >> SplitBits : 0);
  localparam int unsigned LastDoublings = (SplitBits != 0) ? 2 : 3;  // words of them

  state_e state_q;
  error_e error_q;
  logic [WipeBits-1:0] wipe_addr_q;
  logic warm_q, result_q;
  logic [IndexBits-1:0] operand_length, words_q;  // of the configuration, a cycle later
  logic [RowBits-1:0] rows_q, row_words;     // multiple of Elements, at least row_words
  logic [PowerBits-1:0] power;               // PowerSplit * K
  logic [$clog2(PowerBits)-1:0] power_bit_q;  // bits of power still to come
  logic [RowBits-1:0] doublings_q;           // WordBits each
  logic [PassBits-1:0] pass_q;               // passes left, less one
  logic half_q;                              // of the step
  logic [5:0] entry_q;
  logic [2:0] squarings_q, zeros_q, window;
  logic [5:0] odd_entry_q;                   // sliding window: entry of the bits last taken
  logic [31:0] repeats_q;
  logic first_q;                             // of this loop, nothing yet
  logic from_base_q;                         // the running value is still in WorkBase
  logic selected_q;                          // WorkSel holds the entry of the bits last taken
  logic issued_q;                            // the pass, or what else this state does, has begun
  logic combining_q;                         // CRT: past StDiff
  logic wide_q;                              // CRT: past StWideInit

  // ---- configuration

  logic crt, sliding, right_to_left, ladder, repeated, tabled, selecting, short_path;
  error_e config_error;

  assign crt = Crt && crt_i;
  assign sliding = Schemes[SchemeSlidingWindow] && scheme_i == SchemeSlidingWindow;
  assign right_to_left = Schemes[SchemeRightToLeft] && scheme_i == SchemeRightToLeft;
  assign ladder = Schemes[SchemeLadder] && scheme_i == SchemeLadder;
  assign repeated = Schemes[SchemeRepeated] && scheme_i == SchemeRepeated;
  assign short_path = scheme_i == SchemeBinary && public_i;
  assign tabled = !(short_path || sliding || repeated);  // entries 0 and up, all powers
  assign selecting = !(short_path || repeated);          // multiplies by what was looked up

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
    .length_i,
    .bits_i,
    .scheme_i,
    .window_i,
    .public_i,
    .crt_i,
    .loaded_i,
    .length_ok_o,
    .window_o(window),
    .error_o (config_error)
  );

  // ---- lengths: rows_q is there a few cycles after its cause

  always_ff @(posedge clk_i) begin
    operand_length <= IndexBits'(length_i) + IndexBits'(1 + Delay);
    words_q <= (Crt && wide_q) ? digits_o : operand_length;
  end

  assign row_words = (Crt && wide_q) ? RowBits'(length_i) << 1 : RowBits'(operand_length);
  assign power = PowerBits'(rows_q - RowBits'(Delay)) << SplitBits;

  // ---- what the steps ask of the units

  logic pass, product, step_half, both, half_done, pass_done, product_done, mul_accept;
  logic last_pass, last_half, no_ones;

  assign no_ones = first_q;
  assign last_pass = pass_q == '0;
  assign step_half = half_q || state_q == StCopyQ;
  assign both = crt && !combining_q;
  assign last_half = !both || half_q;

  product_t step_product;

  always_comb begin
    mul_product_o = step_product;
    mul_product_o.look_up = state_q == StSquare && first_q && selecting && last_half;
  end

  monpro_steps #(
    .WordBits (WordBits),
    .IndexBits(IndexBits),
    .Delay    (Delay)
  ) u_steps (
    .state_i    (state_q),
    .scheme_i,
    .public_i,
    .crt_i      (crt),
    .table_i    (selecting),
    .half_i     (Crt && step_half),
    .first_i    (first_q),
    .no_ones_i  (no_ones),
    .from_base_i(from_base_q),
    .last_pass_i(last_pass),
    .entry_i    (entry_q),
    .words_i    (words_o),
    .pass_o     (pass),
    .alu_op_o,
    .alu_source_o,
    .alu_other_o,
    .alu_other_half_o,
    .alu_target_o,
    .alu_to_scaled_o,
    .alu_wide_o,
    .alu_const_word_o,
    .alu_const_bit_o,
    .multiply_o (product),
    .product_o  (step_product)
  );

  // A pass begins when no product is in flight any more.
  assign alu_o = pass && !mul_busy_i;
  assign alu_start_o = alu_o && !issued_q;
  assign alu_half_o = Crt && step_half;
  assign pass_done = alu_done_i && last_half;

  always_comb begin
    unique case (state_q)
      StMultiply: mul_valid_o = !selecting || selected_q;
      StLast: mul_valid_o = !issued_q;
      default: mul_valid_o = product;
    endcase
  end

  assign mul_accept = mul_valid_o && mul_ready_i;
  assign product_done = mul_accept && last_half;
  assign half_done = mul_accept || alu_done_i;

  // ---- look-ups
  //
  // The look-up into WorkSel may begin when the multiplication before has read it: when the next
  // product has started.

  logic look_up_begin, look_up_end, look_up_again_q, look_up_half_q;

  assign look_up_begin = (state_q inside {StFirst, StBitSelect} && !issued_q && !mul_busy_i) ||
                         mul_look_up_i;
  assign look_up_o = look_up_begin || (Crt && look_up_again_q);
  assign look_up_end = look_up_done_i && (!both || look_up_half_q);
  assign look_up_half_o = Crt && look_up_half_q;
  assign look_up_target_o = (state_q == StFirst) ? WorkAcc : WorkSel;
  assign look_up_public_o = sliding;
  assign look_up_entry_o = odd_entry_q;

  // ---- bits of the exponent

  logic [2:0] trailing_zeros;

  always_comb begin
    trailing_zeros = '0;
    for (int i = MaxWindow - 1; i >= 0; i--) begin
      if (exponent_value_i[i]) trailing_zeros = 3'(i);
    end
  end

  assign exponent_take_o = state_q inside {StNext, StMore, StBit, StCount} && !issued_q;
  assign exponent_append_o = state_q == StMore;

  always_comb begin
    exponent_count_o = 3'd1;
    if (state_q == StMore) exponent_count_o = window;
    else if (state_q == StNext && tabled) exponent_count_o = window;
  end

  // ---- control

  state_e after_constants, after_base, after_last;
  error_e check_error;
  logic operation, stop, taken, last_entry, result_end;

  assign operation = !(state_q inside {StIdle, StWipe});
  assign stop = abort_i && operation;
  assign taken = issued_q && exponent_taken_i;
  assign last_entry = entry_q == 6'((7'd1 << window) - 7'd1);

  always_comb begin
    check_error = ErrorNone;
    if (!alu_odd_i) check_error = ErrorModulusEven;
    else if (!alu_size_i) check_error = ErrorModulusSize;
    else if (!alu_below_i && !half_q) check_error = ErrorBaseRange;
  end

  always_comb begin
    if (crt) after_constants = StHighIn;
    else after_constants = tabled ? StOne : StBase;
  end

  always_comb begin
    if (right_to_left || ladder) after_base = StBit;
    else if (repeated) after_base = StCount;
    else if (sliding && window != 3'd0) after_base = StSquareBase;
    else if (tabled && window != 3'd1) after_base = StTable;
    else after_base = StNext;
  end

  always_comb begin
    if (!crt) after_last = StIdle;
    else after_last = combining_q ? StCopyQ : StDiff;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StWipe;
      error_q <= ErrorNone;
      wipe_addr_q <= '0;
      warm_q <= 1'b0;
      result_q <= 1'b0;
      rows_q <= '0;
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
      combining_q <= 1'b0;
      wide_q <= 1'b0;
      look_up_again_q <= 1'b0;
      look_up_half_q <= 1'b0;
    end else begin
      if (modulus_changed_i) begin
        warm_q <= 1'b0;
        result_q <= 1'b0;
      end
      if (alu_start_o) issued_q <= 1'b1;
      if (alu_done_i) issued_q <= 1'b0;
      if (half_done && both) half_q <= !half_q;

      look_up_again_q <= look_up_done_i && !look_up_end;
      if (look_up_done_i) look_up_half_q <= !look_up_end;
      if (look_up_begin) selected_q <= 1'b0;
      if (look_up_end) selected_q <= 1'b1;

      if (length_changed_i || (state_q == StIdle && start_i)) rows_q <= RowBits'(Elements);
      else if (rows_q < row_words + RowBits'(Delay)) rows_q <= rows_q + RowBits'(Elements);

      unique case (state_q)
        StWipe: begin
          wipe_addr_q <= wipe_addr_q + 1'b1;
          warm_q <= 1'b0;
          result_q <= 1'b0;
          issued_q <= 1'b0;
          half_q <= 1'b0;
          look_up_half_q <= 1'b0;
          look_up_again_q <= 1'b0;
          odd_entry_q <= '0;
          repeats_q <= '0;
          if (&wipe_addr_q) state_q <= StIdle;
        end

        StIdle: begin
          combining_q <= 1'b0;
          wide_q <= 1'b0;
          if (wide_q) rows_q <= RowBits'(Elements);
          if (start_i) begin
            error_q <= config_error;
            result_q <= 1'b0;
            state_q <= (config_error == ErrorNone) ? StCheck : StWipe;
          end else if (wipe_i) begin
            error_q <= ErrorNone;
            state_q <= StWipe;
          end
        end

        StCheck:
          if (alu_done_i) begin
            error_q <= check_error;
            if (check_error != ErrorNone) state_q <= StWipe;
            else if (last_half) state_q <= warm_q ? after_constants : StScaleInit;
          end

        // N' = W^-(1+D) mod N

        StScaleInit: begin
          pass_q <= PassBits'(UnscalePasses - 1);
          if (pass_done) state_q <= StScale;
        end

        StScale:
          if (pass_done) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass) state_q <= StPowerInit;
          end

        // 2^b * R mod N

        StPowerInit: begin
          pass_q <= PassBits'(FirstDoublings - 1);
          doublings_q <= rows_q - RowBits'(operand_length) + RowBits'(LastDoublings);
          power_bit_q <= ($bits(power_bit_q))'(PowerBits - 1);
          if (pass_done) state_q <= StPower;
        end

        StPower: begin
          if (!power[power_bit_q]) power_bit_q <= power_bit_q - 1'b1;  // to the highest one bit
          if (pass_done) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass) begin
              pass_q <= PassBits'(WordBits - 1);
              doublings_q <= doublings_q - 1'b1;
              if (doublings_q == '0) state_q <= StPowerEnd;
            end
          end
        end

        StPowerEnd: begin
          first_q <= 1'b1;
          if (pass_done) state_q <= StSquareR2;
        end

        // R^2 mod N: power_bit_q bits of power are still to come

        StSquareR2:
          if (product_done) begin
            first_q <= 1'b0;
            power_bit_q <= power_bit_q - 1'b1;
            if (power[power_bit_q-1'b1]) state_q <= StMultiplyR2;
            else if (power_bit_q == 1) state_q <= after_constants;
          end

        StMultiplyR2:
          if (product_done) state_q <= (power_bit_q == '0) ? after_constants : StSquareR2;

        // CRT: c modulo p and q

        StHighIn: if (product_done) state_q <= StHighShift;
        StHighShift: if (product_done) state_q <= StLowIn;
        StLowIn: if (product_done) state_q <= StSum;
        StSum: if (pass_done) state_q <= StOne;

        // Into Montgomery form, and the table

        StOne: if (pass_done) state_q <= StEntry0;

        StEntry0: if (product_done) state_q <= StBase;

        StBase: begin
          warm_q <= 1'b1;
          first_q <= 1'b1;
          from_base_q <= 1'b1;
          entry_q <= sliding ? 6'd1 : 6'd2;
          if (product_done) state_q <= after_base;
        end

        StSquareBase: if (product_done) state_q <= StTable;

        StTable:
          if (product_done) begin
            from_base_q <= 1'b0;
            entry_q <= entry_q + 1'b1;
            if (last_entry) state_q <= StNext;
          end

        // The exponent, from its highest bit on

        StNext: begin
          issued_q <= 1'b1;
          if (taken) begin
            issued_q <= 1'b0;
            squarings_q <= exponent_taken_count_i;
            if (exponent_taken_count_i == '0) begin
              state_q <= StLastInit;
            end else if (sliding) begin
              // Zeros before the highest one are skipped.
              zeros_q <= 3'd1;
              if (exponent_value_i[0]) state_q <= StMore;
              else if (!first_q) state_q <= StZeros;
            end else if (!first_q) begin
              first_q <= 1'b1;
              state_q <= StSquare;
            end else if (tabled) begin
              from_base_q <= 1'b0;
              state_q <= StFirst;
            end else begin
              // Zeros before the highest one are skipped; that one is x itself.
              first_q <= !exponent_value_i[0];
            end
          end
        end

        StMore: begin
          issued_q <= 1'b1;
          if (taken) begin
            issued_q <= 1'b0;
            from_base_q <= 1'b0;
            first_q <= 1'b1;
            squarings_q <= exponent_taken_count_i + 3'd1 - trailing_zeros;
            zeros_q <= trailing_zeros;
            odd_entry_q <= exponent_value_i >> trailing_zeros >> 1;
            state_q <= first_q ? StFirst : StSquare;
          end
        end

        StFirst: begin
          if (look_up_begin) issued_q <= 1'b1;
          first_q <= 1'b0;
          if (look_up_end) begin
            issued_q <= 1'b0;
            if (ladder) state_q <= StLastInit;
            else state_q <= (sliding && zeros_q != '0) ? StZeros : StNext;
          end
        end

        StSquare:
          if (product_done) begin
            first_q <= 1'b0;
            from_base_q <= 1'b0;
            squarings_q <= squarings_q - 1'b1;
            if (squarings_q == 3'd1) begin
              state_q <= (selecting || exponent_value_i[0]) ? StMultiply : StNext;
            end
          end

        StMultiply:
          if (product_done) state_q <= (sliding && zeros_q != '0) ? StZeros : StNext;

        StZeros:
          if (product_done) begin
            zeros_q <= zeros_q - 1'b1;
            if (zeros_q == 3'd1) state_q <= StNext;
          end

        // A bit at a time

        StBit: begin
          issued_q <= 1'b1;
          first_q <= 1'b0;
          from_base_q <= 1'b0;
          if (taken) begin
            issued_q <= 1'b0;
            if (exponent_taken_count_i == '0) state_q <= ladder ? StFirst : StLastInit;
            else if (ladder || !public_i) state_q <= StBitSelect;
            else state_q <= exponent_value_i[0] ? StBitFirst : StBitSecond;
          end
        end

        StBitSelect: begin
          if (look_up_begin) issued_q <= 1'b1;
          if (look_up_end) begin
            issued_q <= 1'b0;
            state_q <= StBitFirst;
          end
        end

        StBitFirst: if (product_done) state_q <= StBitSecond;
        StBitSecond: if (product_done) state_q <= StBit;

        // Repeated

        StCount: begin
          issued_q <= 1'b1;
          if (taken) begin
            issued_q <= 1'b0;
            if (exponent_taken_count_i != '0) begin
              repeats_q <= {repeats_q[30:0], exponent_value_i[0]};
            end else begin
              first_q <= repeats_q == '0;
              repeats_q <= repeats_q - 32'd1;
              state_q <= (repeats_q[31:1] == '0) ? StLastInit : StRepeat;
            end
          end
        end

        StRepeat:
          if (product_done) begin
            from_base_q <= 1'b0;
            repeats_q <= repeats_q - 32'd1;
            if (repeats_q == 32'd1) state_q <= StLastInit;
          end

        // Out of Montgomery form

        StLastInit: if (pass_done) state_q <= no_ones ? StUnscale : StLast;

        StLast:
          if (product_done) issued_q <= 1'b1;
          else if (issued_q && !mul_busy_i) begin
            issued_q <= 1'b0;
            state_q <= StUnscale;
          end

        StUnscale:
          if (pass_done) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass) state_q <= StSub;
          end

        StSub: if (pass_done) state_q <= StRestore;

        StRestore:
          if (pass_done) begin
            result_q <= !crt;
            state_q <= after_last;
          end

        // CRT: recombination

        StDiff: begin
          combining_q <= 1'b1;
          pass_q <= PassBits'(1);
          if (alu_done_i) state_q <= StDiffFix;
        end

        StDiffFix:  // m_q may be as large as 2p: primes of one length
          if (alu_done_i) begin
            pass_q <= pass_q - 1'b1;
            if (last_pass) state_q <= StDiffIn;
            if (last_pass && alu_negative_i) begin
              error_q <= ErrorModulusSize;
              state_q <= StWipe;
            end
          end

        StDiffIn: if (mul_accept) state_q <= StInverseIn;
        StInverseIn: if (mul_accept) state_q <= StFactor;
        StFactor: if (mul_accept) state_q <= StLastInit;

        StCopyQ: begin
          if (alu_done_i) begin
            wide_q <= 1'b1;
            rows_q <= RowBits'(Elements);
            state_q <= StWideInit;
          end
        end

        StWideInit: if (rows_q >= row_words + RowBits'(Delay)) state_q <= StWide;

        StWide: if (mul_accept) state_q <= StWideSum;

        StWideSum:
          if (alu_done_i) begin
            result_q <= 1'b1;
            state_q <= StIdle;
          end

        default: state_q <= StWipe;
      endcase

      if (state_q inside {StLastInit, StLast}) pass_q <= PassBits'(UnscalePasses - 1);
      if (state_q == StBase) repeats_q <= '0;

      if (stop) begin
        error_q <= ErrorAborted;
        state_q <= StWipe;
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

  assign operand_words_o = operand_length;
  assign digits_o = IndexBits'(rows_q - RowBits'(Delay));
  assign words_o = words_q;
  assign window_o = window;
  assign busy_o = state_q != StIdle;
  assign end_o = (result_end && !stop) || (state_q == StWipe && &wipe_addr_q);
  assign error_o = error_q;
  assign warm_o = warm_q;
  assign result_o = result_q;
  assign wipe_o = state_q == StWipe;
  assign wipe_addr_o = wipe_addr_q;
  assign exponent_rewind_o = state_q == StCheck;

  assign result_end = (state_q == StRestore && pass_done && !crt) ||
                      (state_q == StWideSum && alu_done_i);

  // What waits for the last product of R^2 still belongs to the constants.
  logic waiting;
  assign waiting = (state_q == StOne && !crt && !issued_q && mul_busy_i) ||
                   (state_q == after_constants && product && !half_q && !mul_ready_i);
  assign precomputing_o = waiting || state_q inside {StCheck, StScaleInit, StScale, StPowerInit,
                                                     StPower, StPowerEnd, StSquareR2,
                                                     StMultiplyR2};
  assign exponentiating_o = operation && !precomputing_o;

endmodule
