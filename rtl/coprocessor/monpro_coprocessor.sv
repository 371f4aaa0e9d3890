// The coprocessor: a core behind AXI4-Lite registers (regs/monpro.rdl), with its counters and its
// interrupt line. The core is monpro_core, with a serial multiplier monpro_serial_core, with
// Entries monpro_product_core.
//
// With Stream, packets over AXI4-Stream (monpro_stream) go to the same registers, one access of
// either bus at a time. From the first word of a packet to its last only the packet can write
// operands, start and read results. The same requests over AXI4-Lite are refused then.
//
// After a reset the memories are wiped first; STATUS.busy is high until then. There is one clock.
// rst_ni is asynchronous and must be released synchronously. irq_o is a level: STATUS.done if
// INTERRUPT.enable is set, or a queue that is half empty if INTERRUPT.queue is set.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_coprocessor
  import monpro_pkg::*;
  import monpro_regs_pkg::*;
  import monpro_regs_enum_pkg::*;
  import monpro_serial_pkg::is_serial;
  import monpro_product_pkg::*;
#(
  parameter string       Multiplier = "array",  // module monpro_mul_*
  parameter int unsigned WordBits   = 17,    // 8 to 36
  parameter int unsigned DigitBits  = WordBits,  // of x, for multiplier blocks of unequal sides
  parameter int unsigned Elements   = 16,    // 1 to 1024
  parameter int unsigned MinBits    = 128,   // shortest modulus
  parameter int unsigned MaxBits    = 4096,  // longest modulus and exponent
  parameter int unsigned TableWords = 8192,  // power of two; twice the longest operand or more
  parameter int unsigned TableBanks = 1,     // power of two: entries read side by side
  parameter int unsigned Entries    = 0,     // for single products; 0: exponentiations
  parameter int unsigned Schemes    = 63,    // bit n: scheme n of CONFIG.scheme
  parameter int unsigned Crt        = 0,     // 1: RSA private operations over p and q
  parameter int unsigned Stream     = 0,     // 1: AXI4-Stream; otherwise these ports are dead
  parameter string       Target     = "portable"  // of the blocks; see monpro_block, monpro_ram
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic irq_o,

  output logic        s_axil_awready,
  input  logic        s_axil_awvalid,
  input  logic [ 6:0] s_axil_awaddr,
  input  logic [ 2:0] s_axil_awprot,
  output logic        s_axil_wready,
  input  logic        s_axil_wvalid,
  input  logic [31:0] s_axil_wdata,
  input  logic [ 3:0] s_axil_wstrb,
  input  logic        s_axil_bready,
  output logic        s_axil_bvalid,
  output logic [ 1:0] s_axil_bresp,
  output logic        s_axil_arready,
  input  logic        s_axil_arvalid,
  input  logic [ 6:0] s_axil_araddr,
  input  logic [ 2:0] s_axil_arprot,
  input  logic        s_axil_rready,
  output logic        s_axil_rvalid,
  output logic [31:0] s_axil_rdata,
  output logic [ 1:0] s_axil_rresp,

  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic [ 3:0] s_axis_tkeep,
  input  logic        s_axis_tlast,
  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic [ 3:0] m_axis_tkeep,
  output logic        m_axis_tlast
);

  localparam int unsigned Delay = multiplier_delay(Multiplier);
  localparam bit HasCrt = Crt != 0;
  localparam bit Serial = is_serial(Multiplier);
  localparam bit Products = Entries != 0;
  localparam bit Exact = is_exact(Multiplier);
  localparam bit HasTable = !Serial && !Products;
  localparam int unsigned IndexBits = index_bits(MaxBits, WordBits, Elements, Delay, HasCrt);
  localparam int unsigned ExponentAddrBits = (MaxBits > 32) ? $clog2((MaxBits + 31) / 32) : 1;

  if (WordBits < 8 || WordBits > 36) begin : g_illegal_word_bits
    $error("WordBits must be 8 to 36");
  end
  if (DigitBits > WordBits || 2 * DigitBits < WordBits) begin : g_illegal_digit_bits
    $error("DigitBits must be WordBits / 2 to WordBits");
  end
  if (DigitBits != WordBits && (Multiplier != "array" || Products)) begin : g_illegal_narrow
    $error("Digits narrower than words want the multiplier array and no entries");
  end
  if (Elements < 1 || Elements > 1024) begin : g_illegal_elements
    $error("Elements must be 1 to 1024");
  end
  if (MinBits < 32 || MinBits > MaxBits || MaxBits > 16384) begin : g_illegal_bits
    $error("MinBits and MaxBits must be 32 to 16384");
  end
  if (HasTable && operand_words(MinBits, WordBits, Delay) < 4) begin : g_illegal_min_bits
    $error("MinBits must fill four words of WordBits");
  end
  if (HasTable && TableWords != 1 << $clog2(TableWords)) begin : g_illegal_table_words
    $error("TableWords must be a power of two");
  end
  if (TableBanks != 1 << $clog2(TableBanks) || TableBanks > 16) begin : g_illegal_table_banks
    $error("TableBanks must be 1, 2, 4, 8 or 16");
  end
  if (Schemes == 0 || (Schemes >> $bits(schemes_t)) != 0) begin : g_illegal_schemes
    $error("Schemes must name one scheme at least and none that there is not");
  end
  if (Stream > 1) begin : g_illegal_stream
    $error("Stream must be 0 or 1");
  end
  if (Crt > 1 || (HasCrt && Multiplier != "pipelined")) begin : g_illegal_crt
    $error("Crt wants the multiplier that has two products in flight");
  end
  if (HasTable &&
      TableWords < 2 * TableBanks * operand_words(MaxBits, WordBits, Delay)) begin : g_illegal_room
    $error("TableWords must hold a window of one bit");
  end

  if (Serial && (WordBits != 32 || Elements != 1)) begin : g_illegal_serial
    $error("A serial multiplier has words of 32 bits and one element");
  end
  if (!(Entries inside {0, 8, 16, 32})) begin : g_illegal_entries
    $error("Entries must be 8, 16 or 32, or 0: exponentiations want five and a table");
  end
  if (Exact && WordBits > 32) begin : g_illegal_inverse
    $error("n' must be one word of the bus");
  end
  if (!HasTable && (TableWords != 0 || TableBanks != 1)) begin : g_illegal_table
    $error("A serial multiplier and single products have no table");
  end
  if (Products ? (Multiplier != "array" && !Exact) : Exact) begin : g_illegal_products
    $error("Single products are for the multipliers array and word, and word for them alone");
  end

  monpro__in_t hw;
  monpro__out_t sw;

  logic bus_req, bus_write, bus_read_ack, bus_read_error, bus_write_ack, bus_write_error;
  logic [6:0] bus_addr;
  logic [31:0] bus_write_data, bus_write_enable, bus_read_data;
  logic writing, reading, data_req, data_is_write, data_read_ack, data_write_ack;
  logic [31:0] data_written, data_read;

  // The same of the bus alone, and of the stream.
  logic axil_active, axil_req, axil_is_write, axil_data_req, axil_data_is_write;
  logic axil_writing, axil_reading;
  logic [6:0] axil_addr;
  logic [31:0] axil_write_data, axil_write_enable, axil_data;
  logic streaming, stream_resting, stream_hold, stream_req, stream_is_write;
  logic stream_writing, stream_reading, flush;
  logic [6:0] stream_addr;
  logic [31:0] stream_write_data;
  fault_e stream_fault;

  monpro_axi_lite #(
    .AddrBits(7),
    .DataAddr(DataOffset)
  ) u_axi_lite (
    .clk_i,
    .rst_ni,
    .s_axil_awready,
    .s_axil_awvalid,
    .s_axil_awaddr,
    .s_axil_wready,
    .s_axil_wvalid,
    .s_axil_wdata,
    .s_axil_wstrb,
    .s_axil_bready,
    .s_axil_bvalid,
    .s_axil_bresp,
    .s_axil_arready,
    .s_axil_arvalid,
    .s_axil_araddr,
    .s_axil_rready,
    .s_axil_rvalid,
    .s_axil_rdata,
    .s_axil_rresp,
    .hold_i          (stream_hold),
    .active_o        (axil_active),
    .req_o           (axil_req),
    .req_is_write_o  (axil_is_write),
    .addr_o          (axil_addr),
    .write_data_o    (axil_write_data),
    .write_enable_o  (axil_write_enable),
    .read_ack_i      (bus_read_ack && !stream_hold),
    .read_error_i    (bus_read_error),
    .read_data_i     (bus_read_data),
    .write_ack_i     (bus_write_ack && !stream_hold),
    .write_error_i   (bus_write_error),
    .writing_o       (axil_writing),
    .reading_o       (axil_reading),
    .data_req_o      (axil_data_req),
    .data_is_write_o (axil_data_is_write),
    .data_o          (axil_data),
    .data_read_ack_i (data_read_ack && !stream_hold),
    .data_i          (data_read),
    .data_write_ack_i(data_write_ack && !stream_hold)
  );

  // With one access at a time nothing is to be stalled; protection bits are of no use here.
  logic [1:0] unused_stall;
  logic unused_prot;
  assign unused_prot = ^{s_axil_awprot, s_axil_arprot, unused_stall};

  monpro_regs u_regs (
    .clk                 (clk_i),
    .arst_n              (rst_ni),
    .s_cpuif_req         (bus_req),
    .s_cpuif_req_is_wr   (bus_write),
    .s_cpuif_addr        (bus_addr),
    .s_cpuif_wr_data     (bus_write_data),
    .s_cpuif_wr_biten    (bus_write_enable),
    .s_cpuif_req_stall_wr(unused_stall[0]),
    .s_cpuif_req_stall_rd(unused_stall[1]),
    .s_cpuif_rd_ack      (bus_read_ack),
    .s_cpuif_rd_err      (bus_read_error),
    .s_cpuif_rd_data     (bus_read_data),
    .s_cpuif_wr_ack      (bus_write_ack),
    .s_cpuif_wr_err      (bus_write_error),
    .hwif_in             (hw),
    .hwif_out            (sw)
  );

  // ---- core

  logic start, start_asked, wipe_asked, core_busy, busy, refused, locked;
  logic key_locked, breach;              // see monpro_lock
  logic clearing;                        // the wipe behind an operation
  logic result_locked, result_locked_q;  // nor can the result be selected and read
  logic core_end, warm, result, wiping, length_ok;
  logic precomputing, exponentiating, product, command;
  logic loaded, load_modulus, load_base, load_inverse, load_half, load_exponent;
  logic load_entry, entry_loaded, entry_readable, no_entry, queue_full, queue_low_q;
  logic push_q, command_q;  // command_q: also one that is refused
  logic [3:0] queued;
  logic too_long, not_readable, crt, crt_q, forget_q, forget_exponent_q, select_q;
  logic data_req_q, wiping_q, clearing_q, cleared_q;
  logic configures, selects, loads;  // what is written
  error_e error;
  leave_e leave, leave_q;
  logic [IndexBits-1:0] words, digits, load_index, result_index;
  logic [WordBits-1:0] load_data, result_data;
  logic [ExponentAddrBits-1:0] load_exponent_addr;
  logic [31:0] load_exponent_data;

  // Operands and results are the packet's while one is under way.
  assign refused = streaming && !stream_hold;
  // Of the commands in one write that wins which destroys most.
  assign start_asked = sw.COMMAND.start.value && !sw.COMMAND.wipe.value &&
                       !sw.COMMAND.abort.value && !refused && !breach;
  assign wipe_asked = sw.COMMAND.wipe.value || breach ||
                      (sw.COMMAND.start.value && sw.COMMAND.abort.value);
  // From the command on nothing that an operation uses may change.
  assign busy = core_busy || start_asked;
  assign locked = busy || refused;
  assign result_locked = (busy && !clearing) || refused;
  assign start = start_asked && !core_busy;
  assign flush = !stream_hold && (sw.COMMAND.flush.value ||
                                  (core_busy ? sw.COMMAND.abort.value : wipe_asked));
  assign crt = HasCrt && sw.CONFIG.crt.value;
  assign leave = leave_e'(Products ? LeaveKeep : sw.CONFIG.leave.value);

  if (Stream != 0) begin : g_stream

    monpro_stream u_stream (
      .clk_i,
      .rst_ni,
      .flush_i     (flush),
      .s_axis_tvalid,
      .s_axis_tready,
      .s_axis_tdata,
      .s_axis_tkeep,
      .s_axis_tlast,
      .m_axis_tvalid,
      .m_axis_tready,
      .m_axis_tdata,
      .m_axis_tlast,
      .free_i      (!axil_active),
      .hold_o      (stream_hold),
      .req_o       (stream_req),
      .is_write_o  (stream_is_write),
      .addr_o      (stream_addr),
      .write_data_o(stream_write_data),
      .ack_i       (bus_read_ack || bus_write_ack || data_read_ack || data_write_ack),
      .error_i     ((bus_read_ack && bus_read_error) || (bus_write_ack && bus_write_error)),
      .read_data_i (data_read_ack ? data_read : bus_read_data),
      .queue_full_i(Products && queue_full && !wiping),
      .busy_i      (busy),
      .streaming_o (streaming),
      .resting_o   (stream_resting),
      .writing_o   (stream_writing),
      .reading_o   (stream_reading),
      .fault_o     (stream_fault)
    );

    assign bus_req = axil_req || (stream_req && stream_addr != DataOffset);
    assign bus_write = stream_hold ? stream_is_write : axil_is_write;
    assign bus_addr = stream_hold ? stream_addr : axil_addr;
    assign bus_write_data = stream_hold ? stream_write_data : axil_write_data;
    assign bus_write_enable = axil_write_enable | {32{stream_hold}};
    assign data_req = axil_data_req || (stream_req && stream_addr == DataOffset);
    assign data_is_write = stream_hold ? stream_is_write : axil_data_is_write;
    assign data_written = stream_hold ? stream_write_data : axil_data;

  end else begin : g_no_stream

    assign {s_axis_tready, m_axis_tvalid, m_axis_tdata, m_axis_tlast} = '0;
    assign {streaming, stream_hold, stream_writing, stream_reading} = '0;
    assign {stream_req, stream_is_write, stream_addr, stream_write_data} = '0;
    assign stream_resting = 1'b1;
    assign stream_fault = FaultNone;
    assign bus_req = axil_req;
    assign bus_write = axil_is_write;
    assign bus_addr = axil_addr;
    assign bus_write_data = axil_write_data;
    assign bus_write_enable = axil_write_enable;
    assign data_req = axil_data_req;
    assign data_is_write = axil_data_is_write;
    assign data_written = axil_data;

    logic unused_stream;
    assign unused_stream = ^{s_axis_tvalid, s_axis_tdata, s_axis_tkeep, s_axis_tlast, m_axis_tready,
                             axil_active, stream_req, stream_is_write, stream_addr,
                             stream_write_data, flush};

  end

  assign m_axis_tkeep = '1;
  assign writing = axil_writing || stream_writing;
  assign reading = axil_reading || stream_reading;

  // What a write means for the operands comes a cycle after it, and so does an access to DATA. An
  // operand lies elsewhere with CRT than without.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      crt_q <= 1'b0;
      leave_q <= LeaveKeep;
      result_locked_q <= 1'b0;
      forget_q <= 1'b0;
      forget_exponent_q <= 1'b0;
      select_q <= 1'b0;
      data_req_q <= 1'b0;
      push_q <= 1'b0;
      command_q <= 1'b0;
      queue_low_q <= 1'b0;
      wiping_q <= 1'b1;
      clearing_q <= 1'b0;
      cleared_q <= 1'b0;
    end else begin
      crt_q <= crt;
      result_locked_q <= result_locked;
      leave_q <= leave;
      // A key is used as it was loaded: no other master can have it left behind in another way.
      forget_q <= (sw.LENGTH.words.swmod && !locked) || crt != crt_q || leave != leave_q;
      forget_exponent_q <= sw.EXPONENT.bits.swmod && !locked;
      select_q <= selects && !result_locked;
      data_req_q <= data_req;  // the operand stays on the bus until it is answered
      push_q <= sw.PRODUCT.x.swmod && !refused;
      command_q <= sw.PRODUCT.x.swmod;
      queue_low_q <= Products && queued <= 4'(QueueDepth / 2);
      wiping_q <= wiping;
      clearing_q <= clearing;
      cleared_q <= wiping_q;
    end
  end

  operation_t operation;
  status_t status;
  load_t load;

  assign operation = '{
    start: start,
    wipe: wipe_asked,
    stop: sw.COMMAND.abort.value,
    length: sw.LENGTH.words.value,
    bits: sw.EXPONENT.bits.value,
    scheme: scheme_e'(sw.CONFIG.scheme.value),
    window: sw.CONFIG.window.value,
    is_public: sw.CONFIG.public.value,
    crt: sw.CONFIG.crt.value,
    loaded: loaded,
    length_changed: forget_q,
    modulus_changed: load_modulus || forget_q,
    wipes: leave != LeaveKeep && leave != LeaveLock
  };
  assign load = '{
    modulus: load_modulus, base: load_base, inverse: load_inverse, half: load_half,
    exponent: load_exponent
  };

  assign length_ok = status.length_ok;
  assign core_busy = status.busy;
  assign core_end = status.ended;
  assign error = status.error;
  assign warm = status.warm;
  assign result = status.result;
  assign wiping = status.wiping;
  assign clearing = status.clearing;
  assign precomputing = status.precomputing;
  assign exponentiating = status.exponentiating;
  assign product = status.product;

  if (Products) begin : g_products

    monpro_product_core #(
      .Multiplier(Multiplier),
      .WordBits  (WordBits),
      .Elements  (Elements),
      .MinBits   (MinBits),
      .MaxBits   (MaxBits),
      .Entries   (Entries),
      .Target    (Target)
    ) u_core (
      .clk_i,
      .rst_ni,
      .clear_error_i   (start),
      .wipe_i          (wipe_asked),
      .abort_i         (sw.COMMAND.abort.value),
      .length_i        (sw.LENGTH.words.value),
      .loaded_i        (loaded),
      .length_changed_i(forget_q),
      .length_ok_o     (status.length_ok),
      .operand_words_o (words),
      .busy_o          (status.busy),
      .end_o           (status.ended),
      .error_o         (status.error),
      .wiping_o        (status.wiping),
      .working_o       (status.exponentiating),
      .product_o       (status.product),
      .command_o       (command),
      .push_i          (push_q),
      .push_command_i  ('{
        x: sw.PRODUCT.x.value,
        y: sw.PRODUCT.y.value,
        to: sw.PRODUCT.to.value,
        choose: sw.PRODUCT.choose.value,
        first: sw.PRODUCT.first.value
      }),
      .full_o          (queue_full),
      .queued_o        (queued),
      .load_modulus_i  (load_modulus),
      .load_inverse_i  (load_inverse),
      .load_entry_i    (load_entry),
      .entry_loaded_i  (entry_loaded),
      .entry_spoiled_i (too_long && sw.OPERAND.slot.value == SlotEntry),
      .entry_i         (sw.OPERAND.entry.value),
      .load_index_i    (load_index),
      .load_data_i     (load_data),
      .readable_o      (entry_readable),
      .read_index_i    (result_index),
      .read_data_o     (result_data)
    );

    assign digits = words;
    assign status.warm = loaded;
    assign status.result = 1'b0;
    assign status.clearing = 1'b0;
    assign status.precomputing = 1'b0;
    assign no_entry = sw.OPERAND.slot.value == SlotEntry &&
                      32'(sw.OPERAND.entry.value) >= Entries;

    // No exponents, no CRT.
    logic unused_operands;
    assign unused_operands = ^{operation, load, load_exponent_addr, load_exponent_data};

  end else if (Serial) begin : g_serial

    monpro_serial_core #(
      .Multiplier(Multiplier),
      .MinBits   (MinBits),
      .MaxBits   (MaxBits),
      .Schemes   (schemes_t'(Schemes)),
      .Target    (Target)
    ) u_core (
      .clk_i,
      .rst_ni,
      .operation_i         (operation),
      .status_o            (status),
      .operand_words_o     (words),
      .digits_o            (digits),
      .load_i              (load),
      .load_index_i        (load_index),
      .load_data_i         (load_data),
      .load_exponent_addr_i(load_exponent_addr),
      .load_exponent_data_i(load_exponent_data),
      .read_index_i        (result_index),
      .read_data_o         (result_data)
    );

  end else begin : g_array

    monpro_core #(
      .Multiplier(Multiplier),
      .WordBits  (WordBits),
      .DigitBits (DigitBits),
      .Elements  (Elements),
      .MinBits   (MinBits),
      .MaxBits   (MaxBits),
      .TableWords(TableWords),
      .TableBanks(TableBanks),
      .Schemes   (schemes_t'(Schemes)),
      .Crt       (HasCrt),
      .Target    (Target)
    ) u_core (
      .clk_i,
      .rst_ni,
      .operation_i         (operation),
      .status_o            (status),
      .operand_words_o     (words),
      .digits_o            (digits),
      .load_i              (load),
      .load_index_i        (load_index),
      .load_data_i         (load_data),
      .load_exponent_addr_i(load_exponent_addr),
      .load_exponent_data_i(load_exponent_data),
      .read_index_i        (result_index),
      .read_data_o         (result_data)
    );

  end

  if (!Products) begin : g_no_products
    logic unused_products;
    assign unused_products = ^{load_entry, entry_loaded, queue_low_q};
    assign {entry_readable, no_entry, queued} = '0;
    assign queue_full = 1'b1;
    assign command = product;
  end

  monpro_operand_port #(
    .WordBits        (WordBits),
    .IndexBits       (IndexBits),
    .ExponentAddrBits(ExponentAddrBits),
    .Crt             (HasCrt),
    .Products        (Products),
    .Exact           (Exact)
  ) u_operand_port (
    .clk_i,
    .rst_ni,
    .clear_i             (wiping_q && !(clearing_q && cleared_q)),
    .req_i               (data_req_q),
    .req_write_i         (data_is_write),
    .req_data_i          (data_written),
    .write_ack_o         (data_write_ack),
    .read_ack_o          (data_read_ack),
    .read_data_o         (data_read),
    .slot_i              (slot_e'(sw.OPERAND.slot.value)),
    .select_i            (select_q),
    .writable_i          (!locked && length_ok && !no_entry &&
                          (!key_locked || sw.OPERAND.slot.value == SlotBase)),
    .readable_i          (!result_locked_q && (Products ? entry_readable : result)),
    .crt_i               (sw.CONFIG.crt.value),
    .words_i             (words),
    .digits_i            (digits),
    .result_words_i      (crt ? IndexBits'(sw.LENGTH.words.value << 1) : words),
    .bits_i              (sw.EXPONENT.bits.value),
    .forget_all_i        (forget_q),
    .forget_exponent_i   (forget_exponent_q),
    .used_i              (start && !Products),
    .keep_i              (leave == LeaveLock),
    .loaded_o            (loaded),
    .too_long_o          (too_long),
    .not_readable_o      (not_readable),
    .load_modulus_o      (load_modulus),
    .load_base_o         (load_base),
    .load_inverse_o      (load_inverse),
    .load_entry_o        (load_entry),
    .entry_loaded_o      (entry_loaded),
    .load_half_o         (load_half),
    .load_index_o        (load_index),
    .load_data_o         (load_data),
    .load_exponent_o     (load_exponent),
    .load_exponent_addr_o(load_exponent_addr),
    .load_exponent_data_o(load_exponent_data),
    .result_index_o      (result_index),
    .result_data_i       (result_data)
  );

  // ---- what an operation leaves behind

  assign configures = sw.LENGTH.words.swmod || sw.EXPONENT.bits.swmod ||
                      sw.CONFIG.scheme.swmod || sw.CONFIG.window.swmod ||
                      sw.CONFIG.public.swmod || sw.CONFIG.crt.swmod || sw.CONFIG.leave.swmod;
  assign selects = sw.OPERAND.slot.swmod || sw.OPERAND.entry.swmod;
  assign loads = data_req && data_is_write;

  monpro_lock u_lock (
    .clk_i,
    .rst_ni,
    .leave_i    (leave),
    .ended_i    (core_end && error == ErrorNone && !wiping),
    .wiping_i   (wiping),
    .writable_i (!locked),
    .configure_i(configures),
    .load_i     (loads),
    .slot_i     (slot_e'(sw.OPERAND.slot.value)),
    .locked_o   (key_locked),
    .breach_o   (breach)
  );

  // ---- status: the first fault stays until it is cleared

  logic done_q, write_while_busy_q, stream_busy_q;
  fault_e fault_q;


  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      done_q <= 1'b0;
      write_while_busy_q <= 1'b0;
      stream_busy_q <= 1'b0;
      fault_q <= FaultNone;
    end else begin
      write_while_busy_q <= busy && (configures || loads || (!clearing && (selects ||
                                     (sw.COMMAND.wipe.value && !sw.COMMAND.abort.value))));
      stream_busy_q <= refused && (configures || selects || loads || sw.COMMAND.start.value ||
                                   sw.PRODUCT.x.swmod || data_req);
      if (core_end) done_q <= 1'b1;
      else if (start || (Products && push_q) || sw.COMMAND.clear.value ||
               (wipe_asked && (!core_busy || clearing)) ||
               (sw.COMMAND.abort.value && clearing)) begin
        done_q <= 1'b0;
      end

      if (sw.COMMAND.clear.value) fault_q <= FaultNone;
      else if (fault_q == FaultNone) begin
        if (stream_fault != FaultNone) fault_q <= stream_fault;
        else if (stream_busy_q) fault_q <= FaultStreamBusy;
        else if (start_asked && core_busy) fault_q <= FaultStartWhileBusy;
        else if (write_while_busy_q) fault_q <= FaultWriteWhileBusy;
        else if (breach) fault_q <= FaultLocked;
        else if (too_long) fault_q <= FaultOperandTooLong;
        else if (not_readable) fault_q <= FaultNotReadable;
        else if (push_q && (queue_full || wiping)) fault_q <= FaultQueueFull;
      end
    end
  end

  assign irq_o = (done_q && sw.INTERRUPT.enable.value) ||
                 (queue_low_q && sw.INTERRUPT.queue.value);

  // ---- counters: each a cycle behind what it counts

  // What this cycle adds one to.
  typedef struct packed {
    logic load;
    logic precompute;
    logic exponentiate;
    logic read;
    logic operation;
    logic product;
  } counted_t;

  counted_t counted_q;
  logic [31:0] loading_q, load_q, precompute_q, read_q, operations_q, products_q;
  logic [63:0] exponentiate_q;
  logic writing_q, reading_q, start_q;
  logic carry_q;  // of exponentiate_q's lower half, another cycle late

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counted_q <= '0;
      loading_q <= '0;
      load_q <= '0;
      precompute_q <= '0;
      exponentiate_q <= '0;
      read_q <= '0;
      operations_q <= '0;
      products_q <= '0;
      writing_q <= 1'b0;
      reading_q <= 1'b0;
      start_q <= 1'b0;
      carry_q <= 1'b0;
    end else begin
      writing_q <= writing;
      reading_q <= reading;
      start_q <= start;
      counted_q <= '{
        load: writing_q && (!core_busy || clearing),
        precompute: precomputing,
        exponentiate: exponentiating,
        read: reading_q && (!core_busy || clearing),
        operation: Products ? command : core_end && error == ErrorNone && !wiping,
        product: product
      };
      carry_q <= counted_q.exponentiate && !start_q && exponentiate_q[31:0] == '1;
      if (start_q) begin
        load_q <= loading_q;
        loading_q <= '0;
        precompute_q <= '0;
        exponentiate_q <= '0;
        read_q <= '0;
        products_q <= '0;
      end else begin
        if (counted_q.load) loading_q <= loading_q + 1'b1;
        if (counted_q.read) read_q <= read_q + 1'b1;
        if (counted_q.precompute) precompute_q <= precompute_q + 1'b1;
        if (counted_q.exponentiate) exponentiate_q[31:0] <= exponentiate_q[31:0] + 1'b1;
        if (carry_q) exponentiate_q[63:32] <= exponentiate_q[63:32] + 1'b1;
        if (counted_q.product) products_q <= products_q + 1'b1;
      end
      if (counted_q.operation) operations_q <= operations_q + 1'b1;
    end
  end

  // ---- what software sees

  assign hw.PARAM_ARRAY.word_bits.next = 8'(WordBits);
  assign hw.PARAM_ARRAY.elements.next = 16'(Elements);
  assign hw.PARAM_ARRAY.delay.next = 4'(Delay);
  assign hw.PARAM_ARRAY.exact.next = Exact;
  assign hw.PARAM_BITS.min_bits.next = 16'(MinBits);
  assign hw.PARAM_BITS.max_bits.next = 16'(MaxBits);
  assign hw.PARAM_TABLE.words.next = 24'(TableWords);
  assign hw.PARAM_TABLE.banks.next = 8'(TableBanks);
  assign hw.PARAM_FEATURES.multipliers.next = Serial ? '0 :
         16'(Elements * element_blocks(WordBits, DigitBits));
  assign hw.PARAM_FEATURES.schemes.next = schemes_t'(Schemes);
  assign hw.PARAM_FEATURES.crt.next = HasCrt;
  assign hw.PARAM_FEATURES.stream.next = Stream != 0;
  assign hw.PARAM_FEATURES.entries.next = 6'(Entries);
  assign hw.STATUS.busy.next = busy;
  assign hw.STATUS.done.next = done_q;
  assign hw.STATUS.warm.next = warm;
  assign hw.STATUS.result.next = result;
  assign hw.STATUS.error.next = error;
  assign hw.STATUS.fault.next = fault_q;
  assign hw.STATUS.queued.next = queued;
  assign hw.STATUS.streaming.next = !stream_resting;
  assign hw.STATUS.locked.next = key_locked;
  assign hw.LENGTH.words.swwel = locked || key_locked;
  assign hw.EXPONENT.bits.swwel = locked || key_locked;
  assign hw.CONFIG.scheme.swwel = locked || key_locked;
  assign hw.CONFIG.window.swwel = locked || key_locked;
  assign hw.CONFIG.public.swwel = locked || key_locked;
  assign hw.CONFIG.crt.swwel = locked || key_locked;
  assign hw.CONFIG.leave.swwel = locked || key_locked;
  assign hw.OPERAND.slot.swwel = result_locked;
  assign hw.OPERAND.entry.swwel = result_locked;
  assign hw.CYCLES_LOAD.cycles.next = Products ? loading_q : load_q;
  assign hw.CYCLES_PRECOMPUTE.cycles.next = precompute_q;
  assign hw.CYCLES_EXPONENTIATE_LOW.cycles.next = exponentiate_q[31:0];
  assign hw.CYCLES_EXPONENTIATE_HIGH.cycles.next = exponentiate_q[63:32];
  assign hw.CYCLES_READ.cycles.next = read_q;
  assign hw.OPERATIONS.count.next = operations_q;
  assign hw.PRODUCTS.count.next = products_q;
  assign hw.PRODUCT.x.hwclr = command_q;
  assign hw.PRODUCT.y.hwclr = command_q;
  assign hw.PRODUCT.to.hwclr = command_q;
  assign hw.PRODUCT.choose.hwclr = command_q;
  assign hw.PRODUCT.first.hwclr = command_q;

endmodule
