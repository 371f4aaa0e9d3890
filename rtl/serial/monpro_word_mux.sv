// The word whose bit of select_i is set, two cycles later; zero if no bit is set. At most one bit
// may be set.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_word_mux #(
  parameter int unsigned Width = 32,
  parameter int unsigned Words = 33
) (
  input  logic                         clk_i,
  input  logic                         clear_i,
  input  logic [Words-1:0]             select_i,
  input  logic [Words-1:0][Width-1:0]  words_i,
  output logic [Width-1:0]             word_o
);

  localparam int unsigned Group = 6;
  localparam int unsigned Groups = (Words + Group - 1) / Group;

  logic [Groups-1:0][Width-1:0] group, group_q;
  logic [Width-1:0] word, word_q;

  always_comb begin
    group = '0;
    for (int unsigned i = 0; i < Words; i++) begin
      group[i/Group] |= words_i[i] & {Width{select_i[i]}};
    end
    word = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      word |= group_q[g];
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      group_q <= '0;
      word_q <= '0;
    end else begin
      group_q <= group;
      word_q <= word;
    end
  end

  assign word_o = word_q;

endmodule
