// Keeps how an operation ends, and what it leaves that the next one or the bus may use.
//
//   failed_o  Pulse: a configuration or an operand has been refused.
//   error_o   The error of the last operation, ErrorNone after a wipe.
//   warm_o    The constants of the modulus are there.
//   result_o  A result is there.
//
// A refused operand is found in StCheck: the modulus is even, its length is not the one that was
// configured, or the base is not below it. In StDiffFix p is found to be too far below q.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_outcome
  import monpro_regs_enum_pkg::*;
  import monpro_sequencer_pkg::*;
(
  input  logic   clk_i,
  input  logic   rst_ni,
  input  state_t state_i,
  input  logic   start_i,            // in StIdle: an operation begins
  input  logic   wipe_i,             // in StIdle: a wipe begins
  input  logic   stop_i,             // by an abort, or because it has failed
  input  logic   clearing_i,         // the wipe behind an operation: the result stays
  input  logic   crt_i,
  input  logic   half_i,             // of the step
  input  error_e config_error_i,
  input  logic   modulus_changed_i,
  input  logic   pass_done_i,        // of the step, its last half
  input  logic   last_pass_i,
  input  logic   alu_done_i,
  input  logic   alu_below_i,
  input  logic   alu_odd_i,
  input  logic   alu_size_i,
  input  logic   alu_negative_i,
  output logic   failed_o,
  output error_e error_o,
  output logic   warm_o,
  output logic   result_o
);

  logic failed_d, failed_q, warm_d, warm_q, result_d, result_q;
  logic started, checked, too_far;
  error_e config_error_q, check_error, error_d, error_q;

  assign started = state_i[StIdle] && start_i;
  assign checked = state_i[StCheck] && alu_done_i;
  assign too_far = state_i[StDiffFix] && alu_done_i && last_pass_i && alu_negative_i;

  // Static long before it is used, as the configuration is: no path leads through it.
  always_ff @(posedge clk_i) config_error_q <= config_error_i;

  always_comb begin
    check_error = ErrorNone;
    if (!alu_odd_i) check_error = ErrorModulusEven;
    else if (!alu_size_i) check_error = ErrorModulusSize;
    else if (!alu_below_i && !half_i) check_error = ErrorBaseRange;
  end

  assign failed_d = (started && config_error_q != ErrorNone) ||
                    (checked && check_error != ErrorNone) || too_far;

  always_comb begin
    error_d = error_q;
    if (started) error_d = config_error_q;
    else if (state_i[StIdle] && wipe_i) error_d = ErrorNone;
    if (checked) error_d = check_error;
    if (too_far) error_d = ErrorModulusSize;
    if (stop_i && !failed_q) error_d = ErrorAborted;
  end

  always_comb begin
    warm_d = warm_q && !modulus_changed_i;
    if (state_i[StBase]) warm_d = 1'b1;
    if (state_i[StWipe]) warm_d = 1'b0;

    result_d = result_q && !modulus_changed_i;
    if (state_i[StRestore] && pass_done_i) result_d = !crt_i;
    if (state_i[StWideSum] && alu_done_i) result_d = 1'b1;
    if ((state_i[StWipe] && !clearing_i) || (state_i[StIdle] && start_i)) result_d = 1'b0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      failed_q <= 1'b0;
      error_q <= ErrorNone;
      warm_q <= 1'b0;
      result_q <= 1'b0;
    end else begin
      failed_q <= failed_d;
      error_q <= error_d;
      warm_q <= warm_d;
      result_q <= result_d;
    end
  end

  assign failed_o = failed_q;
  assign error_o = error_q;
  assign warm_o = warm_q;
  assign result_o = result_q;

  // Some of the steps change nothing here.
  logic unused;
  assign unused = ^state_i;

endmodule
