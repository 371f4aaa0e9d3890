// Moves operands and results between the 32-bit words of the bus and the words of the operand
// memory. Both have their least significant word first.
//
// A request is one pulse, and one acknowledge answers it. It writes 32 bits to the selected slot,
// or reads the next 32 bits of the result. Writes to moduli, base and qInv collect bits, and store
// a word when it is complete. The memory of the exponent has words of 32 bits. An operand counts as
// loaded when all its words are written. A bit beyond that is not zero makes it missing again. With
// CRT the base has 2 * digits_i words: cL for the first half of its slot, cH for the second.
// select_i goes to the lowest word of a slot.
//
// A request that is not possible is acknowledged too. A write then changes nothing, so the operand
// stays missing. A read then gives zero and raises a fault.
//
// Cycles from req_i to the acknowledge: 6 for a write, and two for each word that it completes; 2
// for a read, and seven for each word that it needs; 1 for a request that is not possible.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_operand_port
  import monpro_regs_enum_pkg::*;
#(
  parameter int unsigned WordBits         = 17,
  parameter int unsigned IndexBits        = 8,
  parameter int unsigned ExponentAddrBits = 7,
  parameter bit          Crt              = 1'b0,
  parameter bit          Products         = 1'b0,  // entries of single products; with Crt not
  parameter bit          Exact            = 1'b0   // these want n' besides the modulus
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic clear_i,            // forget all operands and buffered bits

  input  logic        req_i,
  input  logic        req_write_i,
  input  logic [31:0] req_data_i,
  output logic        write_ack_o,
  output logic        read_ack_o,
  output logic [31:0] read_data_o,

  input  slot_e                slot_i,
  input  logic                 select_i,
  input  logic                 writable_i,         // operands can be written
  input  logic                 readable_i,         // there is a result, or it is in the entry
  input  logic                 crt_i,
  input  logic [IndexBits-1:0] words_i,            // of an operand
  input  logic [IndexBits-1:0] digits_i,           // of the half of a base
  input  logic [IndexBits-1:0] result_words_i,     // what lies beyond cannot be read
  input  logic [15:0]          bits_i,             // of the exponent
  input  logic                 forget_all_i,
  input  logic                 forget_exponent_i,
  input  logic                 used_i,             // all but the moduli is used up,
  input  logic                 keep_i,             // or the base alone
  output logic                 loaded_o,           // every operand is there
  output logic                 too_long_o,         // pulses
  output logic                 not_readable_o,

  output logic                        load_modulus_o,
  output logic                        load_base_o,
  output logic                        load_inverse_o,
  output logic                        load_entry_o,
  output logic                        entry_loaded_o,  // pulse, in the cycle of its last word
  output logic                        load_half_o,
  output logic [IndexBits-1:0]        load_index_o,
  output logic [WordBits-1:0]         load_data_o,
  output logic                        load_exponent_o,
  output logic [ExponentAddrBits-1:0] load_exponent_addr_o,
  output logic [31:0]                 load_exponent_data_o,
  output logic [IndexBits-1:0]        result_index_o,
  input  logic [WordBits-1:0]         result_data_i   // two cycles after its index
);

  // Fewer bits than a word are left over from before, or fewer than 32.
  localparam int unsigned BufferBits = WordBits + 32;
  localparam int unsigned CountBits = $clog2(BufferBits + 1);
  localparam int unsigned PartBits = ((WordBits > 32) ? WordBits : 32) + 3;
  localparam int unsigned MovedBits = (PartBits + 12 < BufferBits) ? PartBits + 12 : BufferBits;

  typedef enum logic [3:0] {
    StIdle,
    StShift, StMove, StAppend, StLook, StWrite,
    StRead, StFetch, StWait, StTake, StTakeShift, StTakeMove, StTakeAppend
  } state_e;

  state_e state_q;
  logic [BufferBits-1:0] buffer_q;
  logic [CountBits-1:0] count_q;
  logic [WordBits-1:0] word_q;                // of the result
  logic [31:0] data_q;                        // of the bus
  logic [PartBits-1:0] part, part_q;          // either, moved by the two lowest bits of count_q
  logic [MovedBits-1:0] moved_q;              // and by the next two
  logic [IndexBits-1:0] index_q;              // words written or read so far; stays at words_i
  logic [ExponentAddrBits:0] exponent_q;      // the same of the exponent, in 32 bits
  logic [7:0] loaded_q;                       // by slot_e
  logic half_q;                               // of the base, CRT: cH
  logic spoiled_q;                            // a bit beyond was set since the slot was selected
  logic writable_q, reading_slot_q, writing_exponent_q;
  logic [IndexBits-1:0] words_q, last_digit_q;  // of what the slot has
  logic halved_q;
  // What the buffer does, from registers of its own: its bits lie apart from the state's.
  logic append_q;        // in StAppend, StTakeAppend
  logic word_out_q;      // in StWrite, with a whole word in the buffer
  logic exponent_out_q;  // in StWrite, of an exponent
  logic written_q, complete_q, overflow_q;    // what StWrite has found, a cycle later
  logic give, full, exponent_full, exponent_last, overflow, halved;
  logic writable;
  logic full_q, half_last_q, word_ready, any_word_q;  // found in StLook
  logic any_exponent_q, any_tail_q;
  logic [11:0] exponent_words, exponent_end;
  logic [31:0] tail_q;  // bits of the exponent's last word that are beyond its length

  assign halved = Crt && crt_i && slot_i == SlotBase;
  always_comb begin
    full = index_q >= words_q;
    if (halved_q) full = half_q && index_q > last_digit_q;
    else if (Exact && slot_i == SlotInverse) full = index_q != '0;
  end
  always_comb begin
    unique case (slot_i)
      SlotModulus: writable = writable_i;
      SlotBase, SlotExponent: writable = writable_i && !Products;
      SlotModulusQ, SlotExponentQ: writable = writable_i && Crt && crt_i;
      SlotInverse: writable = writable_i && ((Crt && crt_i) || Exact);
      SlotEntry: writable = writable_i && Products;
      default: writable = 1'b0;
    endcase
  end
  // These are there before they are of use: LENGTH and CONFIG are written before OPERAND is, and that
  // before DATA. With two elements and CRT digits_i needs that: it follows a length more slowly.
  always_ff @(posedge clk_i) begin
    writable_q <= writable;
    reading_slot_q <= slot_i == (Products ? SlotEntry : SlotResult);
    writing_exponent_q <= slot_i == SlotExponent || slot_i == SlotExponentQ;
    halved_q <= halved;
    last_digit_q <= digits_i - 1'b1;
    words_q <= (slot_i == SlotResult) ? result_words_i : words_i;
    tail_q <= (bits_i[4:0] != '0) ? 32'hFFFF_FFFF << bits_i[4:0] : '0;
    exponent_words <= 12'((17'(bits_i) + 17'd31) >> 5);
    exponent_full <= 12'(exponent_q) >= exponent_words;
    exponent_end <= exponent_words - 1'b1;
    exponent_last <= 12'(exponent_q) == exponent_end;
  end

  assign give = state_q == StRead && count_q >= CountBits'(32);
  assign word_ready = count_q >= CountBits'(WordBits);
  assign part = PartBits'((state_q == StShift) ? PartBits'(data_q) : PartBits'(word_q)) <<
                count_q[1:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      part_q <= '0;
      moved_q <= '0;
      full_q <= 1'b0;
      half_last_q <= 1'b0;
      append_q <= 1'b0;
      word_out_q <= 1'b0;
      exponent_out_q <= 1'b0;
      any_word_q <= 1'b0;
      any_exponent_q <= 1'b0;
      any_tail_q <= 1'b0;
      written_q <= 1'b0;
      complete_q <= 1'b0;
      overflow_q <= 1'b0;
    end else begin
      part_q <= (state_q inside {StShift, StTakeShift}) ? part : '0;
      moved_q <= MovedBits'(part_q) << {count_q[3:2], 2'b00};
      full_q <= full;
      half_last_q <= index_q == last_digit_q;
      append_q <= state_q inside {StMove, StTakeMove};
      word_out_q <= state_q == StLook && !writing_exponent_q && word_ready;
      exponent_out_q <= state_q == StLook && writing_exponent_q;
      any_word_q <= |buffer_q[WordBits-1:0];
      any_exponent_q <= |buffer_q[31:0];
      any_tail_q <= |(buffer_q[31:0] & tail_q);
      written_q <= state_q == StWrite && !word_out_q;
      complete_q <= writing_exponent_q ? exponent_full || exponent_last : full_q;
      overflow_q <= state_q == StWrite && overflow;
    end
  end

  // The bits that are dropped: a word beyond the last, or what is left when there can be no more.
  assign overflow = writing_exponent_q ?
                    (exponent_full ? any_exponent_q : exponent_last && any_tail_q) :
                    full_q && any_word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      buffer_q <= '0;
      count_q <= '0;
      word_q <= '0;
      data_q <= '0;
      index_q <= '0;
      exponent_q <= '0;
      loaded_q <= '0;
      half_q <= 1'b0;
      spoiled_q <= 1'b0;
      write_ack_o <= 1'b0;
      read_ack_o <= 1'b0;
      read_data_o <= '0;
      too_long_o <= 1'b0;
      not_readable_o <= 1'b0;
    end else begin
      write_ack_o <= 1'b0;
      read_ack_o <= 1'b0;
      too_long_o <= 1'b0;
      not_readable_o <= 1'b0;

      unique case (state_q)
        StIdle:
          if (req_i && req_write_i) begin
            if (writable_q) begin
              data_q <= req_data_i;
              state_q <= StShift;
            end else begin
              write_ack_o <= 1'b1;
            end
          end else if (req_i) begin
            if (readable_i && reading_slot_q) begin
              state_q <= StRead;
            end else begin
              read_ack_o <= 1'b1;
              not_readable_o <= 1'b1;
            end
          end

        StShift: state_q <= StMove;

        StMove: state_q <= StAppend;

        StAppend: begin
          data_q <= '0;
          state_q <= StLook;
        end

        StLook: state_q <= StWrite;

        StWrite:
          if (word_out_q) begin
            state_q <= StLook;
          end else begin
            write_ack_o <= 1'b1;
            state_q <= StIdle;
          end

        StRead:
          if (give) begin
            read_data_o <= buffer_q[31:0];
            read_ack_o <= 1'b1;
            state_q <= StIdle;
          end else begin
            state_q <= StFetch;
          end

        StFetch: state_q <= StWait;

        StWait: state_q <= StTake;

        StTake: begin
          word_q <= full_q ? '0 : result_data_i;
          if (!full_q) index_q <= index_q + 1'b1;
          state_q <= StTakeShift;
        end

        StTakeShift: begin
          word_q <= '0;
          state_q <= StTakeMove;
        end

        StTakeMove: state_q <= StTakeAppend;

        StTakeAppend: state_q <= StRead;

        default: state_q <= StIdle;
      endcase

      unique case (1'b1)
        append_q: begin
          buffer_q <= buffer_q | (BufferBits'(moved_q) << {count_q[CountBits-1:4], 4'b0000});
          if (!writing_exponent_q) begin
            count_q <= count_q + ((state_q == StAppend) ? CountBits'(32) : CountBits'(WordBits));
          end
        end
        word_out_q: begin
          buffer_q <= buffer_q >> WordBits;
          count_q <= count_q - CountBits'(WordBits);
          if (halved_q && !half_q && half_last_q) begin
            half_q <= 1'b1;
            index_q <= '0;
          end else if (!full_q) begin
            index_q <= index_q + 1'b1;
          end
        end
        exponent_out_q: begin
          buffer_q <= '0;
          if (!exponent_full) exponent_q <= exponent_q + 1'b1;
        end
        give: begin
          buffer_q <= buffer_q >> 32;
          count_q <= count_q - CountBits'(32);
        end
        default: ;
      endcase

      if (read_ack_o || clear_i) read_data_o <= '0;
      if (written_q) loaded_q[slot_i] <= complete_q && !spoiled_q;
      if (overflow_q) begin
        loaded_q[slot_i] <= 1'b0;
        spoiled_q <= 1'b1;
        too_long_o <= 1'b1;
      end
      if (used_i && keep_i) loaded_q[SlotBase] <= 1'b0;
      else if (used_i) loaded_q <= loaded_q & ((8'd1 << SlotModulus) | (8'd1 << SlotModulusQ));
      if (forget_exponent_i) begin
        loaded_q[SlotExponent] <= 1'b0;
        loaded_q[SlotExponentQ] <= 1'b0;
      end
      if (select_i || clear_i) begin
        buffer_q <= '0;
        count_q <= '0;
        word_q <= '0;
        data_q <= '0;
        index_q <= '0;
        exponent_q <= '0;
        half_q <= 1'b0;
        spoiled_q <= 1'b0;
      end
      if (forget_all_i || clear_i) loaded_q <= '0;
    end
  end

  logic store, store_exponent;
  logic [7:0] needed;

  always_comb begin
    needed = 8'd1 << SlotModulus;
    if (!Products) needed |= (8'd1 << SlotBase) | (8'd1 << SlotExponent);
    if (Exact || (Crt && crt_i)) needed |= 8'd1 << SlotInverse;
    if (Crt && crt_i) needed |= (8'd1 << SlotModulusQ) | (8'd1 << SlotExponentQ);
  end

  assign loaded_o = (loaded_q & needed) == needed;
  assign store = word_out_q && !full_q;
  assign store_exponent = exponent_out_q && !exponent_full;

  // A word is stored in the cycle after it is found complete.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      load_modulus_o <= 1'b0;
      load_base_o <= 1'b0;
      load_inverse_o <= 1'b0;
      load_entry_o <= 1'b0;
      entry_loaded_o <= 1'b0;
      load_half_o <= 1'b0;
      load_exponent_o <= 1'b0;
      load_exponent_addr_o <= '0;
    end else begin
      load_modulus_o <= store && slot_i inside {SlotModulus, SlotModulusQ};
      load_base_o <= store && slot_i == SlotBase;
      load_inverse_o <= store && slot_i == SlotInverse;
      load_entry_o <= Products && store && slot_i == SlotEntry;
      entry_loaded_o <= Products && state_q == StWrite && !word_out_q && full_q && !spoiled_q &&
                        !overflow && slot_i == SlotEntry;
      load_half_o <= Crt && (halved_q ? half_q : slot_i == SlotModulusQ);
      load_exponent_o <= store_exponent;
      load_exponent_addr_o <= exponent_q[ExponentAddrBits-1:0] |
                              ((Crt && slot_i == SlotExponentQ) ?
                               ExponentAddrBits'(1) << (ExponentAddrBits - 1) : '0);
    end
  end

  // Zero while nothing is stored.
  always_ff @(posedge clk_i) begin
    load_index_o <= store ? index_q : '0;
    load_data_o <= store ? buffer_q[WordBits-1:0] : '0;
    load_exponent_data_o <= store_exponent ? buffer_q[31:0] : '0;
  end

  assign result_index_o = index_q;

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  OneOperand: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    $onehot0({load_modulus_o, load_base_o, load_inverse_o, load_entry_o, load_exponent_o}))
    else $error("a word belongs to two operands");
  OthersLoadZeros: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    load_modulus_o || load_base_o || load_inverse_o || load_entry_o ||
    {load_index_o, load_data_o} == '0)
    else $error("a word to load that belongs to no operand");
`endif

endmodule
