// Table of the window method: 2^window_i entries of words_i words, with a look-up whose addresses
// and cycles are the same for every index.
//
// Entries are interleaved, word j of entry e at address j * 2^window + e, so that a look-up is one
// run through the whole table, address 0 to words * 2^window - 1, one a cycle: every word is read,
// one in 2^window passes the mask. A word of the selected entry is offered on select_* every
// 2^window cycles, the first 2^window + 2 cycles after look_up_i; it stays until select_ready_i,
// which must come before the next. done_o comes with the last.
module monpro_table #(
  parameter  int unsigned WordBits  = 17,
  parameter  int unsigned IndexBits = 8,
  parameter  int unsigned Words     = 8192,
  localparam int unsigned AddrBits  = $clog2(Words)
) (
  input  logic                 clk_i,
  input  logic                 clear_i,        // the reset: zeroes every register
  input  logic                 wipe_i,         // write zero at wipe_addr_i
  input  logic [AddrBits-1:0]  wipe_addr_i,
  input  logic [IndexBits-1:0] words_i,
  input  logic [2:0]           window_i,       // 1 to 6; words_i * 2^window_i <= Words

  input  logic                 store_i,
  input  logic [5:0]           store_entry_i,
  input  logic [IndexBits-1:0] store_index_i,
  input  logic [WordBits-1:0]  store_data_i,

  input  logic                 look_up_i,
  input  logic [5:0]           entry_i,        // static until done_o
  output logic                 select_valid_o,
  input  logic                 select_ready_i,
  output logic [IndexBits-1:0] select_index_o,
  output logic [WordBits-1:0]  select_data_o,
  output logic                 done_o
);

  logic active_q, data_valid_q, data_last_q, out_valid_q, out_last_q;
  logic [5:0] scan_q, data_scan_q, entries_less_one;
  logic [IndexBits-1:0] index_q, data_index_q, out_index_q;
  logic [AddrBits-1:0] addr_q, store_addr;
  logic [WordBits-1:0] word, masked, sum_q, out_q;
  logic last_entry, last_index;

  assign entries_less_one = 6'((7'd1 << window_i) - 7'd1);
  assign last_entry = scan_q == entries_less_one;
  assign last_index = index_q == words_i - 1'b1;

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      active_q <= 1'b0;
      data_valid_q <= 1'b0;
      data_last_q <= 1'b0;
      out_valid_q <= 1'b0;
      out_last_q <= 1'b0;
      scan_q <= '0;
      data_scan_q <= '0;
      index_q <= '0;
      data_index_q <= '0;
      out_index_q <= '0;
      addr_q <= '0;
      sum_q <= '0;
      out_q <= '0;
    end else begin
      if (look_up_i) begin
        active_q <= 1'b1;
        scan_q <= '0;
        index_q <= '0;
        addr_q <= '0;
      end else if (active_q) begin
        addr_q <= addr_q + 1'b1;
        scan_q <= last_entry ? '0 : scan_q + 1'b1;
        if (last_entry) index_q <= index_q + 1'b1;
        if (last_entry && last_index) active_q <= 1'b0;
      end

      data_valid_q <= active_q;
      data_scan_q <= scan_q;
      data_index_q <= index_q;
      data_last_q <= last_entry && last_index;

      if (out_valid_q && select_ready_i) out_valid_q <= 1'b0;
      if (data_valid_q) begin
        if (data_scan_q == entries_less_one) begin
          sum_q <= '0;
          out_q <= sum_q | masked;
          out_index_q <= data_index_q;
          out_last_q <= data_last_q;
          out_valid_q <= 1'b1;
        end else begin
          sum_q <= sum_q | masked;
        end
      end
    end
  end

  assign store_addr = (AddrBits'(store_index_i) << window_i) | AddrBits'(store_entry_i);
  assign masked = word & {WordBits{data_scan_q == entry_i}};

  monpro_ram #(
    .Width(WordBits),
    .Depth(Words)
  ) u_ram (
    .clk_i,
    .write_i     (store_i || wipe_i),
    .write_addr_i(wipe_i ? wipe_addr_i : store_addr),
    .write_data_i(wipe_i ? '0 : store_data_i),
    .read_addr_i (addr_q),
    .read_data_o (word)
  );

  assign select_valid_o = out_valid_q;
  assign select_index_o = out_index_q;
  assign select_data_o = out_q;
  assign done_o = out_valid_q && out_last_q && select_ready_i;

endmodule
