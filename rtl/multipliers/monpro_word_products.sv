// Sum of the two products of a slot of monpro_mul_word, by one or two multipliers of a word by a
// word.
//
//   low + W * upper = x * y + a * b, or one of the two      W = 2^WordBits
//
// Elements = 2: x, y, a and b in one cycle, a slot in every cycle. Elements = 1: x and y, then in
// the next cycle, with second_i, a and b; a slot of a * b alone has that cycle only. Counted from
// the last cycle of the slot:
//
//   0   operands
//   5   digit_o, the lowest word of a * b; xy_i and ab_i, whether each is summed. In the cycle of x
//       and y, with one multiplier, neither; in one without a slot they may be anything
//   6   low_o, below 6 * W, and upper_o, below 2 * W
//
// SPDX-License-Identifier: Apache-2.0
module monpro_word_products #(
  parameter string       Target   = "portable",
  parameter int unsigned WordBits = 32,
  parameter int unsigned Elements = 1
) (
  input  logic                clk_i,
  input  logic                clear_i,  // the reset: zeroes every register
  input  logic                second_i,
  input  logic [WordBits-1:0] x_i,
  input  logic [WordBits-1:0] y_i,
  input  logic [WordBits-1:0] a_i,
  input  logic [WordBits-1:0] b_i,
  input  logic                xy_i,
  input  logic                ab_i,
  output logic [WordBits-1:0] digit_o,
  output logic [WordBits+2:0] low_o,
  output logic [WordBits:0]   upper_o
);

  localparam int unsigned TileBits = (WordBits > 18) ? WordBits / 2 : WordBits;

  logic [Elements-1:0][WordBits-1:0] a_q, b_q, hi;
  logic [Elements-1:0][WordBits+1:0] lo;
  logic [Elements-1:0][TileBits:0] mid;
  logic [WordBits+2:0] low_q;

  if (Elements != 1 && Elements != 2) begin : g_illegal_elements
    $error("there are one or two multipliers");
  end

  for (genvar i = 0; i < Elements; i++) begin : g_tiles
    monpro_tiles #(
      .Target  (Target),
      .WordBits(WordBits)
    ) u_tiles (
      .clk_i,
      .clear_i,
      .a_i  (a_q[i]),
      .b_i  (b_q[i]),
      .lo_o (lo[i]),
      .mid_o(mid[i]),
      .hi_o (hi[i])
    );
  end

  assign digit_o = lo[Elements-1][WordBits-1:0];
  assign low_o = low_q;

  if (Elements == 1) begin : g_one
    logic [WordBits:0] upper_q;
    logic keep, add;

    assign keep = xy_i;              // x * y, of the cycle before
    assign add = !xy_i || ab_i;       // neither: that is x * y itself

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        a_q <= '0;
        b_q <= '0;
        low_q <= '0;
        upper_q <= '0;
      end else begin
        a_q <= second_i ? a_i : x_i;
        b_q <= second_i ? b_i : y_i;
        if (add) begin
          low_q <= (keep ? low_q : '0) + (WordBits + 3)'(lo);
          upper_q <= (keep ? upper_q : '0) + (WordBits + 1)'(hi) + (WordBits + 1)'(mid);
        end
      end
    end

    assign upper_o = upper_q;
  end else begin : g_two
    logic [1:0][WordBits-1:0] upper_q;
    logic [1:0] used;

    assign used = {ab_i, xy_i};

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        a_q <= '0;
        b_q <= '0;
        low_q <= '0;
        upper_q <= '0;
      end else begin
        a_q <= {a_i, x_i};
        b_q <= {b_i, y_i};
        low_q <= (used[0] ? (WordBits + 3)'(lo[0]) : '0) + (used[1] ? (WordBits + 3)'(lo[1]) : '0);
        for (int unsigned i = 0; i < 2; i++) begin
          upper_q[i] <= used[i] ? hi[i] + WordBits'(mid[i]) : '0;
        end
      end
    end

    assign upper_o = (WordBits + 1)'(upper_q[0]) + (WordBits + 1)'(upper_q[1]);

    // The multipliers have the operands side by side.
    logic unused;
    assign unused = second_i;
  end

endmodule
