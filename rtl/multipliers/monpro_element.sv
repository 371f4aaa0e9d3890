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
//   tau = 2j + 3   t_j on t_i        first chain: u_j = (t_j + x * y_j + c1) mod W; q = u_0 at 4
//   tau = 5 + 2k   n'_k on bus_i     the product q * n'_k is there at 8 + 2k
//   tau = 8 + 2k                     second chain: t'_k = (u_(k+1) + q * n'_k + c2) mod W
//   tau = 9 + 2k   t'_k on t_o       time 2k + 3 of the next element, which runs 6 cycles later
//
// Bounds: every addend of a chain is below W and the product at most (W - 1)^2, so sums stay below
// W^2 and carries below W. Between rows the streams are zero, which flushes the carries; when rows
// follow without a gap, the first chain's last carry u_s takes the place of u_0 in its pipe, which
// the second chain has no use for.
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
  input  logic [WordBits-1:0] t_i,
  output logic                load_o,   // these three are the next element's inputs
  output logic [WordBits-1:0] bus_o,
  output logic [WordBits-1:0] t_o
);

  // Cycles from an element to the next, and from load to the first word of each chain.
  localparam int unsigned Spacing = 6;
  localparam int unsigned FirstChain = 4;
  localparam int unsigned SecondChain = 9;

  logic [SecondChain-1:0] load_q;
  logic [Spacing-1:0][WordBits-1:0] bus_q;
  logic [WordBits-1:0] x_q, q_q, u_q, u_last_q, c1_q, c1_last_q, c2_q, t_q;
  logic [2*WordBits-1:0] product, sum1, sum2;
  logic first1, first1_last_q;
  logic carry1_q, carry2_q;  // not the first word, in registers of their own

  assign first1 = load_q[FirstChain-1];

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

  assign sum1 = product + (2*WordBits)'(t_i) + (2*WordBits)'(c1_q & {WordBits{carry1_q}});
  assign sum2 = product + (2*WordBits)'(u_last_q) + (2*WordBits)'(c2_q & {WordBits{carry2_q}});

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
        c1_q <= sum1[2*WordBits-1:WordBits];
        c1_last_q <= c1_q;
        u_q <= sum1[WordBits-1:0];
        first1_last_q <= first1;
        // The first word is the digit; in its place goes the last carry of the row before.
        if (first1) q_q <= sum1[WordBits-1:0];
        u_last_q <= first1_last_q ? c1_last_q : u_q;
      end else begin
        c2_q <= sum2[2*WordBits-1:WordBits];
        t_q <= sum2[WordBits-1:0];
      end
    end
  end

  assign load_o = load_q[Spacing-1];
  assign bus_o = bus_q[Spacing-1];
  assign t_o = t_q;

endmodule
