// The steps of the forms that hold their operands: which digits meet in the multiplier, in which
// cycle, for the blocks in the buffers.
//
// held         a block alone: s * s steps, a_j * b_i, j inside, in any cycle with enable_i
// product      8 blocks in turn, a step of each after the other; s * s steps, by columns of a * b:
//                 column k: a_i * b_(k-i)
// montgomery   the same, 2 * s * s + s + 1 steps, by columns of a * b + m * n:
//                 column k < s:  a_i * b_(k-i), m_i * n_(k-i) for i < k,
//                                then m_k = S * n'0 mod W, then m_k * n_0
//                 column k >= s: a_i * b_(k-i), m_i * n_(k-i); digit k - s of u
//                 column 2s - 1: no products, the highest digit of u
//
// i runs up, from max(0, k - s + 1) to min(k, s - 1), and k - i down. Fewer than 8 blocks at the
// end of a run take the cycles of 8. A group of blocks is taken up with start_o, start_size_i of
// them, and the next one at the earliest with the last step's last cycle: none is lost between the
// two. A step is at step_o a cycle later than it is counted (issue_o, form held). The order depends
// on s alone.
//
// A turn of 8 blocks takes 8 cycles. Three of them make the next step: where it is, whether it ends
// its column, and the step itself.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_dataflow_sequencer
  import monpro_dataflow_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 clear_i,       // ends everything
  input  form_e                form_i,
  input  logic [IndexBits-1:0] last_digit_i,  // s - 1; both stay while anything is under way
  input  logic                 start_valid_i,
  input  logic [SlotBits:0]    start_size_i,  // blocks of the group
  output logic                 start_o,
  input  logic                 enable_i,
  output logic                 issue_o,
  output logic                 busy_o,
  output step_t                step_o
);

  typedef logic [IndexBits-1:0] index_t;

  typedef struct packed {
    op_e    op;
    index_t x;
    index_t y;
    index_t low;     // range of i in the column
    index_t high;
    index_t index;
    logic   odd;
    logic   first;
    logic   last;
    logic   result;
    logic   done;
  } walk_t;

  logic held, montgomery, single;
  logic active_q, turn_ends, group_ends_q, ends, step;
  logic [SlotBits-1:0] slot_q;
  logic [SlotBits:0] size_q;
  logic [PlaceBits-1:0] base_q;

  assign held = form_i == FormHeld;
  assign montgomery = form_i == FormMontgomery;
  assign single = last_digit_i == '0;

  // ---- columns

  walk_t walk_q, moved_d, moved_q, next_d, next_q;
  logic rising, moved_rising;

  assign rising = walk_q.low == '0;  // k < s
  assign moved_rising = moved_q.low == '0;

  always_comb begin
    moved_d = walk_q;
    moved_d.first = 1'b0;
    moved_d.x = walk_q.x + 1'b1;
    moved_d.y = walk_q.y - 1'b1;
    unique case (walk_q.op)
      OpProduct:
        if (walk_q.x == walk_q.high) begin
          moved_d.x = walk_q.low;
          moved_d.y = walk_q.high;
          moved_d.op = (walk_q.high == '0) ? OpQuotient : OpReduce;
        end
      OpReduce:
        if (rising && walk_q.y == index_t'(1)) begin
          moved_d.op = OpQuotient;
          moved_d.x = walk_q.high;
        end
      default: begin
        moved_d.op = OpFresh;
        moved_d.x = walk_q.x;
        moved_d.y = '0;
      end
    endcase
    if (walk_q.last) begin
      if (walk_q.high != last_digit_i) moved_d.high = walk_q.high + 1'b1;
      else moved_d.low = walk_q.low + 1'b1;
      moved_d.odd = !walk_q.odd;
      if (montgomery ? !rising : walk_q.odd) moved_d.index = walk_q.index + 1'b1;
      // After column 2s - 2 there is only the carry.
      moved_d.op = (montgomery && walk_q.low == last_digit_i) ? OpEmpty : OpProduct;
      moved_d.x = moved_d.low;
      moved_d.y = moved_d.high;
    end
  end

  always_comb begin
    next_d = moved_q;
    unique case (moved_q.op)
      OpProduct:  next_d.last = !montgomery && moved_q.x == moved_q.high;
      OpReduce:   next_d.last = !moved_rising && moved_q.x == moved_q.high;
      OpQuotient: next_d.last = 1'b0;
      default:    next_d.last = 1'b1;
    endcase
    next_d.result = next_d.last && (!montgomery || !moved_rising || moved_q.op == OpEmpty);
    next_d.done = montgomery ? moved_q.op == OpEmpty
                             : next_d.last && moved_q.low == last_digit_i;
  end

  always_ff @(posedge clk_i) begin
    moved_q <= moved_d;
    next_q <= next_d;
    if (start_o) begin
      walk_q <= '{op: OpProduct, first: 1'b1, last: !montgomery, result: !montgomery,
                  done: !montgomery && single, default: '0};
    end else if (turn_ends) begin
      walk_q <= next_q;
    end
  end

  // ---- form held: a step in a cycle

  index_t x_q, y_q, last_but_one_q;
  logic x_last_q, y_last_q, block_ends_q;

  always_ff @(posedge clk_i) begin
    last_but_one_q <= last_digit_i - 1'b1;
    if (start_o) begin
      x_q <= '0;
      y_q <= '0;
      x_last_q <= single;
      y_last_q <= single;
      block_ends_q <= single;
    end else if (step) begin
      block_ends_q <= !single && x_q == last_but_one_q && y_last_q;
      x_q <= x_last_q ? '0 : x_q + 1'b1;
      x_last_q <= single || (!x_last_q && x_q == last_but_one_q);
      if (x_last_q) begin
        y_q <= y_q + 1'b1;
        y_last_q <= y_q == last_but_one_q;
      end
    end
  end

  // ---- whose turn it is; in form held there is one

  assign step = active_q && !clear_i && (enable_i || !held);
  assign turn_ends = step && (held || &slot_q);
  assign ends = held ? step && block_ends_q : group_ends_q;
  assign start_o = start_valid_i && !clear_i && (!active_q || ends);
  assign issue_o = step && held;
  assign busy_o = active_q;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      slot_q <= '0;
      size_q <= '0;
      base_q <= '0;
      group_ends_q <= 1'b0;
    end else begin
      group_ends_q <= active_q && walk_q.done && slot_q == SlotBits'(Slots - 2);
      if (step && !held) slot_q <= slot_q + 1'b1;
      if (ends) begin
        active_q <= 1'b0;
        base_q <= base_q + (held ? PlaceBits'(1) : PlaceBits'(Slots));
      end
      if (start_o) begin
        active_q <= 1'b1;
        size_q <= start_size_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    step_o.valid <= step && (SlotBits + 1)'(slot_q) < size_q;
    step_o.op <= held ? OpProduct : walk_q.op;
    step_o.place <= {base_q[PlaceBits-1:SlotBits], base_q[SlotBits-1:0] | slot_q};
    step_o.x <= held ? x_q : walk_q.x;
    step_o.y <= held ? y_q : walk_q.y;
    step_o.first <= walk_q.first && !held;
    step_o.last <= walk_q.last && !held;
    step_o.odd <= walk_q.odd && !held;
    step_o.cancel <= walk_q.op == OpFresh && !held;
    step_o.result <= walk_q.result && !held;
    step_o.index <= walk_q.index;
    step_o.done <= held ? block_ends_q : walk_q.done;
  end

endmodule
