// 128 bits held inside: M, Y and T, and Montgomery steps on them, one a cycle.
//
//   OpStep    rs2 times (1 to 32), with x the next bit of rs1, the lowest first:
//             T = (T + x Y + q M) / 2,  q such that the sum is even
//   OpReduce  T = T - M if T >= M
//
// M is odd and below 2^128, Y below M; then T stays below 2 M, and the sum below 4 M. After 128
// steps from T = 0 and OpReduce, T is x Y / 2^128 mod M. With x = 0, T / 2^128 mod M of a T < M:
// the multiplication by one.
//
//   OpSetM, OpSetMHigh ..  two words each: a_i the lower, b_i; OpSetT also clears the bit above T
//   OpRead0 .. OpRead3     a word of T
//
// Cycles: OpStep rs2, every other one 1. done_o tells the last, and data_o is valid in it;
// the instruction has to be there until then.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_assist_held
  import monpro_assist_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,
  input  held_op_e    op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic        done_o,
  output logic [31:0] data_o
);

  logic [127:0] m_q, y_q;
  logic [128:0] t_q, difference;
  logic [129:0] sum;
  logic [4:0] turn_q;
  logic x, q;

  assign x = a_i[turn_q];
  assign q = t_q[0] ^ (x && y_q[0]);
  assign sum = {1'b0, t_q} + (x ? {2'b0, y_q} : '0) + (q ? {2'b0, m_q} : '0);
  assign difference = t_q - {1'b0, m_q};
  assign done_o = valid_i && (op_i != OpStep || {1'b0, turn_q} + 6'd1 >= b_i[5:0]);

  always_comb begin
    unique case (op_i)
      OpRead0: data_o = t_q[31:0];
      OpRead1: data_o = t_q[63:32];
      OpRead2: data_o = t_q[95:64];
      OpRead3: data_o = t_q[127:96];
      default: data_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      m_q <= '0;
      y_q <= '0;
      t_q <= '0;
      turn_q <= '0;
    end else if (valid_i) begin
      unique case (op_i)
        OpSetM: m_q[63:0] <= {b_i, a_i};
        OpSetMHigh: m_q[127:64] <= {b_i, a_i};
        OpSetY: y_q[63:0] <= {b_i, a_i};
        OpSetYHigh: y_q[127:64] <= {b_i, a_i};
        OpSetT: {t_q[128], t_q[63:0]} <= {1'b0, b_i, a_i};
        OpSetTHigh: t_q[127:64] <= {b_i, a_i};
        OpStep: begin
          t_q <= 129'(sum >> 1);
          turn_q <= done_o ? '0 : turn_q + 5'd1;
        end
        // Below 2 M, a difference that is negative has the bit above set.
        OpReduce: if (!difference[128]) t_q <= difference;
        default: ;
      endcase
    end
  end

endmodule
