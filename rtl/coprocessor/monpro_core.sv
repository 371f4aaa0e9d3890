// The coprocessor without its bus: sequencer, operand memory, adder, exponent, table and
// multiplier.
//
// This module decides which unit has a memory port. The adder has the operand memory while no
// product is in flight. A word of a product's result is written before a word of a look-up, which
// waits.
//
// With CRT an operand of p or q lies in one half of its slot. Index bit IndexBits - 1 says in
// which. monpro_sequencer says what an operation computes, and in how many cycles.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_core
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_product_pkg::is_exact;
#(
  parameter  string       Multiplier = "array",  // module monpro_mul_*
  parameter  int unsigned WordBits   = 17,
  parameter  int unsigned DigitBits  = WordBits,
  parameter  int unsigned Elements   = 16,
  parameter  int unsigned MinBits    = 128,
  parameter  int unsigned MaxBits    = 4096,
  parameter  int unsigned TableWords = 8192,
  parameter  int unsigned TableBanks = 1,
  parameter  schemes_t    Schemes    = '1,     // bit n: scheme_e n
  parameter  bit          Crt        = 1'b0,
  parameter  string       Target     = "portable",  // see monpro_block, monpro_ram
  localparam int unsigned Delay      = multiplier_delay(Multiplier),
  localparam int unsigned IndexBits  = index_bits(MaxBits, WordBits, Elements, Delay, Crt),
  localparam int unsigned ExponentAddrBits = (MaxBits > 32) ? $clog2((MaxBits + 31) / 32) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  operation_t                  operation_i,
  output status_t                     status_o,
  output logic [IndexBits-1:0]        operand_words_o,
  output logic [IndexBits-1:0]        digits_o,

  // Operands in and result out, while not busy. Index and data are zero while nothing is loaded.
  // A word of the result follows its index by three cycles.
  input  load_t                       load_i,
  input  logic [IndexBits-1:0]        load_index_i,
  input  logic [WordBits-1:0]         load_data_i,
  input  logic [ExponentAddrBits-1:0] load_exponent_addr_i,
  input  logic [31:0]                 load_exponent_data_i,
  input  logic [IndexBits-1:0]        read_index_i,
  output logic [WordBits-1:0]         read_data_o
);

  localparam int unsigned TableAddrBits = $clog2(TableWords / TableBanks);
  localparam int unsigned SlotBits = slot_bits(Crt);
  localparam int unsigned WipeBits = wipe_bits(TableWords / TableBanks, IndexBits, Crt);
  localparam int unsigned MaxWords = (1 << IndexBits) - 1;

  if (is_exact(Multiplier)) begin : g_illegal_multiplier
    $error("exponentiations want a multiplier that works on the scaled modulus");
  end

  logic length_ok, busy, ended, warm, result, precomputing, exponentiating, product;
  error_e error;
  logic crt;
  logic [2:0] window;
  logic [IndexBits-1:0] words, operand_length, digits;
  logic [$clog2(Elements+1)-1:0] elements;  // in use
  logic wipe, clearing;  // clearing: WorkAcc stays, and can be read
  logic [WipeBits-1:0] wipe_addr;

  // ---- sequencer

  logic alu, alu_start, alu_half, alu_other_half, alu_to_scaled, alu_wide;
  logic alu_done, alu_below, alu_odd, alu_size, alu_negative;
  alu_op_e alu_op;
  work_e alu_source, alu_other, alu_target;
  logic [IndexBits-1:0] alu_read_index, alu_write_index;
  logic [WordBits-1:0] alu_write_data;
  logic alu_write;
  logic mul_valid, mul_ready, mul_look_up_q, mul_begin_q, mul_busy;
  logic next_valid_q, start_ready, start, in_flight;  // of the multiplier, see there
  product_t next_q;
  product_t mul_product;
  logic exponent_rewind, exponent_take, exponent_append, exponent_taken;
  logic [2:0] exponent_count, exponent_taken_count;
  logic [1:0][5:0] exponent_value;
  logic look_up, look_up_half, look_up_public, look_up_done;
  logic [5:0] look_up_entry;
  work_e look_up_target;

  monpro_sequencer #(
    .WordBits  (WordBits),
    .DigitBits (DigitBits),
    .Elements  (Elements),
    .Delay     (Delay),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .TableWords(TableWords),
    .TableBanks(TableBanks),
    .Schemes   (Schemes),
    .Crt       (Crt)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i               (operation_i.start),
    .wipe_i                (operation_i.wipe),
    .abort_i               (operation_i.stop),
    .length_i              (operation_i.length),
    .bits_i                (operation_i.bits),
    .scheme_i              (operation_i.scheme),
    .window_i              (operation_i.window),
    .public_i              (operation_i.is_public),
    .crt_i                 (operation_i.crt),
    .loaded_i              (operation_i.loaded),
    .length_changed_i      (operation_i.length_changed),
    .modulus_changed_i     (operation_i.modulus_changed),
    .wipes_i               (operation_i.wipes),
    .length_ok_o           (length_ok),
    .words_o               (words),
    .elements_o            (elements),
    .operand_words_o       (operand_length),
    .digits_o              (digits),
    .window_o              (window),
    .busy_o                (busy),
    .end_o                 (ended),
    .error_o               (error),
    .warm_o                (warm),
    .result_o              (result),
    .precomputing_o        (precomputing),
    .exponentiating_o      (exponentiating),
    .clearing_o            (clearing),
    .wipe_o                (wipe),
    .wipe_addr_o           (wipe_addr),
    .alu_o                 (alu),
    .alu_start_o           (alu_start),
    .alu_half_o            (alu_half),
    .alu_op_o              (alu_op),
    .alu_source_o          (alu_source),
    .alu_other_o           (alu_other),
    .alu_other_half_o      (alu_other_half),
    .alu_target_o          (alu_target),
    .alu_to_scaled_o       (alu_to_scaled),
    .alu_wide_o            (alu_wide),
    .alu_done_i            (alu_done),
    .alu_below_i           (alu_below),
    .alu_odd_i             (alu_odd),
    .alu_size_i            (alu_size),
    .alu_negative_i        (alu_negative),
    .mul_valid_o           (mul_valid),
    .mul_ready_i           (mul_ready),
    .mul_product_o         (mul_product),
    .mul_look_up_i         (mul_look_up_q),
    .mul_begin_i           (mul_begin_q),
    .mul_busy_i            (mul_busy),
    .exponent_rewind_o     (exponent_rewind),
    .exponent_take_o       (exponent_take),
    .exponent_append_o     (exponent_append),
    .exponent_count_o      (exponent_count),
    .exponent_taken_i      (exponent_taken),
    .exponent_taken_count_i(exponent_taken_count),
    .exponent_value_i      (exponent_value[0]),
    .look_up_o             (look_up),
    .look_up_half_o        (look_up_half),
    .look_up_target_o      (look_up_target),
    .look_up_public_o      (look_up_public),
    .look_up_entry_o       (look_up_entry),
    .look_up_done_i        (look_up_done)
  );

  assign crt = Crt && operation_i.crt;
  assign operand_words_o = operand_length;
  assign digits_o = digits;
  assign status_o = '{
    length_ok: length_ok, busy: busy, ended: ended, error: error, warm: warm, result: result,
    wiping: wipe, clearing: clearing, precomputing: precomputing,
    exponentiating: exponentiating, product: product
  };
  assign product = mul_valid && mul_ready;
  assign mul_ready = !next_valid_q;
  assign mul_busy = next_valid_q || in_flight;
  assign start = next_valid_q && start_ready;

  // ---- multiplier
  //
  // One product waits for it in a register, so that no path leads from the sequencer's decisions into
  // the multiplier's.
  //
  // A product is followed by the next of its context while its result comes out: where that goes is
  // kept from before its first word to its last.

  logic x_context, y_context, n_context, r_context, r_valid, r_last, unused_inverse;
  logic [IndexBits-1:0] x_index, y_index, n_index, r_index;
  logic [WordBits-1:0] x_data, y_data, n_data, r_data;
  logic [WordBits-1:0] x_word, y_word, n_word;  // what of it belongs to the operand

  typedef struct packed {
    work_e      slot;
    logic       half;
    logic       wide;
    logic       store;
    logic [5:0] entry;
  } destination_t;

  product_t [Crt:0] product_q;
  product_t x_product, y_product, n_product;
  destination_t r_to;
  destination_t [Crt:0] r_to_q;
  logic [Crt:0] r_words_q;  // between the first word of a result and its last

  assign x_product = product_q[Crt && x_context];
  assign y_product = product_q[Crt && y_context];
  assign n_product = product_q[Crt && n_context];
  assign r_to = r_to_q[Crt && r_context];

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      next_valid_q <= 1'b0;
      next_q <= '0;
      product_q <= '0;
      r_to_q <= '0;
      r_words_q <= '0;
      mul_look_up_q <= 1'b0;
      mul_begin_q <= 1'b0;
    end else begin
      mul_look_up_q <= start && next_q.look_up;
      mul_begin_q <= start && next_q.begins;
      if (mul_valid && mul_ready) begin
        next_valid_q <= 1'b1;
        next_q <= mul_product;
      end else if (start) begin
        next_valid_q <= 1'b0;
      end
      if (start) product_q[Crt && next_q.half] <= next_q;
      if (r_valid) r_words_q[Crt && r_context] <= !r_last;
      for (int c = 0; c <= int'(Crt); c++) begin
        if (!r_words_q[c]) begin
          r_to_q[c] <= '{slot: product_q[c].dst, half: product_q[c].half, wide: product_q[c].wide,
                         store: product_q[c].store, entry: product_q[c].entry};
        end
      end
    end
  end

  monpro_multiplier #(
    .Multiplier(Multiplier),
    .Target    (Target),
    .WordBits  (WordBits),
    .DigitBits (DigitBits),
    .Elements  (Elements),
    .MaxWords  (MaxWords)
  ) u_multiplier (
    .clk_i,
    .clear_i        (wipe),
    .words_i        (words),
    .elements_i     (elements),
    .inverse_i      ('0),
    .inverse_wrong_o(unused_inverse),
    .start_valid_i  (next_valid_q),
    .start_ready_o  (start_ready),
    .start_context_i(Crt && next_q.half),
    .busy_o         (in_flight),
    .x_context_o    (x_context),
    .x_index_o      (x_index),
    .x_data_i       (x_word),
    .y_context_o    (y_context),
    .y_index_o      (y_index),
    .y_data_i       (y_word),
    .n_context_o    (n_context),
    .n_index_o      (n_index),
    .n_data_i       (n_word),
    .r_valid_o      (r_valid),
    .r_last_o       (r_last),
    .r_context_o    (r_context),
    .r_index_o      (r_index),
    .r_data_o       (r_data)
  );

  // A late quotient digit lets the multiplier ask for more digits of x than an operand has words.
  // With CRT, in an integer product (monpro_mul_pipelined), operands end where the half's words do
  // and the modulus is W^K - 1, which is N' = W^(K - 1 - Delay).

  logic [1:0] x_beyond_q, y_beyond_q, n_wide_q, n_one_q;  // beside the memory's two cycles

  if (Delay != 0) begin : g_x_end
    always_ff @(posedge clk_i) begin
      x_beyond_q <= {x_beyond_q[0], (alu ? alu_wide : !x_product.long_x) &&
                    (alu ? alu_read_index : x_index) >= operand_length};
    end
  end else begin : g_no_x_end
    assign x_beyond_q = '0;
  end

  if (Crt) begin : g_wide
    logic [IndexBits-1:0] one_index_q;

    always_ff @(posedge clk_i) begin
      y_beyond_q <= {y_beyond_q[0], y_product.wide && y_index >= operand_length};
      n_wide_q <= {n_wide_q[0], n_product.wide};
      one_index_q <= digits - IndexBits'(1 + Delay);
      n_one_q <= {n_one_q[0], n_index == one_index_q};
    end
  end else begin : g_narrow
    assign {y_beyond_q, n_wide_q, n_one_q} = '0;
  end

  assign x_word = x_beyond_q[1] ? '0 : x_data;
  assign y_word = y_beyond_q[1] ? '0 : y_data;
  assign n_word = n_wide_q[1] ? WordBits'(n_one_q[1]) : n_data;

  // ---- adder

  monpro_alu #(
    .WordBits (WordBits),
    .DigitBits(DigitBits),
    .IndexBits(IndexBits),
    .Delay    (Delay),
    .Halvings (pass_halvings(DigitBits, Delay)),
    .Crt      (Crt)
  ) u_alu (
    .clk_i,
    .clear_i      (wipe),
    .words_i      (words),
    .start_i      (alu_start),
    .op_i         (alu_op),
    .half_i       (alu_half),
    .done_o       (alu_done),
    .read_index_o (alu_read_index),
    .a_i          (y_data),
    .b_i          (x_word),
    .n_i          (n_data),
    .write_o      (alu_write),
    .write_index_o(alu_write_index),
    .write_data_o (alu_write_data),
    .below_o      (alu_below),
    .odd_o        (alu_odd),
    .size_o       (alu_size),
    .negative_o   (alu_negative)
  );

  // ---- exponent and table

  logic right_to_left_q, ladder_q;  // the scheme
  logic select_valid, select_ready;
  logic [IndexBits-1:0] select_index;
  logic [WordBits-1:0] select_data;

  monpro_exponent #(
    .Target  (Target),
    .MaxBits (MaxBits),
    .Crt     (Crt),
    .LowFirst(Schemes[SchemeRightToLeft])
  ) u_exponent (
    .clk_i,
    .clear_i      (wipe),
    .write_i      (load_i.exponent || wipe),
    .write_addr_i (wipe ? wipe_addr[ExponentAddrBits-1:0] : load_exponent_addr_i),
    .write_data_i (load_exponent_data_i),
    .rewind_i     (exponent_rewind),
    .bits_i       (operation_i.bits[$clog2(MaxBits+1)-1:0]),
    .both_i       (crt),
    .low_first_i  (right_to_left_q),
    .take_i       (exponent_take),
    .append_i     (exponent_append),
    .count_i      (exponent_count),
    .taken_o      (exponent_taken),
    .taken_count_o(exponent_taken_count),
    .value_o      (exponent_value)
  );

  // The ladder keeps [R0, R1] in entry 0 and the square in entry 1. After a bit b the square is
  // R_b, and the bit b' that follows squares R_b', at the end R_0 is the result: entry b' ^ b ^ 1.

  logic ladder_bit_q;
  logic [5:0] entry, entry_q, value;

  assign value = exponent_value[crt && look_up_half];

  always_comb begin
    entry = value;
    if (look_up_public) entry = look_up_entry;
    else if (ladder_q) entry = {5'd0, value[0] ^ ladder_bit_q ^ 1'b1};
  end

  always_ff @(posedge clk_i) begin
    right_to_left_q <= operation_i.scheme == SchemeRightToLeft;
    ladder_q <= operation_i.scheme == SchemeLadder;
    entry_q <= wipe ? '0 : entry;  // static during a look-up
  end

  always_ff @(posedge clk_i) begin
    if (wipe) ladder_bit_q <= 1'b0;
    else if (exponent_rewind) ladder_bit_q <= 1'b1;
    else if (look_up_done) ladder_bit_q <= value[0];
  end

  monpro_table #(
    .Target   (Target),
    .WordBits (WordBits),
    .IndexBits(IndexBits),
    .Words    (TableWords),
    .Banks    (TableBanks),
    .Crt      (Crt)
  ) u_table (
    .clk_i,
    .clear_i       (wipe),
    .wipe_i        (wipe),
    .wipe_addr_i   (wipe_addr[TableAddrBits-1:0]),
    .words_i       (words),
    .window_i      (window),
    .crt_i         (crt),
    .store_i       (r_valid && r_to.store),
    .store_half_i  (r_to.half),
    .store_entry_i (r_to.entry),
    .store_index_i (r_index),
    .store_data_i  (r_data),
    .look_up_i     (look_up),
    .half_i        (look_up_half),
    .entry_i       (entry_q),
    .select_valid_o(select_valid),
    .select_ready_i(select_ready),
    .select_index_o(select_index),
    .select_data_o (select_data),
    .done_o        (look_up_done)
  );

  // ---- operand memory

  // Where word `index` of an operand lies in its slot.
  function automatic logic [IndexBits-1:0] place(logic [IndexBits-1:0] index, logic halves,
                                                 logic half);
    return (Crt && halves) ? {half, index[IndexBits-2:0]} : index;
  endfunction

  logic work_write_q, n_write_q, n_write_scaled_q, n_scaled;
  work_e work_slot_q, x_slot, y_slot;
  logic [IndexBits-1:0] write_index_q, x_read_index, y_read_index, n_read_index;
  logic [WordBits-1:0] write_data_q;

  assign select_ready = !r_valid;

  // One writer at a time, of a slot or of the modulus, but for a look-up's word, which waits for a
  // result's; and each but the multiplier shows zeros when it does not write: so the word is the sum
  // of what they have. A register before the memory is what makes a result readable in the second
  // cycle after r_valid_o.
  logic select_write, load_write, alu_work_write, select_half_q;
  work_e work_slot, wipe_slot, select_target_q;
  logic [IndexBits-1:0] write_index, result_words_q;
  logic [WordBits-1:0] write_data;

  assign select_write = select_valid && !r_valid;

  // The last word may be written when the look-up is done and the next one has begun.
  always_ff @(posedge clk_i) begin
    select_half_q <= look_up_half;
    select_target_q <= look_up_target;
  end

  // The result alone stays: with CRT m_q may lie behind it.
  always_ff @(posedge clk_i) begin
    result_words_q <= crt ? IndexBits'(operation_i.length << 1) : operand_length;
  end

  assign wipe_slot = work_e'(3'(wipe_addr[IndexBits+:SlotBits]));
  assign load_write = load_i.base || load_i.inverse;
  assign alu_work_write = alu_write && !alu_to_scaled;

  always_comb begin
    write_index = place(load_index_i, crt && (load_write || load_i.modulus), load_i.half) |
                  place(alu_write_index, crt && !alu_wide && alu_write, alu_half);
    write_data = load_data_i | alu_write_data;
    work_slot = WorkAcc;
    if (r_valid) begin
      work_slot = work_e'(work_slot | r_to.slot);
      write_index |= place(r_index, crt && !r_to.wide, r_to.half);
      write_data |= r_data;
    end else begin
      write_index |= place(select_index, crt && select_valid, select_half_q);
      write_data |= select_data;
    end
    if (select_write) work_slot = work_e'(work_slot | select_target_q);
    if (load_write) work_slot = work_e'(work_slot | (load_i.base ? WorkBase : WorkInv));
    if (alu_work_write) work_slot = work_e'(work_slot | alu_target);
  end

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      work_write_q <= !(clearing && wipe_slot == WorkAcc &&
                        wipe_addr[IndexBits-1:0] < result_words_q);
      work_slot_q <= wipe_slot;
      n_write_q <= 1'b1;
      n_write_scaled_q <= wipe_addr[IndexBits];
      write_index_q <= wipe_addr[IndexBits-1:0];
      write_data_q <= '0;
    end else begin
      work_write_q <= r_valid || select_valid || load_write || alu_work_write;
      work_slot_q <= work_slot;
      n_write_q <= load_i.modulus || (alu_write && alu_to_scaled);
      n_write_scaled_q <= alu_to_scaled;
      write_index_q <= write_index;
      write_data_q <= write_data;
    end
  end

  // Without CRT the adder has no use for x. It, the multiplier and the reader of the result each have
  // y at index 0 while another works, so their indices are or'ed: few levels of logic lead to an
  // address. Half of a slot holds all words of an operand of p or q, and what a half is or'ed to
  // are their indices, or those of zeros beyond.
  logic [IndexBits-1:0] result_index_q;
  logic x_half, y_half, n_half;

  always_ff @(posedge clk_i) result_index_q <= (busy && !clearing) ? '0 : read_index_i;

  always_comb begin
    x_slot = x_product.x;
    x_read_index = x_index;
    x_half = x_product.x_half;
    y_slot = y_product.y;
    y_read_index = y_index | alu_read_index | result_index_q;
    y_half = y_product.y_half;
    n_scaled = 1'b1;
    n_read_index = n_index;
    n_half = n_product.half;
    if (alu) begin
      if (Crt) begin
        x_slot = alu_other;
        x_read_index = alu_read_index;
        x_half = alu_other_half;
      end
      y_slot = alu_source;
      y_half = alu_half && !alu_wide;
      n_scaled = 1'b0;
      n_read_index = alu_read_index;
      n_half = alu_half;
    end
    if (!busy || clearing) begin
      y_slot = WorkAcc;
      y_half = 1'b0;
    end
    if (crt) begin
      x_read_index[IndexBits-1] |= x_half;
      y_read_index[IndexBits-1] |= y_half;
      n_read_index[IndexBits-1] |= n_half;
    end
  end

  monpro_memory #(
    .Target   (Target),
    .WordBits (WordBits),
    .IndexBits(IndexBits),
    .SlotBits (SlotBits)
  ) u_memory (
    .clk_i,
    .x_slot_i        (SlotBits'(x_slot)),
    .x_index_i       (x_read_index),
    .x_data_o        (x_data),
    .y_slot_i        (SlotBits'(y_slot)),
    .y_index_i       (y_read_index),
    .y_data_o        (y_data),
    .work_write_i    (work_write_q),
    .work_slot_i     (SlotBits'(work_slot_q)),
    .work_index_i    (write_index_q),
    .work_data_i     (write_data_q),
    .n_scaled_i      (n_scaled),
    .n_index_i       (n_read_index),
    .n_data_o        (n_data),
    .n_write_i       (n_write_q),
    .n_write_scaled_i(n_write_scaled_q),
    .n_write_index_i (write_index_q),
    .n_write_data_i  (write_data_q)
  );

  // Each port of a product takes what it needs; without CRT nothing is wide and slots are few.
  logic unused;
  assign unused = ^{x_product, y_product, n_product, x_slot, y_slot, x_half, y_half, n_half,
                    work_slot_q, x_beyond_q[0], y_beyond_q[0], n_wide_q[0], n_one_q[0]};

  assign read_data_o = y_data;

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  // What is or'ed comes from one unit at a time; the others are zero while it writes.
  logic load_word;
  assign load_word = load_write || load_i.modulus;

  OneWriter: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    $onehot0({r_valid || select_write, load_word, alu_write}))
    else $error("two units write the operand memory");
  OneWord: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    (!(load_word || r_valid || select_valid) || {alu_write_index, alu_write_data} == '0) &&
    (!(alu_write || r_valid || select_valid) || {load_index_i, load_data_i} == '0) &&
    (!(alu_write || load_word) || {select_index, select_data} == '0))
    else $error("two units have a word to write");
  OneReader: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    $onehot0({y_index != '0, alu_read_index != '0, result_index_q != '0}))
    else $error("two units read y");
  ProductStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    next_valid_q && !start_ready |=>
    wipe || (next_valid_q && $stable(next_q)))
    else $error("the product that waits for the multiplier changes");
  EntryStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    select_valid && !select_ready |=>
    wipe || (select_valid && $stable({select_index, select_data})))
    else $error("a word of an entry changes before it is written");
`endif

endmodule
