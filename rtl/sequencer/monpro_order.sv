// The order of the steps of an exponentiation.
//
// In the cycle after the conditions are known, after_o is the step that follows state_i. The steps
// compute the following. W = 2^WordBits, B = 2^DigitBits, D is the multiplier's Delay, s the number
// of words of an operand, K = rows - D. R is the Montgomery factor of monpro_sequencer, [x, y] the
// product x * y / R. A pass is a pass of monpro_alu.
//
//   StCheck        1 pass: N is odd and of its length, x < N (with CRT: qInv < p).
//
//   With a new modulus:
//   StScaleInit    N' = W^-(1+D) mod N: the number 1, halved DigitBits * (1 + D) times modulo N.
//   StScale
//   StPowerInit    2^b * R mod N with b = DigitBits / PowerSplit: the power of two below N, doubled
//   StPower        DigitBits * rows - WordBits * (s - 2) + 2 + b times modulo N.
//   StPowerEnd
//   StSquareR2     R^2 mod N, which is (2^b)^(PowerSplit * K) in Montgomery form. The steps go over
//   StMultiplyR2   the bits of PowerSplit * K from left to right.
//
//   CRT: c = cH * W^K + cL modulo p and q.
//   StHighIn       [[cH, R^2], R^2] = cH * W^K * R.
//   StHighShift
//   StLowIn        [cL, R^2] = cL * R.
//   StSum          1 pass: the sum of the two is c * R, below W^s.
//
//   Into Montgomery form, and the table:
//   StOne          [1, R^2] is entry 0, [x, R^2] is entry 1 (with CRT: [c * R, entry 0]).
//   StEntry0       Each further entry is the one before times x * R. A sliding window has only odd
//   StBase         powers: it starts at x * R and goes on in steps of its square (StSquareBase).
//   StSquareBase
//   StTable
//
//   Fixed window, binary and sliding window. A look-up reads the whole table of a half, see
//   monpro_table.
//   StNext         The first k bits choose the first value. Then for each k bits (the last may be
//   StFirst        fewer) there are as many squarings and one multiplication by the chosen entry,
//   StSquare       also by entry 0. Binary with a public exponent: from the highest one bit on
//   StMultiply     there is a squaring for each bit, and a multiplication for each one.
//   StMore         Sliding window: a zero bit is a squaring. At a one k bits are taken. Their last
//   StZeros        one ends the odd number; the zeros behind it are squarings again.
//
//   Right to left, and ladder.
//   StBit          Right to left: [Acc, bit ? S : 1] and S = [S, S]. With a public exponent a zero
//   StBitSelect    takes no multiplication, and nothing is looked up. Ladder: P = [R0, R1] and
//   StBitFirst     S = [R_bit, R_bit]. The look-up gives the one of P and S that is squared next.
//   StBitSecond
//
//   Repeated.
//   StCount        e - 1 multiplications by x.
//   StRepeat
//
//   Out of Montgomery form:
//   StLastInit     [a, W^(1+D)], which is at most W^(1+D) * N.
//   StLast
//   StUnscale      Halved DigitBits * (1 + D) times modulo N: below 2N.
//   StSub          Minus N, and plus N again if that was negative.
//   StRestore
//
//   CRT: m = m_q + q * (qInv * (m_p - m_q) mod p).
//   StDiff         (m_p - m_q) * qInv in Montgomery form of p, and then StLastInit to StRestore
//   StDiffFix      again. m_q may be as large as 2p if the primes have the same length.
//   StDiffIn
//   StInverseIn
//   StFactor
//   StCopyQ        The integer product by q, plus m_q.
//   StWideInit
//   StWide
//   StWideSum
//
// With CRT each step from StCheck to StRestore is done for p, then for q, so the products of the
// two are in the multiplier together. From StDiff on the steps are done for p alone.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_order
  import monpro_sequencer_pkg::*;
(
  input  logic        clk_i,
  input  state_t      state_i,
  input  method_t     method_i,
  input  logic        public_i,
  input  logic        crt_i,
  input  logic [2:0]  window_i,      // of the table
  input  conditions_t conditions_i,
  output state_t      after_o
);

  state_t after_constants_d, after_base_d, after_multiply, after_d;
  state_t after_constants_q, after_base_q;
  // One of the states from the first moment on, so that `unique` holds before the reset too.
  state_t after_q = to(StWipe);

  always_comb begin
    if (crt_i) after_constants_d = to(StHighIn);
    else after_constants_d = method_i.tabled ? to(StOne) : to(StBase);

    if (method_i.right_to_left || method_i.ladder) after_base_d = to(StBit);
    else if (method_i.repeated) after_base_d = to(StCount);
    else if (method_i.sliding && window_i != 3'd0) after_base_d = to(StSquareBase);
    else if (method_i.tabled && window_i != 3'd1) after_base_d = to(StTable);
    else after_base_d = to(StNext);
  end

  assign after_multiply = (method_i.sliding && conditions_i.zeros) ? to(StZeros) : to(StNext);

  always_comb begin
    unique case (1'b1)
      state_i[StWipe]: after_d = to(StIdle);
      state_i[StIdle]: after_d = conditions_i.wipe ? to(StWipe) : to(StCheck);
      state_i[StCheck]: after_d = conditions_i.warm ? after_constants_q : to(StScaleInit);

      // N' = W^-(1+D) mod N
      state_i[StScaleInit]: after_d = to(StScale);
      state_i[StScale]: after_d = conditions_i.last_pass ? to(StPowerInit) : to(StScale);

      // 2^b * R mod N
      state_i[StPowerInit]: after_d = to(StPower);
      state_i[StPower]: after_d = conditions_i.last_doubling ? to(StPowerEnd) : to(StPower);
      state_i[StPowerEnd]: after_d = to(StSquareR2);

      // R^2 mod N
      state_i[StSquareR2]: begin
        if (conditions_i.power_one) after_d = to(StMultiplyR2);
        else after_d = conditions_i.power_last ? after_constants_q : to(StSquareR2);
      end
      state_i[StMultiplyR2]:
        after_d = conditions_i.power_end ? after_constants_q : to(StSquareR2);

      // CRT: c modulo p and q
      state_i[StHighIn]: after_d = to(StHighShift);
      state_i[StHighShift]: after_d = to(StLowIn);
      state_i[StLowIn]: after_d = to(StSum);
      state_i[StSum]: after_d = to(StOne);

      // Into Montgomery form, and the table
      state_i[StOne]: after_d = to(StEntry0);
      state_i[StEntry0]: after_d = to(StBase);
      state_i[StBase]: after_d = after_base_q;
      state_i[StSquareBase]: after_d = to(StTable);
      state_i[StTable]: after_d = conditions_i.last_entry ? to(StNext) : to(StTable);

      // The exponent, from its highest bit on
      state_i[StNext]: begin
        if (conditions_i.none_taken) after_d = to(StLastInit);
        else if (method_i.sliding) begin
          // Zeros before the highest one are skipped.
          if (conditions_i.one_taken) after_d = to(StMore);
          else after_d = conditions_i.first ? to(StNext) : to(StZeros);
        end
        else if (!conditions_i.first) after_d = to(StSquare);
        else after_d = method_i.tabled ? to(StFirst) : to(StNext);
      end
      state_i[StMore]: after_d = conditions_i.first ? to(StFirst) : to(StSquare);
      state_i[StFirst]: begin
        if (method_i.ladder) after_d = to(StLastInit);
        else after_d = after_multiply;
      end
      state_i[StSquare]: begin
        if (!conditions_i.last_squaring) after_d = to(StSquare);
        else if (method_i.selecting || conditions_i.one_taken_q) after_d = to(StMultiply);
        else after_d = to(StNext);
      end
      state_i[StMultiply]: after_d = after_multiply;
      state_i[StZeros]: after_d = conditions_i.last_zero ? to(StNext) : to(StZeros);

      // A bit at a time
      state_i[StBit]: begin
        if (conditions_i.none_taken) after_d = method_i.ladder ? to(StFirst) : to(StLastInit);
        else if (method_i.ladder || !public_i) after_d = to(StBitSelect);
        else after_d = conditions_i.one_taken ? to(StBitFirst) : to(StBitSecond);
      end
      state_i[StBitSelect]: after_d = to(StBitFirst);
      state_i[StBitFirst]: after_d = to(StBitSecond);
      state_i[StBitSecond]: after_d = to(StBit);

      // Repeated
      state_i[StCount]: begin
        if (!conditions_i.none_taken) after_d = to(StCount);
        else after_d = conditions_i.repeats ? to(StRepeat) : to(StLastInit);
      end
      state_i[StRepeat]: after_d = conditions_i.repeats ? to(StRepeat) : to(StLastInit);

      // Out of Montgomery form. A public exponent of zeros needs no product: the result is 1.
      state_i[StLastInit]: after_d = conditions_i.first ? to(StUnscale) : to(StLast);
      state_i[StLast]: after_d = to(StUnscale);
      state_i[StUnscale]: after_d = conditions_i.last_pass ? to(StSub) : to(StUnscale);
      state_i[StSub]: after_d = to(StRestore);
      state_i[StRestore]: begin
        if (!crt_i) after_d = to(StIdle);
        else after_d = conditions_i.combining ? to(StCopyQ) : to(StDiff);
      end

      // CRT: recombination
      state_i[StDiff]: after_d = to(StDiffFix);
      state_i[StDiffFix]: after_d = conditions_i.last_pass ? to(StDiffIn) : to(StDiffFix);
      state_i[StDiffIn]: after_d = to(StInverseIn);
      state_i[StInverseIn]: after_d = to(StFactor);
      state_i[StFactor]: after_d = to(StLastInit);
      state_i[StCopyQ]: after_d = to(StWideInit);
      state_i[StWideInit]: after_d = to(StWide);
      state_i[StWide]: after_d = to(StWideSum);
      state_i[StWideSum]: after_d = to(StIdle);
      default: after_d = to(StWipe);
    endcase
  end

  always_ff @(posedge clk_i) begin
    after_constants_q <= after_constants_d;
    after_base_q <= after_base_d;
    after_q <= after_d;
  end

  assign after_o = after_q;

endmodule
