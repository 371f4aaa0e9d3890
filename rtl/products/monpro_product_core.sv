// Single products for software that does the exponentiation: a multiplier, a memory of entries and
// a queue of commands. A command is entry[to] = entry[x] * entry[y] / R mod N, or a copy of entry x
// or y.
//
// With a multiplier that works on the scaled modulus (monpro_mul_array) the modulus is N', and
// entries hold numbers below 2M. With monpro_mul_word the modulus is N with n', and entries hold
// numbers below N (`exact` in monpro_product_pkg). Operands stay from one product to the next. The
// time of a command does not depend on a value: a copy reads both entries and chooses word by word.
//
// Cycles, where I is the multiplier's start to start, L its start to last word, s the words of an
// operand:
//   a product after a product     I                     start to start
//   a copy after a product        L + 2 (array: L + 1)  start of the product to begin of the copy
//   a copy after a copy           s + 3                 begin to begin
//   a product after a copy        s + 2                 begin of the copy to start of the product
// From a write into the empty queue it takes 3 cycles to the start of a product, and 4 to the begin
// of a copy. From there until busy_o falls it takes L + 2, or s + 3.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_product_core
  import monpro_pkg::*;
  import monpro_product_pkg::*;
  import monpro_regs_enum_pkg::*;
#(
  parameter  string       Multiplier = "array",  // or "word"
  parameter  int unsigned WordBits   = 17,
  parameter  int unsigned Elements   = 17,
  parameter  int unsigned MinBits    = 512,
  parameter  int unsigned MaxBits    = 2048,
  parameter  int unsigned Entries    = 32,          // power of two, 2 to 32
  parameter  string       Target     = "portable",  // see monpro_block, monpro_ram
  localparam int unsigned IndexBits  = index_bits(MaxBits, WordBits, Elements, 0, 1'b0)
) (
  input  logic clk_i,
  input  logic rst_ni,

  input  logic                 clear_error_i,     // while not busy
  input  logic                 wipe_i,
  input  logic                 abort_i,
  input  logic [11:0]          length_i,          // words of the modulus
  input  logic                 loaded_i,          // the modulus is there, and n' if it is needed
  input  logic                 length_changed_i,  // forgets every entry
  output logic                 length_ok_o,
  output logic [IndexBits-1:0] operand_words_o,
  output logic                 busy_o,
  output logic                 end_o,      // pulse: the queue has run empty, or a wipe has ended
  output error_e               error_o,    // the first since clear_error_i; it wipes everything
  output logic                 wiping_o,
  output logic                 working_o,  // commands are there that have not ended
  output logic                 product_o,  // pulses: a product was started,
  output logic                 command_o,  // a command was taken up

  input  logic       push_i,
  input  command_t   push_command_i,
  output logic       full_o,
  output logic [3:0] queued_o,

  // Operands in and out, while not busy; index and data are zero while nothing is loaded. A word
  // follows its index by two cycles.
  input  logic                 load_modulus_i,
  input  logic                 load_inverse_i,
  input  logic                 load_entry_i,
  input  logic                 entry_loaded_i,   // with its last word, or later
  input  logic                 entry_spoiled_i,  // it is missing after all
  input  logic [EntryBits-1:0] entry_i,         // to be loaded or read
  input  logic [IndexBits-1:0] load_index_i,
  input  logic [WordBits-1:0]  load_data_i,
  output logic                 readable_o,
  input  logic [IndexBits-1:0] read_index_i,
  output logic [WordBits-1:0]  read_data_o
);

  localparam bit Exact = is_exact(Multiplier);
  localparam int unsigned PlaceBits = $clog2(Entries);  // of an entry's number here
  localparam int unsigned MinLength = Exact ? (MinBits + WordBits - 1) / WordBits
                                            : modulus_words(MinBits, WordBits);
  localparam int unsigned MaxLength = Exact ? (MaxBits + WordBits - 1) / WordBits
                                            : modulus_words(MaxBits, WordBits);
  localparam int unsigned WipeBits = PlaceBits + IndexBits;
  localparam int unsigned MaxWords = (1 << IndexBits) - 1;

  if (Entries != 1 << PlaceBits || Entries < 2 || Entries > 1 << EntryBits)
  begin : g_illegal_entries
    $error("Entries must be 2, 4, 8, 16 or 32");
  end

  if (Exact ? MinLength < word_min_words(Elements) : MinLength < 3) begin : g_illegal_min_bits
    $error("MinBits must fill as many words as the multiplier's shortest product has");
  end

  typedef enum logic [2:0] {
    StWipe, StFetch, StLook, StIssue, StCopy
  } state_e;

  typedef struct packed {
    logic [PlaceBits-1:0] x;
    logic [PlaceBits-1:0] y;
    logic [PlaceBits-1:0] to;
  } place_t;

  state_e state_q;
  error_e error_q, check_error_q;
  command_t head, command_q;
  place_t place, product_q, copy_q;
  logic copy_first_q;
  logic [Entries-1:0] valid_q;
  logic [WipeBits-1:0] wipe_addr_q;
  logic odd_q, length_ok_q, active_q;
  logic wipe, wipe_ends, head_valid, start_valid, start_ready, start, copies, in_flight;
  logic r_valid, r_last;  // of its words
  logic inverse_wrong, working, settled, stop;
  logic [IndexBits-1:0] words_q, copy_index_q;
  logic [1:0] copying_q;  // one and two cycles after a copied word's address went out
  logic [1:0][IndexBits-1:0] copying_index_q;
  logic write_q;
  logic [PlaceBits-1:0] write_entry_q;
  logic [IndexBits-1:0] write_index_q;
  logic [WordBits-1:0] write_data_q;

  // ---- queue and control

  monpro_product_queue u_queue (
    .clk_i,
    .clear_i  (wipe),
    .push_i,
    .command_i(push_command_i),
    .pop_i    (state_q == StFetch && head_valid),
    .command_o(head),
    .valid_o  (head_valid),
    .full_o,
    .count_o  (queued_o)
  );

  // Whether an entry of that number exists and holds an operand.
  function automatic logic is_there(logic [Entries-1:0] valid, logic [EntryBits-1:0] entry);
    logic [(1<<EntryBits)-1:0] all;
    all = (1 << EntryBits)'(valid);
    return all[entry];
  endfunction

  assign place = '{x: command_q.x[PlaceBits-1:0], y: command_q.y[PlaceBits-1:0],
                   to: command_q.to[PlaceBits-1:0]};
  assign start_valid = state_q == StIssue && check_error_q == ErrorNone && !command_q.choose;
  assign start = start_valid && start_ready;
  assign copies = state_q == StIssue && check_error_q == ErrorNone && command_q.choose &&
                  !in_flight;
  assign working = active_q && !wipe;
  assign settled = !in_flight && !r_valid && copying_q == '0 && !write_q;
  assign stop = working && (abort_i || inverse_wrong ||
                            (state_q == StIssue && check_error_q != ErrorNone));
  assign wipe = state_q == StWipe;
  assign wipe_ends = wipe && &wipe_addr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StWipe;
      error_q <= ErrorNone;
      check_error_q <= ErrorNone;
      command_q <= '0;
      valid_q <= '0;
      wipe_addr_q <= '0;
      odd_q <= 1'b0;
      length_ok_q <= 1'b0;
      words_q <= '0;
      active_q <= 1'b0;
      copy_index_q <= '0;
    end else begin
      length_ok_q <= length_i >= 12'(MinLength) && length_i <= 12'(MaxLength);
      words_q <= IndexBits'(length_i) + IndexBits'(Exact ? 0 : 1);
      if (clear_error_i) error_q <= ErrorNone;
      if (load_modulus_i && load_index_i == '0) odd_q <= load_data_i[0];
      if (load_entry_i || entry_spoiled_i) valid_q[entry_i[PlaceBits-1:0]] <= 1'b0;
      if (entry_loaded_i) valid_q[entry_i[PlaceBits-1:0]] <= 1'b1;
      if (length_changed_i) valid_q <= '0;
      if (push_i && !full_o) active_q <= 1'b1;
      else if (end_o) active_q <= 1'b0;

      unique case (state_q)
        StWipe: begin
          wipe_addr_q <= wipe_addr_q + 1'b1;
          check_error_q <= ErrorNone;
          command_q <= '0;
          valid_q <= '0;
          odd_q <= 1'b0;
          active_q <= 1'b0;
          copy_index_q <= '0;
          if (wipe_ends) state_q <= StFetch;
        end

        StFetch: begin
          command_q <= head;
          copy_index_q <= '0;
          if (head_valid) begin
            state_q <= StLook;
          end else if (wipe_i && !active_q) begin
            error_q <= ErrorNone;
            state_q <= StWipe;
          end
        end

        StLook: begin
          check_error_q <= ErrorNone;
          if (!length_ok_q) check_error_q <= ErrorLength;
          else if (!loaded_i || !is_there(valid_q, command_q.x) ||
                   !is_there(valid_q, command_q.y) || 32'(command_q.to) >= Entries) begin
            check_error_q <= ErrorOperandMissing;
          end else if (Exact && !odd_q) begin
            check_error_q <= ErrorModulusEven;
          end
          state_q <= StIssue;
        end

        StIssue:
          if (start || copies) begin
            valid_q[place.to] <= 1'b1;
            state_q <= copies ? StCopy : StFetch;
          end

        StCopy: begin
          copy_index_q <= copy_index_q + 1'b1;
          if (copy_index_q == words_q - 1'b1) state_q <= StFetch;
        end

        default: state_q <= StWipe;
      endcase

      if (stop) begin
        if (error_q == ErrorNone) begin
          if (abort_i) error_q <= ErrorAborted;
          else if (inverse_wrong) error_q <= ErrorInverse;
          else error_q <= check_error_q;
        end
        state_q <= StWipe;
      end
    end
  end

  assign wiping_o = wipe;
  assign working_o = working;
  assign busy_o = wipe || active_q || push_i;
  assign end_o = wipe_ends || (working && state_q == StFetch && !head_valid && settled && !push_i);
  assign error_o = error_q;
  assign length_ok_o = length_ok_q;
  assign operand_words_o = words_q;
  assign product_o = start;
  assign command_o = start || copies;
  assign readable_o = !busy_o && is_there(valid_q, entry_i);

  // ---- multiplier

  logic [IndexBits-1:0] x_index, y_index, n_index, r_index;
  logic [WordBits-1:0] x_data, y_data, n_data, r_data;
  logic r_words_q;
  logic [PlaceBits-1:0] r_entry_q;  // kept from before a result's first word to its last
  logic [3:0] unused_context;

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      product_q <= '0;
      r_words_q <= 1'b0;
      r_entry_q <= '0;
    end else begin
      if (start) product_q <= place;
      if (r_valid) r_words_q <= !r_last;
      if (!r_words_q) r_entry_q <= product_q.to;
    end
  end

  logic [$clog2(Elements+1)-1:0] elements;  // in use, from long before the operands are loaded
  logic [WordBits-1:0] inverse_q;

  if (Exact) begin : g_exact
    always_ff @(posedge clk_i) begin
      if (wipe) inverse_q <= '0;
      else if (load_inverse_i) inverse_q <= load_data_i;
    end

    assign elements = '0;
  end else begin : g_scaled
    localparam int unsigned RowBits = row_bits(IndexBits, Elements);
    logic [RowBits-1:0] rows;
    logic settled_rows, unused_rows;

    monpro_rows #(
      .WordBits(WordBits),
      .Elements(Elements),
      .RowBits (RowBits)
    ) u_rows (
      .clk_i,
      .rst_ni,
      .restart_i (length_changed_i),
      .words_i   (RowBits'(words_q)),
      .rows_o    (rows),
      .elements_o(elements),
      .settled_o (settled_rows)
    );

    assign inverse_q = '0;
    assign unused_rows = ^{rows, settled_rows, load_inverse_i};
  end

  monpro_multiplier #(
    .Multiplier(Multiplier),
    .Target    (Target),
    .WordBits  (WordBits),
    .Elements  (Elements),
    .MaxWords  (MaxWords)
  ) u_multiplier (
    .clk_i,
    .clear_i        (wipe),
    .words_i        (words_q),
    .elements_i     (elements),
    .inverse_i      (inverse_q),
    .inverse_wrong_o(inverse_wrong),
    .start_valid_i  (start_valid),
    .start_ready_o  (start_ready),
    .start_context_i(1'b0),
    .busy_o         (in_flight),
    .x_context_o    (unused_context[0]),
    .x_index_o      (x_index),
    .x_data_i       (x_data),
    .y_context_o    (unused_context[1]),
    .y_index_o      (y_index),
    .y_data_i       (y_data),
    .n_context_o    (unused_context[2]),
    .n_index_o      (n_index),
    .n_data_i       (n_data),
    .r_valid_o      (r_valid),
    .r_last_o       (r_last),
    .r_context_o    (unused_context[3]),
    .r_index_o      (r_index),
    .r_data_o       (r_data)
  );

  // ---- entries

  logic [PlaceBits-1:0] x_entry, y_entry;
  logic [IndexBits-1:0] x_read_index, y_read_index;
  logic [WordBits-1:0] chosen;

  assign chosen = copy_first_q ? x_data : y_data;

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      copy_q <= '0;
      copy_first_q <= 1'b0;
      copying_q <= '0;
      copying_index_q <= '0;
      write_q <= 1'b1;
      {write_entry_q, write_index_q} <= wipe_addr_q;
      write_data_q <= '0;
    end else begin
      if (copies) begin
        copy_q <= place;
        copy_first_q <= command_q.first;
      end else if (state_q != StCopy && !copying_q[0]) begin
        copy_first_q <= 1'b0;  // it may be a secret
      end
      copying_q <= {copying_q[0], state_q == StCopy};
      copying_index_q <= {copying_index_q[0], copy_index_q};
      write_q <= r_valid || copying_q[1] || load_entry_i;
      write_entry_q <= entry_i[PlaceBits-1:0];
      write_index_q <= load_index_i;
      write_data_q <= load_data_i;
      if (r_valid) begin
        write_entry_q <= r_entry_q;
        write_index_q <= r_index;
        write_data_q <= r_data;
      end else if (copying_q[1]) begin
        write_entry_q <= copy_q.to;
        write_index_q <= copying_index_q[1];
        write_data_q <= chosen;
      end
    end
  end

  always_comb begin
    x_entry = product_q.x;
    x_read_index = x_index;
    y_entry = product_q.y;
    y_read_index = y_index;
    if (state_q == StCopy) begin
      x_entry = copy_q.x;
      x_read_index = copy_index_q;
      y_entry = copy_q.y;
      y_read_index = copy_index_q;
    end else if (!busy_o) begin
      y_entry = entry_i[PlaceBits-1:0];
      y_read_index = read_index_i;
    end
  end

  monpro_memory #(
    .Target   (Target),
    .WordBits (WordBits),
    .IndexBits(IndexBits),
    .SlotBits (PlaceBits)
  ) u_memory (
    .clk_i,
    .x_slot_i        (x_entry),
    .x_index_i       (x_read_index),
    .x_data_o        (x_data),
    .y_slot_i        (y_entry),
    .y_index_i       (y_read_index),
    .y_data_o        (y_data),
    .work_write_i    (write_q),
    .work_slot_i     (write_entry_q),
    .work_index_i    (write_index_q),
    .work_data_i     (write_data_q),
    .n_scaled_i      (1'b0),
    .n_index_i       (n_index),
    .n_data_o        (n_data),
    .n_write_i       (load_modulus_i || wipe),
    .n_write_scaled_i(wipe && wipe_addr_q[IndexBits]),
    .n_write_index_i (wipe ? wipe_addr_q[IndexBits-1:0] : load_index_i),
    .n_write_data_i  (wipe ? '0 : load_data_i)
  );

  assign read_data_o = y_data;

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  OneWriter: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    $onehot0({r_valid, copying_q[1], load_entry_i}))
    else $error("two words are written at a time");
  ProductStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni || wipe)
    start_valid && !start_ready |=>
    wipe || (start_valid && $stable(place)))
    else $error("the product that waits for the multiplier changes");
`endif

endmodule
