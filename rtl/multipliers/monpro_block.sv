// One multiplier block: p = a * b, unsigned, three cycles later, a new pair every cycle. Portable;
// the registers are those that a hard block has inside (input, pipeline, output), so that
// synthesis can absorb them.
module monpro_block #(
  parameter int unsigned WordBits = 17
) (
  input  logic                  clk_i,
  input  logic                  clear_i,
  input  logic [WordBits-1:0]   a_i,
  input  logic [WordBits-1:0]   b_i,
  output logic [2*WordBits-1:0] p_o
);

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

endmodule
