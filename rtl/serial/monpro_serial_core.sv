// The coprocessor without its bus, over two serial multipliers in place of a word-serial array. It
// has the ports of monpro_core, with words of 32 bits. monpro_serial_control has the steps and the
// cycles.
//
// Numbers go between memories and multipliers as streams, a word a cycle, least significant first.
// Word j of a stream that begins in cycle c is on its way in cycle c + 2 + j. A stream has Chunks
// words. Words beyond the length of an operand read as zero.
//
// The running value A is chosen word by word with a mask. It is the result of a product, or the
// value before: the result of the other multiplier, or the operand of that product, which
// monpro_serial_fifo keeps. So A is written again for each bit of the exponent, in the same way for
// a one and for a zero.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_serial_core
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_serial_pkg::*;
#(
  parameter  string       Multiplier = "radix2",  // or "interleaved"
  parameter  int unsigned MinBits    = 32,
  parameter  int unsigned MaxBits    = 1024,
  parameter  schemes_t    Schemes    = schemes_t'('h06),  // bit n: scheme_e n
  parameter  string       Target     = "portable", // see monpro_ram
  localparam int unsigned WordBits   = 32,
  localparam int unsigned IndexBits  = index_bits(MaxBits, WordBits, 1, 0, 1'b0),
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

  localparam bit Montgomery = Multiplier == "radix2";
  localparam int unsigned Chunks = (MaxBits + 5 + WordBits - 1) / WordBits;
  localparam int unsigned ChunkBits = $clog2(Chunks);
  localparam int unsigned CountBits = count_bits(IndexBits, Chunks);
  localparam int unsigned RowBits = IndexBits + 6;
  localparam int unsigned BitBits = $clog2(MaxBits + 6);
  localparam int unsigned LastShift = Montgomery ? 2 : 0;

  if (MinBits + 10 <= Chunks) begin : g_illegal_min_bits
    $error("a product of MinBits must take as long as a stream of MaxBits");
  end
  if (Montgomery && Schemes[SchemeRepeated]) begin : g_illegal_schemes
    $error("repeated multiplication is for a multiplier without Montgomery form");
  end

  logic length_ok, busy, ended, warm, result, precomputing, exponentiating, product;
  error_e error;
  step_t step;
  logic [CountBits-1:0] index_q;
  logic wipe, clearing, modulus, below;
  logic [IndexBits-1:0] wipe_addr;
  logic [RowBits-1:0] modulus_bits;
  logic [ExponentAddrBits+5:0] exponent_bits;
  logic modulus_odd, unused_odd;
  logic [31:0] exponent_low_q;
  logic square_next, multiply_next;
  logic exponent_rewind, exponent_take, exponent_taken;
  logic [15:0] exponent_length;
  logic [2:0] exponent_taken_count;
  logic [1:0][5:0] exponent_value;

  // ---- control

  monpro_serial_control #(
    .Montgomery(Montgomery),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .Schemes   (Schemes),
    .Chunks    (Chunks),
    .LastShift (LastShift),
    .Reduces   (Montgomery),
    .AddrBits  (IndexBits)
  ) u_control (
    .clk_i,
    .rst_ni,
    .start_i          (operation_i.start),
    .wipe_i           (operation_i.wipe),
    .abort_i          (operation_i.stop),
    .length_i         (operation_i.length),
    .bits_i           (operation_i.bits),
    .scheme_i         (operation_i.scheme),
    .window_i         (operation_i.window),
    .public_i         (operation_i.is_public),
    .crt_i            (operation_i.crt),
    .loaded_i         (operation_i.loaded),
    .modulus_changed_i(operation_i.modulus_changed),
    .wipes_i          (operation_i.wipes),
    .length_ok_o      (length_ok),
    .busy_o           (busy),
    .end_o            (ended),
    .error_o          (error),
    .warm_o           (warm),
    .result_o         (result),
    .precomputing_o   (precomputing),
    .exponentiating_o (exponentiating),
    .clearing_o       (clearing),
    .wipe_o           (wipe),
    .wipe_addr_o      (wipe_addr),
    .modulus_bits_i   (modulus_bits),
    .modulus_odd_i    (modulus_odd),
    .exponent_bits_i  (16'(exponent_bits)),
    .exponent_low_i   (exponent_low_q),
    .below_i          (below),
    .step_o           (step),
    .index_o          (index_q),
    .modulus_o        (modulus),
    .square_i         (square_next),
    .multiply_i       (multiply_next),
    .exponent_rewind_o(exponent_rewind),
    .exponent_bits_o  (exponent_length),
    .exponent_take_o  (exponent_take),
    .exponent_bit_i   (exponent_value[0][0])
  );

  monpro_bit_length #(
    .IndexBits(IndexBits)
  ) u_modulus_bits (
    .clk_i,
    .clear_i(wipe),
    .write_i(load_i.modulus),
    .index_i(load_index_i),
    .word_i (load_data_i),
    .bits_o (modulus_bits),
    .odd_o  (modulus_odd)
  );

  monpro_bit_length #(
    .IndexBits(ExponentAddrBits)
  ) u_exponent_bits (
    .clk_i,
    .clear_i(wipe),
    .write_i(load_i.exponent),
    .index_i(load_exponent_addr_i),
    .word_i (load_exponent_data_i),
    .bits_o (exponent_bits),
    .odd_o  (unused_odd)
  );

  if (Schemes[SchemeRepeated]) begin : g_exponent_low
    always_ff @(posedge clk_i) begin
      if (wipe) exponent_low_q <= '0;
      else if (load_i.exponent && load_exponent_addr_i == '0) begin
        exponent_low_q <= load_exponent_data_i;
      end
    end
  end else begin : g_no_exponent_low
    assign exponent_low_q = '0;
  end

  monpro_exponent #(
    .Target  (Target),
    .MaxBits (MaxBits),
    .Crt     (1'b0),
    .LowFirst(Schemes[SchemeRightToLeft])
  ) u_exponent (
    .clk_i,
    .clear_i      (wipe),
    .write_i      (load_i.exponent || wipe),
    .write_addr_i (wipe ? wipe_addr[ExponentAddrBits-1:0] : load_exponent_addr_i),
    .write_data_i (wipe ? '0 : load_exponent_data_i),
    .rewind_i     (exponent_rewind),
    .bits_i       (exponent_length[$clog2(MaxBits+1)-1:0]),
    .both_i       (1'b0),
    .low_first_i  (operation_i.scheme == SchemeRightToLeft),
    .take_i       (exponent_take),
    .append_i     (1'b0),
    .count_i      (3'd1),
    .taken_o      (exponent_taken),
    .taken_count_o(exponent_taken_count),
    .value_o      (exponent_value)
  );

  // ---- what a step has set going

  source_e square_x_q, square_y_q, multiply_x_q, multiply_y_q;
  keep_e keep_q;
  pass_e pass_q;
  logic [1:0] shift_q;
  logic multiply_q, from_square_q, take_q, both_q;
  logic [IndexBits-1:0] address;
  logic [2:0] valid_q;                      // of a word on its way, one to three cycles after its
  logic [1:0] first_q, last_q, push_q;      // address went out: within the operand; and so on
  logic [2:0][IndexBits-1:0] word_index_q;
  logic [CountBits-1:0] operand_length;
  logic in_operand, in_product;

  assign operand_length = CountBits'(operation_i.length) + 1'b1;
  assign address = step.begins ? '0 : index_q[IndexBits-1:0];
  assign in_operand = step.begins || index_q < operand_length;
  assign in_product = step.begins ? step.multiply
                                  : multiply_q && index_q < CountBits'(Chunks);

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      square_x_q <= FromBase;
      square_y_q <= FromBase;
      multiply_x_q <= FromBase;
      multiply_y_q <= FromBase;
      keep_q <= KeepNothing;
      pass_q <= PassNone;
      shift_q <= '0;
      multiply_q <= 1'b0;
      from_square_q <= 1'b0;
      take_q <= 1'b0;
      both_q <= 1'b0;
      first_q <= '0;
      valid_q <= '0;
      last_q <= '0;
      push_q <= '0;
      word_index_q <= '0;
    end else begin
      if (step.begins) begin
        square_x_q <= step.square_x;
        square_y_q <= step.square_y;
        multiply_x_q <= step.multiply_x;
        multiply_y_q <= step.multiply_y;
        keep_q <= step.keep;
        pass_q <= step.pass;
        shift_q <= step.shift;
        multiply_q <= step.multiply;
        from_square_q <= step.from_square;
        take_q <= step.take;
      end
      both_q <= step.square && step.multiply;
      first_q <= {first_q[0], step.begins};
      valid_q <= {valid_q[1:0], in_operand};
      last_q <= {last_q[0], in_operand && address + 1'b1 == operand_length[IndexBits-1:0]};
      push_q <= {push_q[0], in_product};
      word_index_q <= {word_index_q[1:0], address};
    end
  end

  assign operand_words_o = operand_length[IndexBits-1:0];
  assign digits_o = operand_length[IndexBits-1:0];
  assign status_o = '{
    length_ok: length_ok, busy: busy, ended: ended, error: error, warm: warm, result: result,
    wiping: wipe, clearing: clearing, precomputing: precomputing,
    exponentiating: exponentiating, product: product
  };
  assign product = step.square || step.multiply || both_q;

  // No CRT; what is precomputed goes with the modulus; a bit is there long before its product ends.
  logic unused;
  assign unused = ^{operation_i.length_changed, load_i.inverse, load_i.half, exponent_taken,
                    exponent_taken_count, exponent_value, exponent_length, unused_odd};

  // ---- memories

  logic [WordBits-1:0] modulus_data, base_data, const_data, result_data;
  logic [WordBits-1:0] modulus_word, base_word, const_word, one_word;
  logic [WordBits-1:0] square_word, multiply_word, fifo_word, running_word;
  logic [WordBits-1:0] adder_word;
  logic adder_writes;

  assign modulus_word = valid_q[1] ? modulus_data : '0;
  assign base_word = valid_q[1] ? base_data : '0;
  assign const_word = valid_q[1] ? const_data : '0;
  assign one_word = WordBits'(first_q[1]);

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << IndexBits)
  ) u_modulus (
    .clk_i,
    .write_i     (load_i.modulus || wipe),
    .write_addr_i(wipe ? wipe_addr : load_index_i),
    .write_data_i(wipe ? '0 : load_data_i),
    .read_addr_i (address),
    .read_data_o (modulus_data)
  );

  monpro_serial_slot #(
    .Target  (Target),
    .AddrBits(IndexBits)
  ) u_base (
    .clk_i,
    .wipe_i       (wipe),
    .wipe_addr_i  (wipe_addr),
    .load_i       (load_i.base),
    .load_index_i,
    .load_data_i,
    .keep_i       (keep_q == KeepBase && valid_q[1]),
    .keep_index_i (word_index_q[1]),
    .keep_data_i  (square_word),
    .write_i      (1'b0),
    .write_index_i('0),
    .write_data_i ('0),
    .read_index_i (address),
    .read_data_o  (base_data)
  );

  if (Montgomery) begin : g_const
    monpro_serial_slot #(
      .Target  (Target),
      .AddrBits(IndexBits)
    ) u_const (
      .clk_i,
      .wipe_i       (wipe),
      .wipe_addr_i  (wipe_addr),
      .load_i       (1'b0),
      .load_index_i ('0),
      .load_data_i  ('0),
      .keep_i       (keep_q == KeepConst && valid_q[1]),
      .keep_index_i (word_index_q[1]),
      .keep_data_i  (square_word),
      .write_i      (adder_writes && pass_q inside {PassPower, PassDouble, PassFixDouble}),
      .write_index_i(word_index_q[2]),
      .write_data_i (adder_word),
      .read_index_i (address),
      .read_data_o  (const_data)
    );
  end else begin : g_no_const
    assign const_data = '0;
  end

  monpro_serial_slot #(
    .Target  (Target),
    .AddrBits(IndexBits)
  ) u_result (
    .clk_i,
    .wipe_i       (wipe && !(clearing && CountBits'(wipe_addr) < operand_length)),
    .wipe_addr_i  (wipe_addr),
    .load_i       (1'b0),
    .load_index_i ('0),
    .load_data_i  ('0),
    .keep_i       (keep_q == KeepResult && valid_q[1]),
    .keep_index_i (word_index_q[1]),
    .keep_data_i  (running_word),
    .write_i      (adder_writes && pass_q inside {PassReduce, PassFixReduce}),
    .write_index_i(word_index_q[2]),
    .write_data_i (adder_word),
    .read_index_i ((busy && !clearing) ? address : read_index_i),
    .read_data_o  (result_data)
  );

  assign read_data_o = result_data;

  // ---- adder

  logic [WordBits-1:0] power_word, adder_a;
  logic [RowBits-1:0] power_place;

  assign power_place = modulus_bits - 1'b1;
  assign power_word = (RowBits'(word_index_q[1]) == power_place >> 5) ?
                      WordBits'(1) << power_place[4:0] : '0;

  always_comb begin
    unique case (pass_q)
      PassCheck: adder_a = base_word;
      PassPower: adder_a = Montgomery ? power_word : '0;
      PassDouble, PassFixDouble: adder_a = const_word;
      default: adder_a = valid_q[1] ? result_data : '0;
    endcase
  end

  monpro_serial_adder #(
    .Width(WordBits)
  ) u_adder (
    .clk_i,
    .clear_i  (wipe),
    .first_i  (first_q[1]),
    .last_i   (last_q[1] && pass_q != PassNone),
    .double_i (pass_q inside {PassPower, PassDouble}),
    .shift_i  (shift_q),
    .restore_i(pass_q inside {PassFixDouble, PassFixReduce}),
    .a_i      (adder_a),
    .n_i      (modulus_word),
    .r_o      (adder_word),
    .below_o  (below)
  );

  assign adder_writes = valid_q[2];

  // ---- the modulus on its way into the multipliers

  logic modulus_write;
  logic modulus_first;
  logic [ChunkBits-1:0] modulus_index_q;
  logic [WordBits-1:0] modulus_out;
  logic modulus_writing_q;

  if (Montgomery) begin : g_inverse
    monpro_inverse #(
      .Width(WordBits)
    ) u_inverse (
      .clk_i,
      .clear_i(wipe),
      .first_i(first_q[1] && modulus),
      .word_i (modulus_word),
      .first_o(modulus_first),
      .word_o (modulus_out)
    );
  end else begin : g_no_inverse
    assign modulus_first = first_q[1] && modulus;
    assign modulus_out = modulus_word;
  end

  assign modulus_write = modulus_first || modulus_writing_q;

  always_ff @(posedge clk_i) begin
    if (wipe) begin
      modulus_index_q <= '0;
      modulus_writing_q <= 1'b0;
    end else if (modulus_first) begin
      modulus_index_q <= ChunkBits'(1);
      modulus_writing_q <= 1'b1;
    end else if (modulus_writing_q) begin
      modulus_index_q <= modulus_index_q + 1'b1;
      modulus_writing_q <= modulus_index_q != ChunkBits'(Chunks - 1);
    end
  end

  // ---- the two multipliers

  function automatic logic [WordBits-1:0] source(source_e from, logic [WordBits-1:0] base,
                                                 logic [WordBits-1:0] constant,
                                                 logic [WordBits-1:0] square,
                                                 logic [WordBits-1:0] running,
                                                 logic [WordBits-1:0] one);
    unique case (from)
      FromBase: return base;
      FromConst: return constant;
      FromSquare: return square;
      FromRunning: return running;
      default: return one;
    endcase
  endfunction

  logic [1:0] start, next;             // squaring, multiplying
  logic [1:0][WordBits-1:0] x, y, r;

  assign start = {step.multiply, step.square};
  assign x[0] = source(square_x_q, base_word, const_word, square_word, running_word, one_word);
  assign y[0] = source(square_y_q, base_word, const_word, square_word, running_word, one_word);
  assign x[1] = source(multiply_x_q, base_word, const_word, square_word, running_word, one_word);
  assign y[1] = source(multiply_y_q, base_word, const_word, square_word, running_word, one_word);

  for (genvar i = 0; i < 2; i++) begin : g_multiplier
    if (Montgomery) begin : g_radix2
      monpro_radix2 #(
        .Target (Target),
        .MaxBits(MaxBits),
        .Width  (WordBits)
      ) u_multiplier (
        .clk_i,
        .clear_i        (wipe),
        .wipe_i         (wipe),
        .wipe_addr_i    (wipe_addr[ChunkBits-1:0]),
        .bits_i         (modulus_bits[BitBits-1:0]),
        .modulus_write_i(modulus_write),
        .modulus_index_i(modulus_first ? '0 : modulus_index_q),
        .modulus_i      (modulus_out),
        .start_i        (start[i]),
        .x_i            (x[i]),
        .y_i            (y[i]),
        .r_start_o      (next[i]),
        .r_o            (r[i])
      );
    end else begin : g_interleaved
      monpro_interleaved #(
        .Target (Target),
        .MaxBits(MaxBits),
        .Width  (WordBits)
      ) u_multiplier (
        .clk_i,
        .clear_i        (wipe),
        .wipe_i         (wipe),
        .wipe_addr_i    (wipe_addr[ChunkBits-1:0]),
        .bits_i         (modulus_bits[BitBits-1:0]),
        .modulus_write_i(modulus_write),
        .modulus_index_i(modulus_first ? '0 : modulus_index_q),
        .modulus_i      (modulus_out),
        .start_i        (start[i]),
        .x_i            (x[i]),
        .y_i            (y[i]),
        .r_start_o      (next[i]),
        .r_o            (r[i])
      );
    end
  end

  assign {multiply_next, square_next} = next;
  assign square_word = r[0];
  assign multiply_word = r[1];

  // ---- the running value

  logic pop, popping_q;
  logic [1:0] popped_q;  // one and two cycles ago: its word is there
  logic [ChunkBits-1:0] pops_q;

  always_ff @(posedge clk_i) begin
    popped_q <= wipe ? '0 : {popped_q[0], pop};
    if (wipe) begin
      popping_q <= 1'b0;
      pops_q <= '0;
    end else if (multiply_next) begin
      popping_q <= 1'b1;
      pops_q <= ChunkBits'(1);
    end else if (popping_q) begin
      popping_q <= pops_q != ChunkBits'(Chunks - 1);
      pops_q <= pops_q + 1'b1;
    end
  end

  assign pop = multiply_next || popping_q;

  // A product's words are kept as they go in, and come back as its result comes out.
  monpro_serial_fifo #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << ChunkBits)
  ) u_fifo (
    .clk_i,
    .clear_i    (wipe),
    .wipe_i     (wipe),
    .wipe_addr_i(wipe_addr[ChunkBits-1:0]),
    .push_i     (push_q[1]),
    .word_i     (x[1]),
    .pop_i      (pop),
    .word_o     (fifo_word)
  );

  assign running_word = (from_square_q ? square_word & {WordBits{take_q}}
                                       : fifo_word & {WordBits{!take_q && popped_q[1]}}) |
                        (multiply_word & {WordBits{take_q != from_square_q}});

endmodule
