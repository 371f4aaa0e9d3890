// Goes through the addresses of a wipe, in StWipe, and tells the wipe that leaves the result of an
// operation (clearing_o) from one that leaves nothing.
//
//   last_o     The next cycle is the last one in StWipe.
//   ended_o    Pulse, two cycles after it: a wipe that leaves nothing has ended.
//   again_o    A wipe or an abort while clearing: StWipe begins again, for everything.
//   wipe_o     wipe_addr_o is to be wiped. Both are a cycle behind StWipe; clearing_o covers them.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_wipe
  import monpro_sequencer_pkg::*;
#(
  parameter int unsigned WipeBits = 10
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  state_t              state_i,
  input  logic                clear_i,  // an operation ends and leaves its result: StWipe follows
  input  logic                stop_i,   // a wipe or an abort is asked for
  output logic                last_o,
  output logic                ended_o,
  output logic                again_o,
  output logic                clearing_o,
  output logic                wipe_o,
  output logic [WipeBits-1:0] wipe_addr_o
);

  logic last_q, clearing_d, clearing_q;
  logic [WipeBits-1:0] addr_d, addr_q;

  assign again_o = clearing_q && state_i[StWipe] && stop_i;
  assign last_o = state_i[StWipe] && !again_o && addr_q == ~WipeBits'(1);
  assign clearing_d = clear_i || (clearing_q && !again_o && !state_i[StIdle]);

  always_comb begin
    addr_d = addr_q;
    if (again_o) addr_d = '0;
    else if (state_i[StWipe]) addr_d = addr_q + 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_q <= 1'b0;
      clearing_q <= 1'b0;
      addr_q <= '0;
      wipe_o <= 1'b1;
      wipe_addr_o <= '0;
    end else begin
      last_q <= last_o;
      clearing_q <= clearing_d;
      addr_q <= addr_d;
      wipe_o <= state_i[StWipe];
      wipe_addr_o <= addr_q;
    end
  end

  assign ended_o = last_q && !clearing_q;
  assign clearing_o = clearing_q;

  // The other steps change nothing here.
  logic unused;
  assign unused = ^state_i;

endmodule
