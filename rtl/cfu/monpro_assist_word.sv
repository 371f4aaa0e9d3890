// The instruction of a paper (bishop2021): an AND, an adder, a multiplexer and a shift.
//
//   z_o = (z_i odd ? z_i + m_i : z_i) / 2        32 bits, in the same cycle (combinational)
//
// The carry of the sum is lost, as in the paper, so z_i + m_i must be below 2^32. That holds for
// z_i below an odd m_i < 2^31. Then z_o = z_i / 2 mod m_i is below m_i again.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_assist_word (
  input  logic [31:0] z_i,
  input  logic [31:0] m_i,
  output logic [31:0] z_o
);

  logic [31:0] sum;

  assign sum = z_i + m_i;
  assign z_o = (z_i[0] ? sum : z_i) >> 1;

endmodule
