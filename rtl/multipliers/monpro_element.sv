// Processing element of monpro_mul_array: one row of a Montgomery product, by one multiplier block.
//
//   T' = (T + x * Y + q * M) / B      B = 2^DigitBits, M = B * N' - 1,  q = (T + x * Y) mod B
//      = floor((T + x * Y) / B) + q * N'
//
// x is one digit; T, Y, N' are streams of s words, least significant first, W = 2^WordBits. Digits
// are words unless DigitBits says that they are narrower (24 x 17 bits are a whole DSP48E1). The
// block works for x * Y in even cycles and for q * N' in odd ones. Time tau counts from the cycle
// in which x_q is first there; a row may begin every 2 * s cycles.
//
//   tau = -1       load_i, x_i
//   tau = 2j       y_j on bus_i      the product x * y_j is there at 2j + 4
//   tau = 2j + 4   t_j on t_i        first chain: u_j = (t_j + x * y_j + c) mod W; q = u_0 mod B at 5
//   tau = 5 + 2k   n'_k on bus_i     the product q * n'_k is there at 9 + 2k
//   tau = 9 + 2k                     second chain: t'_k = (v_k + q * n'_k + c) mod W, where
//                                    v_k = (u_(k+1) mod B) * W / B + floor(u_k / B)
//   tau = 10 + 2k  t'_k on t_o       time 2k + 4 of the next element, which runs 6 cycles later
//
// Between the block and the adder there is a register, for the way from the one to the other takes
// as long as a block that multiplies. So q goes into the block from the sum's own register first.
//
// One adder does both chains; what it adds to the product and to t is d: c, the high part of its
// sum two cycles before, and in odd cycles v_k as well. c and d have an adder of their own a cycle
// earlier, so that no carry runs further than a word. That one has two operands and a carry. What
// comes out of the low part of a sum of three is 0, 1 or 2: a carry, and of 2 another one, which in
// odd cycles goes into the place of v, and in even ones a cycle later into that of t. s_q, the
// register of the sum, listens to nothing else, which lets it sit in the adder's own cells; it is
// t_o, and so t_o is of no meaning in odd cycles (of u_j), and nor is t_i.
//
// Bounds: every addend of a chain is below W, the carry below B and the product at most
// (W - 1) * (B - 1), so sums stay below W * B and carries below B. The second chain's last carry is
// zero, for T' has s words; the first chain's is u_s, which takes the place of u_0's digit in its
// pipe, for which the second chain has no use. Between rows the streams are zero. Even cycles alone
// let nothing go round: u_q stays zero.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_element #(
  parameter string       Target    = "portable",
  parameter int unsigned WordBits  = 17,
  parameter int unsigned DigitBits = WordBits
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic                 odd_i,    // odd cycle: bus_i carries N'
  input  logic                 even_i,   // its opposite, from another register
  input  logic                 load_i,
  input  logic [DigitBits-1:0] x_i,
  input  logic [WordBits-1:0]  bus_i,
  input  logic [WordBits-1:0]  t_i,      // of meaning in even cycles
  output logic                 load_o,   // these three are the next element's inputs
  output logic [WordBits-1:0]  bus_o,
  output logic [WordBits-1:0]  t_o
);

  // Cycles from an element to the next, and from load to the first word of the first chain.
  localparam int unsigned Spacing = 6;
  localparam int unsigned FirstChain = 5;

  localparam int unsigned SumBits = WordBits + 2;  // of three words

  logic [Spacing-1:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  logic [DigitBits-1:0] x_q, q_q, u_q, high_q, u_last_q;
  logic [WordBits-1:0] s_q, v;
  logic [WordBits:0] d, d_q;
  logic [1:0] over_q;
  logic late_q, unused;
  logic [DigitBits-1:0] factor;
  logic [WordBits+DigitBits-1:0] product, product_q;
  logic [SumBits-1:0] sum;

  always_comb begin
    factor = odd_i ? q_q : x_q;
    if (load_q[FirstChain]) factor = s_q[DigitBits-1:0];
  end

  monpro_block #(
    .Target   (Target),
    .WordBits (WordBits),
    .DigitBits(DigitBits)
  ) u_block (
    .clk_i,
    .clear_i,
    .a_i(factor),
    .b_i(bus_i),
    .p_o(product)
  );

  assign sum = SumBits'(product_q[WordBits-1:0]) +
               SumBits'(even_i ? t_i : WordBits'(late_q)) + SumBits'(d_q);
  // The lowest column makes the carry.
  assign {d, unused} = {(WordBits + 1)'(high_q), 1'b1} +
                       {(WordBits + 1)'(v | WordBits'(over_q[1] && !even_i)), |over_q};

  // v is zero in odd cycles. Narrow digits: what of a word is above its lowest digit follows a word
  // later.
  if (DigitBits < WordBits) begin : g_narrow
    logic [WordBits-DigitBits-1:0] above_q, above_last_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) above_q <= '0;
      else if (!even_i) above_q <= s_q[WordBits-1:DigitBits];
      if (clear_i || even_i) above_last_q <= '0;
      else above_last_q <= above_q;
    end

    assign v = {u_q, above_last_q};
  end else begin : g_whole
    assign v = u_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      load_q <= '0;
      bus_q <= '0;
      x_q <= '0;
      q_q <= '0;
      s_q <= '0;
      product_q <= '0;
      high_q <= '0;
      over_q <= '0;
      late_q <= 1'b0;
      u_last_q <= '0;
    end else begin
      load_q <= {load_q[Spacing-2:0], load_i};
      bus_q <= {bus_q[Spacing-2:0], bus_i};
      if (load_i) x_q <= x_i;
      if (load_q[FirstChain]) q_q <= s_q[DigitBits-1:0];
      s_q <= sum[WordBits-1:0];
      product_q <= product;
      high_q <= product_q[WordBits+:DigitBits];
      over_q <= sum[SumBits-1:WordBits];
      late_q <= over_q[1] && even_i;
      if (load_q[FirstChain-2]) u_last_q <= d[DigitBits-1:0];  // which is c in an odd cycle
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i || load_q[FirstChain-2]) d_q <= '0;  // a row begins
    else d_q <= d;
    if (clear_i || even_i) u_q <= '0;
    else u_q <= load_q[FirstChain] ? u_last_q : s_q[DigitBits-1:0];
  end

  assign load_o = load_q[Spacing-1];
  assign bus_o = bus_q[Spacing-1];
  assign t_o = s_q;

endmodule
