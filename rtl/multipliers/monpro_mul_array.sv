// Montgomery multiplier: a chain of processing elements, one multiplier block each, over which the
// rows of a product pass as often as it takes.
//
//   r = x * y / R mod M
//   R = 2^(DigitBits * rows),  rows = Elements * passes,  passes = ceil(digits / Elements)
//   digits = ceil(WordBits * (words - 1) / DigitBits) + 1, which is words where digits are words
//
// The modulus is given as N' with M = B * N' - 1, B = 2^DigitBits: M = -N^-1 * N mod B is the
// multiple of N that makes each quotient digit equal the lowest digit of the running sum (Orup), so
// that no multiplication stands between a row and its digit. N' = B^-1 mod N. Operands: x, y < 2M,
// 4M < B * 2^(WordBits * (words - 1)). Then r < 2M as well (Walter) and every row fits in `words`
// words; no final subtraction, and no step that depends on data.
//
// DigitBits below WordBits makes one block of unequal sides do a digit by a word: a DSP48E1 is one
// of 17 x 24 bits. Rows become more and their words fewer; nothing else in a row changes.
//
// Cycles, with Period = max(2 * words, 6 * Elements + 8):
//   start to start      passes * Period
//   start to last word  (passes - 1) * Period + 6 * Elements + 2 * words + 5
// A product may use the result of the one before it, started as early as start_ready_o allows:
// result words are written before the next product reads them, if they are there to be read in the
// second cycle after r_valid_o.
//
// Contract of every multiplier of this folder:
//   words_i          static while a product is in flight
//   start_*          handshake, valid until ready; start_context_i numbers the product and comes back on each port
//   x_, y_, n_*      read ports: data two cycles after its index; an index of words_i or above wants
//                    any data (but see monpro_mul_pipelined for x)
//   r_*              result words, least significant first, r_last_o with the last
//   busy_o           a product is in flight
//   clear_i          the reset: ends every product and zeroes every register at once, and every
//                    memory if it is held for 2^IndexBits cycles
module monpro_mul_array
  import monpro_pkg::times;
#(
  parameter  string       Target    = "portable",
  parameter  int unsigned WordBits  = 17,
  parameter  int unsigned DigitBits = WordBits,
  parameter  int unsigned Elements  = 16,
  parameter  int unsigned MaxWords  = 243,
  localparam int unsigned IndexBits = $clog2(MaxWords + 1)
) (
  input  logic                 clk_i,
  input  logic                 clear_i,
  input  logic [IndexBits-1:0] words_i,

  input  logic start_valid_i,
  output logic start_ready_o,
  input  logic start_context_i,
  output logic busy_o,

  output logic                 x_context_o,
  output logic [IndexBits-1:0] x_index_o,
  input  logic [WordBits-1:0]  x_data_i,
  output logic                 y_context_o,
  output logic [IndexBits-1:0] y_index_o,
  input  logic [WordBits-1:0]  y_data_i,
  output logic                 n_context_o,
  output logic [IndexBits-1:0] n_index_o,
  input  logic [WordBits-1:0]  n_data_i,

  output logic                 r_valid_o,
  output logic                 r_last_o,
  output logic                 r_context_o,
  output logic [IndexBits-1:0] r_index_o,
  output logic [WordBits-1:0]  r_data_o
);

  // Shortest pass: the first word gets through the last element and a memory before the first
  // element needs it.
  localparam int unsigned MinPeriod = 6 * Elements + 8;
  localparam int unsigned MaxPeriod = (2 * MaxWords > MinPeriod) ? 2 * MaxWords : MinPeriod;
  localparam int unsigned TimeBits = $clog2(MaxPeriod + 1);
  // Rows are counted one by one, or in bits of x where these do not come in whole words.
  localparam bit Narrow = DigitBits != WordBits;
  localparam int unsigned RowUnit = Narrow ? DigitBits : 1;
  localparam int unsigned RowBits = Narrow ? $clog2((MaxWords + 1) * WordBits + Elements * RowUnit)
                                           : $clog2(MaxWords + Elements + 1);

  if (DigitBits > WordBits || 2 * DigitBits < WordBits) begin : g_illegal_digit_bits
    $error("DigitBits must be WordBits / 2 to WordBits");
  end

  // ---- passes: time_q is the cycle of the pass, 0 in the cycle of the start

  logic busy_q, odd_q, first_pass_q, last_pass_q, context_q, accept, pass_start;
  logic pass_again_q, pass_end_q, load_q, n_start_q, out_start_q;  // see below
  logic long_q;  // the words decide the period
  logic [TimeBits-1:0] time_q, end_time_q, double_words;
  logic [RowBits-1:0] row_q, next_row, end_row;  // first row of this pass
  logic draining_q;  // words come out of the last element
  logic even_q;      // !odd_q in a register of its own, for the many who listen to it

  assign double_words = (TimeBits)'(words_i) << 1;
  assign next_row = row_q + (RowBits)'(Elements * RowUnit);
  assign start_ready_o = !busy_q && !odd_q;
  assign accept = start_valid_i && start_ready_o;
  assign pass_start = accept || pass_again_q;
  assign busy_o = busy_q || draining_q;

  // Each of these is found in the cycle before.
  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      long_q <= 1'b0;
      end_time_q <= '0;
      last_pass_q <= 1'b0;
      pass_again_q <= 1'b0;
      pass_end_q <= 1'b0;
      load_q <= 1'b0;
      n_start_q <= 1'b0;
      out_start_q <= 1'b0;
    end else begin
      long_q <= double_words > (TimeBits)'(MinPeriod);
      end_time_q <= long_q ? double_words - (TimeBits)'(2) : (TimeBits)'(MinPeriod - 2);
      last_pass_q <= next_row >= end_row;
      pass_again_q <= pass_end_q && !last_pass_q;                              // time 0
      pass_end_q <= busy_q && time_q == end_time_q;                            // time period - 1
      load_q <= busy_q && time_q == (TimeBits)'(2);                            // time 3
      n_start_q <= busy_q && time_q == (TimeBits)'(4);                         // time 5
      out_start_q <= busy_q && time_q == (TimeBits)'(6 * Elements + 5);        // one more
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      busy_q <= 1'b0;
      odd_q <= 1'b0;
      even_q <= 1'b1;
      first_pass_q <= 1'b0;
      context_q <= 1'b0;
      time_q <= '0;
      row_q <= '0;
    end else begin
      odd_q <= (accept || busy_o) && !odd_q;
      even_q <= !((accept || busy_o) && !odd_q);
      if (accept) begin
        busy_q <= 1'b1;
        first_pass_q <= 1'b1;
        context_q <= start_context_i;
        time_q <= (TimeBits)'(1);
        row_q <= '0;
      end else if (pass_end_q) begin
        busy_q <= !last_pass_q;
        first_pass_q <= 1'b0;
        time_q <= '0;
        row_q <= next_row;
      end else if (busy_q) begin
        time_q <= time_q + 1'b1;
      end
    end
  end

  // ---- digits of x: element m loads row + m at time 3 + 6 * m

  logic [DigitBits-1:0] x_digit;

  if (Narrow) begin : g_digits
    logic [RowBits-1:0] end_row_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) end_row_q <= '0;
      else end_row_q <= (RowBits)'(times(32'(words_i) - 1, WordBits) + DigitBits);
    end

    assign end_row = end_row_q;

    monpro_digits #(
      .WordBits (WordBits),
      .DigitBits(DigitBits),
      .Elements (Elements),
      .IndexBits(IndexBits)
    ) u_digits (
      .clk_i,
      .clear_i,
      .words_i,
      .begin_i(accept),
      .next_i (pass_again_q),
      .index_o(x_index_o),
      .word_i (x_data_i),
      .digit_o(x_digit)
    );
  end else begin : g_words
    logic [1:0] x_valid_q;
    logic [2:0] x_step_q;
    logic [RowBits-1:0] x_row_q;

    always_ff @(posedge clk_i) begin
      if (clear_i) begin
        x_step_q <= '0;
        x_row_q <= '0;
        x_valid_q <= '0;
      end else begin
        if (pass_start) begin
          x_step_q <= '0;
          x_row_q <= accept ? '0 : row_q;
        end else if (x_step_q == 3'd5) begin
          x_step_q <= '0;
          x_row_q <= x_row_q + 1'b1;
        end else begin
          x_step_q <= x_step_q + 1'b1;
        end
        x_valid_q <= {x_valid_q[0], x_row_q < (RowBits)'(words_i)};
      end
    end

    assign end_row = (RowBits)'(words_i);
    assign x_index_o = (IndexBits)'(x_row_q);
    assign x_digit = x_valid_q[1] ? x_data_i : '0;
  end

  assign x_context_o = context_q;

  // ---- streams: y from time 1, T of the pass before from time 4, N' from time 6

  logic y_valid, n_valid, t_valid, t_first_q, n_context_q;
  logic [1:0] y_valid_q, n_valid_q, t_valid_q;
  logic [IndexBits-1:0] t_index;
  logic [5:1][IndexBits-1:0] index_line_q;  // that of y, so many cycles later
  logic [5:1] valid_line_q;
  logic [WordBits-1:0] bus_q, t_q, t_data;

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_y_index (
    .clk_i,
    .clear_i,
    .start_i(pass_start),
    .words_i,
    .valid_o(y_valid),
    .index_o(y_index_o)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      index_line_q <= '0;
      valid_line_q <= '0;
    end else begin
      index_line_q <= {index_line_q[4:1], y_index_o};
      valid_line_q <= {valid_line_q[4:1], y_valid};
    end
  end

  assign t_index = index_line_q[3];
  assign t_valid = valid_line_q[3];
  assign n_index_o = index_line_q[5];
  assign n_valid = valid_line_q[5];

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      y_valid_q <= '0;
      n_valid_q <= '0;
      t_valid_q <= '0;
      t_first_q <= 1'b0;
      n_context_q <= 1'b0;
      bus_q <= '0;
      t_q <= '0;
    end else begin
      if (load_q) t_first_q <= first_pass_q;
      if (n_start_q) n_context_q <= context_q;
      y_valid_q <= {y_valid_q[0], y_valid};
      n_valid_q <= {n_valid_q[0], n_valid};
      t_valid_q <= {t_valid_q[0], t_valid && !t_first_q};
      if (!even_q) bus_q <= y_valid_q[1] ? y_data_i : '0;
      else bus_q <= n_valid_q[1] ? n_data_i : '0;
      t_q <= t_valid_q[1] ? t_data : '0;
    end
  end

  assign y_context_o = context_q;
  assign n_context_o = n_context_q;

  // ---- the chain

  logic [Elements:0] load_chain;
  logic [Elements:0][WordBits-1:0] bus_chain, t_chain;

  assign load_chain[0] = load_q;
  assign bus_chain[0] = bus_q;
  assign t_chain[0] = t_q;

  for (genvar i = 0; i < Elements; i++) begin : g_element
    monpro_element #(
      .Target   (Target),
      .WordBits (WordBits),
      .DigitBits(DigitBits)
    ) u_element (
      .clk_i,
      .clear_i,
      .odd_i (!even_q),
      .load_i(load_chain[i]),
      .x_i   (x_digit),
      .bus_i (bus_chain[i]),
      .t_i   (t_chain[i]),
      .load_o(load_chain[i+1]),
      .bus_o (bus_chain[i+1]),
      .t_o   (t_chain[i+1])
    );
  end

  // ---- out of the last element: to the next pass, or as result

  logic word_out, word_last, result_q, result_context_q;
  logic [IndexBits-1:0] clear_index_q, last_index_q;

  monpro_index #(
    .IndexBits(IndexBits)
  ) u_r_index (
    .clk_i,
    .clear_i,
    .start_i(out_start_q),
    .words_i,
    .valid_o(word_out),
    .index_o(r_index_o)
  );

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      draining_q <= 1'b0;
      result_q <= 1'b0;
      result_context_q <= 1'b0;
    end else if (out_start_q) begin
      draining_q <= 1'b1;
      result_q <= last_pass_q;
      result_context_q <= context_q;
    end else if (word_last) begin
      draining_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    clear_index_q <= clear_i ? clear_index_q + 1'b1 : '0;
    last_index_q <= words_i - 1'b1;
  end

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << IndexBits)
  ) u_t_ram (
    .clk_i,
    .write_i     (clear_i || word_out),
    .write_addr_i(clear_i ? clear_index_q : r_index_o),
    .write_data_i(clear_i ? '0 : r_data_o),
    .read_addr_i (t_index),
    .read_data_o (t_data)
  );

  assign r_data_o = t_chain[Elements];
  assign word_last = word_out && r_index_o == last_index_q;
  assign r_valid_o = word_out && result_q;
  assign r_last_o = word_last && result_q;
  assign r_context_o = result_context_q;

  // The last element's other outputs have no one to take them.
  logic unused;
  assign unused = ^{load_chain[Elements], bus_chain[Elements]};

endmodule
