// Rows of a product, and the number of elements of the array that it uses:
//
//   rows = passes * elements,  passes = ceil(wanted / Elements)
//   elements = max(ceil(wanted / passes), least_elements(Elements))
//   wanted = words + Delay; with digits narrower than words operand_digits(words)
//
// So a product has as few passes as with all elements, and uses no more elements than these passes
// need. With fewer elements in use a row comes back to the first of them sooner.
//
// words_i is static from the second cycle after restart_i on. The outputs are void from the cycle
// after restart_i until settled_o. Cycles from restart_i to settled_o:
//
//   7 + 2 * steps, where steps = 0 if passes = 1, and otherwise
//   steps = passes - 1 + Elements - elements
//   5 with one element
//
// With narrow digits these are counted before, which takes one cycle for each and one more. All of
// it takes less time than a pass of the adder over operands of that length; with narrow digits,
// less than two passes and a few cycles.
//
// RowBits is wide enough for the wanted digits and one more pass: see row_bits.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_rows
  import monpro_pkg::*;
#(
  parameter  int unsigned WordBits     = 17,
  parameter  int unsigned DigitBits    = WordBits,
  parameter  int unsigned Elements     = 16,
  parameter  int unsigned Delay        = 0,   // rows by which a quotient digit is used late
  parameter  int unsigned RowBits      = 12,
  localparam int unsigned ElementsBits = $clog2(Elements + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    restart_i,
  input  logic [RowBits-1:0]      words_i,
  output logic [RowBits-1:0]      rows_o,
  output logic [ElementsBits-1:0] elements_o,
  output logic                    settled_o
);

  logic [3:0] hold_q;  // words_i may still change
  logic counting;      // and so may wanted_q
  logic [RowBits-1:0] wanted_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) hold_q <= '1;
    else hold_q <= restart_i ? '1 : hold_q << 1;
  end

  if (DigitBits != WordBits) begin : g_narrow
    localparam int unsigned LengthBits = RowBits + $clog2(WordBits + 1);
    logic [LengthBits-1:0] bits_q, target_q;  // of so many digits, and that there must be
    logic below;
    logic [1:0] below_q;

    always_ff @(posedge clk_i) begin
      below_q <= {below_q[0], below};
      target_q <= LengthBits'(times(32'(words_i) - 1, WordBits) + DigitBits);
      if (hold_q[3]) begin
        bits_q <= LengthBits'(DigitBits);
        wanted_q <= RowBits'(1);
      end else if (below) begin
        bits_q <= bits_q + LengthBits'(DigitBits);
        wanted_q <= wanted_q + 1'b1;
      end
    end

    assign below = bits_q < target_q;
    assign counting = below || below_q != '0;
  end else begin : g_whole
    always_ff @(posedge clk_i) wanted_q <= words_i + RowBits'(Delay);

    assign counting = 1'b0;
  end

  if (Elements == 1) begin : g_one
    assign rows_o = wanted_q;
    assign elements_o = 1'b1;
    assign settled_o = hold_q == '0 && !counting;
  end else begin : g_more
    localparam logic [RowBits-1:0] Least = RowBits'(least_elements(Elements));

    // A step takes two cycles: what there is is compared, and then changed.
    logic begins, one_pass_q, change_q, more_q, fewer, settled_q;
    logic [RowBits-1:0] one_pass, rows_q, passes_q;
    logic [ElementsBits-1:0] elements_q, spare_q;  // spare_q: rows more than are wanted

    assign begins = hold_q[3] || counting;
    assign one_pass = (wanted_q < Least) ? Least : wanted_q;
    assign fewer = !more_q && !one_pass_q && RowBits'(spare_q) >= passes_q;

    always_ff @(posedge clk_i) begin
      one_pass_q <= wanted_q <= RowBits'(Elements);
      more_q <= rows_q < wanted_q;
      spare_q <= ElementsBits'(rows_q - wanted_q);
      change_q <= !begins && !change_q;
      settled_q <= !begins && (settled_q || (change_q && !more_q && !fewer));
      if (begins) begin
        rows_q <= one_pass_q ? one_pass : RowBits'(Elements);
        elements_q <= one_pass_q ? ElementsBits'(one_pass) : ElementsBits'(Elements);
        passes_q <= RowBits'(1);
      end else if (change_q && more_q) begin
        rows_q <= rows_q + RowBits'(Elements);
        passes_q <= passes_q + 1'b1;
      end else if (change_q && fewer) begin
        rows_q <= rows_q - passes_q;
        elements_q <= elements_q - 1'b1;
      end
    end

    assign rows_o = rows_q;
    assign elements_o = elements_q;
    assign settled_o = settled_q && !hold_q[3];
  end

endmodule
