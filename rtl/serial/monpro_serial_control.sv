// Exponentiation over a pair of serial multipliers: r = x^e mod N.
//
// With [x, y] a product, L its cycles from start to start, A the running value, s = LENGTH + 1
// words, "pass" one of monpro_serial_adder, s + 3 cycles:
//
//   StCheck       1 pass: N odd and of its size, x < N
//   a cold key:
//   StModulus     N into the multipliers; Montgomery: through monpro_inverse; Chunks + 7 cycles
//   Montgomery, with R = 2^K, K = n + 4:
//   StDouble*     2R mod N: 2^(n - 1), doubled modulo N n + 5 - (n - 1) = 6 times, two passes each
//   StPower       R^2 mod N, which is 2^K in Montgomery form, from 2R left to right over the bits of K:
//                 a squaring for each but the highest, a multiplication by 2R for each one
//   StKeep        R^2 is written: s + 3 cycles
//   then, for `bits` bits of the exponent; a public one is taken without its leading zeros:
//   StEnter       1 cycle. The rest by scheme; the first word of all that begins in a cycle comes two
//                 cycles later, so that products follow each other without a gap
//
//   right to left: the squaring multiplier makes S = x^(2^i), and while it squares one S the other
//                 multiplier makes [A, S] of it. Montgomery: S in Montgomery form, [x, R^2] first,
//                 and A = 1 outside of it, as [A, S * R] = A * S. bits + 1 products one after the
//                 other, without Montgomery bits
//   binary        left to right: [x, R^2] and at once [1, R^2], A is one of the two; for each further
//                 bit A = [A, A] and then [A, x * R] (public: for a one only), in the end [A, 1].
//                 Montgomery: 1 + 2 (bits - 1) + 1 products one after the other; without it
//                 1 + 2 (bits - 1), the first of them [1, x]
//   repeated      [x, x], and e - 2 times [A, x]; [1, x] for e below 2
//
//   StStore       A is written: s + 3 cycles
//   StReduce,     Montgomery: A < 2M < 8N becomes A mod N: minus 4N, 2N, N where possible, 6 passes
//   StFix
//
// Of two products a bit, right to left does both at once. Less than `bits` products one after the
// other no pair of multipliers can do, and a bit-serial product takes n cycles at least: at 1024
// bits a warm operation is within 1.1 % of that, without Montgomery within 3.5 %.
//
// A secret bit never decides what begins: a product is made for each, and its words or those before
// are taken by a mask. python/monpro/models/serial.py has the cycles as a formula.
//
// An error, an abort, a reset and wipe_i lead to StWipe, in which every memory and every register
// that held a word is zeroed, 2^AddrBits cycles.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_serial_control
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_serial_pkg::*;
#(
  parameter  bit          Montgomery = 1'b1,
  parameter  int unsigned MinBits    = 32,
  parameter  int unsigned MaxBits    = 1024,
  parameter  schemes_t    Schemes    = schemes_t'('h06),
  parameter  int unsigned Chunks     = 33,   // words that a stream has
  parameter  int unsigned LastShift  = 2,    // the result is below 2^(LastShift + 1) N
  parameter  bit          Reduces    = 1'b1, // it is not below N by itself
  parameter  int unsigned AddrBits   = 6,    // of the deepest memory
  localparam int unsigned IndexBits  = index_bits(MaxBits, 32, 1, 0, 1'b0),
  localparam int unsigned RowBits    = IndexBits + 6,
  localparam int unsigned CountBits  = count_bits(IndexBits, Chunks)
) (
  input  logic clk_i,
  input  logic rst_ni,

  // As monpro_core has them.
  input  logic        start_i,
  input  logic        wipe_i,
  input  logic        abort_i,
  input  logic [11:0] length_i,
  input  logic [15:0] bits_i,
  input  scheme_e     scheme_i,
  input  logic [2:0]  window_i,
  input  logic        public_i,
  input  logic        crt_i,
  input  logic        loaded_i,
  input  logic        modulus_changed_i,
  input  logic        wipes_i,
  output logic        length_ok_o,
  output logic        busy_o,
  output logic        end_o,
  output error_e      error_o,
  output logic        warm_o,
  output logic        result_o,
  output logic        precomputing_o,
  output logic        exponentiating_o,
  output logic                clearing_o,
  output logic                wipe_o,
  output logic [AddrBits-1:0] wipe_addr_o,

  input  logic [RowBits-1:0]  modulus_bits_i,   // as they were written
  input  logic                modulus_odd_i,
  input  logic [15:0]         exponent_bits_i,  // without leading zeros
  input  logic [31:0]         exponent_low_i,   // its lowest word
  input  logic                below_i,          // of the pass that has ended

  output step_t               step_o,
  output logic [CountBits-1:0] index_o,         // cycles since the step's
  output logic                modulus_o,        // N goes into the multipliers
  input  logic                square_i,         // a product's first word comes in two cycles
  input  logic                multiply_i,

  output logic        exponent_rewind_o,
  output logic [15:0] exponent_bits_o,
  output logic        exponent_take_o,
  input  logic        exponent_bit_i
);

  typedef enum logic [3:0] {
    StWipe, StIdle, StCheck, StModulus, StDouble, StDoubleFix, StPower, StKeep, StEnter, StFirst,
    StSquare, StMultiply, StLast, StStore, StReduce, StFix
  } state_e;

  localparam int unsigned Doublings = 6;
  localparam int unsigned ModulusCycles = modulus_cycles(Chunks);

  state_e state_q;
  error_e error_q;
  logic warm_q, result_q, issued_q, multiplied_q;
  logic clearing_q;               // the wipe that follows an operation; see monpro_sequencer
  logic result_end, clear_again;
  logic [AddrBits-1:0] wipe_addr_q;
  logic [CountBits-1:0] index_q, operand_length;
  logic [2:0] pass_q;             // doublings, or shifts, that are left
  logic [RowBits-1:0] power_q;    // K, its highest one bit at the top, then what is left of it
  logic [$clog2(RowBits)-1:0] power_left_q;  // bits below the highest
  logic [15:0] left_q, bits;      // bits of the exponent that are not used yet
  logic [31:0] repeats_q;

  // ---- configuration

  logic right_to_left, repeated, even, size_ok;
  error_e config_error;
  logic [2:0] unused_window;
  logic [RowBits-1:0] least, most;

  assign right_to_left = Schemes[SchemeRightToLeft] && scheme_i == SchemeRightToLeft;
  assign repeated = Schemes[SchemeRepeated] && scheme_i == SchemeRepeated;
  assign operand_length = CountBits'(length_i) + 1'b1;

  monpro_configuration #(
    .WordBits  (32),
    .Delay     (0),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .TableWords(4 << IndexBits),  // there is no table to be too small
    .TableBanks(1),
    .Schemes   (Schemes),
    .Crt       (1'b0),
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
    .window_o(unused_window),
    .error_o (config_error)
  );

  // Two bits stay free at the top of the modulus' highest word.
  assign most = (RowBits'(length_i) << 5) - RowBits'(2);
  assign least = most - RowBits'(31);
  assign even = !modulus_odd_i;
  assign size_ok = modulus_bits_i >= least && modulus_bits_i <= most;

  always_comb begin
    bits = bits_i;
    if (public_i) bits = (exponent_bits_i == '0) ? 16'd1 : exponent_bits_i;
  end

  // ---- what begins in this cycle

  logic stop, operation, pass_done, kept, last_bit, repeat_ends;
  logic power_bit, power_ends;

  assign operation = !(state_q inside {StIdle, StWipe});
  assign stop = abort_i && operation;
  assign pass_done = issued_q && index_q == operand_length + CountBits'(2);
  assign kept = index_q == operand_length + CountBits'(2);
  assign last_bit = left_q == 16'd1;
  assign repeat_ends = repeats_q[31:1] == '0;
  assign power_bit = power_q[RowBits-1] && !multiplied_q;
  assign power_ends = power_left_q == '0;

  step_t step;
  logic next_bit, finish;

  always_comb begin
    step = '{begins: 1'b0, square: 1'b0, square_x: FromBase, square_y: FromBase,
             multiply: 1'b0, multiply_x: FromRunning, multiply_y: FromBase, keep: KeepNothing,
             from_square: 1'b0, take: 1'b1, pass: PassNone, shift: 2'd0};
    next_bit = 1'b0;
    finish = 1'b0;
    unique case (state_q)
      StCheck: step.pass = PassCheck;
      StDouble: step.pass = (pass_q == 3'(Doublings - 1)) ? PassPower : PassDouble;
      StDoubleFix: step.pass = PassFixDouble;
      StReduce: step.pass = PassReduce;
      StFix: step.pass = PassFixReduce;

      StPower: begin
        step.square = !issued_q;
        step.square_x = FromConst;
        step.square_y = FromConst;
        if (issued_q) begin
          step.square_x = FromSquare;
          step.square_y = power_bit ? FromConst : FromSquare;
          step.square = square_i && (power_bit || !power_ends);
          if (square_i && !power_bit && power_ends) step.keep = KeepConst;
        end
      end

      StEnter: begin
        step.square_y = Montgomery ? FromConst : FromBase;
        step.multiply_x = FromOne;
        step.multiply_y = Montgomery ? FromConst : FromBase;
        if (repeated) begin
          step.square = !repeat_ends;
          step.multiply = repeat_ends;
        end else if (right_to_left) begin
          step.square = Montgomery || !last_bit;
          step.multiply = !Montgomery;
        end else begin
          step.square = Montgomery;
          step.multiply = 1'b1;
        end
      end

      // Montgomery: x * R is there, left to right also R.
      StFirst:
        if (square_i) begin
          step.from_square = 1'b1;
          if (right_to_left) begin
            step.multiply = 1'b1;
            step.multiply_x = FromOne;
            step.multiply_y = FromSquare;
            step.square = !last_bit;
            step.square_x = FromSquare;
            step.square_y = FromSquare;
          end else begin
            step.take = exponent_bit_i;
            step.keep = KeepBase;
            next_bit = 1'b1;
          end
        end

      StSquare:
        if (square_i) begin
          step.from_square = 1'b1;
          if (repeated || (public_i && !exponent_bit_i)) begin
            next_bit = 1'b1;
          end else begin
            step.multiply = 1'b1;
            step.multiply_x = FromSquare;
          end
        end

      StMultiply:
        if (multiply_i) begin
          step.take = repeated ? 1'b1 : exponent_bit_i;
          next_bit = 1'b1;
        end

      StLast:
        if (multiply_i) begin
          step.take = repeated ? repeats_q[0] : 1'b1;
          finish = 1'b1;
        end

      default: ;
    endcase

    // With A new: what comes next.
    if (next_bit) begin
      if (repeated) begin
        finish = repeat_ends;
        step.multiply = !repeat_ends;
      end else if (last_bit) begin
        finish = !Montgomery || right_to_left;
        step.multiply = Montgomery && !right_to_left;
        step.multiply_y = FromOne;
      end else if (right_to_left) begin
        step.multiply = 1'b1;
        step.multiply_y = FromSquare;
        step.square = left_q != 16'd2;
        step.square_x = FromSquare;
        step.square_y = FromSquare;
      end else begin
        step.square = 1'b1;
        step.square_x = FromRunning;
        step.square_y = FromRunning;
      end
    end
    if (finish) step.keep = KeepResult;

    step.shift = pass_q[1:0];
    if (!(state_q inside {StReduce, StFix})) step.shift = 2'd0;
    if (issued_q) step.pass = PassNone;
    step.begins = step.square || step.multiply || step.keep != KeepNothing ||
                  step.pass != PassNone || (state_q == StModulus && !issued_q);
  end

  assign step_o = step;
  assign index_o = index_q;
  assign modulus_o = state_q == StModulus;
  assign exponent_rewind_o = state_q == StCheck;
  assign exponent_bits_o = bits;
  assign exponent_take_o = state_q == StEnter || next_bit;

  // ---- control

  error_e check_error;

  always_comb begin
    check_error = ErrorNone;
    if (even) check_error = ErrorModulusEven;
    else if (!size_ok) check_error = ErrorModulusSize;
    else if (!below_i) check_error = ErrorBaseRange;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StWipe;
      error_q <= ErrorNone;
      wipe_addr_q <= '0;
      warm_q <= 1'b0;
      result_q <= 1'b0;
      clearing_q <= 1'b0;
      issued_q <= 1'b0;
      multiplied_q <= 1'b0;
      index_q <= '0;
      pass_q <= '0;
      power_q <= '0;
      power_left_q <= '0;
      left_q <= '0;
      repeats_q <= '0;
    end else begin
      if (modulus_changed_i) begin
        warm_q <= 1'b0;
        result_q <= 1'b0;
      end
      if (step.begins) index_q <= CountBits'(1);
      else if (index_q != '1) index_q <= index_q + 1'b1;
      if (step.begins) issued_q <= 1'b1;

      unique case (state_q)
        StWipe: begin
          wipe_addr_q <= wipe_addr_q + 1'b1;
          warm_q <= 1'b0;
          if (!clearing_q) result_q <= 1'b0;
          issued_q <= 1'b0;
          multiplied_q <= 1'b0;
          index_q <= '0;
          pass_q <= '0;
          power_q <= '0;
          power_left_q <= '0;
          left_q <= '0;
          repeats_q <= '0;
          if (&wipe_addr_q) begin
            clearing_q <= 1'b0;
            state_q <= StIdle;
          end
        end

        StIdle:
          if (start_i) begin
            error_q <= config_error;
            result_q <= 1'b0;
            state_q <= (config_error == ErrorNone) ? StCheck : StWipe;
          end else if (wipe_i) begin
            error_q <= ErrorNone;
            state_q <= StWipe;
          end

        StCheck: begin
          left_q <= bits;
          repeats_q <= exponent_low_i;
          if (pass_done) begin
            issued_q <= 1'b0;
            error_q <= check_error;
            if (check_error != ErrorNone) state_q <= StWipe;
            else state_q <= warm_q ? StEnter : StModulus;
          end
        end

        StModulus: begin
          pass_q <= 3'(Doublings - 1);
          power_q <= modulus_bits_i + RowBits'(4);
          power_left_q <= ($bits(power_left_q))'(RowBits - 1);
          if (issued_q && index_q == CountBits'(ModulusCycles - 1)) begin
            issued_q <= 1'b0;
            state_q <= Montgomery ? StDouble : StEnter;
          end
        end

        StDouble: begin
          if (!power_q[RowBits-1]) begin
            power_q <= power_q << 1;
            power_left_q <= power_left_q - 1'b1;
          end
          if (pass_done) begin
            issued_q <= 1'b0;
            state_q <= StDoubleFix;
          end
        end

        StDoubleFix: begin
          if (!power_q[RowBits-1]) begin
            power_q <= power_q << 1;
            power_left_q <= power_left_q - 1'b1;
          end
          if (pass_done) begin
            issued_q <= 1'b0;
            pass_q <= pass_q - 1'b1;
            multiplied_q <= 1'b0;
            state_q <= (pass_q == '0) ? StPower : StDouble;
          end
        end

        StPower:
          if (step.square) begin
            multiplied_q <= issued_q && power_bit;
            // The next bit is that of the squaring that begins.
            if (!(issued_q && power_bit)) begin
              power_q <= power_q << 1;
              power_left_q <= power_left_q - 1'b1;
            end
          end else if (step.keep != KeepNothing) begin
            state_q <= StKeep;
          end

        StKeep:
          if (kept) begin
            issued_q <= 1'b0;
            state_q <= StEnter;
          end

        StEnter: begin
          warm_q <= 1'b1;
          repeats_q <= repeats_q - 32'd1;
          if (repeated && repeat_ends) begin
            repeats_q <= repeats_q;
            state_q <= StLast;
          end else if (repeated) begin
            state_q <= StSquare;
          end else begin
            state_q <= Montgomery ? StFirst : StMultiply;
          end
        end

        StFirst: if (square_i) state_q <= right_to_left ? StMultiply : StSquare;
        StSquare: if (square_i) state_q <= StMultiply;
        StMultiply: if (multiply_i) state_q <= right_to_left ? StMultiply : StSquare;

        StStore: begin
          pass_q <= 3'(LastShift);
          if (kept) begin
            issued_q <= 1'b0;
            state_q <= Reduces ? StReduce : StIdle;
            result_q <= !Reduces;
          end
        end

        StReduce:
          if (pass_done) begin
            issued_q <= 1'b0;
            state_q <= StFix;
          end

        StFix:
          if (pass_done) begin
            issued_q <= 1'b0;
            pass_q <= pass_q - 1'b1;
            state_q <= StReduce;
            if (pass_q == '0) begin
              result_q <= 1'b1;
              state_q <= StIdle;
            end
          end

        default: ;
      endcase

      if (next_bit) begin
        left_q <= left_q - 1'b1;
        repeats_q <= repeats_q - 32'd1;
        if (repeated) state_q <= StMultiply;
        else if (last_bit) state_q <= StLast;
        else if (right_to_left) state_q <= StMultiply;
        else state_q <= StSquare;
      end
      if (finish) state_q <= StStore;
      if (!Schemes[SchemeRepeated]) repeats_q <= '0;

      if (result_end && wipes_i) begin
        clearing_q <= 1'b1;
        state_q <= StWipe;
      end
      if (stop || clear_again) begin
        if (abort_i) error_q <= ErrorAborted;
        clearing_q <= 1'b0;
        wipe_addr_q <= '0;
        state_q <= StWipe;
      end
    end
  end

  assign busy_o = state_q != StIdle;
  assign result_end = (state_q == StStore && kept && !Reduces) ||
                      (state_q == StFix && pass_done && pass_q == '0);
  assign clear_again = clearing_q && (wipe_i || abort_i);
  assign end_o = (state_q == StWipe && &wipe_addr_q && !clearing_q) || (!stop && result_end);
  assign error_o = error_q;
  assign warm_o = warm_q;
  assign result_o = result_q;
  assign clearing_o = clearing_q;
  assign wipe_o = state_q == StWipe;
  assign wipe_addr_o = wipe_addr_q;
  assign precomputing_o = state_q inside {StCheck, StModulus, StDouble, StDoubleFix, StPower,
                                                     StKeep};
  assign exponentiating_o = operation && !precomputing_o;

endmodule
