// One instruction of a paper (R5), as it was drawn: an AND, an adder, a multiplexer, a shift.
//
//   z_o = (z_i odd ? z_i + m_i : z_i) / 2        all of 32 bits, at once (combinational)
//
// The carry of the sum is lost, as in the paper: so z_i + m_i has to be below 2^32. For z_i below
// an odd m_i < 2^31 that is so, and z_o = z_i / 2 mod m_i is below m_i again.
module monpro_assist_word (
  input  logic [31:0] z_i,
  input  logic [31:0] m_i,
  output logic [31:0] z_o
);

  logic [31:0] sum;

  assign sum = z_i + m_i;
  assign z_o = (z_i[0] ? sum : z_i) >> 1;

endmodule
