// Processing element of monpro_mul_pipelined: one row of a Montgomery product whose quotient digit
// is used a row late.
//
//   F = T + x * Y + q' * N' * W,   q = F mod W,   T' = F div W      W = 2^WordBits
//
// x is one word, q' the digit of the row before; T and T' have s words, Y s, N' s - 1, all least
// significant first. Word j of F has a slot of two cycles, one for x * y_j and one for
// q' * n'_(j-1). Time tau is that of the row: its element before is at tau + 3, the next at
// tau - 3. A row may begin every 2 * s cycles.
//
//   tau - 6        load_i, zero_i, x_i
//   tau - 5 + 2j   y_j on bus_i, phase_i = 0;       for j = 0 nothing, that is zero
//   tau - 4 + 2j   n'_(j-1) on bus_i, phase_i = 1;  for j = 0 y_0; q_i is there since tau - 2;
//                  the products four cycles later as lo, mid, hi
//   tau - 3 + 2j   acc = hi + mid of x * y_(j-1)
//   tau - 2 + 2j   acc = acc + hi + mid of q' * n'_(j-2)
//   tau - 1 + 2j   g = acc + lo of x * y_j + carry of word j - 1
//   tau + 2j       f = g + lo of q' * n'_(j-1) + t_j, on t_i and t_carry_i;   t'_(j-1) = f mod W on
//                  t_o and t_carry_o from the next cycle on, which is tau + 2(j-1) of the next
//                  element; carry = f div W
//
// The carry out of the lower half of f does not run on into the upper one: it leaves as t_carry_o,
// for the next element to add. So a word of T is t + t_carry * 2^LowBits, and f div W is that of
// the two halves without their carry.
//
// Word 0 has no q' and no carry, which lets it share its slot with word s of the row before, which
// is a carry and nothing else: y_0 takes the place of n'_(-1), so that the sums of word s are there
// before x * y_0 is, and q = lo of x * y_0 + t_0 has an adder of its own.
//
// Bounds: hi + mid < W, lo < 3 * W, t with its carry < 2 * W, so that f < 10 * W + carry and
// carry <= 10. T' < W^s needs F < W^(s+1), which monpro_mul_pipelined ensures; word s then leaves
// no carry. Between rows the streams are zero, which flushes the carries.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_pipelined_element #(
  parameter string       Target   = "portable",
  parameter int unsigned WordBits = 36
) (
  input  logic                clk_i,
  input  logic                clear_i,  // the reset: zeroes every register
  input  logic                phase_i,
  input  logic                load_i,
  input  logic                zero_i,   // the row's digit of x is zero
  input  logic [WordBits-1:0] x_i,
  input  logic [WordBits-1:0] q_i,
  input  logic [WordBits-1:0] bus_i,
  input  logic [WordBits-1:0] t_i,
  input  logic                t_carry_i,
  output logic                phase_o,    // these six are the next element's inputs; x_o one cycle
  output logic [WordBits-1:0] x_o,        // after x_i, bus_o three after bus_i
  output logic [WordBits-1:0] q_o,
  output logic [WordBits-1:0] bus_o,
  output logic [WordBits-1:0] t_o,
  output logic                t_carry_o
);

  localparam int unsigned Spacing = 3;
  localparam int unsigned TileBits = (WordBits > 18) ? WordBits / 2 : WordBits;
  localparam int unsigned SumBits = WordBits + 4;
  localparam int unsigned LowBits = SumBits / 2;
  localparam int unsigned HighBits = SumBits - LowBits;
  localparam int unsigned CarryBits = SumBits - WordBits;

  logic phase_q, use_q_q, first_q;
  logic [5:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  logic [WordBits-1:0] x_q, x_next_q, q_q;
  logic [WordBits+1:0] lo;
  logic [TileBits:0] mid;
  logic [WordBits-1:0] hi;
  logic [SumBits-1:0] acc_q, g_q, f_q, t, q_sum;
  logic [HighBits-1:0] f_high;
  logic f_carry, f_carry_q, unused_one;
  logic [CarryBits-1:0] q_carry_q, carry;
  logic first;
  // Word 0 adds neither lo nor t to f. What says so is in registers that no other element has the
  // same of: synthesis would merge those, into one with wires to several elements.
  logic before_q, add_low_q, skip_high_q;
  logic [SumBits-1:0] add;
  // Three summands are made two: the sums of their bits, and the carries of these.
  logic [SumBits-1:0] f_lo, f_t, f_sums, f_carries;
  logic [LowBits-1:0] f_low;
  logic [HighBits-1:0] q_lo, q_t, q_t_carry, q_sums, q_carries;

  assign first = load_q[5];  // in tau

  monpro_tiles #(
    .Target  (Target),
    .WordBits(WordBits)
  ) u_tiles (
    .clk_i,
    .clear_i,
    .a_i  (use_q_q ? q_i : x_q),
    .b_i  (bus_i),
    .lo_o (lo),
    .mid_o(mid),
    .hi_o (hi)
  );

  // After word 0 that of q, while that of f is zero.
  assign carry = (first_q ? q_carry_q : '0) | f_q[SumBits-1:WordBits];
  assign add = {{HighBits{!skip_high_q}}, {LowBits{add_low_q}}};
  assign t = SumBits'(t_i);

  // The lower half of f, and the upper one with a place more at the right, whose carry is that of t.
  assign f_lo = SumBits'(lo) & add;
  assign f_t = t & add;
  assign f_sums = g_q ^ f_lo ^ f_t;
  assign f_carries = ((g_q & f_lo) | (g_q & f_t) | (f_lo & f_t)) << 1;
  assign {f_carry, f_low} = (LowBits + 1)'(f_sums[LowBits-1:0]) +
                            (LowBits + 1)'(f_carries[LowBits-1:0]);
  assign {f_high, unused_one} = {f_sums[SumBits-1:LowBits], 1'b1} +
                                {f_carries[SumBits-1:LowBits], t_carry_i && !skip_high_q};

  // The multiplier needs all of q: both halves in one chain, and the carry of t beside lo and t.
  assign q_t_carry = HighBits'(t_carry_i);
  assign q_lo = HighBits'(lo[WordBits+1:LowBits]);
  assign q_t = t[SumBits-1:LowBits];
  assign q_sums = q_lo ^ q_t ^ q_t_carry;
  assign q_carries = ((q_lo & q_t) | (q_lo & q_t_carry) | (q_t & q_t_carry)) << 1;
  assign q_sum = {q_sums, lo[LowBits-1:0]} + {q_carries, t[LowBits-1:0]};

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      phase_q <= 1'b0;
      before_q <= 1'b0;
      add_low_q <= 1'b0;
      skip_high_q <= 1'b0;
      use_q_q <= 1'b0;
      first_q <= 1'b0;
      load_q <= '0;
      bus_q <= '0;
      x_next_q <= '0;
      q_q <= '0;
      q_carry_q <= '0;
      acc_q <= '0;
      g_q <= '0;
      f_q <= '0;
      f_carry_q <= 1'b0;
    end else begin
      phase_q <= phase_i;
      before_q <= !load_q[3];
      add_low_q <= before_q;
      skip_high_q <= !before_q;
      use_q_q <= !phase_i && !load_q[0];
      load_q <= {load_q[4:0], load_i};
      bus_q <= {bus_q[Spacing-2:0], bus_i};
      x_next_q <= x_i;
      first_q <= first;
      if (first) q_q <= q_sum[WordBits-1:0];
      q_carry_q <= q_sum[SumBits-1:WordBits];
      acc_q <= (phase_i ? acc_q : '0) + SumBits'(hi) + SumBits'(mid);
      g_q <= acc_q + SumBits'(carry) + SumBits'(lo);
      f_q <= {f_high, f_low};
      f_carry_q <= f_carry;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || (load_i && zero_i)) x_q <= '0;
    else if (load_i) x_q <= x_i;
  end

  assign phase_o = phase_q;
  assign x_o = x_next_q;
  assign q_o = q_q;
  assign bus_o = bus_q[Spacing-1];
  assign t_o = f_q[WordBits-1:0];
  assign t_carry_o = f_carry_q;

endmodule
