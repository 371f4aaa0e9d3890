// Takes bits of the exponent, and counts the squarings and multiplications that they ask for.
//
// In the steps StNext, StMore, StBit and StCount it takes bits once: window_i bits in StMore, and
// in StNext with a table; else one bit. taken_o is a pulse when they are there, and the outputs
// below it then say what they are. none_taken_o and one_taken_o follow the inputs at once.
//
//   fixed window  a squaring for each bit taken
//   sliding       StNext takes a bit; StMore takes the rest of a window. Its last one ends the odd
//                 number: there are squarings up to it, and for the zeros behind it. entry_o is
//                 (odd number - 1) / 2.
//   repeated      StCount takes all bits; then e - 1 multiplications are left
//
// SPDX-License-Identifier: Apache-2.0
module monpro_recoding
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter schemes_t Schemes = '1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,         // ends what is being taken

  input  state_t     state_i,
  input  method_t    method_i,
  input  logic [2:0] window_i,        // of the table
  input  logic       settled_i,       // the step may begin
  input  logic       product_done_i,  // of the step, its last half

  output logic       take_o,          // see monpro_exponent
  output logic       append_o,
  output logic [2:0] count_o,
  input  logic       taken_i,
  input  logic [2:0] taken_count_i,
  input  logic [5:0] value_i,

  output logic       taken_o,
  output logic       none_taken_o,
  output logic       none_taken_q_o,  // the same, a cycle late: beside taken_o
  output logic       one_taken_o,     // the last bit taken is a one
  output logic       one_taken_q_o,
  output logic       last_squaring_o,
  output logic       zeros_o,         // squarings behind the odd number are left
  output logic       last_zero_o,
  output logic [5:0] entry_o,
  output logic       repeats_o,       // multiplications are left, a cycle late
  output logic       none_o           // StCount: the exponent is zero
);

  logic take_d, take_q, append_d, append_q, taking_d, taking_q, taken_d, taken_q;
  logic taken_none_q, taken_one_q;
  logic [2:0] take_count_d, take_count_q, trailing_zeros_d, trailing_zeros_q;

  always_comb begin
    trailing_zeros_d = '0;
    for (int i = MaxWindow - 1; i >= 0; i--) begin
      if (value_i[i]) trailing_zeros_d = 3'(i);
    end
  end

  assign none_taken_o = taken_count_i == '0;
  assign one_taken_o = value_i[0];
  assign take_d = (state_i[StNext] || state_i[StMore] || state_i[StBit] || state_i[StCount]) &&
                  settled_i && !taking_q && !take_q;
  assign taking_d = take_q || (taking_q && !taken_q);
  assign append_d = state_i[StMore];
  assign take_count_d = (state_i[StMore] || (state_i[StNext] && method_i.tabled)) ? window_i : 3'd1;
  assign taken_d = taking_q && taken_i && !taken_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      take_q <= 1'b0;
      taking_q <= 1'b0;
      append_q <= 1'b0;
      take_count_q <= '0;
      taken_q <= 1'b0;
      taken_none_q <= 1'b0;
      taken_one_q <= 1'b0;
      trailing_zeros_q <= '0;
    end else begin
      take_q <= take_d;
      taking_q <= taking_d;
      append_q <= append_d;
      take_count_q <= take_count_d;
      taken_q <= taken_d;
      taken_none_q <= none_taken_o;
      taken_one_q <= one_taken_o;
      trailing_zeros_q <= trailing_zeros_d;
    end
  end

  // ---- what is left to do for them

  logic [2:0] squarings_d, squarings_q, zeros_d, zeros_q;
  logic [5:0] odd_entry_d, odd_entry_q;
  logic [31:0] repeats_d, repeats_q;
  logic repeats_more_d, repeats_more_q;  // repeats_q is above 1, of a step that has begun

  always_comb begin
    squarings_d = squarings_q;
    zeros_d = zeros_q;
    odd_entry_d = odd_entry_q;
    repeats_d = repeats_q;
    unique case (1'b1)
      state_i[StWipe]: begin
        odd_entry_d = '0;
        repeats_d = '0;
      end

      state_i[StBase]: repeats_d = '0;

      state_i[StNext]:
        if (taken_q && !taken_none_q) begin
          squarings_d = taken_count_i;
          if (method_i.sliding) zeros_d = 3'd1;
        end

      state_i[StMore]:
        if (taken_q) begin
          squarings_d = taken_count_i + 3'd1 - trailing_zeros_q;
          zeros_d = trailing_zeros_q;
          odd_entry_d = value_i >> trailing_zeros_q >> 1;
        end

      state_i[StSquare]: if (product_done_i) squarings_d = squarings_q - 1'b1;

      state_i[StZeros]: if (product_done_i) zeros_d = zeros_q - 1'b1;

      state_i[StCount]:
        if (taken_q) begin
          repeats_d = taken_none_q ? repeats_q - 32'd1 : {repeats_q[30:0], taken_one_q};
        end

      state_i[StRepeat]: if (product_done_i) repeats_d = repeats_q - 32'd1;

      default: ;
    endcase
    // A design without the scheme has no use for these. Synthesis has to be told.
    if (!Schemes[SchemeRepeated]) repeats_d = '0;
    if (!Schemes[SchemeSlidingWindow]) begin
      zeros_d = '0;
      odd_entry_d = '0;
    end
  end

  assign repeats_more_d = repeats_q[31:1] != '0;

  always_ff @(posedge clk_i) repeats_more_q <= repeats_more_d;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      squarings_q <= '0;
      zeros_q <= '0;
      odd_entry_q <= '0;
      repeats_q <= '0;
    end else begin
      squarings_q <= squarings_d;
      zeros_q <= zeros_d;
      odd_entry_q <= odd_entry_d;
      repeats_q <= repeats_d;
    end
  end

  assign take_o = take_q;
  assign append_o = append_q;
  assign count_o = take_count_q;
  assign taken_o = taken_q;
  assign none_taken_q_o = taken_none_q;
  assign one_taken_q_o = taken_one_q;
  assign last_squaring_o = squarings_q == 3'd1;
  assign zeros_o = zeros_q != '0;
  assign last_zero_o = zeros_q == 3'd1;
  assign entry_o = odd_entry_q;
  assign repeats_o = repeats_more_q;
  assign none_o = repeats_q == '0;

  // The other steps take no bits.
  logic unused;
  assign unused = ^{state_i, method_i};

endmodule
