// The exponent, 32 bits a word, given out from its most significant bit on, a few bits at a time.
//
// rewind_i starts again at bit bits_i - 1. take_i asks for the next min(count_i, bits left) bits:
// taken_o says that value_o and taken_count_o hold them, 2 * taken_count_o + 2 cycles later; both
// stay until the next take_i. Addresses and cycles follow from bits_i and count_i alone.
module monpro_exponent #(
  parameter  int unsigned MaxBits   = 4096,
  localparam int unsigned Words     = (MaxBits + 31) / 32,
  localparam int unsigned AddrBits  = (Words > 1) ? $clog2(Words) : 1,
  localparam int unsigned CountBits = $clog2(MaxBits + 1)
) (
  input  logic clk_i,
  input  logic clear_i,  // the reset: zeroes every register

  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [31:0]         write_data_i,

  input  logic                 rewind_i,
  input  logic [CountBits-1:0] bits_i,
  input  logic                 take_i,
  input  logic [2:0]           count_i,
  output logic                 taken_o,
  output logic [2:0]           taken_count_o,
  output logic [5:0]           value_o
);

  logic [CountBits-1:0] left_q, position;
  logic [2:0] wanted_q, count_q;
  logic [4:0] bit_q;
  logic [5:0] value_q;
  logic active_q, data_q, taken_q;
  logic [31:0] word;

  assign position = left_q - 1'b1;

  // The address goes out in one cycle, the bit is taken from the word in the next.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      left_q <= '0;
      wanted_q <= '0;
      count_q <= '0;
      bit_q <= '0;
      value_q <= '0;
      active_q <= 1'b0;
      data_q <= 1'b0;
      taken_q <= 1'b0;
    end else if (rewind_i) begin
      left_q <= bits_i;
      active_q <= 1'b0;
      taken_q <= 1'b0;
    end else if (take_i) begin
      wanted_q <= (left_q < CountBits'(count_i)) ? left_q[2:0] : count_i;
      count_q <= '0;
      value_q <= '0;
      active_q <= 1'b1;
      data_q <= 1'b0;
      taken_q <= 1'b0;
    end else if (active_q) begin
      if (data_q) begin
        value_q <= {value_q[4:0], word[bit_q]};
        count_q <= count_q + 1'b1;
        left_q <= position;
        data_q <= 1'b0;
      end else if (count_q == wanted_q) begin
        active_q <= 1'b0;
        taken_q <= 1'b1;
      end else begin
        bit_q <= position[4:0];
        data_q <= 1'b1;
      end
    end
  end

  monpro_ram #(
    .Width(32),
    .Depth(Words)
  ) u_ram (
    .clk_i,
    .write_i,
    .write_addr_i,
    .write_data_i,
    .read_addr_i(AddrBits'(position >> 5)),
    .read_data_o(word)
  );

  assign taken_o = taken_q;
  assign taken_count_o = count_q;
  assign value_o = value_q;

endmodule
