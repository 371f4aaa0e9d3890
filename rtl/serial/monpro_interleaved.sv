// Interleaved modular multiplication, without Montgomery:  r = x * y mod N, x, y, r < N.
//
// With n = bits_i, P = 0 at first, and then for the bits of x from the highest on:
//
//   P = 2P + x_i * y, minus 2N or N if the difference is not below zero
//
// 2P + x_i * y < 3N. All three differences are computed at once, and the signs of two of them
// choose. Their carries run through the whole length in a cycle, so the clock falls with MaxBits.
// Montgomery multiplication decides at the other end and has no such carries.
//
// Cycles: word j of x and y must be there 2 + j cycles after start_i. r_start_o comes n + s + 4
// cycles after start_i with s = ceil(n / Width), and word j of the result 2 + j cycles after
// r_start_o. The next start_i may come in the cycle of r_start_o.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_interleaved #(
  parameter  string       Target    = "portable",  // see monpro_ram
  parameter  int unsigned MaxBits   = 1024,
  parameter  int unsigned Width     = 32,
  localparam int unsigned Chunks    = (MaxBits + 5 + Width - 1) / Width,
  localparam int unsigned IndexBits = $clog2(Chunks),
  localparam int unsigned RowBits   = $clog2(MaxBits + 6)
) (
  input  logic clk_i,
  input  logic clear_i,
  input  logic wipe_i,
  input  logic [IndexBits-1:0] wipe_addr_i,

  input  logic [RowBits-1:0]   bits_i,
  input  logic                 modulus_write_i,
  input  logic [IndexBits-1:0] modulus_index_i,
  input  logic [Width-1:0]     modulus_i,

  input  logic             start_i,
  input  logic [Width-1:0] x_i,
  input  logic [Width-1:0] y_i,
  output logic             r_start_o,
  output logic [Width-1:0] r_o
);

  localparam int unsigned Bits = Chunks * Width;
  localparam int unsigned BitBits = $clog2(Width);

  // ---- operands in

  logic [1:0] start_q;
  logic [IndexBits-1:0] index_q, top;    // of the word that comes, of the highest one
  logic writing_q, x_write, top_word;
  logic [Chunks-1:0] load_q;             // bit j: slice j takes its word of y
  logic [Width-1:0] y_q;
  logic [RowBits-1:0] highest;           // bit of x

  assign highest = bits_i - 1'b1;
  assign top = IndexBits'(highest >> BitBits);
  assign x_write = start_q[1] || writing_q;
  assign top_word = x_write && (start_q[1] ? '0 : index_q) == top;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      start_q <= '0;
      index_q <= '0;
      writing_q <= 1'b0;
      load_q <= '0;
      y_q <= '0;
    end else begin
      start_q <= {start_q[0], start_i};
      load_q <= {load_q[Chunks-2:0], start_q[1]};
      y_q <= y_i;
      if (start_q[1]) begin
        index_q <= IndexBits'(1);
        writing_q <= 1'b1;
      end else if (writing_q) begin
        index_q <= index_q + 1'b1;
        writing_q <= index_q != IndexBits'(Chunks - 1);
      end
    end
  end

  // ---- x: the highest word as it comes, the others out of a memory

  logic [Width-1:0] x_q, x_next;
  logic [IndexBits-1:0] x_index_q;
  logic [BitBits-1:0] x_place_q;
  logic [1:0] first_q;
  logic x_bit_q, running_q;
  logic [RowBits-1:0] row_q;             // rows left
  logic ending;

  assign ending = running_q && row_q == RowBits'(1);

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      x_q <= '0;
      x_index_q <= '0;
      x_place_q <= '0;
      first_q <= '0;
      x_bit_q <= 1'b0;
      running_q <= 1'b0;
      row_q <= '0;
    end else begin
      first_q <= {first_q[0], top_word};
      x_bit_q <= x_q[x_place_q];
      if (start_i) x_index_q <= top - 1'b1;
      if (top_word) begin
        x_q <= x_i;
        x_place_q <= highest[BitBits-1:0];
      end else if (first_q[1] || running_q) begin
        x_place_q <= x_place_q - 1'b1;
        if (x_place_q == '0) begin
          x_q <= x_next;
          x_index_q <= x_index_q - 1'b1;
        end
      end
      if (first_q[1]) begin
        running_q <= 1'b1;
        row_q <= bits_i;
      end else if (running_q) begin
        row_q <= row_q - 1'b1;
        running_q <= !ending;
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
    .write_addr_i(wipe_i ? wipe_addr_i : start_q[1] ? '0 : index_q),
    .write_data_i(wipe_i ? '0 : x_i),
    .read_addr_i (x_index_q),
    .read_data_o (x_next)
  );

  // ---- rows

  logic [Chunks-1:0][Width-1:0] y_words_q, n_words_q, p_q;
  logic [Bits-1:0] a;
  logic [Bits:0] less_n, less_2n;
  logic [Chunks-1:0] out_q;

  assign a = {p_q[Chunks-1][Width-2:0], p_q[Chunks-2:0], 1'b0} + (y_words_q & {Bits{x_bit_q}});
  assign less_n = {1'b0, a} - {1'b0, n_words_q};
  assign less_2n = {1'b0, a} - {n_words_q, 1'b0};

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      y_words_q <= '0;
      n_words_q <= '0;
      p_q <= '0;
      out_q <= '0;
    end else begin
      out_q <= {out_q[Chunks-2:0], ending};
      for (int unsigned j = 0; j < Chunks; j++) begin
        if (load_q[j]) y_words_q[j] <= y_q;
        if (modulus_write_i && modulus_index_i == IndexBits'(j)) n_words_q[j] <= modulus_i;
      end
      // A shorter modulus leaves nothing of a longer one's operands.
      if (modulus_write_i) y_words_q <= '0;
      if (first_q[1]) p_q <= '0;
      else if (running_q) begin
        if (!less_2n[Bits]) p_q <= less_2n[Bits-1:0];
        else if (!less_n[Bits]) p_q <= less_n[Bits-1:0];
        else p_q <= a;
      end
    end
  end

  // ---- result out

  monpro_word_mux #(
    .Width(Width),
    .Words(Chunks)
  ) u_out (
    .clk_i,
    .clear_i,
    .select_i(out_q),
    .words_i (p_q),
    .word_o  (r_o)
  );

  assign r_start_o = out_q[0];

endmodule
