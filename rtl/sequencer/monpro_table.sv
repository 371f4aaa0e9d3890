// Table of the window method: 2^window_i entries of words_i words. The addresses and cycles of a
// look-up are the same for every entry.
//
// The table lies in Banks memories, which are read side by side. Entry e is in bank e mod Banks.
// Word j of entry e is at address j | e', where e' is e / Banks with its bits in reverse order, the
// lowest at the top of the address. So words with an index below 2^n fit beside the entries, and
// the place of a word does not depend on the window. With CRT the top bit of the address is the
// half.
//
// A look-up reads every word of a half: word 0 of each of the Steps = max(2^window_i / Banks, 2)
// entries of a bank, then word 1 of each, one a cycle. A mask lets one word in 2^window_i pass.
//
// Cycles: a word of the entry is offered on select_* every Steps cycles, the first one Steps + 4
// cycles after look_up_i. It stays until select_ready_i, which must come in that cycle or in the
// next. done_o comes with the first cycle of the last word, words * Steps + 4 cycles after
// look_up_i.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_table #(
  parameter  string       Target    = "portable",  // see monpro_ram
  parameter  int unsigned WordBits  = 17,
  parameter  int unsigned IndexBits = 8,
  parameter  int unsigned Words     = 8192,  // of all banks
  parameter  int unsigned Banks     = 1,     // power of two
  parameter  bit          Crt       = 1'b0,
  localparam int unsigned BankBits  = $clog2(Banks),
  localparam int unsigned AddrBits  = $clog2(Words / Banks)
) (
  input  logic                 clk_i,
  input  logic                 clear_i,        // the reset: zeroes every register
  input  logic                 wipe_i,         // write zero at wipe_addr_i of every bank
  input  logic [AddrBits-1:0]  wipe_addr_i,
  input  logic [IndexBits-1:0] words_i,
  input  logic [2:0]           window_i,       // 0 to 6; Steps * Banks * 2^n <= Words, see below
  input  logic                 crt_i,

  input  logic                 store_i,
  input  logic                 store_half_i,
  input  logic [5:0]           store_entry_i,
  input  logic [IndexBits-1:0] store_index_i,
  input  logic [WordBits-1:0]  store_data_i,

  input  logic                 look_up_i,
  input  logic                 half_i,         // static until done_o, like the next
  input  logic [5:0]           entry_i,
  output logic                 select_valid_o,
  input  logic                 select_ready_i,
  output logic [IndexBits-1:0] select_index_o,
  output logic [WordBits-1:0]  select_data_o,
  output logic                 done_o
);

  logic active_q, read_valid_q, read_last_q, data_valid_q, data_last_q, out_valid_q, out_last_q;
  logic done_q, word_end_q;
  logic [5:0] scan_q, read_scan_q, steps_less_one_q;
  logic read_step_q, data_step_q;  // the last of a word's steps
  logic [2:0] steps_bits_q;
  logic [IndexBits-1:0] last_index_q, index_q, read_index_q, data_index_q, sum_index_q, out_index_q;
  logic [AddrBits-1:0] write_addr_q;
  logic [WordBits-1:0] masked, masked_q, sum_q, out_q;
  logic last_step, at_last_q, word_taken;

  // Where a word of a half's entry lies in a bank.
  function automatic logic [AddrBits-1:0] place(logic [IndexBits-1:0] index, logic [5:0] entry,
                                                logic halves, logic half);
    logic [6:0] from_top;
    from_top = (Crt && halves) ? {entry, half} : {1'b0, entry};
    place = AddrBits'(index);
    for (int i = 0; i < 7 && i < int'(AddrBits); i++) place[AddrBits-1-i] |= from_top[i];
  endfunction

  assign last_step = scan_q == steps_less_one_q;

  // Static while the table is in use.
  always_ff @(posedge clk_i) begin
    steps_bits_q <= (window_i > 3'(BankBits + 1)) ? window_i - 3'(BankBits) : 3'd1;
    for (int i = 0; i < 6; i++) steps_less_one_q[i] <= steps_bits_q > 3'(i);
    last_index_q <= words_i - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      read_valid_q <= 1'b0;
      read_last_q <= 1'b0;
      at_last_q <= 1'b0;
      read_scan_q <= '0;
      read_index_q <= '0;
      data_valid_q <= 1'b0;
      data_last_q <= 1'b0;
      done_q <= 1'b0;
      out_last_q <= 1'b0;
      scan_q <= '0;
      read_step_q <= 1'b0;
      data_step_q <= 1'b0;
      index_q <= '0;
      data_index_q <= '0;
    end else begin
      if (look_up_i) begin
        active_q <= 1'b1;
        scan_q <= '0;
        index_q <= '0;
      end else if (active_q) begin
        scan_q <= last_step ? '0 : scan_q + 1'b1;
        if (last_step) index_q <= index_q + 1'b1;
        if (last_step && at_last_q) active_q <= 1'b0;
      end

      read_valid_q <= active_q;
      read_scan_q <= scan_q;
      read_index_q <= index_q;
      at_last_q <= index_q == last_index_q;  // a word has two steps at least
      read_last_q <= active_q && last_step && at_last_q;
      data_valid_q <= read_valid_q;
      read_step_q <= last_step;
      data_step_q <= read_step_q;
      data_index_q <= read_index_q;
      data_last_q <= read_last_q;
      out_last_q <= data_last_q;
      done_q <= out_last_q;
    end
  end

  assign word_taken = out_valid_q && select_ready_i;

  // Zero without a word.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      word_end_q <= 1'b0;
      sum_index_q <= '0;
      masked_q <= '0;
    end else begin
      word_end_q <= data_valid_q && data_step_q;
      sum_index_q <= data_index_q;
      masked_q <= masked;
    end

    if (clear_i || word_end_q) sum_q <= '0;
    else sum_q <= sum_q | masked_q;

    if (clear_i || (word_taken && !word_end_q)) begin
      out_valid_q <= 1'b0;
      out_index_q <= '0;
      out_q <= '0;
    end else if (word_end_q) begin
      out_valid_q <= 1'b1;
      out_index_q <= sum_index_q;
      out_q <= sum_q | masked_q;
    end
  end

  // A word is stored in the cycle after store_i, long before a look-up comes to it.
  logic [WordBits-1:0] write_data_q;
  logic [Banks-1:0] write_q;

  always_ff @(posedge clk_i) begin
    if (wipe_i) begin
      write_q <= '1;
      write_addr_q <= wipe_addr_i;
      write_data_q <= '0;
    end else begin
      for (int b = 0; b < Banks; b++) begin
        write_q[b] <= store_i && (int'(store_entry_i) & (Banks - 1)) == b;
      end
      write_addr_q <= place(store_index_i, store_entry_i >> BankBits, crt_i, store_half_i);
      write_data_q <= store_data_i;
    end
  end

  logic [Banks-1:0][WordBits-1:0] bank_masked;

  for (genvar b = 0; b < Banks; b++) begin : g_bank
    logic [WordBits-1:0] word;
    logic match_q;

    assign bank_masked[b] = word & {WordBits{match_q}};

    always_ff @(posedge clk_i) begin
      match_q <= read_valid_q &&
                 ((12'(read_scan_q) << BankBits) | 12'(b)) == 12'(entry_i);
    end

    monpro_ram #(
      .Target(Target),
      .Width (WordBits),
      .Depth (Words / Banks)
    ) u_ram (
      .clk_i,
      .write_i     (write_q[b]),
      .write_addr_i(write_addr_q),
      .write_data_i(write_data_q),
      .read_addr_i (place(index_q, scan_q, crt_i, half_i)),
      .read_data_o (word)
    );
  end

  always_comb begin
    masked = '0;
    for (int b = 0; b < Banks; b++) masked |= bank_masked[b];
  end

  assign select_valid_o = out_valid_q;
  assign select_index_o = out_index_q;
  assign select_data_o = out_q;
  assign done_o = done_q;

endmodule
