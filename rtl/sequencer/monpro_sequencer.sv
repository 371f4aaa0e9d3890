// Modular exponentiation over a Montgomery multiplier: r = x^e mod N.
//
// With W = 2^WordBits, s = words, R = W^rows the multiplier's Montgomery factor, [x, y] the product
// x * y / R, and "pass" a pass of monpro_alu, s + 4 cycles each, start to start:
//
//   StCheck      1 pass: N odd and of its size, x < N
//   a cold key:
//   StScale*     N' = W^-1 mod N: 1, halved WordBits times modulo N
//   StPower*     W * R mod N: the power of two below N, doubled WordBits * (rows - s + 3) + 2 times
//                modulo N
//   StSquareR2,  R^2 mod N, which is W^rows in Montgomery form, from left to right over the bits of
//   StMultiplyR2 rows
//   by table, for a window of k bits:
//   StOne to     entries [1, R^2], [x, R^2], and each further one [x * R, the one before]
//   StTable
//   StNext to    the first k bits choose the first value; then for each k bits (the last may be
//   StMultiply   fewer) as many squarings and one multiplication by the chosen entry, also when
//                that is 1
//   or, when the exponent is public and the scheme binary:
//   StBase       [x, R^2]
//   StNext to    from the highest one bit on: a squaring for each bit, a multiplication for a one
//   StMultiply
//   either way:
//   StLast*      [a, W], out of Montgomery form; below W * N or equal
//   StUnscale    halved WordBits times modulo N: below 2N
//   StSub,       minus N, plus N again if that was negative
//   StRestore
//
// Products follow each other without a gap, and look-ups run beside the squarings. With a secret
// exponent the sequence of steps, addresses and cycles follows from words, bits, window and warm
// alone. python/monpro/models has the cycles as a formula; the tests assert it.
//
// An error, an abort, a reset and wipe_i lead to StWipe, in which every memory and every register
// that held a word is zeroed.
module monpro_sequencer
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
#(
  parameter  int unsigned WordBits   = 17,
  parameter  int unsigned RowStep    = 16,    // the multiplier's rows are a multiple of this
  parameter  int unsigned MinBits    = 128,
  parameter  int unsigned MaxBits    = 4096,
  parameter  int unsigned TableWords = 8192,
  localparam int unsigned MaxWords   = operand_words(MaxBits, WordBits),
  localparam int unsigned IndexBits  = $clog2(MaxWords + 1),
  localparam int unsigned BitBits    = $clog2(WordBits),
  localparam int unsigned WipeBits   = wipe_bits(TableWords, IndexBits)
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
  input  logic                 loaded_i,           // every operand is there
  input  logic                 modulus_changed_i,  // what was precomputed is void
  output logic                 length_ok_o,
  output logic [IndexBits-1:0] words_o,            // of an operand: length_i + 1
  output logic [2:0]           window_o,           // 1 for binary with a secret exponent
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
  output alu_op_e              alu_op_o,
  output logic [IndexBits-1:0] alu_const_word_o,
  output logic [BitBits-1:0]   alu_const_bit_o,
  output work_e                alu_source_o,
  output work_e                alu_target_o,
  output logic                 alu_to_scaled_o,  // the pass writes N' instead of alu_target_o
  input  logic                 alu_done_i,
  input  logic                 alu_below_i,
  input  logic                 alu_odd_i,
  input  logic                 alu_size_i,

  output logic     mul_valid_o,
  input  logic     mul_ready_i,
  output product_t mul_product_o,
  output logic     mul_context_o,
  input  logic     mul_busy_i,

  output logic       exponent_rewind_o,
  output logic       exponent_take_o,
  output logic [2:0] exponent_count_o,
  input  logic       exponent_taken_i,
  input  logic [2:0] exponent_taken_count_i,
  input  logic       exponent_bit_i,         // lowest bit taken; used only when public_i

  output logic  look_up_o,
  output work_e look_up_target_o,
  input  logic  look_up_done_i
);

  localparam int unsigned MinLength = modulus_words(MinBits, WordBits);
  localparam int unsigned MaxLength = modulus_words(MaxBits, WordBits);
  localparam int unsigned RowBits = $clog2(MaxWords + RowStep + 1);

  typedef enum logic [4:0] {
    StWipe, StIdle, StCheck,
    StScaleInit, StScale, StPowerInit, StPower, StPowerEnd, StSquareR2, StMultiplyR2,
    StOne, StEntry0, StBase, StTable, StNext, StFirst, StSquare, StMultiply,
    StLastInit, StLast, StUnscale, StSub, StRestore
  } state_e;

  state_e state_q;
  error_e error_q;
  logic [WipeBits-1:0] wipe_addr_q;
  logic warm_q, result_q;
  logic [IndexBits-1:0] words;
  logic [RowBits-1:0] rows_q;                // multiple of RowStep, at least words
  logic [$clog2(RowBits)-1:0] row_bit_q;     // bits of rows_q still to come
  logic [RowBits-1:0] doublings_q;           // WordBits each
  logic [BitBits-1:0] bit_q;                 // passes left, less one
  logic context_q;
  logic [5:0] entry_q;
  logic [2:0] squarings_q, window;
  logic tabled;                              // by the table: not the public short path
  logic first_q;                             // of this loop, nothing yet
  logic from_base_q;                         // the running value is still in WorkBase
  logic selected_q;                          // WorkSel holds the entry of the bits last taken
  logic issued_q;                            // the ALU pass of this state has begun

  // ---- configuration

  localparam int unsigned SizeBits = WipeBits + MaxWindow;
  logic [SizeBits-1:0] table_words;
  logic length_ok, table_ok;
  error_e config_error, check_error;

  assign words = IndexBits'(length_i) + 1'b1;
  assign tabled = !(scheme_i == SchemeBinary && public_i);
  assign window = (scheme_i == SchemeBinary) ? 3'd1 : window_i;
  assign length_ok = length_i >= 12'(MinLength) && length_i <= 12'(MaxLength);
  assign table_words = (SizeBits)'(words) << window;
  assign table_ok = window != 3'd0 && window <= 3'(MaxWindow) &&
                    table_words <= (SizeBits)'(TableWords);

  always_comb begin
    config_error = ErrorNone;
    if (!length_ok) config_error = ErrorLength;
    else if (scheme_i != SchemeFixedWindow && scheme_i != SchemeBinary) config_error = ErrorScheme;
    else if (tabled && !table_ok) config_error = ErrorWindow;
    else if (bits_i == '0 || bits_i > 16'(MaxBits)) config_error = ErrorExponentLength;
    else if (!loaded_i) config_error = ErrorOperandMissing;
  end

  // ---- what the states ask of the units

  // A public exponent without a one bit: x^0 = 1, and W stands for 1 before it is halved.
  logic no_ones;
  assign no_ones = first_q;

  state_e after_constants;
  assign after_constants = tabled ? StOne : StBase;

  always_comb begin
    check_error = ErrorNone;
    if (!alu_odd_i) check_error = ErrorModulusEven;
    else if (!alu_size_i) check_error = ErrorModulusSize;
    else if (!alu_below_i) check_error = ErrorBaseRange;
  end

  always_comb begin
    alu_op_o = AluConst;
    alu_source_o = WorkAcc;
    alu_target_o = WorkAcc;
    alu_to_scaled_o = 1'b0;
    alu_const_word_o = '0;
    alu_const_bit_o = '0;
    unique case (state_q)
      StCheck: begin
        alu_op_o = AluCheck;
        alu_source_o = WorkBase;
      end
      StScale: begin
        alu_op_o = AluHalve;
        alu_to_scaled_o = bit_q == '0;
      end
      StPowerInit: begin
        alu_const_word_o = words - IndexBits'(3);
        alu_const_bit_o = BitBits'(WordBits - 2);
      end
      StPower: alu_op_o = AluDouble;
      StPowerEnd: begin
        alu_op_o = AluRestore;
        alu_target_o = WorkSel;
      end
      StOne: alu_target_o = WorkSel;
      StLastInit: begin
        alu_target_o = no_ones ? WorkAcc : WorkSel;
        alu_const_word_o = IndexBits'(1);
      end
      StUnscale: alu_op_o = AluHalve;
      StSub: alu_op_o = AluSub;
      StRestore: alu_op_o = AluRestore;
      default: ;
    endcase
  end

  // A pass begins when no product is in flight any more.
  logic alu_state;
  assign alu_state = state_q inside {StCheck, StScaleInit, StScale, StPowerInit, StPower,
                                     StPowerEnd, StOne, StLastInit, StUnscale, StSub, StRestore};
  assign alu_start_o = alu_state && !issued_q && !mul_busy_i;

  work_e running;
  logic mul_accept;
  assign running = from_base_q ? WorkBase : WorkAcc;

  always_comb begin
    mul_valid_o = 1'b1;
    mul_product_o = multiply(WorkAcc, WorkAcc, WorkAcc);
    unique case (state_q)
      StSquareR2:
        if (first_q) mul_product_o = multiply(WorkSel, WorkSel, WorkR2);
        else mul_product_o = multiply(WorkR2, WorkR2, WorkR2);
      StMultiplyR2: mul_product_o = multiply(WorkSel, WorkR2, WorkR2);
      StEntry0: mul_product_o = multiply_and_store(WorkSel, WorkR2, WorkAcc, 6'd0);
      StBase:
        if (tabled) mul_product_o = multiply_and_store(WorkBase, WorkR2, WorkBase, 6'd1);
        else mul_product_o = multiply(WorkBase, WorkR2, WorkBase);
      StTable: mul_product_o = multiply_and_store(WorkBase, running, WorkAcc, entry_q);
      StSquare: mul_product_o = multiply(running, running, WorkAcc);
      StMultiply: begin
        mul_valid_o = !tabled || selected_q;
        mul_product_o = multiply(tabled ? WorkSel : WorkBase, WorkAcc, WorkAcc);
      end
      StLast: begin
        mul_valid_o = !issued_q;
        mul_product_o = multiply(WorkSel, running, WorkAcc);
      end
      default: mul_valid_o = 1'b0;
    endcase
  end

  assign mul_accept = mul_valid_o && mul_ready_i;

  // The look-up into WorkSel may begin when the multiplication before has read it: when the next
  // product is accepted.
  assign look_up_o = (state_q == StFirst && !issued_q && !mul_busy_i) ||
                     (state_q == StSquare && mul_accept && first_q && tabled);
  assign exponent_take_o = state_q == StNext && !issued_q;
  assign exponent_count_o = tabled ? window : 3'd1;

  // ---- control

  logic operation, stop;
  assign operation = !(state_q inside {StIdle, StWipe});
  assign stop = abort_i && operation;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StWipe;
      error_q <= ErrorNone;
      wipe_addr_q <= '0;
      warm_q <= 1'b0;
      result_q <= 1'b0;
      rows_q <= '0;
      row_bit_q <= '0;
      doublings_q <= '0;
      bit_q <= '0;
      entry_q <= '0;
      squarings_q <= '0;
      first_q <= 1'b0;
      from_base_q <= 1'b0;
      selected_q <= 1'b0;
      issued_q <= 1'b0;
      context_q <= 1'b0;
    end else begin
      if (modulus_changed_i) begin
        warm_q <= 1'b0;
        result_q <= 1'b0;
      end
      if (alu_start_o) issued_q <= 1'b1;
      if (alu_done_i) issued_q <= 1'b0;
      if (look_up_o) selected_q <= 1'b0;
      if (look_up_done_i) selected_q <= 1'b1;
      if (mul_accept) context_q <= !context_q;

      unique case (state_q)
        StWipe: begin
          wipe_addr_q <= wipe_addr_q + 1'b1;
          warm_q <= 1'b0;
          result_q <= 1'b0;
          issued_q <= 1'b0;
          context_q <= 1'b0;
          if (&wipe_addr_q) state_q <= StIdle;
        end

        StIdle:
          if (start_i) begin
            error_q <= config_error;
            result_q <= 1'b0;
            rows_q <= RowBits'(RowStep);
            state_q <= (config_error == ErrorNone) ? StCheck : StWipe;
          end else if (wipe_i) begin
            error_q <= ErrorNone;
            state_q <= StWipe;
          end

        StCheck: begin
          if (rows_q < RowBits'(words)) rows_q <= rows_q + RowBits'(RowStep);
          if (alu_done_i) begin
            error_q <= check_error;
            state_q <= (check_error != ErrorNone) ? StWipe : warm_q ? after_constants : StScaleInit;
          end
        end

        // N' = W^-1 mod N

        StScaleInit: begin
          bit_q <= BitBits'(WordBits - 1);
          if (alu_done_i) state_q <= StScale;
        end

        StScale:
          if (alu_done_i) begin
            bit_q <= bit_q - 1'b1;
            if (bit_q == '0) state_q <= StPowerInit;
          end

        // W * R mod N

        StPowerInit: begin
          bit_q <= BitBits'(1);
          doublings_q <= rows_q - RowBits'(words) + RowBits'(3);
          row_bit_q <= ($bits(row_bit_q))'(RowBits - 1);
          if (alu_done_i) state_q <= StPower;
        end

        StPower: begin
          if (!rows_q[row_bit_q]) row_bit_q <= row_bit_q - 1'b1;  // ends at the highest one bit
          if (alu_done_i) begin
            bit_q <= bit_q - 1'b1;
            if (bit_q == '0) begin
              bit_q <= BitBits'(WordBits - 1);
              doublings_q <= doublings_q - 1'b1;
              if (doublings_q == '0) state_q <= StPowerEnd;
            end
          end
        end

        StPowerEnd: begin
          first_q <= 1'b1;
          if (alu_done_i) state_q <= StSquareR2;
        end

        // R^2 mod N = (W * R)^rows: row_bit_q bits of rows are still to come

        StSquareR2:
          if (mul_accept) begin
            first_q <= 1'b0;
            row_bit_q <= row_bit_q - 1'b1;
            if (rows_q[row_bit_q-1'b1]) state_q <= StMultiplyR2;
            else if (row_bit_q == 1) state_q <= after_constants;
          end

        StMultiplyR2:
          if (mul_accept) state_q <= (row_bit_q == '0) ? after_constants : StSquareR2;

        // Into Montgomery form, and the table

        StOne: if (alu_done_i) state_q <= StEntry0;

        StEntry0: if (mul_accept) state_q <= StBase;

        StBase: begin
          warm_q <= 1'b1;
          first_q <= 1'b1;
          from_base_q <= 1'b1;
          entry_q <= 6'd2;
          if (mul_accept) state_q <= (tabled && window != 3'd1) ? StTable : StNext;
        end

        StTable:
          if (mul_accept) begin
            from_base_q <= 1'b0;
            entry_q <= entry_q + 1'b1;
            if (entry_q == 6'((7'd1 << window) - 7'd1)) state_q <= StNext;
          end

        // The exponent, from its highest bit on

        StNext: begin
          issued_q <= 1'b1;
          if (issued_q && exponent_taken_i) begin
            issued_q <= 1'b0;
            squarings_q <= exponent_taken_count_i;
            if (exponent_taken_count_i == '0) begin
              state_q <= StLastInit;
            end else if (!first_q) begin
              first_q <= 1'b1;
              state_q <= StSquare;
            end else if (tabled) begin
              from_base_q <= 1'b0;
              state_q <= StFirst;
            end else begin
              // Zeros before the highest one are skipped; that one is x itself.
              first_q <= !exponent_bit_i;
            end
          end
        end

        StFirst: begin
          if (look_up_o) issued_q <= 1'b1;
          first_q <= 1'b0;
          if (look_up_done_i) begin
            issued_q <= 1'b0;
            state_q <= StNext;
          end
        end

        StSquare:
          if (mul_accept) begin
            first_q <= 1'b0;
            from_base_q <= 1'b0;
            squarings_q <= squarings_q - 1'b1;
            if (squarings_q == 3'd1) state_q <= (tabled || exponent_bit_i) ? StMultiply : StNext;
          end

        StMultiply: if (mul_accept) state_q <= StNext;

        // Out of Montgomery form

        StLastInit: if (alu_done_i) state_q <= no_ones ? StUnscale : StLast;

        StLast:
          if (mul_accept) issued_q <= 1'b1;
          else if (issued_q && !mul_busy_i) begin
            issued_q <= 1'b0;
            state_q <= StUnscale;
          end

        StUnscale:
          if (alu_done_i) begin
            bit_q <= bit_q - 1'b1;
            if (bit_q == '0) state_q <= StSub;
          end

        StSub: if (alu_done_i) state_q <= StRestore;

        StRestore:
          if (alu_done_i) begin
            result_q <= 1'b1;
            state_q <= StIdle;
          end

        default: state_q <= StWipe;
      endcase

      if (state_q inside {StLastInit, StLast}) bit_q <= BitBits'(WordBits - 1);

      if (stop) begin
        error_q <= ErrorAborted;
        state_q <= StWipe;
      end
    end
  end

  assign length_ok_o = length_ok;
  assign words_o = words;
  assign window_o = window;
  assign busy_o = state_q != StIdle;
  assign end_o = (state_q == StRestore && alu_done_i && !stop) ||
                 (state_q == StWipe && &wipe_addr_q);
  assign error_o = error_q;
  assign warm_o = warm_q;
  assign result_o = result_q;
  assign wipe_o = state_q == StWipe;
  assign wipe_addr_o = wipe_addr_q;
  assign alu_o = alu_state && !mul_busy_i;
  assign mul_context_o = context_q;
  assign exponent_rewind_o = state_q == StCheck;
  assign look_up_target_o = (state_q == StFirst) ? WorkAcc : WorkSel;

  // What waits for the last product of R^2 still belongs to the constants.
  assign precomputing_o = state_q inside {StCheck, StScaleInit, StScale, StPowerInit, StPower,
                                          StPowerEnd, StSquareR2, StMultiplyR2} ||
                          (state_q == StOne && !issued_q && mul_busy_i) ||
                          (state_q == StBase && !tabled && !mul_ready_i);
  assign exponentiating_o = operation && !precomputing_o;

endmodule
