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
//   tau + 2j       f = g + lo of q' * n'_(j-1) + t_j, on t_i;   t'_(j-1) = f mod W on t_o from the
//                  next cycle on, which is tau + 2(j-1) of the next element; carry = f div W
//
// Word 0 has no q' and no carry, which lets it share its slot with word s of the row before, which
// is a carry and nothing else: y_0 takes the place of n'_(-1), so that the sums of word s are there
// before x * y_0 is, and q = lo of x * y_0 + t_0 has an adder of its own.
//
// Bounds: t, hi + mid < W, lo < 3 * W, so that f < 9 * W + carry and carry <= 9. T' < W^s needs
// F < W^(s+1), which monpro_mul_pipelined ensures; word s then leaves no carry. Between rows the
// streams are zero, which flushes the carries.
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
  output logic                phase_o,  // these five are the next element's inputs; x_o one cycle
  output logic [WordBits-1:0] x_o,      // after x_i, bus_o three after bus_i
  output logic [WordBits-1:0] q_o,
  output logic [WordBits-1:0] bus_o,
  output logic [WordBits-1:0] t_o
);

  localparam int unsigned Spacing = 3;
  localparam int unsigned TileBits = (WordBits > 18) ? WordBits / 2 : WordBits;
  localparam int unsigned SumBits = WordBits + 4;
  localparam int unsigned LowBits = SumBits / 2;
  localparam int unsigned CarryBits = SumBits - WordBits;

  logic phase_q, use_q_q;
  logic [5:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  logic [WordBits-1:0] x_q, x_next_q, q_q;
  logic [WordBits+1:0] lo;
  logic [TileBits:0] mid;
  logic [WordBits-1:0] hi;
  logic [SumBits-1:0] acc_q, g_q, f_q, q_sum;
  logic [CarryBits-1:0] q_carry_q, carry;
  logic first;
  // The same for the two halves of f, from registers that are equal to no other element's:
  // synthesis would make one of them, and a wire as long as both elements.
  logic before_q, add_low_q, skip_high_q;
  logic [SumBits-1:0] add;

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

  // At most one of them is not zero: after word 0 that of q, else that of f.
  assign carry = q_carry_q | f_q[SumBits-1:WordBits];
  assign add = {{(SumBits - LowBits) {!skip_high_q}}, {LowBits{add_low_q}}};
  assign q_sum = SumBits'(lo) + SumBits'(t_i);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      phase_q <= 1'b0;
      before_q <= 1'b0;
      add_low_q <= 1'b0;
      skip_high_q <= 1'b0;
      use_q_q <= 1'b0;
      load_q <= '0;
      bus_q <= '0;
      x_q <= '0;
      x_next_q <= '0;
      q_q <= '0;
      q_carry_q <= '0;
      acc_q <= '0;
      g_q <= '0;
      f_q <= '0;
    end else begin
      phase_q <= phase_i;
      before_q <= !load_q[3];
      add_low_q <= before_q;
      skip_high_q <= !before_q;
      use_q_q <= !phase_i && !load_q[0];
      load_q <= {load_q[4:0], load_i};
      bus_q <= {bus_q[Spacing-2:0], bus_i};
      x_next_q <= x_i;
      if (load_i) x_q <= zero_i ? '0 : x_i;
      if (first) q_q <= q_sum[WordBits-1:0];
      q_carry_q <= first ? q_sum[SumBits-1:WordBits] : '0;
      acc_q <= (phase_i ? acc_q : '0) + SumBits'(hi) + SumBits'(mid);
      g_q <= acc_q + SumBits'(carry) + SumBits'(lo);
      f_q <= g_q + (SumBits'(lo) & add) + (SumBits'(t_i) & add);
    end
  end

  assign phase_o = phase_q;
  assign x_o = x_next_q;
  assign q_o = q_q;
  assign bus_o = bus_q[Spacing-1];
  assign t_o = f_q[WordBits-1:0];

endmodule
