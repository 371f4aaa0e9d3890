// Steps of an exponentiation, in the order in which monpro_sequencer goes through them.
package monpro_sequencer_pkg;

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

  // A state is held one-hot, a bit for each step, so that no path begins with decoding it.
  localparam int unsigned States = int'(StWideSum) + 1;

  typedef logic [States-1:0] state_t;

  function automatic state_t to(state_e step);
    return state_t'(1) << step;
  endfunction

endpackage
