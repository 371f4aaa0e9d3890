// The instructions of the custom function unit: funct3 is the form, funct7 what it does. All are of
// the R type with opcode custom-0.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_assist_pkg;

  typedef enum logic [2:0] {
    FormWord  = 3'd0,  // funct7 0
    FormLimbs = 3'd1,
    FormHeld  = 3'd2
  } form_e;

  typedef enum logic [6:0] {
    OpAddFirst   = 7'd0,
    OpAddNext    = 7'd1,
    OpHalveFirst = 7'd2,
    OpHalveNext  = 7'd3,
    OpHalveLast  = 7'd4,
    OpClear      = 7'd5,
    OpTop        = 7'd6
  } limbs_op_e;

  typedef enum logic [6:0] {
    OpSetM   = 7'd0,   // words 0 and 1: rs1, rs2
    OpSetMHigh = 7'd1, // words 2 and 3
    OpSetY   = 7'd2,
    OpSetYHigh = 7'd3,
    OpSetT   = 7'd4,
    OpSetTHigh = 7'd5,
    OpStep   = 7'd6,   // rs2 steps, with the bits of rs1, the lowest first
    OpReduce = 7'd7,
    OpRead0  = 7'd8,
    OpRead1  = 7'd9,
    OpRead2  = 7'd10,
    OpRead3  = 7'd11
  } held_op_e;

endpackage
