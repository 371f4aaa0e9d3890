// One multiplier block: p = a * b, unsigned, three cycles later, a new pair every cycle. clear_i
// zeroes all three registers: those that a hard block has inside (input, pipeline, output).
//
// Target   "portable"   any synthesis, any simulator; whether the registers end up inside the
//                       block is the synthesis's choice. Any WordBits
//          "ecp5"       MULT18X18D, WordBits <= 18
//          "xilinx7"    DSP48E1, WordBits <= 17
module monpro_block #(
  parameter int unsigned WordBits = 17,
  parameter string Target = "portable"
) (
  input  logic                  clk_i,
  input  logic                  clear_i,
  input  logic [WordBits-1:0]   a_i,
  input  logic [WordBits-1:0]   b_i,
  output logic [2*WordBits-1:0] p_o
);

  if (Target == "ecp5") begin : g_ecp5

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
      .WordBits(WordBits)
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

    logic [WordBits-1:0] a_q, b_q;
    logic [2*WordBits-1:0] m_q, p_q;

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
