// A lane: buffers for the operands of 16 blocks, one multiplier, column sums, buffers for the
// results of 16 blocks. It has no control of its own; all lanes do the same in each cycle.
//
// A product takes nine cycles from a step to data_o, with the pair to be multiplied made in the
// third; in the forms that stream it, it comes with stream_i from beat_i instead:
//
//   0   step_i; the buffers' addresses
//   2   the digits, from the buffers, from beat_i, or, for a quotient, from the sum and n'0
//   3   x, y
//   8   low, high
//   9   data_o, and with the column's last step
//   11  its digit goes into the results
//
// A quotient step's low word is m, which the block's next step, 8 cycles later, takes at once;
// later ones read it from a buffer. A result is read with read_*_i, and data_o follows three
// cycles later.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow_lane
  import monpro_dataflow_pkg::*;
#(
  parameter string       Target    = "portable",  // see monpro_block, monpro_ram
  parameter int unsigned MaxDigits = 128
) (
  input  logic                   clk_i,
  input  logic                   clear_i,  // the reset: no step is under way
  input  form_e                  form_i,

  input  logic [2*DigitBits-1:0] beat_i,
  input  logic                   load_constant_i,
  input  logic                   load_ab_i,
  input  logic                   load_n_i,
  input  logic [PlaceBits-1:0]   load_place_i,
  input  logic [IndexBits-1:0]   load_index_i,

  input  step_t                  step_i,
  output logic                   wrong_o,  // n'0 is not that of n

  input  logic [PlaceBits-1:0]   read_place_i,
  input  logic [IndexBits-1:0]   read_index_i,
  output logic [2*DigitBits-1:0] data_o
);

  localparam int unsigned PlaceDigits = $clog2(MaxDigits);
  localparam int unsigned AddrBits = PlaceBits + PlaceDigits;
  localparam int unsigned Stages = 8;  // a step's, up to its product

  typedef logic [DigitBits-1:0] digit_t;

  step_t [Stages:1] step_q;
  digit_t beat_low, beat_high, constant_q;

  assign {beat_high, beat_low} = beat_i;

  always_ff @(posedge clk_i) begin
    if (clear_i) step_q <= '0;
    else step_q <= {step_q[Stages-1:1], step_i};
    if (load_constant_i) constant_q <= beat_high;
  end

  // ---- operands

  logic [AddrBits-1:0] load_addr;
  digit_t a, b, n, m, inverse;
  digit_t inverse_q[Places];
  logic m_write_q;
  logic [SlotBits+PlaceDigits-1:0] m_addr_q;
  digit_t m_fresh_q;  // of the last quotient step

  assign load_addr = {load_place_i, load_index_i[PlaceDigits-1:0]};

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (1 << AddrBits)
  ) u_a (
    .clk_i,
    .write_i     (load_ab_i),
    .write_addr_i(load_addr),
    .write_data_i(beat_low),
    .read_addr_i ({step_i.place, step_i.x[PlaceDigits-1:0]}),
    .read_data_o (a)
  );

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (1 << AddrBits)
  ) u_b (
    .clk_i,
    .write_i     (load_ab_i),
    .write_addr_i(load_addr),
    .write_data_i(beat_high),
    .read_addr_i ({step_i.place, step_i.y[PlaceDigits-1:0]}),
    .read_data_o (b)
  );

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (1 << AddrBits)
  ) u_n (
    .clk_i,
    .write_i     (load_n_i),
    .write_addr_i(load_addr),
    .write_data_i(beat_low),
    .read_addr_i ({step_i.place, step_i.y[PlaceDigits-1:0]}),
    .read_data_o (n)
  );

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (Slots * MaxDigits)
  ) u_m (
    .clk_i,
    .write_i     (m_write_q),
    .write_addr_i(m_addr_q),
    .write_data_i(m_fresh_q),
    .read_addr_i ({step_i.place[SlotBits-1:0], step_i.x[PlaceDigits-1:0]}),
    .read_data_o (m)
  );

  always_ff @(posedge clk_i) begin
    if (load_n_i && load_index_i == '0) inverse_q[load_place_i] <= beat_high;
    inverse <= inverse_q[step_q[1].place];
  end

  // ---- multiplier

  digit_t x_d, y_d, x_q, y_q, low, high, sum, sum_q, m_q;

  always_comb begin
    unique case (form_i)
      FormConstant: {y_d, x_d} = {constant_q, beat_low};
      FormPairs: {y_d, x_d} = beat_i;
      default:
        unique case (step_q[2].op)
          OpReduce:   {y_d, x_d} = {n, m};
          OpQuotient: {y_d, x_d} = {inverse, sum_q};
          OpFresh:    {y_d, x_d} = {n, m_q};
          default:    {y_d, x_d} = {b, a};
        endcase
    endcase
  end

  always_ff @(posedge clk_i) begin
    x_q <= x_d;
    y_q <= y_d;
    sum_q <= sum;
    m_fresh_q <= low;
    m_q <= m_fresh_q;
    m_write_q <= step_q[8].valid && step_q[8].op == OpQuotient;
    m_addr_q <= {step_q[8].place[SlotBits-1:0], step_q[8].x[PlaceDigits-1:0]};
  end

  monpro_dataflow_multiplier #(
    .Target(Target)
  ) u_multiplier (
    .clk_i,
    .clear_i,
    .x_i   (x_q),
    .y_i   (y_q),
    .low_o (low),
    .high_o(high)
  );

  // ---- columns

  // Digit k - s of n is the last one that column k - 1 takes; digit k - s of u is column k's. Two
  // columns' digits are kept, since one's is written before that of the column before is read.
  digit_t n_last_q[2*Slots];
  digit_t n_digit0_q, n_digit_q;
  logic even_write, odd_write, done, take;
  logic [PlaceBits-1:0] place;
  logic [IndexBits-1:0] index;
  digit_t even, odd;
  logic [Places-1:0] take_q;

  always_ff @(posedge clk_i) begin
    if (step_q[3].valid && step_q[3].last) begin
      n_last_q[{step_q[3].odd, step_q[3].place[SlotBits-1:0]}] <= y_q;
    end
    n_digit0_q <= n_last_q[{!step_q[8].odd, step_q[8].place[SlotBits-1:0]}];
    n_digit_q <= n_digit0_q;
  end

  monpro_dataflow_columns u_columns (
    .clk_i,
    .clear_i,
    .montgomery_i(form_i == FormMontgomery),
    .step_i      (step_q[8]),
    .low_i       (low),
    .high_i      (high),
    .n_i         (n_digit_q),
    .sum_o       (sum),
    .even_write_o(even_write),
    .odd_write_o (odd_write),
    .done_o      (done),
    .place_o     (place),
    .index_o     (index),
    .even_o      (even),
    .odd_o       (odd),
    .take_o      (take),
    .wrong_o
  );

  // ---- results

  digit_t even_result, odd_result;
  logic [2:1][PlaceBits-1:0] read_place_q;
  digit_t select;

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (1 << AddrBits)
  ) u_even (
    .clk_i,
    .write_i     (even_write),
    .write_addr_i({place, index[PlaceDigits-1:0]}),
    .write_data_i(even),
    .read_addr_i ({read_place_i, read_index_i[PlaceDigits-1:0]}),
    .read_data_o (even_result)
  );

  monpro_ram #(
    .Target(Target),
    .Width (DigitBits),
    .Depth (1 << AddrBits)
  ) u_odd (
    .clk_i,
    .write_i     (odd_write),
    .write_addr_i({place, index[PlaceDigits-1:0]}),
    .write_data_i(odd),
    .read_addr_i ({read_place_i, read_index_i[PlaceDigits-1:0]}),
    .read_data_o (odd_result)
  );

  always_ff @(posedge clk_i) begin
    if (done) take_q[place] <= take;
    read_place_q <= {read_place_q[1], read_place_i};
    select <= {DigitBits{take_q[read_place_q[1]]}};
  end

  always_ff @(posedge clk_i) begin
    unique case (form_i)
      FormProduct:    data_o <= {odd_result, even_result};
      FormMontgomery: data_o <= {digit_t'(0), (odd_result & select) | (even_result & ~select)};
      default:        data_o <= {high, low};
    endcase
  end

  logic unused;
  assign unused = ^{read_place_q[2], read_index_i, load_index_i, index, step_i, step_q};

endmodule
