// One multiplier block: p = a * b, unsigned, three cycles later, with a new pair in every cycle. a
// is a digit of DigitBits, b a word of WordBits. clear_i zeroes the three registers, which are
// those that a hard block has inside (input, pipeline, output).
//
// Target   "portable"   any synthesis, any simulator and any WordBits. The synthesis decides
// whether
//                       the registers lie inside the block
//          "ecp5"       MULT18X18D, WordBits <= 18, DigitBits = WordBits
//          "xilinx7"    DSP48E1, WordBits <= 24, DigitBits <= 17
//
// SPDX-License-Identifier: Apache-2.0
module monpro_block #(
  parameter int unsigned WordBits = 17,
  parameter int unsigned DigitBits = WordBits,
  parameter string Target = "portable"
) (
  input  logic                          clk_i,
  input  logic                          clear_i,
  input  logic [DigitBits-1:0]          a_i,
  input  logic [WordBits-1:0]           b_i,
  output logic [WordBits+DigitBits-1:0] p_o
);

  if (Target == "ecp5") begin : g_ecp5

    if (DigitBits != WordBits) begin : g_not_square
      $error("DigitBits = %0d: on ECP5 it has to be WordBits = %0d", DigitBits, WordBits);
    end

    monpro_block_ecp5 #(
      .WordBits(WordBits)
    ) u_block (
      .clk_i,
      .clear_i,
      .a_i,
      .b_i,
      .p_o
    );

  end else if (Target == "xilinx7") begin : g_xilinx7

    monpro_block_xilinx7 #(
      .WordBits (WordBits),
      .DigitBits(DigitBits)
    ) u_block (
      .clk_i,
      .clear_i,
      .a_i,
      .b_i,
      .p_o
    );

  end else begin : g_portable

    if (Target != "portable") begin : g_unknown
      $error("Target is none of portable, ecp5, xilinx7");
    end

    logic [DigitBits-1:0] a_q;
    logic [WordBits-1:0] b_q;
    logic [WordBits+DigitBits-1:0] m_q, p_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        a_q <= '0;
        b_q <= '0;
        m_q <= '0;
        p_q <= '0;
      end else begin
        a_q <= a_i;
        b_q <= b_i;
        m_q <= a_q * b_q;
        p_q <= m_q;
      end
    end

    assign p_o = p_q;

  end

endmodule
