// What the modules of single products share.
//
// SPDX-License-Identifier: Apache-2.0
package monpro_product_pkg;

  localparam int unsigned QueueDepth = 8;  // products that wait; a power of two
  localparam int unsigned EntryBits = 5;   // of an entry's number on the bus

  typedef struct packed {
    logic [EntryBits-1:0] x;
    logic [EntryBits-1:0] y;
    logic [EntryBits-1:0] to;
    logic                 choose;  // no product: `to` becomes x if first is set, else y
    logic                 first;
  } command_t;

  // Multipliers that work on the modulus itself and subtract it at the end, so that operands and
  // results are below it and no word longer.
  function automatic bit is_exact(string multiplier);
    return multiplier == "word";
  endfunction

endpackage
