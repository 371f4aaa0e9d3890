// Checks whether an operation is possible with this configuration, and gives the window of the
// table. The outputs are valid four cycles after a change. A change of loaded_i acts in the same
// cycle.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_configuration
  import monpro_pkg::*;
  import monpro_regs_enum_pkg::*;
#(
  parameter int unsigned WordBits   = 17,
  parameter int unsigned Delay      = 0,
  parameter int unsigned MinBits    = 128,
  parameter int unsigned MaxBits    = 4096,
  parameter int unsigned TableWords = 8192,
  parameter int unsigned TableBanks = 1,
  parameter schemes_t    Schemes    = '1,
  parameter bit          Crt        = 1'b0,
  parameter int unsigned IndexBits  = 8
) (
  input  logic        clk_i,
  input  logic [11:0] length_i,
  input  logic [15:0] bits_i,
  input  scheme_e     scheme_i,
  input  logic [2:0]  window_i,
  input  logic        public_i,
  input  logic        crt_i,
  input  logic        loaded_i,
  output logic        length_ok_o,
  output logic [2:0]  window_o,  // bits of the entries' numbers: of the table in the memory
  output error_e      error_o
);

  localparam int unsigned MinLength = modulus_words(MinBits, WordBits);
  localparam int unsigned MaxLength = modulus_words(MaxBits, WordBits);
  localparam int unsigned MaxHalfLength = modulus_words(MaxBits / 2, WordBits);
  localparam int unsigned TableBits = $clog2(TableWords);
  // monpro_table uses two words of each bank for each word of an entry at least.
  localparam int unsigned MinWindow = $clog2(TableBanks) + 1;

  logic length_ok, scheme_ok, window_ok, bits_ok, table_ok, has_window, has_table;
  logic length_ok_q, scheme_ok_q, window_ok_q, no_bits_q, too_many_bits_q, many_bits_q;
  logic [2:0] window, window_q, size_window;
  logic [15:0] bits_q;
  logic [IndexBits-1:0] last_word_q;  // of an entry
  logic [IndexBits-1:0] too_long_q;   // entries of 2^i words and more

  assign length_ok = length_i >= 12'(MinLength) &&
                     length_i <= ((Crt && crt_i) ? 12'(MaxHalfLength) : 12'(MaxLength));

  assign has_window = is_in(scheme_i, SchemesWindow);
  assign has_table = looks_up(scheme_i, public_i);
  assign window = has_window ? window_i - 3'(is_in(scheme_i, SchemesOddPowers)) : 3'd1;

  assign size_window = ((window_q > 3'(MinWindow)) ? window_q : 3'(MinWindow)) + 3'(Crt && crt_i);

  // 2^size_window entries of last_word_q + 1 words are at most 2^TableBits words.
  assign table_ok = !has_table || (last_word_q & too_long_q) == '0;

  assign window_ok = !has_window || (window_i != 3'd0 && window_i <= 3'(MaxWindow));

  assign scheme_ok = is_in(scheme_i, Schemes) &&
                     (public_i || is_in(scheme_i, SchemesSecrets)) &&
                     !(crt_i && (!Crt || public_i || !is_in(scheme_i, SchemesCrt)));

  assign bits_ok = !no_bits_q && !too_many_bits_q && !many_bits_q;

  always_comb begin
    error_o = ErrorNone;
    if (!length_ok_q) error_o = ErrorLength;
    else if (!scheme_ok_q) error_o = ErrorScheme;
    else if (!window_ok_q) error_o = ErrorWindow;
    else if (!bits_ok) error_o = ErrorExponentLength;
    else if (!loaded_i) error_o = ErrorOperandMissing;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < IndexBits; i++) too_long_q[i] <= 32'(size_window) + i >= TableBits;
    window_q <= window;
    last_word_q <= IndexBits'(length_i) + IndexBits'(Delay);
    length_ok_q <= length_ok;
    scheme_ok_q <= scheme_ok;
    window_ok_q <= window_ok && table_ok;
    bits_q <= bits_i;
    no_bits_q <= bits_q == '0;
    too_many_bits_q <= bits_q > ((Crt && crt_i) ? 16'(MaxBits / 2) : 16'(MaxBits));
    many_bits_q <= is_too_long(scheme_i, bits_q);
  end

  assign length_ok_o = length_ok_q;
  assign window_o = window_q;

endmodule
