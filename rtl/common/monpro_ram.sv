// Synchronous memory: one write port, one read port, the read word one cycle after its address.
// Reading the address that is being written gives the old word. Contents are undefined until
// written.
module monpro_ram #(
  parameter  int unsigned Width    = 17,
  parameter  int unsigned Depth    = 256,
  localparam int unsigned AddrBits = (Depth > 1) ? $clog2(Depth) : 1
) (
  input  logic                clk_i,
  input  logic                write_i,
  input  logic [AddrBits-1:0] write_addr_i,
  input  logic [Width-1:0]    write_data_i,
  input  logic [AddrBits-1:0] read_addr_i,
  output logic [Width-1:0]    read_data_o
);

  logic [Width-1:0] memory_q[Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) memory_q[write_addr_i] <= write_data_i;
    read_data_o <= memory_q[read_addr_i];
  end

endmodule
