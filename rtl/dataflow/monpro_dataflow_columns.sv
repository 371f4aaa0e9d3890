// Column sums of up to 8 blocks that take turns, and what becomes of a column's digit.
//
// For each step of a block, with its product low + W * high:
//
//   S := S + low + W * high      S = 0 before a step with `first`; quotient and empty steps add 0
//
// and after the last step of a column its digit is S mod W, and S := floor(S / W) for the next.
// A column has at most 2 * 128 products and a carry below 2^8 * W, so S < 2^8 * W^2.
//
// A block may have a step every 8 cycles. So two cycles for the sum, one for the digit's part of
// it and one for the rest with its carry, delay nobody: this is what the blocks take turns for.
//
//   cycle 0    step_i and the product
//         1    sum_o = S mod W, for the quotient m = S * n'0 of the same block
//         2    n_i, the digit of n that goes with the column's
//         3    the digits to be written, and wrong_o
//
// Form product: the digits go out in pairs, those of even columns to even_o, of odd ones to odd_o;
// the last column, an even one, brings the highest digit too, which is all that is left of S.
// Form montgomery: even_o is the digit u_j of u < 2n, odd_o that of u - n, with the borrow kept for
// each block; with the last one take_o says which is the result, u - n if it is not negative.
// Both are always computed. wrong_o: a column that m was to make zero is not.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow_columns
  import monpro_dataflow_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 clear_i,  // the reset: no step is under way
  input  logic                 montgomery_i,
  input  step_t                step_i,
  input  logic [DigitBits-1:0] low_i,
  input  logic [DigitBits-1:0] high_i,
  input  logic [DigitBits-1:0] n_i,
  output logic [DigitBits-1:0] sum_o,
  output logic                 even_write_o,
  output logic                 odd_write_o,
  output logic                 done_o,
  output logic [PlaceBits-1:0] place_o,
  output logic [IndexBits-1:0] index_o,
  output logic [DigitBits-1:0] even_o,
  output logic [DigitBits-1:0] odd_o,
  output logic                 take_o,
  output logic                 wrong_o
);

  localparam int unsigned UpperBits = DigitBits + 8;  // of floor(S / W)

  logic [DigitBits-1:0] lower_q[Slots];
  logic [UpperBits-1:0] upper_q[Slots];
  logic [Slots-1:0] borrow_q;
  logic borrow2_q;
  step_t step1_q, step2_q;
  logic adds;
  logic [DigitBits:0] sum1_q;
  logic [DigitBits-1:0] high1_q, digit2_q;
  logic [UpperBits-1:0] sum2_q;
  logic [SlotBits-1:0] slot0, slot1, slot2;
  logic [DigitBits:0] difference;

  assign slot0 = step_i.place[SlotBits-1:0];
  assign slot1 = step1_q.place[SlotBits-1:0];
  assign slot2 = step2_q.place[SlotBits-1:0];
  assign adds = step_i.op != OpQuotient && step_i.op != OpEmpty;

  always_ff @(posedge clk_i) begin
    step1_q <= clear_i ? '0 : step_i;
    sum1_q <= (step_i.first ? '0 : (DigitBits + 1)'(lower_q[slot0])) +
              (adds ? (DigitBits + 1)'(low_i) : '0);
    high1_q <= adds ? high_i : '0;

    step2_q <= clear_i ? '0 : step1_q;
    digit2_q <= sum1_q[DigitBits-1:0];
    borrow2_q <= borrow_q[slot1] && step1_q.index != '0;
    sum2_q <= (step1_q.first ? '0 : upper_q[slot1]) + UpperBits'(high1_q) +
              UpperBits'(sum1_q[DigitBits]);

    if (step2_q.valid) begin
      lower_q[slot2] <= step2_q.last ? sum2_q[DigitBits-1:0] : digit2_q;
      upper_q[slot2] <= step2_q.last ? sum2_q >> DigitBits : sum2_q;
    end
  end

  assign sum_o = sum1_q[DigitBits-1:0];
  assign difference = (DigitBits + 1)'(digit2_q) - (DigitBits + 1)'(n_i) -
                      (DigitBits + 1)'(borrow2_q);

  always_ff @(posedge clk_i) begin
    if (step2_q.valid && step2_q.result) borrow_q[slot2] <= difference[DigitBits];
    even_write_o <= step2_q.valid && step2_q.result && (montgomery_i || !step2_q.odd);
    odd_write_o <= step2_q.valid && step2_q.result &&
                   (montgomery_i || step2_q.odd || step2_q.done);
    done_o <= step2_q.valid && step2_q.done;
    place_o <= step2_q.place;
    index_o <= step2_q.index;
    even_o <= digit2_q;
    if (montgomery_i) odd_o <= difference[DigitBits-1:0];
    else odd_o <= step2_q.odd ? digit2_q : sum2_q[DigitBits-1:0];
    take_o <= sum2_q[0] || !difference[DigitBits];
    wrong_o <= !clear_i && step2_q.valid && step2_q.cancel && digit2_q != '0;
  end

  logic unused;
  assign unused = ^{step1_q.x, step1_q.y, step2_q.x, step2_q.y, step2_q.op, step2_q.first};

endmodule
