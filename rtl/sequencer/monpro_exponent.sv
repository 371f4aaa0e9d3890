// Memory of the exponent (with CRT of dP and dQ), in words of 32 bits. It gives out a few bits at a
// time, from the most or from the least significant bit on.
//
// rewind_i starts at the first bit again. take_i asks for the next min(count_i, bits left) bits.
// When taken_o is high, value_o holds them, the first one taken highest, and taken_count_o is their
// number. They stay until the next take_i. With append_i they join the bits taken before.
//
// Cycles from take_i to taken_o: 6 * taken_count_o + 2, with both_i 12 * taken_count_o + 3.
// Addresses and cycles depend only on bits_i, count_i and both_i.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_exponent #(
  parameter  string       Target    = "portable",  // see monpro_ram
  parameter  int unsigned MaxBits   = 4096,
  parameter  bit          Crt       = 1'b0,
  parameter  bit          LowFirst  = 1'b1,  // low_first_i is of use
  localparam int unsigned Words     = (MaxBits + 31) / 32,
  localparam int unsigned AddrBits  = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned CountBits = $clog2(MaxBits + 1)
) (
  input  logic clk_i,
  input  logic clear_i,  // the reset: zeroes every register

  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,  // dQ: in the upper half of the memory
  input  logic [31:0]         write_data_i,

  input  logic                 rewind_i,
  input  logic [CountBits-1:0] bits_i,
  input  logic                 both_i,        // take from dP and from dQ
  input  logic                 low_first_i,
  input  logic                 take_i,
  input  logic                 append_i,
  input  logic [2:0]           count_i,
  output logic                 taken_o,
  output logic [2:0]           taken_count_o,
  output logic [1:0][5:0]      value_o        // of dP, or the one exponent; and of dQ
);

  logic [CountBits-1:0] left_q, last_left_q, next_left, position;
  logic [2:0] wanted_q, count_q;
  logic few_q;  // less than eight bits are left
  logic [4:0] bit_q;
  logic [1:0][5:0] value_q;
  logic active_q, taken_q, half_q;
  // The bit's address is out, its word is in the memory, is there; its byte is there, and the bit.
  logic [4:0] data_q;
  logic [7:0] word_byte_q;
  logic word_bit_q;
  logic [31:0] word;
  logic [AddrBits-1:0] addr_q;

  always_ff @(posedge clk_i) few_q <= left_q < CountBits'(8);

  assign next_left = left_q - 1'b1;
  assign position = (LowFirst && low_first_i) ? bits_i - left_q : next_left;

  // The address goes out in one cycle, the bit is taken from the word five cycles later.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      left_q <= '0;
      last_left_q <= '0;
      wanted_q <= '0;
      count_q <= '0;
      bit_q <= '0;
      addr_q <= '0;
      word_byte_q <= '0;
      word_bit_q <= 1'b0;
      value_q <= '0;
      active_q <= 1'b0;
      data_q <= '0;
      taken_q <= 1'b0;
      half_q <= 1'b0;
    end else if (rewind_i) begin
      left_q <= bits_i;
      active_q <= 1'b0;
      taken_q <= 1'b0;
    end else if (take_i) begin
      wanted_q <= (few_q && left_q[2:0] < count_i) ? left_q[2:0] : count_i;
      last_left_q <= left_q;
      count_q <= '0;
      if (!append_i) value_q <= '0;
      active_q <= 1'b1;
      data_q <= '0;
      taken_q <= 1'b0;
      half_q <= 1'b0;
    end else if (active_q) begin
      data_q <= data_q << 1;
      word_byte_q <= word[{bit_q[4:3], 3'd0}+:8];
      word_bit_q <= word_byte_q[bit_q[2:0]];
      if (data_q == '0) begin  // if no other bit is wanted any address, even beyond the memory
        bit_q <= position[4:0];
        addr_q <= AddrBits'(position >> 5) |
                  ((Crt && half_q) ? AddrBits'(1) << (AddrBits - 1) : '0);
      end
      if (data_q[4]) begin
        value_q[Crt && half_q] <= {value_q[Crt && half_q][4:0], word_bit_q};
        count_q <= count_q + 1'b1;
        left_q <= next_left;
      end else if (data_q == '0 && count_q == wanted_q) begin
        if (Crt && both_i && !half_q) begin
          half_q <= 1'b1;
          count_q <= '0;
          left_q <= last_left_q;
        end else begin
          active_q <= 1'b0;
          taken_q <= 1'b1;
        end
      end else if (data_q == '0) begin
        data_q <= 5'b00001;
      end
    end
  end

  monpro_ram #(
    .Target(Target),
    .Width (32),
    .Depth (Crt ? 1 << AddrBits : Words)
  ) u_ram (
    .clk_i,
    .write_i,
    .write_addr_i,
    .write_data_i,
    .read_addr_i(addr_q),
    .read_data_o(word)
  );

  assign taken_o = taken_q;
  assign taken_count_o = count_q;
  assign value_o = value_q;

endmodule
