// Processing element of monpro_mul_array: one row of a Montgomery product, by one multiplier block.
//
//   T' = (T + x * Y + q * M) / W      W = 2^WordBits,  M = W * N' - 1,  q = (T + x * Y) mod W
//      = floor((T + x * Y) / W) + q * N'
//
// x is one word; T, Y, N' are streams of s words, least significant first. The block works for
// x * Y in even cycles and for q * N' in odd ones. Time tau counts from the cycle in which x_q is
// first there; a row may begin every 2 * s cycles.
//
//   tau = -1       load_i, x_i
//   tau = 2j       y_j on bus_i      the product x * y_j is there at 2j + 3
//   tau = 2j + 3   t_j on t_i        first chain: u_j = (t_j + x * y_j + c) mod W; q = u_0 at 4
//   tau = 5 + 2k   n'_k on bus_i     the product q * n'_k is there at 8 + 2k
//   tau = 8 + 2k                     second chain: t'_k = (u_(k+1) + q * n'_k + c) mod W
//   tau = 9 + 2k   t'_k on t_o       time 2k + 3 of the next element, which runs 6 cycles later
//
// One adder does both chains, c is the high word of its sum two cycles before. t_i is zero in even
// cycles, and t_o is; u_(k+1) has a register that is zero in odd ones. So the adder's operand
// besides the product and c is whatever of them is not zero, and nothing chooses.
//
// Bounds: every addend of a chain is below W and the product at most (W - 1)^2, so sums stay below
// W^2 and carries below W. The second chain's last carry is zero, for T' has s words; the first
// chain's is u_s, which takes the place of u_0 in its pipe, for which the second chain has no use.
// Between rows the streams are zero.
module monpro_element #(
  parameter string       Target   = "portable",
  parameter int unsigned WordBits = 17
) (
  input  logic                clk_i,
  input  logic                clear_i,  // the reset: zeroes every register
  input  logic                odd_i,    // odd cycle: bus_i carries N'
  input  logic                load_i,
  input  logic [WordBits-1:0] x_i,
  input  logic [WordBits-1:0] bus_i,
  input  logic [WordBits-1:0] t_i,      // zero in even cycles
  output logic                load_o,   // these three are the next element's inputs
  output logic [WordBits-1:0] bus_o,
  output logic [WordBits-1:0] t_o
);

  // Cycles from an element to the next, and from load to the first word of the first chain.
  localparam int unsigned Spacing = 6;
  localparam int unsigned FirstChain = 4;

  logic [Spacing-1:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  logic [WordBits-1:0] x_q, q_q, sum_q, u_q, carry_q, carry_last_q, u_last_q, t_q;
  logic [2*WordBits-1:0] product, sum;

  monpro_block #(
    .Target  (Target),
    .WordBits(WordBits)
  ) u_block (
    .clk_i,
    .clear_i,
    .a_i(odd_i ? q_q : x_q),
    .b_i(bus_i),
    .p_o(product)
  );

  assign sum = product + (2*WordBits)'(t_i | u_q) + (2*WordBits)'(carry_last_q);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      load_q <= '0;
      bus_q <= '0;
      x_q <= '0;
      q_q <= '0;
      sum_q <= '0;
      carry_q <= '0;
      u_last_q <= '0;
    end else begin
      load_q <= {load_q[Spacing-2:0], load_i};
      bus_q <= {bus_q[Spacing-2:0], bus_i};
      if (load_i) x_q <= x_i;
      if (load_q[FirstChain-1]) q_q <= sum[WordBits-1:0];
      if (odd_i) sum_q <= sum[WordBits-1:0];
      carry_q <= sum[2*WordBits-1:WordBits];
      if (load_q[FirstChain-2]) u_last_q <= carry_q;
    end
  end

  // These are zero in their cycles of rest as well.
  always_ff @(posedge clk_i) begin
    if (clear_i || load_q[FirstChain-2]) carry_last_q <= '0;  // a row begins
    else carry_last_q <= carry_q;
    if (clear_i || odd_i) t_q <= '0;
    else t_q <= sum[WordBits-1:0];
    if (clear_i || !odd_i) u_q <= '0;
    else u_q <= load_q[FirstChain+1] ? u_last_q : sum_q;
  end

  assign load_o = load_q[Spacing-1];
  assign bus_o = bus_q[Spacing-1];
  assign t_o = t_q;

endmodule
