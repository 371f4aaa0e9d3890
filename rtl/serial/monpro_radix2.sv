// Montgomery multiplication in radix 2, one bit of x a cycle:  r = x * y / R mod M.
//
// With n = bits_i, N' = 2^-2 mod N (monpro_inverse) and M = 4 N' - 1, a multiple of N that is N or
// 3N, rows i = 0 to n + 4:
//
//   F = T + x_i * y + q * 2N',  q = F mod 2,  T = F / 2        T = q = 0 at first
//
// The quotient digit q of a row is used one row late, which is what the scaled modulus is for
// (Orup 1995): the choice between 0, y, 2N' and their sum is made in one cycle, the addition in the
// next. R = 2^(n + 4), r is the last F.
//
// Ranges: x, y < 2M give r < 2M, as 4M < R (12N < 2^(n + 4)); there is no final subtraction. F
// stays below 2 (y + 2N') < 2^(n + 5).
//
// The sum lies in slices of Width bits, each with its own carry chain. Slice j does row i in cycle
// i + j: carries and the two bits of the choice go from slice to slice through registers, so that
// no signal is wider than a slice, whatever the length. Carry chains rather than carry save: a row
// costs one chain and a choice of four for each bit, a result needs no conversion, and its words
// come out as the next product wants them in, one a cycle. So the clock does not depend on MaxBits.
//
// Cycles: word j of x and y is to be there 2 + j cycles after start_i; r_start_o comes
// n + 10 cycles after start_i, word j of the result 2 + j cycles after that. start_i may be in the
// cycle of r_start_o: a product every n + 10 cycles, the next one made of the last one's words as
// they come. All `Chunks` words are wanted and given, zeros at the top; start_i may not come sooner
// than Chunks cycles after the one before.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_radix2 #(
  parameter  string       Target    = "portable",  // see monpro_ram
  parameter  int unsigned MaxBits   = 1024,
  parameter  int unsigned Width     = 32,
  localparam int unsigned Chunks    = (MaxBits + 5 + Width - 1) / Width,
  localparam int unsigned IndexBits = $clog2(Chunks),
  localparam int unsigned RowBits   = $clog2(MaxBits + 6)
) (
  input  logic clk_i,
  input  logic clear_i,                     // zeroes every register; memories while wipe_i
  input  logic wipe_i,
  input  logic [IndexBits-1:0] wipe_addr_i,

  input  logic [RowBits-1:0]   bits_i,      // of the modulus
  input  logic                 modulus_write_i,  // no product is in flight
  input  logic [IndexBits-1:0] modulus_index_i,
  input  logic [Width-1:0]     modulus_i,   // of 2 N'

  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic             r_start_o,
  output logic [Width-1:0] r_o              // zero but for the result's words
);

  localparam int unsigned BitBits = $clog2(Width);

  // ---- operands in: word j in the memories, and y and y + 2N' on their way to slice j

  logic [IndexBits-1:0] read_index_q, write_index_q;
  logic [2:0] start_q;
  logic reading_q, writing_q, sum_carry_q;
  logic [Width-1:0] n_word, y_q, sum_q;
  logic [Width:0] sum;

  assign sum = {1'b0, y_i} + {1'b0, n_word} + (Width + 1)'(sum_carry_q && !start_q[1]);

  // The memories' index runs ahead of their word by two cycles.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      start_q <= '0;
      reading_q <= 1'b0;
      writing_q <= 1'b0;
      read_index_q <= '0;
      write_index_q <= '0;
      sum_carry_q <= 1'b0;
      y_q <= '0;
      sum_q <= '0;
    end else begin
      start_q <= {start_q[1:0], start_i};
      if (start_i) reading_q <= 1'b1;
      else if (read_index_q == IndexBits'(Chunks - 1)) reading_q <= 1'b0;
      if (start_i) read_index_q <= IndexBits'(1);
      else if (reading_q) read_index_q <= read_index_q + 1'b1;
      if (start_q[1]) writing_q <= 1'b1;
      else if (write_index_q == IndexBits'(Chunks - 1)) writing_q <= 1'b0;
      if (start_q[1]) write_index_q <= IndexBits'(1);
      else if (writing_q) write_index_q <= write_index_q + 1'b1;
      sum_carry_q <= sum[Width];
      y_q <= y_i;
      sum_q <= sum[Width-1:0];
    end
  end

  monpro_ram #(
    .Target(Target),
    .Width (Width),
    .Depth (1 << IndexBits)
  ) u_n_ram (
    .clk_i,
    .write_i     (modulus_write_i || wipe_i),
    .write_addr_i(wipe_i ? wipe_addr_i : modulus_index_i),
    .write_data_i(wipe_i ? '0 : modulus_i),
    .read_addr_i (start_i ? '0 : read_index_q),
    .read_data_o (n_word)
  );

  // ---- x: a word is shifted out while the next one waits at the memory's output

  logic [Width-1:0] x_next, x_q, x_first_q;
  logic [IndexBits-1:0] x_index_q;
  logic [BitBits-1:0] x_bit_q;
  logic x_write;

  assign x_write = start_q[1] || writing_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      x_q <= '0;
      x_first_q <= '0;
      x_index_q <= '0;
      x_bit_q <= '0;
    end else begin
      if (start_q[1]) x_first_q <= x_i;
      x_bit_q <= x_bit_q + 1'b1;
      x_q <= x_q >> 1;
      if (start_q[2]) begin
        x_q <= x_first_q;
        x_bit_q <= '0;
        x_index_q <= IndexBits'(1);
      end else if (x_bit_q == BitBits'(Width - 1)) begin
        x_q <= x_next;
        x_index_q <= x_index_q + 1'b1;
      end
    end
  end

  monpro_ram #(
    .Target(Target),
    .Width (Width),
    .Depth (1 << IndexBits)
  ) u_x_ram (
    .clk_i,
    .write_i     (x_write || wipe_i),
    .write_addr_i(wipe_i ? wipe_addr_i : start_q[1] ? '0 : write_index_q),
    .write_data_i(wipe_i ? '0 : x_i),
    .read_addr_i (x_index_q),
    .read_data_o (x_next)
  );

  // ---- rows

  logic [Chunks+1:0] load_q;   // bit j: slice j takes its word; its first row is two cycles later
  logic [Chunks-1:0] out_q;    // bit j: slice j has its word of the result
  logic [Chunks-1:0] low, carry;
  logic [Chunks-1:0] take_y, take_n;
  logic [RowBits-1:0] row_q;   // rows left in slice 0
  logic [Chunks-1:0][Width-1:0] last;
  logic ending;

  assign take_y[0] = x_q[0];
  assign take_n[0] = low[0] && !load_q[1];
  assign ending = row_q == RowBits'(1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      load_q <= '0;
      out_q <= '0;
      row_q <= '0;
    end else begin
      load_q <= {load_q[Chunks:0], start_q[1]};
      out_q <= {out_q[Chunks-2:0], ending};
      if (load_q[1]) row_q <= bits_i + RowBits'(5);
      else if (row_q != '0) row_q <= row_q - 1'b1;
    end
  end

  for (genvar j = 0; j < Chunks; j++) begin : g_chunk

    if (j != 0) begin : g_pass
      logic take_y_q, take_n_q;

      always_ff @(posedge clk_i) begin
        if (clear_i) begin
          take_y_q <= 1'b0;
          take_n_q <= 1'b0;
        end else begin
          take_y_q <= take_y[j-1];
          take_n_q <= take_n[j-1];
        end
      end

      assign take_y[j] = take_y_q;
      assign take_n[j] = take_n_q;
    end

    logic below, above;

    if (j == 0) begin : g_lowest
      assign below = 1'b0;
    end else begin : g_not_lowest
      assign below = carry[j-1];
    end

    if (j == Chunks - 1) begin : g_highest
      assign above = carry[j];
    end else begin : g_not_highest
      assign above = low[j+1];
    end

    monpro_radix2_chunk #(
      .Width(Width)
    ) u_chunk (
      .clk_i,
      .clear_i,
      .load_modulus_i(modulus_write_i && modulus_index_i == IndexBits'(j)),
      .modulus_i,
      .load_i        (load_q[j]),
      .y_i           (y_q),
      .sum_i         (sum_q),
      .zero_i        (load_q[j+1]),
      .first_i       (load_q[j+2]),
      .take_y_i      (take_y[j]),
      .take_n_i      (take_n[j]),
      .carry_i       (below),
      .above_i       (above),
      .low_o         (low[j]),
      .carry_o       (carry[j]),
      .last_o        (last[j])
    );
  end

  // ---- result out

  monpro_word_mux #(
    .Width(Width),
    .Words(Chunks)
  ) u_out (
    .clk_i,
    .clear_i,
    .select_i(out_q),
    .words_i (last),
    .word_o  (r_o)
  );

  assign r_start_o = out_q[0];

endmodule
