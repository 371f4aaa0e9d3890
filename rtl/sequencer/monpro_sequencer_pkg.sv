// Steps of an exponentiation, and what decides their order.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_sequencer_pkg;

  // In the order in which monpro_order goes through them.
  typedef enum logic [5:0] {
    StWipe, StIdle, StCheck,
    // the constants of the modulus
    StScaleInit, StScale, StPowerInit, StPower, StPowerEnd, StSquareR2, StMultiplyR2,
    // CRT: c modulo p and q
    StHighIn, StHighShift, StLowIn, StSum,
    // into Montgomery form, and the table
    StOne, StEntry0, StBase, StSquareBase, StTable,
    // left to right: binary, fixed and sliding window
    StNext, StMore, StFirst, StSquare, StMultiply, StZeros,
    // a bit at a time: right to left, ladder
    StBit, StBitSelect, StBitFirst, StBitSecond,
    // repeated
    StCount, StRepeat,
    // out of Montgomery form
    StLastInit, StLast, StUnscale, StSub, StRestore,
    // CRT: recombination
    StDiff, StDiffFix, StDiffIn, StInverseIn, StFactor, StCopyQ, StWideInit, StWide, StWideSum
  } state_e;

  // A state is one-hot, with a bit for each step. No path has to decode it.
  localparam int unsigned States = int'(StWideSum) + 1;

  typedef logic [States-1:0] state_t;

  function automatic state_t to(state_e step);
    return state_t'(1) << step;
  endfunction

  // What the steps have to know of the scheme.
  typedef struct packed {
    logic sliding;
    logic right_to_left;
    logic ladder;
    logic repeated;
    logic tabled;     // the table holds entries 0 and up, all powers
    logic selecting;  // the scheme multiplies by entries that were looked up
  } method_t;

  // What the next step depends on, apart from the scheme.
  typedef struct packed {
    logic wipe;           // StIdle: the command is a wipe
    logic warm;           // the constants of the modulus are there
    logic last_pass;      // of a row of passes
    logic last_doubling;  // of StPower
    logic power_one;      // R^2: the next bit of the power is a one
    logic power_last;     // R^2: one bit of the power is left
    logic power_end;      // R^2: no bit of the power is left
    logic last_entry;     // of the table
    logic first;          // nothing has been computed in this loop yet
    logic none_taken;     // the exponent has no bit left
    logic one_taken;      // the last bit taken is a one
    logic one_taken_q;    // the same, a cycle late
    logic last_squaring;
    logic zeros;          // sliding window: zero bits follow the odd number
    logic last_zero;
    logic repeats;        // repeated: multiplications are left
    logic combining;      // CRT: StDiff has begun
  } conditions_t;

endpackage
