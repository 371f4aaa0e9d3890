// What the modules of the dataflow kernel share.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_dataflow_pkg;

  localparam int unsigned DigitBits = 32;
  localparam int unsigned BlockBits = 20;  // of the number of blocks in a run
  localparam int unsigned IndexBits = 7;   // of a digit's place: operands have up to 128 digits
  localparam int unsigned SlotBits = 3;    // 8 blocks take turns
  localparam int unsigned PlaceBits = 4;   // the buffers hold 16 blocks
  localparam int unsigned Slots = 1 << SlotBits;
  localparam int unsigned Places = 1 << PlaceBits;

  // In bits 11:8 of a header.
  typedef enum logic [3:0] {
    FormConstant   = 4'd1,  // a stream times the header's constant
    FormPairs      = 4'd2,  // two streams
    FormHeld       = 4'd3,  // both operands go in once, all products of their digits come out
    FormProduct    = 4'd4,  // the integer a * b
    FormMontgomery = 4'd5   // a * b / R mod n
  } form_e;

  // In the last beat of every run.
  typedef enum logic [2:0] {
    StatusOk      = 3'd0,
    StatusForm    = 3'd1,  // there is no such form
    StatusDigits  = 3'd2,  // 0, or more than the buffers take
    StatusBlocks  = 3'd3,  // 0
    StatusShort   = 3'd4,  // TLAST before the last beat
    StatusLong    = 3'd5,  // no TLAST in it
    StatusInverse = 3'd6   // n_0 * n'0 is not -1 modulo a digit
  } status_e;

  // What the multiplier does for a block in one cycle.
  typedef enum logic [2:0] {
    OpProduct,  // a_x * b_y
    OpReduce,   // m_x * n_y
    OpQuotient, // m_x = the column's lowest digit * n'0 mod W
    OpFresh,    // m_x * n_0, with the m_x of the step before
    OpEmpty     // nothing: the column is a carry alone
  } op_e;

  typedef struct packed {
    logic                 valid;
    op_e                  op;
    logic [PlaceBits-1:0] place;   // of the block in the buffers
    logic [IndexBits-1:0] x;
    logic [IndexBits-1:0] y;
    logic                 first;   // of the block: the sum begins at zero
    logic                 last;    // of the column
    logic                 odd;     // the column's number
    logic                 cancel;  // the column's digit becomes zero
    logic                 result;  // the column's digit is one of the result's,
    logic [IndexBits-1:0] index;   // this one, or with form product the pair with this number
    logic                 done;    // last step of the block
  } step_t;

endpackage
