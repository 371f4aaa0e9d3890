// Length in bits of a number whose words are written one after the other, the lowest first: the
// position of its highest one bit, counted from 1, or 0 for zero. It also says whether the number
// is odd.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_bit_length #(
  parameter int unsigned IndexBits = 6
) (
  input  logic                 clk_i,
  input  logic                 clear_i,
  input  logic                 write_i,
  input  logic [IndexBits-1:0] index_i,
  input  logic [31:0]          word_i,
  output logic [IndexBits+5:0] bits_o,
  output logic                 odd_o
);

  logic [5:0] length;
  logic [IndexBits+5:0] bits_q;
  logic odd_q;

  always_comb begin
    length = '0;
    for (int unsigned i = 0; i < 32; i++) begin
      if (word_i[i]) length = 6'(i + 1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      bits_q <= '0;
      odd_q <= 1'b0;
    end else if (write_i) begin
      if (index_i == '0) begin
        bits_q <= (IndexBits + 6)'(length);
        odd_q <= word_i[0];
      end else if (length != '0) begin
        bits_q <= {1'b0, index_i, 5'd0} + (IndexBits + 6)'(length);
      end
    end
  end

  assign bits_o = bits_q;
  assign odd_o = odd_q;

endmodule
