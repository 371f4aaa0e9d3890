// Types that the modules of the serial core share.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_serial_pkg;

  // Multipliers that monpro_serial_core works with, instead of monpro_core.
  function automatic bit is_serial(string multiplier);
    return multiplier == "radix2" || multiplier == "interleaved";
  endfunction

  // Of the count of cycles since a step began, which stays at its highest: the longest wait is that
  // for the modulus.
  function automatic int unsigned modulus_cycles(int unsigned chunks);
    return chunks + 7;
  endfunction

  function automatic int unsigned count_bits(int unsigned index_bits, int unsigned chunks);
    return ($clog2(modulus_cycles(chunks)) > index_bits + 1) ? $clog2(modulus_cycles(chunks))
                                                             : index_bits + 1;
  endfunction

  // What streams into a multiplier.
  typedef enum logic [2:0] {
    FromBase    = 3'd0,  // memory: x, later x * R
    FromConst   = 3'd1,  // memory: R^2 mod N
    FromSquare  = 3'd2,  // the result of the squaring multiplier, as it comes
    FromRunning = 3'd3,  // the running value: see monpro_serial_core
    FromOne     = 3'd4   // the number 1
  } source_e;

  // Where a stream is kept.
  typedef enum logic [1:0] {
    KeepNothing = 2'd0,
    KeepBase    = 2'd1,  // the squaring multiplier's result
    KeepConst   = 2'd2,  // the same
    KeepResult  = 2'd3   // the running value
  } keep_e;

  // A pass of the adder: r = (a << double) - (n << shift), or + n if that was below zero.
  typedef enum logic [2:0] {
    PassNone        = 3'd0,
    PassCheck       = 3'd1,  // a: base; no result
    PassPower       = 3'd2,  // a: 2^(n - 1), doubled
    PassDouble      = 3'd3,  // a: constant, doubled
    PassFixDouble   = 3'd4,  // restores the constant
    PassReduce      = 3'd5,  // a: result, with shift
    PassFixReduce   = 3'd6   // restores it
  } pass_e;

  // A step: all that begins in one cycle, each word of it one cycle after the other.
  typedef struct packed {
    logic    begins;
    logic    square;       // start the squaring multiplier with x and y
    source_e square_x;
    source_e square_y;
    logic    multiply;     // start the other one
    source_e multiply_x;
    source_e multiply_y;
    keep_e   keep;
    logic    from_square;  // the running value is what the squaring multiplier gives,
    logic    take;         // if this is set; else what was there before
    pass_e   pass;
    logic [1:0] shift;
  } step_t;

endpackage
