// The output of the last element in use, Stages cycles later.
//
// Elements of an array lie far apart, so four neighbours share a register. It is zero unless the
// tap is one of the four. The registers are or'ed behind them (Stages = 1) or in front of one more
// register (Stages = 2). tap_i acts a cycle late. It changes only while no word that is wanted is
// on its way.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_taps #(
  parameter  int unsigned Width   = 17,
  parameter  int unsigned Taps    = 8,
  parameter  int unsigned Stages  = 1,
  localparam int unsigned TapBits = (Taps > 1) ? $clog2(Taps) : 1
) (
  input  logic                       clk_i,
  input  logic                       clear_i,  // the reset: zeroes every register
  input  logic [TapBits-1:0]         tap_i,    // 0 to Taps - 1
  input  logic [Taps-1:0][Width-1:0] words_i,
  output logic [Width-1:0]           word_o
);

  localparam int unsigned Neighbours = (Taps < 4) ? Taps : 4;
  localparam int unsigned WhichBits = (Neighbours > 1) ? $clog2(Neighbours) : 1;
  localparam int unsigned Groups = (Taps + Neighbours - 1) / Neighbours;

  logic [WhichBits-1:0] which_q;
  logic [Groups-1:0] group_on_q;
  logic [Groups-1:0][Neighbours-1:0][Width-1:0] neighbours;
  logic [Groups-1:0][Width-1:0] group_q;
  logic [Width-1:0] word;

  if (Stages < 1 || Stages > 2) begin : g_illegal_stages
    $error("Stages must be 1 or 2");
  end

  // The last group may be short of some.
  assign neighbours = (Groups * Neighbours * Width)'(words_i);

  always_ff @(posedge clk_i) begin
    which_q <= clear_i ? '0 : WhichBits'(32'(tap_i) % Neighbours);
    for (int unsigned g = 0; g < Groups; g++) begin
      group_on_q[g] <= !clear_i && 32'(tap_i) / Neighbours == g;
      group_q[g] <= group_on_q[g] && !clear_i ? neighbours[g][which_q] : '0;
    end
  end

  always_comb begin
    word = '0;
    for (int unsigned g = 0; g < Groups; g++) word |= group_q[g];
  end

  if (Stages == 1) begin : g_one
    assign word_o = word;
  end else begin : g_two
    logic [Width-1:0] word_q;

    always_ff @(posedge clk_i) word_q <= clear_i ? '0 : word;
    assign word_o = word_q;
  end

endmodule
