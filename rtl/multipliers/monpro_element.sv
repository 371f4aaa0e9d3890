// Processing element of monpro_mul_array: one row of a Montgomery product, by one multiplier block.
//
//   T' = (T + x * Y + q * M) / B      B = 2^DigitBits, M = B * N' - 1,  q = (T + x * Y) mod B
//      = floor((T + x * Y) / B) + q * N'
//
// x is one digit; T, Y, N' are streams of s words, least significant first, W = 2^WordBits. Digits are
// words unless DigitBits says that they are narrower (24 x 17 bits are a whole DSP48E1). The block works for
// x * Y in even cycles and for q * N' in odd ones. Time tau counts from the cycle in which x_q is
// first there; a row may begin every 2 * s cycles.
//
//   tau = -1       load_i, x_i
//   tau = 2j       y_j on bus_i      the product x * y_j is there at 2j + 3
//   tau = 2j + 3   t_j on t_i        first chain: u_j = (t_j + x * y_j + c1) mod W; q = u_0 mod B at 4
//   tau = 5 + 2k   n'_k on bus_i     the product q * n'_k is there at 8 + 2k
//   tau = 8 + 2k                     second chain: t'_k = (v_k + q * n'_k + c2) mod W, where
//                                    v_k = (u_(k+1) mod B) * W / B + floor(u_k / B)
//   tau = 9 + 2k   t'_k on t_o       time 2k + 3 of the next element, which runs 6 cycles later
//
// Bounds: every addend of a chain is below W, the carry below B and the product at most (W - 1) *
// (B - 1), so sums stay below W * B and carries below B. Between rows the streams are zero, which flushes the carries; when rows
// follow without a gap, the first chain's last carry u_s takes the place of u_0 in its pipe, which
// the second chain has no use for.
module monpro_element #(
  parameter string       Target    = "portable",
  parameter int unsigned WordBits  = 17,
  parameter int unsigned DigitBits = WordBits
) (
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: zeroes every register
  input  logic                 odd_i,    // odd cycle: bus_i carries N'
  input  logic                 load_i,
  input  logic [DigitBits-1:0] x_i,
  input  logic [WordBits-1:0]  bus_i,
  input  logic [WordBits-1:0]  t_i,
  output logic                 load_o,   // these three are the next element's inputs
  output logic [WordBits-1:0]  bus_o,
  output logic [WordBits-1:0]  t_o
);

  // Cycles from an element to the next, and from load to the first word of each chain.
  localparam int unsigned Spacing = 6;
  localparam int unsigned FirstChain = 4;
  localparam int unsigned SecondChain = 9;

  logic [SecondChain-1:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  localparam int unsigned SumBits = WordBits + DigitBits;
  logic [DigitBits-1:0] x_q, q_q, u_last_q, c1_q, c1_last_q, c2_q;
  logic [WordBits-1:0] u_q, v, t_q;
  logic [SumBits-1:0] product, sum1, sum2;
  logic first1, first1_last_q;
  logic carry1_q, carry2_q;  // not the first word, in registers of their own

  assign first1 = load_q[FirstChain-1];

  monpro_block #(
    .Target   (Target),
    .WordBits (WordBits),
    .DigitBits(DigitBits)
  ) u_block (
    .clk_i,
    .clear_i,
    .a_i(odd_i ? q_q : x_q),
    .b_i(bus_i),
    .p_o(product)
  );

  assign sum1 = product + SumBits'(t_i) + SumBits'(c1_q & {DigitBits{carry1_q}});
  assign sum2 = product + SumBits'(v) + SumBits'(c2_q & {DigitBits{carry2_q}});

  // Narrow digits: what of a word is above its lowest digit follows a word later.
  if (DigitBits < WordBits) begin : g_narrow
    logic [1:0][WordBits-DigitBits-1:0] u_above_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) u_above_q <= '0;
      else if (odd_i) u_above_q <= {u_above_q[0], u_q[WordBits-1:DigitBits]};
    end

    assign v = {u_last_q, u_above_q[1]};
  end else begin : g_whole
    assign v = u_last_q;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      load_q <= '0;
      carry1_q <= 1'b0;
      carry2_q <= 1'b0;
      bus_q <= '0;
      x_q <= '0;
      q_q <= '0;
      u_q <= '0;
      u_last_q <= '0;
      c1_q <= '0;
      c1_last_q <= '0;
      first1_last_q <= 1'b0;
      c2_q <= '0;
      t_q <= '0;
    end else begin
      load_q <= {load_q[SecondChain-2:0], load_i};
      carry1_q <= !load_q[FirstChain-2];
      carry2_q <= !load_q[SecondChain-2];
      bus_q <= {bus_q[Spacing-2:0], bus_i};
      if (load_i) x_q <= x_i;
      if (odd_i) begin
        c1_q <= sum1[SumBits-1:WordBits];
        c1_last_q <= c1_q;
        u_q <= sum1[WordBits-1:0];
        first1_last_q <= first1;
        // The first word is the digit; in its place goes the last carry of the row before.
        if (first1) q_q <= sum1[DigitBits-1:0];
        u_last_q <= first1_last_q ? c1_last_q : u_q[DigitBits-1:0];
      end else begin
        c2_q <= sum2[SumBits-1:WordBits];
        t_q <= sum2[WordBits-1:0];
      end
    end
  end

  assign load_o = load_q[Spacing-1];
  assign bus_o = bus_q[Spacing-1];
  assign t_o = t_q;

endmodule
