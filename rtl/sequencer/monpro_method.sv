// Decodes the scheme, and keeps what the steps have to know of it.
//
// method_o follows scheme_i and public_i by a cycle. Both are static long before a step uses it, so
// that no path leads through the decoding.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_method
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
#(
  parameter schemes_t Schemes = '1
) (
  input  logic    clk_i,
  input  scheme_e scheme_i,
  input  logic    public_i,
  output method_t method_o
);

  method_t method_d, method_q;

  always_comb begin
    method_d.sliding = Schemes[SchemeSlidingWindow] && scheme_i == SchemeSlidingWindow;
    method_d.right_to_left = Schemes[SchemeRightToLeft] && scheme_i == SchemeRightToLeft;
    method_d.ladder = Schemes[SchemeLadder] && scheme_i == SchemeLadder;
    method_d.repeated = Schemes[SchemeRepeated] && scheme_i == SchemeRepeated;
    method_d.selecting = looks_up(scheme_i, public_i);
    method_d.tabled = method_d.selecting && !is_in(scheme_i, SchemesOddPowers);
  end

  always_ff @(posedge clk_i) method_q <= method_d;

  assign method_o = method_q;

endmodule
