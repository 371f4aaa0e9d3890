// The coprocessor without its bus: sequencer, operand memory, adder, exponent, table and
// multiplier, and who has which memory port when. The adder has the operand memory while no
// product is in flight; a product's own results go before the words of a look-up, which come more
// rarely.
module monpro_core
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
#(
  parameter  string       Multiplier = "array",  // module monpro_mul_*
  parameter  int unsigned WordBits   = 17,
  parameter  int unsigned Elements   = 16,
  parameter  int unsigned MinBits    = 128,
  parameter  int unsigned MaxBits    = 4096,
  parameter  int unsigned TableWords = 8192,
  localparam int unsigned MaxWords   = operand_words(MaxBits, WordBits),
  localparam int unsigned IndexBits  = $clog2(MaxWords + 1),
  localparam int unsigned ExponentAddrBits = (MaxBits > 32) ? $clog2((MaxBits + 31) / 32) : 1
) (
  input  logic clk_i,
  input  logic rst_ni,

  // As monpro_sequencer has them.
  input  logic                 start_i,
  input  logic                 wipe_i,
  input  logic                 abort_i,
  input  logic [11:0]          length_i,
  input  logic [15:0]          bits_i,
  input  scheme_e              scheme_i,
  input  logic [2:0]           window_i,
  input  logic                 public_i,
  input  logic                 loaded_i,
  input  logic                 modulus_changed_i,
  output logic                 length_ok_o,
  output logic [IndexBits-1:0] words_o,
  output logic                 busy_o,
  output logic                 end_o,
  output error_e               error_o,
  output logic                 warm_o,
  output logic                 result_o,
  output logic                 wiping_o,
  output logic                 precomputing_o,
  output logic                 exponentiating_o,
  output logic                 product_o,  // pulse: a product was started

  // Operands in and result out, while not busy; a result word follows its index by one cycle.
  input  logic                        load_modulus_i,
  input  logic                        load_base_i,
  input  logic [IndexBits-1:0]        load_index_i,
  input  logic [WordBits-1:0]         load_data_i,
  input  logic                        load_exponent_i,
  input  logic [ExponentAddrBits-1:0] load_exponent_addr_i,
  input  logic [31:0]                 load_exponent_data_i,
  input  logic [IndexBits-1:0]        read_index_i,
  output logic [WordBits-1:0]         read_data_o
);

  // A product takes rows in multiples of this, which decides R: see each multiplier's head.
  localparam int unsigned RowStep = (Multiplier == "array") ? Elements : 0;
  localparam int unsigned BitBits = $clog2(WordBits);
  localparam int unsigned TableAddrBits = $clog2(TableWords);
  localparam int unsigned WipeBits = wipe_bits(TableWords, IndexBits);

  logic [2:0] window;
  logic [IndexBits-1:0] words;
  logic wipe;
  logic [WipeBits-1:0] wipe_addr;

  // ---- sequencer

  logic alu, alu_start, alu_to_scaled, alu_done, alu_below, alu_odd, alu_size;
  alu_op_e alu_op;
  work_e alu_source, alu_target;
  logic [IndexBits-1:0] alu_const_word;
  logic [BitBits-1:0] alu_const_bit;
  logic mul_valid, mul_ready, mul_context, mul_busy;
  product_t mul_product;
  logic exponent_rewind, exponent_take, exponent_taken;
  logic [2:0] exponent_count, exponent_taken_count;
  logic [5:0] exponent_value;
  logic look_up, look_up_done;
  work_e look_up_target;

  monpro_sequencer #(
    .WordBits  (WordBits),
    .RowStep   (RowStep),
    .MinBits   (MinBits),
    .MaxBits   (MaxBits),
    .TableWords(TableWords)
  ) u_sequencer (
    .clk_i,
    .rst_ni,
    .start_i,
    .wipe_i,
    .abort_i,
    .length_i,
    .bits_i,
    .scheme_i,
    .window_i,
    .public_i,
    .loaded_i,
    .modulus_changed_i,
    .length_ok_o,
    .words_o               (words),
    .window_o              (window),
    .busy_o,
    .end_o,
    .error_o,
    .warm_o,
    .result_o,
    .precomputing_o,
    .exponentiating_o,
    .wipe_o                (wipe),
    .wipe_addr_o           (wipe_addr),
    .alu_o                 (alu),
    .alu_start_o           (alu_start),
    .alu_op_o              (alu_op),
    .alu_const_word_o      (alu_const_word),
    .alu_const_bit_o       (alu_const_bit),
    .alu_source_o          (alu_source),
    .alu_target_o          (alu_target),
    .alu_to_scaled_o       (alu_to_scaled),
    .alu_done_i            (alu_done),
    .alu_below_i           (alu_below),
    .alu_odd_i             (alu_odd),
    .alu_size_i            (alu_size),
    .mul_valid_o           (mul_valid),
    .mul_ready_i           (mul_ready),
    .mul_product_o         (mul_product),
    .mul_context_o         (mul_context),
    .mul_busy_i            (mul_busy),
    .exponent_rewind_o     (exponent_rewind),
    .exponent_take_o       (exponent_take),
    .exponent_count_o      (exponent_count),
    .exponent_taken_i      (exponent_taken),
    .exponent_taken_count_i(exponent_taken_count),
    .exponent_bit_i        (exponent_value[0]),
    .look_up_o             (look_up),
    .look_up_target_o      (look_up_target),
    .look_up_done_i        (look_up_done)
  );

  assign words_o = words;
  assign wiping_o = wipe;
  assign product_o = mul_valid && mul_ready;

  // ---- multiplier

  logic x_context, y_context, n_context, r_context, r_valid, r_last;
  logic [IndexBits-1:0] x_index, y_index, n_index, r_index;
  logic [WordBits-1:0] x_data, y_data, n_data, r_data;
  product_t product_q[2];  // of each context

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) product_q <= '{default: product_t'('0)};
    else if (mul_valid && mul_ready) product_q[mul_context] <= mul_product;
  end

  if (Multiplier == "array") begin : g_array
    monpro_mul_array #(
      .WordBits(WordBits),
      .Elements(Elements),
      .MaxWords(MaxWords)
    ) u_multiplier (
      .clk_i,
      .clear_i        (wipe),
      .words_i        (words),
      .start_valid_i  (mul_valid),
      .start_ready_o  (mul_ready),
      .start_context_i(mul_context),
      .busy_o         (mul_busy),
      .x_context_o    (x_context),
      .x_index_o      (x_index),
      .x_data_i       (x_data),
      .y_context_o    (y_context),
      .y_index_o      (y_index),
      .y_data_i       (y_data),
      .n_context_o    (n_context),
      .n_index_o      (n_index),
      .n_data_i       (n_data),
      .r_valid_o      (r_valid),
      .r_last_o       (r_last),
      .r_context_o    (r_context),
      .r_index_o      (r_index),
      .r_data_o       (r_data)
    );
  end else begin : g_illegal_multiplier
    $error("no such multiplier");
  end

  if (RowStep == 0) begin : g_illegal_row_step
    $error("RowStep does not know the multiplier");
  end

  // All products have the one modulus, and mul_busy tells of the last word.
  logic unused;
  assign unused = ^{n_context, r_last};

  // ---- adder

  logic [IndexBits-1:0] alu_read_index, alu_write_index;
  logic [WordBits-1:0] alu_write_data;
  logic alu_write;

  monpro_alu #(
    .WordBits (WordBits),
    .IndexBits(IndexBits)
  ) u_alu (
    .clk_i,
    .clear_i      (wipe),
    .words_i      (words),
    .start_i      (alu_start),
    .op_i         (alu_op),
    .const_word_i (alu_const_word),
    .const_bit_i  (alu_const_bit),
    .done_o       (alu_done),
    .read_index_o (alu_read_index),
    .a_i          (y_data),
    .n_i          (n_data),
    .write_o      (alu_write),
    .write_index_o(alu_write_index),
    .write_data_o (alu_write_data),
    .below_o      (alu_below),
    .odd_o        (alu_odd),
    .size_o       (alu_size)
  );

  // ---- exponent and table

  logic select_valid, select_ready;
  logic [IndexBits-1:0] select_index;
  logic [WordBits-1:0] select_data;

  monpro_exponent #(
    .MaxBits(MaxBits)
  ) u_exponent (
    .clk_i,
    .clear_i      (wipe),
    .write_i      (load_exponent_i || wipe),
    .write_addr_i (wipe ? wipe_addr[ExponentAddrBits-1:0] : load_exponent_addr_i),
    .write_data_i (wipe ? '0 : load_exponent_data_i),
    .rewind_i     (exponent_rewind),
    .bits_i       (bits_i[$clog2(MaxBits+1)-1:0]),
    .take_i       (exponent_take),
    .count_i      (exponent_count),
    .taken_o      (exponent_taken),
    .taken_count_o(exponent_taken_count),
    .value_o      (exponent_value)
  );

  monpro_table #(
    .WordBits (WordBits),
    .IndexBits(IndexBits),
    .Words    (TableWords)
  ) u_table (
    .clk_i,
    .clear_i       (wipe),
    .wipe_i        (wipe),
    .wipe_addr_i   (wipe_addr[TableAddrBits-1:0]),
    .words_i       (words),
    .window_i      (window),
    .store_i       (r_valid && product_q[r_context].store),
    .store_entry_i (product_q[r_context].entry),
    .store_index_i (r_index),
    .store_data_i  (r_data),
    .look_up_i     (look_up),
    .entry_i       (exponent_value),
    .select_valid_o(select_valid),
    .select_ready_i(select_ready),
    .select_index_o(select_index),
    .select_data_o (select_data),
    .done_o        (look_up_done)
  );

  // ---- operand memory

  logic work_write, n_write, n_write_scaled;
  work_e work_slot, y_slot;
  logic [IndexBits-1:0] work_index, n_write_index, y_read_index;
  logic [WordBits-1:0] work_data, n_write_data;

  assign select_ready = !r_valid;

  always_comb begin
    work_write = 1'b1;
    work_slot = WorkAcc;
    work_index = alu_write_index;
    work_data = alu_write_data;
    if (wipe) begin
      work_slot = work_e'(wipe_addr[IndexBits+:2]);
      work_index = wipe_addr[IndexBits-1:0];
      work_data = '0;
    end else if (r_valid) begin
      work_slot = product_q[r_context].dst;
      work_index = r_index;
      work_data = r_data;
    end else if (select_valid) begin
      work_slot = look_up_target;
      work_index = select_index;
      work_data = select_data;
    end else if (load_base_i) begin
      work_slot = WorkBase;
      work_index = load_index_i;
      work_data = load_data_i;
    end else begin
      work_write = alu_write && !alu_to_scaled;
      work_slot = alu_target;
    end
  end

  always_comb begin
    n_write = 1'b1;
    n_write_scaled = 1'b0;
    n_write_index = load_index_i;
    n_write_data = load_data_i;
    if (wipe) begin
      n_write_scaled = wipe_addr[IndexBits];
      n_write_index = wipe_addr[IndexBits-1:0];
      n_write_data = '0;
    end else if (alu_write && alu_to_scaled) begin
      n_write_scaled = 1'b1;
      n_write_index = alu_write_index;
      n_write_data = alu_write_data;
    end else begin
      n_write = load_modulus_i;
    end
  end

  always_comb begin
    y_slot = product_q[y_context].y;
    y_read_index = y_index;
    if (alu) begin
      y_slot = alu_source;
      y_read_index = alu_read_index;
    end else if (!busy_o) begin
      y_slot = WorkAcc;
      y_read_index = read_index_i;
    end
  end

  monpro_memory #(
    .WordBits (WordBits),
    .IndexBits(IndexBits)
  ) u_memory (
    .clk_i,
    .x_slot_i        (product_q[x_context].x),
    .x_index_i       (x_index),
    .x_data_o        (x_data),
    .y_slot_i        (y_slot),
    .y_index_i       (y_read_index),
    .y_data_o        (y_data),
    .work_write_i    (work_write),
    .work_slot_i     (work_slot),
    .work_index_i    (work_index),
    .work_data_i     (work_data),
    .n_scaled_i      (!alu),
    .n_index_i       (alu ? alu_read_index : n_index),
    .n_data_o        (n_data),
    .n_write_i       (n_write),
    .n_write_scaled_i(n_write_scaled),
    .n_write_index_i (n_write_index),
    .n_write_data_i  (n_write_data)
  );

  assign read_data_o = y_data;

endmodule
