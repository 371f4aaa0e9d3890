// Sums and halvings of numbers of any length, a word for each instruction, lowest word first.
//
//   OpAddFirst, OpAddNext ..                   T = T + Y: a_i a word of T, b_i of Y, data_o its sum
//   OpHalveFirst, OpHalveNext .., OpHalveLast  T = (T odd ? T + M : T) / 2: a_i of T, b_i of M
//
// A halving of s words takes s + 1 instructions, as a word of the result needs the lowest bit of
// the next sum: OpHalveFirst has no result, each OpHalveNext has the word below, and OpHalveLast,
// which reads no operand, has the highest.
//
// What is above the words stays inside: a carry out of the last OpAddNext counts at OpHalveLast.
// For T < 2 M, Y < M, and M of s words, T + Y + M is below 4 M, so that one bit is left above a
// halving, `top`: OpClear zeroes it, OpTop reads it.
//
//   a Montgomery step T = (T + x Y + q M) / 2:  s instructions if x is 1, then s + 1
//   T / 2 mod M, T < M:                         s + 1
//
// One instruction a cycle; data_o is of this cycle's (combinational).
//
// SPDX-License-Identifier: Apache-2.0
module monpro_assist_limbs
  import monpro_assist_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        valid_i,  // an instruction is taken in this cycle
  input  limbs_op_e   op_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] data_o
);

  logic is_first, is_halve, odd, odd_q, carry_in, carry_q, added_q, top_q;
  logic [1:0] above;
  logic [31:0] addend;
  logic [31:1] below_q;
  logic [32:0] sum;

  assign is_first = op_i == OpAddFirst || op_i == OpHalveFirst;
  assign is_halve = op_i == OpHalveFirst || op_i == OpHalveNext;
  assign odd = op_i == OpHalveFirst ? a_i[0] : odd_q;
  assign addend = is_halve && !odd ? '0 : b_i;
  assign carry_in = carry_q && !is_first;
  assign sum = {1'b0, a_i} + {1'b0, addend} + 33'(carry_in);
  assign above = {1'b0, top_q} + {1'b0, added_q} + {1'b0, carry_q};

  always_comb begin
    unique case (op_i)
      OpAddFirst, OpAddNext: data_o = sum[31:0];
      OpHalveNext: data_o = {sum[0], below_q};
      OpHalveLast: data_o = {above[0], below_q};
      OpTop: data_o = {31'b0, top_q};
      default: data_o = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      odd_q <= 1'b0;
      carry_q <= 1'b0;
      added_q <= 1'b0;
      top_q <= 1'b0;
      below_q <= '0;
    end else if (valid_i) begin
      unique case (op_i)
        OpAddFirst, OpAddNext: begin
          carry_q <= sum[32];
          added_q <= sum[32];
        end
        OpHalveFirst, OpHalveNext: begin
          odd_q <= odd;
          carry_q <= sum[32];
          below_q <= sum[31:1];
        end
        OpHalveLast: begin
          top_q <= above[1];
          added_q <= 1'b0;
        end
        OpClear: begin
          top_q <= 1'b0;
          added_q <= 1'b0;
        end
        default: ;
      endcase
    end
  end

endmodule
