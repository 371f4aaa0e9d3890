// Guards what an operation with CONFIG.leave = lock leaves behind: the key, which is all operands
// but the base. From the end of the operation to the next wipe only a base can be written, and only
// the same operation can be started.
//
// A write to a register of the configuration, or of another operand, is dropped. breach_o is high in
// the cycle after this write, and has to wipe everything. It is a register, because a path from the
// bus to the sequencer's next step would be the longest of all.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_lock
  import monpro_regs_enum_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  leave_e leave_i,
  input  logic   ended_i,      // pulse: an operation has ended well
  input  logic   wiping_i,
  input  logic   writable_i,   // configuration and operands can be written
  input  logic   configure_i,  // pulse: the configuration is written
  input  logic   load_i,       // pulse: a word of an operand is written, which belongs to
  input  slot_e  slot_i,
  output logic   locked_o,
  output logic   breach_o
);

  logic locked_q, breach_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      locked_q <= 1'b0;
      breach_q <= 1'b0;
    end else begin
      if (wiping_i) locked_q <= 1'b0;
      else if (ended_i && leave_i == LeaveLock) locked_q <= 1'b1;
      breach_q <= locked_q && writable_i && (configure_i || (load_i && slot_i != SlotBase));
    end
  end

  assign locked_o = locked_q;
  assign breach_o = breach_q;

endmodule
