// AXI4-Stream to registers. A packet is a program of register accesses, which are done in order.
// The words that it reads go into a packet of their own, the answer. So a DMA engine can move a
// whole operation in and out. The operation itself is the same as over AXI4-Lite.
//
//   word 0          [31:16] 0x4D50, [15:0] words that follow; TLAST comes with the last of them
//   section word    [31:28] 1 write, 2 read, 3 wait; [27:24] zero; [23:8] count, not zero;
//                   [7] zero; [6:0] address of a register. For wait count and address mean nothing
//   write           `count` words follow, each for the next register. DATA and PRODUCT take all
//                   words that follow. A word for PRODUCT waits while the queue is full
//   read            `count` words into the answer, registers as for write
//   wait            until the coprocessor is not busy
//   answer          the words read, then STATUS with TLAST
//
// A packet of another form ends at the word that shows it. A fault is raised, that word and the
// rest up to TLAST are dropped, and STATUS ends the answer. A word acts only after its TLAST is
// known to be right.
//
// flush_i ends a packet in any state. The word in flight and the word of the answer that was not
// taken are dropped, and streaming_o falls. What is left of the packet is dropped up to TLAST. Then
// STATUS ends the answer. resting_o is low until that has been taken. If no word has moved on either
// stream since the flush before, a flush gives up TLAST and STATUS as well, as a reset does: no
// word comes any more. m_axis_tvalid falls with flush_i, or when a word was taken.
//
// Cycles, while s_axis_tvalid and m_axis_tready stay high and AXI4-Lite has no access: 2 for word
// 0, 2 for a section word, 3 + A for a word written, 2 + A for a word read, 1 + the cycles waited
// for wait, and 2 + A for STATUS at the end. A is the time of the access: 1 for a write, 2 for a
// read; for DATA two more than monpro_operand_port takes.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_stream
  import monpro_regs_enum_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic flush_i,  // no access of this module is under way then

  input  logic        s_axis_tvalid,
  output logic        s_axis_tready,
  input  logic [31:0] s_axis_tdata,
  input  logic [ 3:0] s_axis_tkeep,
  input  logic        s_axis_tlast,

  output logic        m_axis_tvalid,
  input  logic        m_axis_tready,
  output logic [31:0] m_axis_tdata,
  output logic        m_axis_tlast,

  // Accesses: a request is a pulse, and has one answer, in the same cycle or later.
  input  logic        free_i,        // a request may come in the next cycle
  output logic        hold_o,        // of this module: from the request to a cycle after the answer
  output logic        req_o,
  output logic        is_write_o,
  output logic [ 6:0] addr_o,
  output logic [31:0] write_data_o,
  input  logic        ack_i,
  input  logic        error_i,
  input  logic [31:0] read_data_i,

  input  logic   queue_full_i,
  input  logic   busy_i,
  output logic   streaming_o,  // a packet is under way
  output logic   resting_o,    // neither a packet nor the rest of one, nor an answer
  output logic   writing_o,    // from its first word offered to its last word taken, but for
  output logic   reading_o,    // reads, until the word is taken
  output fault_e fault_o       // a pulse; otherwise none
);

  localparam logic [15:0] Magic = 16'h4D50;
  localparam logic [3:0] OpWrite = 4'd1;
  localparam logic [3:0] OpRead = 4'd2;
  localparam logic [3:0] OpWait = 4'd3;

  typedef enum logic [2:0] {
    StTake, StLook, StAsk, StAnswer, StRest, StWait, StDrop
  } state_e;

  // What the next word is.
  typedef enum logic [1:0] {
    KindHeader, KindSection, KindData
  } kind_e;

  state_e state_q;
  kind_e kind_q;
  logic [31:0] data_q;               // the word taken
  logic last_q, whole_q;             // its TLAST, and whether it has all of its bytes
  logic [15:0] left_q;               // words of the packet that are not taken
  logic [15:0] count_q;              // words or reads that the section still has
  logic [6:0] addr_q;
  logic write_q, status_q, req_q;    // status_q: the access is the one that ends the answer
  logic failed_q;                    // it failed
  logic [31:0] answer_q;
  logic answer_valid_q, answer_last_q;
  logic ends, is_section, may_ask, ask, section_ends, next_section, end_packet;
  logic cut_q;                       // a flush has ended the packet; its STATUS is not read yet
  logic still_q;                     // no word has moved since that flush
  logic under_way, moves, cut, give_up, cut_word, last_taken;
  logic [3:0] op;
  fault_e wrong;

  assign op = data_q[31:28];
  assign ends = ((kind_q == KindHeader) ? data_q[15:0] : left_q) == '0;
  assign section_ends = count_q == 16'd1;
  assign is_section = data_q[27:24] == '0 && !data_q[7] && (op == OpWait || (
                        data_q[23:8] != '0 && (op == OpRead || (op == OpWrite && !ends))));
  assign may_ask = free_i && (write_q ? !(queue_full_i && addr_q == ProductOffset)
                                      : !answer_valid_q);

  // What is wrong with the word taken; its length first.
  always_comb begin
    wrong = FaultNone;
    if ((last_q && !ends) || !whole_q) wrong = FaultStreamShort;
    else if (!last_q && ends) wrong = FaultStreamLong;
    else begin
      unique case (kind_q)
        KindHeader: if (data_q[31:16] != Magic) wrong = FaultStreamHeader;
        KindSection: if (!is_section) wrong = FaultStreamHeader;
        default: if (ends && !section_ends) wrong = FaultStreamHeader;
      endcase
    end
  end

  assign ask = may_ask && (state_q == StAsk ||
                           (state_q == StLook && kind_q == KindData && wrong == FaultNone));
  // The word taken last decides about the packet.
  assign next_section = (state_q == StRest && !status_q && !failed_q && section_ends) ||
                        (state_q == StWait && !busy_i);
  always_comb begin
    unique case (state_q)
      StLook: end_packet = last_q && (wrong != FaultNone || kind_q == KindHeader);
      StRest: end_packet = last_q && (next_section || (failed_q && !status_q));
      StWait: end_packet = last_q && next_section;
      StDrop: end_packet = s_axis_tvalid && s_axis_tlast;
      default: end_packet = 1'b0;
    endcase
  end

  // What a flush does. A header that is taken in its cycle begins a packet.
  assign under_way = state_q != StTake || kind_q != KindHeader;
  assign moves = (s_axis_tvalid && s_axis_tready) || (m_axis_tvalid && m_axis_tready);
  assign give_up = flush_i && still_q && !moves;
  assign cut = flush_i && !give_up && under_way && !status_q;
  assign cut_word = flush_i && answer_valid_q && (give_up || !answer_last_q);
  // The packet has no words to come. StTake and StDrop take them; the others have taken one.
  always_comb begin
    last_taken = last_q;
    if (state_q inside {StTake, StDrop}) last_taken = s_axis_tvalid && s_axis_tlast;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= StTake;
      kind_q <= KindHeader;
      data_q <= '0;
      last_q <= 1'b0;
      whole_q <= 1'b0;
      left_q <= '0;
      count_q <= '0;
      addr_q <= '0;
      write_q <= 1'b0;
      status_q <= 1'b0;
      req_q <= 1'b0;
      failed_q <= 1'b0;
      answer_q <= '0;
      answer_valid_q <= 1'b0;
      answer_last_q <= 1'b0;
      cut_q <= 1'b0;
      still_q <= 1'b0;
    end else begin
      req_q <= ask;
      // A result is a secret: it does not stay here.
      if (m_axis_tready) begin
        answer_valid_q <= 1'b0;
        answer_q <= '0;
      end

      unique case (state_q)
        StTake:
          if (s_axis_tvalid) begin
            data_q <= s_axis_tdata;
            last_q <= s_axis_tlast;
            whole_q <= s_axis_tkeep == '1;
            left_q <= left_q - 1'b1;
            state_q <= StLook;
          end

        StLook:
          if (wrong != FaultNone) begin
            data_q <= '0;
            state_q <= StDrop;
          end else begin
            unique case (kind_q)
              KindHeader: begin
                left_q <= data_q[15:0];
                kind_q <= KindSection;
                state_q <= StTake;
              end
              KindSection: begin
                count_q <= data_q[23:8];
                addr_q <= {data_q[6:2], 2'b00};
                write_q <= op == OpWrite;
                if (op == OpWrite) kind_q <= KindData;
                state_q <= (op == OpWrite) ? StTake : (op == OpRead) ? StAsk : StWait;
              end
              default: if (ask) state_q <= StAnswer;
            endcase
          end

        StAsk: if (ask) state_q <= StAnswer;

        StAnswer:
          if (ack_i) begin
            data_q <= '0;  // an operand is one as well
            failed_q <= error_i;
            if (!write_q && !error_i) begin
              answer_q <= read_data_i;
              answer_valid_q <= 1'b1;
              answer_last_q <= status_q;
            end
            state_q <= StRest;
          end

        StRest: begin
          count_q <= count_q - 1'b1;
          if (addr_q != DataOffset && addr_q != ProductOffset) addr_q <= addr_q + 7'd4;
          if (status_q) begin
            status_q <= 1'b0;
            kind_q <= KindHeader;
            state_q <= StTake;
          end else if (failed_q) begin
            state_q <= StDrop;
          end else begin
            state_q <= write_q ? StTake : StAsk;
          end
        end

        StDrop, StWait: begin
        end

        default: state_q <= StTake;
      endcase

      if (next_section) begin
        kind_q <= KindSection;
        state_q <= StTake;
      end
      if (end_packet) begin
        addr_q <= StatusOffset;
        write_q <= 1'b0;
        status_q <= 1'b1;
        state_q <= StAsk;
      end
      if (cut_word) begin
        answer_q <= '0;
        answer_valid_q <= 1'b0;
      end
      if (cut) begin
        data_q <= '0;
        addr_q <= StatusOffset;
        write_q <= 1'b0;
        status_q <= last_taken;
        state_q <= last_taken ? StAsk : StDrop;
      end
      if (give_up) begin
        kind_q <= KindHeader;
        data_q <= '0;
        status_q <= 1'b0;
        state_q <= StTake;
      end
      if (give_up || (state_q == StRest && status_q)) cut_q <= 1'b0;
      else if (flush_i && under_way) cut_q <= 1'b1;
      still_q <= (still_q || flush_i) && !moves && !resting_o && !give_up;
    end
  end

  always_comb begin
    fault_o = FaultNone;
    if (flush_i) begin
      if ((cut && !cut_q) || cut_word || (give_up && under_way)) fault_o = FaultStreamCut;
    end else if (state_q == StLook) begin
      fault_o = wrong;
    end else if (state_q == StRest && failed_q && !status_q) begin
      fault_o = FaultStreamTarget;
    end
  end

  assign s_axis_tready = state_q == StTake || state_q == StDrop;
  assign m_axis_tvalid = answer_valid_q;
  assign m_axis_tdata = answer_q;
  assign m_axis_tlast = answer_last_q;

  assign hold_o = state_q == StAnswer || state_q == StRest;
  assign req_o = req_q;
  assign is_write_o = write_q;
  assign addr_o = addr_q;
  assign write_data_o = data_q;

  assign streaming_o = under_way && !cut_q;
  assign resting_o = !under_way && !answer_valid_q;
  assign reading_o = answer_valid_q ||
                     (!write_q && (state_q inside {StAsk, StAnswer, StRest}));
  assign writing_o = (s_axis_tvalid || streaming_o) && !reading_o;

`ifndef SYNTHESIS
  logic was_reset = 1'b0;  // before the first reset nothing is known

  always_ff @(posedge clk_i) if (!rst_ni) was_reset <= 1'b1;

  AnswerStays: assert property (@(posedge clk_i) disable iff (!was_reset || !rst_ni)
    m_axis_tvalid && !m_axis_tready && !flush_i |=>
    m_axis_tvalid && $stable({m_axis_tdata, m_axis_tlast}))
    else $error("a word of the answer changes before it is taken");
`endif

endmodule
