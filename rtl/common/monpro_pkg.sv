// Types and size formulas that the coprocessor's modules share.
package monpro_pkg;

  // Working slots of the operand memory, each as long as the longest operand. Named for what they
  // hold most of the time.
  typedef enum logic [1:0] {
    WorkAcc  = 2'd0,  // the running product; in the end the result
    WorkSel  = 2'd1,  // the table entry selected for the next multiplication; short-lived constants
    WorkR2   = 2'd2,  // R^2 mod N, kept from one operation to the next
    WorkBase = 2'd3   // x, then x * R
  } work_e;

  // Passes of the word-serial adder; see monpro_alu.
  typedef enum logic [2:0] {
    AluConst   = 3'd0,
    AluHalve   = 3'd1,
    AluDouble  = 3'd2,
    AluSub     = 3'd3,
    AluRestore = 3'd4,
    AluCheck   = 3'd5
  } alu_op_e;

  // A Montgomery product dst = x * y / R, and where its result goes besides.
  typedef struct packed {
    work_e      x;
    work_e      y;
    work_e      dst;
    logic       store;  // also into the table,
    logic [5:0] entry;  // as this entry
  } product_t;

  function automatic product_t multiply(work_e x, work_e y, work_e dst);
    return '{x: x, y: y, dst: dst, store: 1'b0, entry: '0};
  endfunction

  function automatic product_t multiply_and_store(work_e x, work_e y, work_e dst,
                                                  logic [5:0] entry);
    return '{x: x, y: y, dst: dst, store: 1'b1, entry: entry};
  endfunction

  // Bits of the longest window.
  localparam int unsigned MaxWindow = 6;

  // Words of a modulus of `bits` bits: two bits stay free at the top.
  function automatic int unsigned modulus_words(int unsigned bits, int unsigned word_bits);
    return (bits + 2 + word_bits - 1) / word_bits;
  endfunction

  // Words of the operands of a product: one more, for the modulus scaled to -1 modulo the word
  // (monpro_mul_array).
  function automatic int unsigned operand_words(int unsigned bits, int unsigned word_bits);
    return modulus_words(bits, word_bits) + 1;
  endfunction

  // Address bits of a wipe, which runs through the deepest of the memories; in the others the
  // addresses wrap around.
  function automatic int unsigned wipe_bits(int unsigned table_words, int unsigned index_bits);
    return ($clog2(table_words) > index_bits + 2) ? $clog2(table_words) : index_bits + 2;
  endfunction

endpackage
