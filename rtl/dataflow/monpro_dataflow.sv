// Dataflow kernel: products of 32-bit digits, integer products and Montgomery products of whole
// numbers, from an AXI4-Stream into an AXI4-Stream, in `Lanes` lanes side by side.
//
// A run is one packet in and one packet out. Lane l has bits 64l+31:64l (low) and 64l+63:64l+32
// (high) of a beat. W = 2^32, s digits in a number, R = W^s.
//
//   header      lane 0 low: [7:0] s, 1 to MaxDigits; [11:8] form; [31:12] blocks in each lane
//               high: the lane's constant
//
//   form            in, a block                out, a block
//   1  constant     s (a_j, -)                 s (low, high) of a_j * constant
//   2  pairs        s (x, y)                   s (low, high) of x * y
//   3  held         s (a_j, b_j)               s * s (low, high) of a_j * b_i, j inside
//   4  product      s (a_j, b_j)               s (t_2j, t_2j+1) of t = a * b
//   5  montgomery   s (a_j, b_j), then         s (u_j, 0) of u = a * b / R mod n, below n if
//                   s (n_j, n'0 with j = 0)    a, b < n; for any a, b < R it is below R
//
// Data in ends with TLAST. Data out does not: after it comes one status beat with TLAST, lane 0 low
// status_e and all else zero. After an error the packet that came in is swallowed up to its TLAST,
// data that went out before the status beat is void, and the next run finds nothing of it. The next
// header is taken when the status beat has left.
//
// Forms 4 and 5 take 8 blocks of a lane in turn (a group), so that no sum has to wait for another
// one; the next group is loaded, and the last one's results leave, meanwhile. Buffers hold 16
// blocks.
//
// Cycles of a run without stalls, from the header's to the status beat's, both counted, with B
// blocks and G = ceil(B / 8) groups in a lane:
//   1, 2   B * s + 14
//   3      s + B * s^2 + 17
//   4      min(B, 8) * s + G * 8 * s^2 + g * s + 16         g = B - 8 * (G - 1), of the last group
//          and with s = 1, when results leave no faster, 7 * floor((G - 1) / 2) more
//   5      min(B, 8) * 2s + G * 8 * (2s^2 + s + 1) + g * s + 16
// that is the first group in, a step in each cycle, the last group out. The number of lanes does
// not matter, nor what the digits are. The bound is the products of digits that a form needs: B * s
// in 1 and 2, B * s^2 in 3 and 4, B * (2s^2 + s) in 5.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow
  import monpro_dataflow_pkg::*;
#(
  parameter string       Target    = "portable",  // see monpro_block, monpro_ram
  parameter int unsigned Lanes     = 1,           // 1, 2, 4, 8
  parameter int unsigned MaxDigits = 128          // power of two, 4 to 128
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  s_axis_tvalid,
  output logic                  s_axis_tready,
  input  logic [64*Lanes-1:0]   s_axis_tdata,
  input  logic                  s_axis_tlast,

  output logic                  m_axis_tvalid,
  input  logic                  m_axis_tready,
  output logic [64*Lanes-1:0]   m_axis_tdata,
  output logic                  m_axis_tlast
);

  localparam int unsigned BeatBits = 2 * DigitBits * Lanes;
  localparam int unsigned QueueDepth = 16;
  localparam int unsigned QueueBits = $clog2(QueueDepth);
  localparam int unsigned SettleCycles = 16;  // more than a step takes to its last register
  localparam int unsigned StepCycles = 12;    // from a step to where its result can be read

  if (Lanes != 1 && Lanes != 2 && Lanes != 4 && Lanes != 8) begin : g_illegal_lanes
    $error("Lanes must be 1, 2, 4 or 8");
  end

  if (MaxDigits != 1 << $clog2(MaxDigits) || MaxDigits < 4 || MaxDigits > 1 << IndexBits)
  begin : g_illegal_digits
    $error("MaxDigits must be a power of two, 4 to 128");
  end

  typedef enum logic [2:0] {
    StHeader,   // takes the header
    StCheck,    // looks at it
    StData,     // takes data
    StDrain,    // all data is in; results come out
    StSwallow,  // after an error: the rest of the packet
    StSettle,   // after an error: what is under way
    StStatus    // the status beat
  } state_e;

  state_e state_q;
  status_e status_q, header_status;
  logic clear_q;
  logic take_in, beat_last_q, beat_valid_q, data_ends, load_ends, idle, abort, wrong;
  logic [BeatBits-1:0] beat_q;
  form_e form_q;
  logic [IndexBits-1:0] last_digit_q;
  logic [BlockBits-1:0] blocks_left_q;
  logic streams, holds, groups;
  logic [$clog2(SettleCycles)-1:0] settle_q;
  logic [QueueBits:0] reserved_q;  // beats under way to the output and in the queue before it
  logic space;                     // for one more

  // ---- header and status

  logic [7:0] header_digits;
  logic [3:0] header_form;
  logic [BlockBits-1:0] header_blocks;

  assign {header_blocks, header_form, header_digits} = beat_q[DigitBits-1:0];

  always_comb begin
    header_status = StatusOk;
    if (header_form < FormConstant || header_form > FormMontgomery) header_status = StatusForm;
    else if (header_digits == '0 || 32'(header_digits) > MaxDigits) header_status = StatusDigits;
    else if (header_blocks == '0) header_status = StatusBlocks;
    else if (beat_last_q) header_status = StatusShort;
  end

  assign streams = form_q == FormConstant || form_q == FormPairs;
  assign holds = form_q == FormHeld;
  assign groups = form_q == FormProduct || form_q == FormMontgomery;
  assign take_in = s_axis_tvalid && s_axis_tready;

  always_ff @(posedge clk_i) begin
    if (take_in) begin
      beat_q <= s_axis_tdata;
      beat_last_q <= s_axis_tlast;
    end
    if (state_q == StCheck) begin
      form_q <= form_e'(header_form);
      last_digit_q <= IndexBits'(header_digits - 1'b1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StHeader;
      status_q <= StatusOk;
      clear_q <= 1'b1;
      settle_q <= '0;
    end else begin
      clear_q <= 1'b0;
      settle_q <= (state_q == StSettle) ? settle_q + 1'b1 : '0;

      unique case (state_q)
        StHeader: if (take_in) state_q <= StCheck;

        StCheck: begin
          status_q <= header_status;
          if (header_status == StatusOk) state_q <= StData;
          else state_q <= beat_last_q ? StSettle : StSwallow;
        end

        StData:
          if (take_in) begin
            if (data_ends != s_axis_tlast) begin
              status_q <= data_ends ? StatusLong : StatusShort;
              state_q <= data_ends ? StSwallow : StSettle;
            end else if (data_ends) begin
              state_q <= StDrain;
            end
          end

        StDrain: if (idle) state_q <= StStatus;

        StSwallow: if (take_in && s_axis_tlast) state_q <= StSettle;

        StSettle: if (&settle_q && reserved_q == '0) state_q <= StStatus;

        default: if (m_axis_tready) state_q <= StHeader;
      endcase

      if (wrong && (state_q == StData || state_q == StDrain)) begin
        status_q <= StatusInverse;
        if (state_q == StDrain || (take_in && s_axis_tlast)) state_q <= StSettle;
        else state_q <= StSwallow;
      end
    end
  end

  assign abort = state_q == StSwallow || state_q == StSettle || state_q == StHeader;

  // ---- data in: a block's beats, each to its place in the buffers

  logic load_second_q, load_second_digits;
  logic [IndexBits-1:0] load_index_q;
  logic [PlaceBits-1:0] load_place_q;
  logic write_ab_q, write_n_q;
  logic [IndexBits-1:0] write_index_q;
  logic [PlaceBits-1:0] write_place_q;
  logic take_data, digits_end;

  assign take_data = take_in && state_q == StData;
  assign load_second_digits = form_q == FormMontgomery && !load_second_q;
  assign digits_end = load_index_q == last_digit_q;
  assign load_ends = digits_end && !load_second_digits;
  assign data_ends = load_ends && blocks_left_q == BlockBits'(1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_second_q <= 1'b0;
      load_index_q <= '0;
      load_place_q <= '0;
      blocks_left_q <= '0;
      beat_valid_q <= 1'b0;
      write_ab_q <= 1'b0;
      write_n_q <= 1'b0;
      write_index_q <= '0;
      write_place_q <= '0;
    end else begin
      beat_valid_q <= take_data && streams;
      write_ab_q <= take_data && !streams && !load_second_q;
      write_n_q <= take_data && load_second_q;
      write_index_q <= load_index_q;
      write_place_q <= load_place_q;
      if (state_q == StCheck) begin
        load_second_q <= 1'b0;
        load_index_q <= '0;
        load_place_q <= '0;
        blocks_left_q <= header_blocks;
      end else if (take_data) begin
        load_index_q <= digits_end ? '0 : load_index_q + 1'b1;
        if (digits_end) load_second_q <= load_second_digits;
        if (load_ends) begin
          load_place_q <= load_place_q + 1'b1;
          blocks_left_q <= blocks_left_q - 1'b1;
        end
      end
    end
  end

  // ---- blocks: in the buffers, waiting for the sequencer, and their results

  logic [PlaceBits:0] held_q, waiting_q, pending_q, results_q;
  logic [SlotBits:0] group_size, started_q;
  logic group_ready_q, start_valid, start, issue, sequencer_busy;
  logic loaded, released, finished, read_ends;
  step_t step;
  logic [StepCycles-1:1] done_q;

  assign loaded = take_data && load_ends && !streams;
  assign released = step.valid && step.done;
  assign finished = done_q[StepCycles-1] && groups;

  // A group begins when it is there as a whole, and when its results cannot meet those of the last
  // but one. What is decided, or counted, a cycle late is in time: a group takes longer than that.
  assign start_valid = holds ? waiting_q != '0 : group_ready_q;

  always_comb begin
    if (holds) group_size = (SlotBits + 1)'(1);
    else if (waiting_q >= (PlaceBits + 1)'(Slots)) group_size = (SlotBits + 1)'(Slots);
    else group_size = (SlotBits + 1)'(waiting_q);
  end

  always_ff @(posedge clk_i) begin
    started_q <= (start && groups) ? group_size : '0;
    group_ready_q <= groups && !abort && pending_q <= (PlaceBits + 1)'(Slots) &&
                     (waiting_q >= (PlaceBits + 1)'(Slots) ||
                      (waiting_q != '0 && state_q == StDrain));
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q <= '0;
      waiting_q <= '0;
      pending_q <= '0;
      results_q <= '0;
      done_q <= '0;
    end else if (abort) begin
      held_q <= '0;
      waiting_q <= '0;
      pending_q <= '0;
      results_q <= '0;
      done_q <= '0;
    end else begin
      held_q <= held_q + (PlaceBits + 1)'(loaded) - (PlaceBits + 1)'(released);
      waiting_q <= waiting_q + (PlaceBits + 1)'(loaded) - (PlaceBits + 1)'(start && holds) -
                   (PlaceBits + 1)'(started_q);
      pending_q <= pending_q + (PlaceBits + 1)'(started_q) - (PlaceBits + 1)'(read_ends);
      results_q <= results_q + (PlaceBits + 1)'(finished) - (PlaceBits + 1)'(read_ends);
      done_q <= {done_q[StepCycles-2:1], released};
    end
  end

  monpro_dataflow_sequencer u_sequencer (
    .clk_i,
    .clear_i      (abort),
    .form_i       (form_q),
    .last_digit_i (last_digit_q),
    .start_valid_i(start_valid),
    .start_size_i (group_size),
    .start_o      (start),
    .enable_i     (space),
    .issue_o      (issue),
    .busy_o       (sequencer_busy),
    .step_o       (step)
  );

  // ---- results out

  logic read;
  logic [IndexBits-1:0] read_index_q;
  logic [PlaceBits-1:0] read_place_q;

  assign read = results_q != '0 && space;
  assign read_ends = read && read_index_q == last_digit_q;

  always_ff @(posedge clk_i) begin
    if (abort) begin
      read_index_q <= '0;
      read_place_q <= '0;
    end else if (read) begin
      read_index_q <= read_ends ? '0 : read_index_q + 1'b1;
      if (read_ends) read_place_q <= read_place_q + 1'b1;
    end
  end

  // A beat is begun only when the queue has space for it, however long the output waits.
  logic reserve, leave;
  logic [2:1] held_step_q, read_q;
  logic [8:3] product_q;  // stages of the lanes
  logic push_q, queue_valid;
  logic [BeatBits-1:0] data, queue_beat;

  assign space = !reserved_q[QueueBits];
  assign reserve = (take_data && streams) || issue || read;
  assign leave = queue_valid && m_axis_tready;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      reserved_q <= '0;
      held_step_q <= '0;
      product_q <= '0;
      read_q <= '0;
      push_q <= 1'b0;
    end else begin
      reserved_q <= reserved_q + (QueueBits + 1)'(reserve) - (QueueBits + 1)'(leave);
      held_step_q <= {held_step_q[1], step.valid && holds};
      product_q <= {product_q[7:3], held_step_q[2] || beat_valid_q};
      read_q <= {read_q[1], read};
      push_q <= product_q[8] || read_q[2];
    end
  end

  monpro_dataflow_queue #(
    .Width(BeatBits),
    .Depth(QueueDepth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i (push_q),
    .beat_i (data),
    .valid_o(queue_valid),
    .ready_i(m_axis_tready),
    .beat_o (queue_beat)
  );

  assign idle = waiting_q == '0 && !sequencer_busy && pending_q == '0 && reserved_q == '0;
  assign m_axis_tlast = state_q == StStatus;
  assign m_axis_tvalid = queue_valid || m_axis_tlast;
  assign m_axis_tdata = m_axis_tlast ? BeatBits'(status_q) : queue_beat;

  always_comb begin
    unique case (state_q)
      StHeader: s_axis_tready = !clear_q;
      StSwallow: s_axis_tready = 1'b1;
      StData: s_axis_tready = streams ? space : !held_q[PlaceBits];
      default: s_axis_tready = 1'b0;
    endcase
  end

  // ---- lanes

  logic [Lanes-1:0] lane_wrong;

  assign wrong = lane_wrong != '0;

  for (genvar i = 0; i < Lanes; i++) begin : g_lane
    monpro_dataflow_lane #(
      .Target   (Target),
      .MaxDigits(MaxDigits)
    ) u_lane (
      .clk_i,
      .clear_i        (clear_q),
      .form_i         (form_q),
      .beat_i         (beat_q[2*DigitBits*i+:2*DigitBits]),
      .load_constant_i(state_q == StCheck),
      .load_ab_i      (write_ab_q),
      .load_n_i       (write_n_q),
      .load_place_i   (write_place_q),
      .load_index_i   (write_index_q),
      .step_i         (step),
      .wrong_o        (lane_wrong[i]),
      .read_place_i   (read_place_q),
      .read_index_i   (read_index_q),
      .data_o         (data[2*DigitBits*i+:2*DigitBits])
    );
  end

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  BeatStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    m_axis_tvalid && !m_axis_tready |=>
    m_axis_tvalid && $stable({m_axis_tdata, m_axis_tlast}))
    else $error("a beat changes before it is taken");
`endif

endmodule
