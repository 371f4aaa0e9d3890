// Types and size formulas that the coprocessor's modules share.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_pkg;

  import monpro_regs_enum_pkg::*;

  // Working slots of the operand memory, each as long as the longest operand. Named for what they
  // hold most of the time. With CRT a slot has two halves, the lower for p and the upper for q.
  typedef enum logic [2:0] {
    WorkAcc  = 3'd0,  // the running product; in the end the result
    WorkSel  = 3'd1,  // the table entry selected for the next multiplication; short-lived constants
    WorkR2   = 3'd2,  // R^2 mod N, kept from one operation to the next
    WorkBase = 3'd3,  // x, then x * R
    WorkInv  = 3'd4   // qInv; with CRT only
  } work_e;

  // Passes of the word-serial adder; see monpro_alu.
  typedef enum logic [3:0] {
    AluOne     = 4'd0,
    AluFactor  = 4'd1,
    AluPower   = 4'd2,
    AluHalve   = 4'd3,
    AluDouble  = 4'd4,
    AluSub     = 4'd5,
    AluRestore = 4'd6,
    AluCheck   = 4'd7,
    AluCopy    = 4'd8,
    AluAdd     = 4'd9,
    AluDiff    = 4'd10
  } alu_op_e;

  // A product dst = x * y / R, and where its result goes besides.
  typedef struct packed {
    work_e      x;
    work_e      y;
    work_e      dst;
    logic       half;    // with CRT: of the modulus, the result and the table,
    logic       x_half;  // and of the operands
    logic       y_half;
    logic       long_x;  // x has words up to the last digit
    logic       wide;    // the integer x * y, into both halves of dst
    logic       look_up; // its start is when the next look-up may begin
    logic       begins;  // its start ends the constants
    logic       store;   // also into the table,
    logic [5:0] entry;   // as this entry
  } product_t;

  // What a core is asked to do: commands, and the operation, which is static while it is busy.
  typedef struct packed {
    logic        start;
    logic        wipe;              // ignored while busy
    logic        stop;              // aborts, see monpro_sequencer
    logic [11:0] length;            // words of the modulus
    logic [15:0] bits;              // of the exponent
    scheme_e     scheme;
    logic [2:0]  window;
    logic        is_public;         // the exponent is no secret
    logic        crt;
    logic        loaded;            // every operand is there
    logic        length_changed;
    logic        modulus_changed;   // the constants of the modulus are void
    logic        wipes;             // it leaves nothing but the result
  } operation_t;

  // What a core says of itself.
  typedef struct packed {
    logic   length_ok;
    logic   busy;
    logic   ended;                  // pulse: an operation or a wipe has ended
    error_e error;                  // how it has ended
    logic   warm;                   // the constants of the modulus are there
    logic   result;                 // a result is there
    logic   wiping;
    logic   clearing;               // the wipe behind an operation: the result stays
    logic   precomputing;           // an operation runs, its constants are not there yet
    logic   exponentiating;         // an operation runs, its constants are there
    logic   product;                // pulse: a product was started
  } status_t;

  // What a word belongs to that is written into a core.
  typedef struct packed {
    logic modulus;
    logic base;
    logic inverse;
    logic half;                     // with CRT: it belongs to q
    logic exponent;
  } load_t;

  function automatic product_t multiply(work_e x, work_e y, work_e dst, logic half);
    return '{x: x, y: y, dst: dst, half: half, x_half: half, y_half: half,
             long_x: 1'b0, wide: 1'b0, look_up: 1'b0, begins: 1'b0,
             store: 1'b0, entry: '0};
  endfunction

  function automatic product_t multiply_and_store(work_e x, work_e y, work_e dst, logic half,
                                                  logic [5:0] entry);
    return '{x: x, y: y, dst: dst, half: half, x_half: half, y_half: half,
             long_x: 1'b0, wide: 1'b0, look_up: 1'b0, begins: 1'b0,
             store: 1'b1, entry: entry};
  endfunction

  // Halvings in a pass of the adder: wide digits make for short passes, and a stage for each costs
  // little beside their multipliers.
  function automatic int unsigned pass_halvings(int unsigned digit_bits, int unsigned delay);
    int unsigned all;
    all = digit_bits * (1 + delay);
    if (digit_bits <= 18) return 1;
    return (all % 8 == 0) ? 8 : (all % 4 == 0) ? 4 : (all % 2 == 0) ? 2 : 1;
  endfunction

  // value * factor without a multiplier block.
  function automatic int unsigned times(int unsigned value, int unsigned factor);
    int unsigned sum;
    sum = 0;
    for (int i = 0; i < 32; i++) begin
      if (factor[i]) sum += value << i;
    end
    return sum;
  endfunction

  // Multiplier blocks of an element: a block takes 18 x 18 bits, that of a 7-series 24 x 17 as well.
  function automatic int unsigned element_blocks(int unsigned word_bits, int unsigned digit_bits);
    if (word_bits <= 24 && digit_bits <= 17) return 1;
    return ((word_bits > 18) ? 2 : 1) * ((digit_bits > 18) ? 2 : 1);
  endfunction

  // Words of the shortest product of monpro_mul_word: what a row needs of itself is there in time.
  function automatic int unsigned word_min_words(int unsigned elements);
    return (elements == 1) ? 8 : 15;
  endfunction

  // Bits of the longest window.
  localparam int unsigned MaxWindow = 6;

  // Words of a modulus of `bits` bits: two bits stay free at the top.
  function automatic int unsigned modulus_words(int unsigned bits, int unsigned word_bits);
    return (bits + 2 + word_bits - 1) / word_bits;
  endfunction

  // Rows by which monpro_mul_<multiplier> uses a quotient digit late.
  function automatic int unsigned multiplier_delay(string multiplier);
    return (multiplier == "pipelined") ? 1 : 0;
  endfunction

  // Words of the operands of a product: one more, for the modulus scaled to -1 modulo the word, and
  // one for each row by which a quotient digit comes late (the multiplier's Delay).
  function automatic int unsigned operand_words(int unsigned bits, int unsigned word_bits,
                                                int unsigned delay);
    return modulus_words(bits, word_bits) + 1 + delay;
  endfunction

  // Digits of an operand of `words` words, a number below B * W^(words-1): see monpro_mul_array.
  function automatic int unsigned operand_digits(int unsigned words, int unsigned word_bits,
                                                 int unsigned digit_bits);
    return (word_bits * (words - 1) + digit_bits - 1) / digit_bits + 1;
  endfunction

  // The fewest elements that a product uses, however short it is: more than half of them, as two
  // passes need, so that it is only in a single one that fewer would do.
  function automatic int unsigned least_elements(int unsigned elements);
    return elements / 2 + 1;
  endfunction

  // Elements that a product of at least so many rows uses: no more passes than all elements need,
  // and no more elements than these passes need.
  function automatic int unsigned used_elements(int unsigned rows, int unsigned elements);
    int unsigned passes, used;
    passes = (rows + elements - 1) / elements;
    used = (rows + passes - 1) / passes;
    return (used < least_elements(elements)) ? least_elements(elements) : used;
  endfunction

  // Rows of a product of operands of `words` words: see monpro_rows.
  function automatic int unsigned product_rows(int unsigned words, int unsigned elements,
                                               int unsigned delay);
    int unsigned used;
    used = used_elements(words + delay, elements);
    return (words + delay + used - 1) / used * used;
  endfunction

  // Bits of a number of rows, also of one less than a pass more than is wanted.
  function automatic int unsigned row_bits(int unsigned index_bits, int unsigned elements);
    return ((index_bits > $clog2(elements)) ? index_bits : $clog2(elements)) + 1;
  endfunction

  // Address bits of an operand. A late quotient digit makes x as long as R is. With CRT an operand
  // has two halves, each of which holds one for half of the longest modulus.
  function automatic int unsigned index_bits(int unsigned bits, int unsigned word_bits,
                                             int unsigned elements, int unsigned delay, bit crt);
    int unsigned words, half_words, single, half;
    words = operand_words(bits, word_bits, delay);
    half_words = operand_words(bits / 2, word_bits, delay);
    single = $clog2(words + 1);
    if (delay != 0 && $clog2(product_rows(words, elements, delay)) > single) begin
      single = $clog2(product_rows(words, elements, delay));
    end
    half = $clog2(product_rows(half_words, elements, delay)) + 1;
    return (crt && half > single) ? half : single;
  endfunction

  // Address bits of a wipe, which runs through the deepest of the memories; in the others the
  // addresses wrap around.
  function automatic int unsigned wipe_bits(int unsigned table_depth, int unsigned operand_bits,
                                            bit crt);
    int unsigned work;
    work = operand_bits + slot_bits(crt);
    return ($clog2(table_depth) > work) ? $clog2(table_depth) : work;
  endfunction

  // Address bits of a working slot's number.
  function automatic int unsigned slot_bits(bit crt);
    return crt ? 3 : 2;
  endfunction

endpackage
