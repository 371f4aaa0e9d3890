// Operand memory: the working slots, the modulus and its scaled form N'. A product reads two
// working slots at the same time, so each slot is held twice. A word comes two cycles after its
// address.
//
// SPDX-License-Identifier: Apache-2.0
module monpro_memory #(
  parameter string       Target    = "portable",  // see monpro_ram
  parameter int unsigned WordBits  = 17,
  parameter int unsigned IndexBits = 8,
  parameter int unsigned SlotBits  = 2   // of a working slot's number
) (
  input  logic clk_i,

  input  logic [SlotBits-1:0]  x_slot_i,
  input  logic [IndexBits-1:0] x_index_i,
  output logic [WordBits-1:0]  x_data_o,
  input  logic [SlotBits-1:0]  y_slot_i,
  input  logic [IndexBits-1:0] y_index_i,
  output logic [WordBits-1:0]  y_data_o,
  input  logic                 work_write_i,
  input  logic [SlotBits-1:0]  work_slot_i,
  input  logic [IndexBits-1:0] work_index_i,
  input  logic [WordBits-1:0]  work_data_i,

  input  logic                 n_scaled_i,      // read N' rather than N
  input  logic [IndexBits-1:0] n_index_i,
  output logic [WordBits-1:0]  n_data_o,
  input  logic                 n_write_i,
  input  logic                 n_write_scaled_i,
  input  logic [IndexBits-1:0] n_write_index_i,
  input  logic [WordBits-1:0]  n_write_data_i
);

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << (SlotBits + IndexBits))
  ) u_x_ram (
    .clk_i,
    .write_i     (work_write_i),
    .write_addr_i({work_slot_i, work_index_i}),
    .write_data_i(work_data_i),
    .read_addr_i ({x_slot_i, x_index_i}),
    .read_data_o (x_data_o)
  );

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (1 << (SlotBits + IndexBits))
  ) u_y_ram (
    .clk_i,
    .write_i     (work_write_i),
    .write_addr_i({work_slot_i, work_index_i}),
    .write_data_i(work_data_i),
    .read_addr_i ({y_slot_i, y_index_i}),
    .read_data_o (y_data_o)
  );

  monpro_ram #(
    .Target(Target),
    .Width (WordBits),
    .Depth (2 << IndexBits)
  ) u_n_ram (
    .clk_i,
    .write_i     (n_write_i),
    .write_addr_i({n_write_scaled_i, n_write_index_i}),
    .write_data_i(n_write_data_i),
    .read_addr_i ({n_scaled_i, n_index_i}),
    .read_data_o (n_data_o)
  );

endmodule
