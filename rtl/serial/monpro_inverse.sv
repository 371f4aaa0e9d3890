// The modular inverse of 2^Bits, word by word:  r = 2 * (2^-Bits mod N), for odd N.
//
// With R = 2^Bits: R * R' - N * N' = 1. k = -1 / N mod R comes from the lowest Bits bits of N, by
// Hensel lifting, one bit after the other. Then R' = (k * N + 1) / R exactly, and k < R, so R' <=
// N. r = 2R' is what monpro_radix2 adds for a quotient digit. There is one pass over the words for
// every N.
//
// Cycles: words of N come least significant first, one a cycle, from first_i on. Word j of r is
// there 3 cycles after word j of N. At least one zero must follow the last word of N that is not
// zero.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_inverse #(
  parameter int unsigned Width = 32,
  parameter int unsigned Bits  = 2    // 2 or more, below Width
) (
  input  logic             clk_i,
  input  logic             clear_i,  // zeroes every register
  input  logic             first_i,  // word_i is word 0
  input  logic [Width-1:0] word_i,
  output logic             first_o,
  output logic [Width-1:0] word_o
);

  localparam int unsigned Down = Bits - 1;  // r is k * N + 1, so many bits lower

  logic [1:0] first_q;
  logic [Bits-1:0] k, k_q;
  logic [Bits:0] lifted;
  logic [Width-1:0] word_q, r_q;
  logic [Width-1:Down] product_q;
  logic [Bits-1:0] high_q;                   // of the words before: what is due to this one
  logic [Width+Bits-1:0] sum;

  always_comb begin
    lifted = (Bits + 1)'(1);
    for (int unsigned i = 0; i < Bits; i++) begin
      k[i] = lifted[0];
      lifted = (lifted + (lifted[0] ? {1'b0, word_i[Bits-1:0]} : '0)) >> 1;
    end
  end

  always_comb begin
    sum = first_q[0] ? (Width + Bits)'(1) : (Width + Bits)'(high_q);
    for (int unsigned i = 0; i < Bits; i++) begin
      if (k_q[i]) sum += (Width + Bits)'(word_q) << i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      first_q <= '0;
      k_q <= '0;
      word_q <= '0;
      product_q <= '0;
      high_q <= '0;
      r_q <= '0;
      first_o <= 1'b0;
    end else begin
      first_q <= {first_q[0], first_i};
      first_o <= first_q[1];
      if (first_i) k_q <= k;
      word_q <= word_i;
      product_q <= sum[Width-1:Down];
      high_q <= sum[Width+:Bits];
      r_q <= {sum[Down-1:0], product_q};
    end
  end

  assign word_o = r_q;

endmodule
