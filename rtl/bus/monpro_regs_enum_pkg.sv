// SPDX-License-Identifier: Apache-2.0
// Generated from regs/monpro.rdl and regs/schemes.toml by regs/generate.py. Do not edit.

// What the fields of the registers may hold, by name.
package monpro_regs_enum_pkg;

  localparam logic [6:0] IdOffset = 7'h00;
  // 0x4D4E5052, "MNPR"
  localparam logic [31:0] IdMagic = 32'h4D4E5052;
  localparam logic [6:0] VersionOffset = 7'h04;
  // Grows with each compatible addition
  localparam logic [15:0] VersionMinor = 16'h0001;
  // A driver refuses another major
  localparam logic [15:0] VersionMajor = 16'h0003;
  localparam logic [6:0] ParamArrayOffset = 7'h08;
  localparam logic [6:0] ParamBitsOffset = 7'h0C;
  localparam logic [6:0] ParamTableOffset = 7'h10;
  localparam logic [6:0] ParamFeaturesOffset = 7'h14;
  localparam logic [6:0] CommandOffset = 7'h20;
  localparam logic [6:0] StatusOffset = 7'h24;
  localparam logic [6:0] InterruptOffset = 7'h28;
  localparam logic [6:0] LengthOffset = 7'h2C;
  localparam logic [6:0] ExponentOffset = 7'h30;
  localparam logic [6:0] ConfigOffset = 7'h34;
  localparam logic [6:0] OperandOffset = 7'h38;
  localparam logic [6:0] DataOffset = 7'h3C;
  localparam logic [6:0] CyclesLoadOffset = 7'h40;
  localparam logic [6:0] CyclesPrecomputeOffset = 7'h44;
  localparam logic [6:0] CyclesExponentiateLowOffset = 7'h48;
  localparam logic [6:0] CyclesExponentiateHighOffset = 7'h4C;
  localparam logic [6:0] CyclesReadOffset = 7'h50;
  localparam logic [6:0] OperationsOffset = 7'h54;
  localparam logic [6:0] ProductsOffset = 7'h58;
  localparam logic [6:0] ProductOffset = 7'h5C;

  typedef enum logic [3:0] {
    // The operation succeeded, or none was started
    ErrorNone = 4'd0,
    // LENGTH.words is outside the design's range
    ErrorLength = 4'd1,
    // The modulus is even or zero
    ErrorModulusEven = 4'd2,
    // The modulus has not the size that LENGTH.words says; with CRT also: q is far longer than p
    ErrorModulusSize = 4'd3,
    // The base is not below the modulus; with CRT: qInv is not below p
    ErrorBaseRange = 4'd4,
    // EXPONENT.bits is zero or more than the design holds (half of that with CRT; 32 with scheme
    // repeated)
    ErrorExponentLength = 4'd5,
    // CONFIG.window is not 1 to 6, or its table does not fit the design's table memory at this
    // length
    ErrorWindow = 4'd6,
    // CONFIG.scheme is none that the design has, or needs CONFIG.public; or CONFIG.crt is set where
    // the design has no CRT, or with another scheme than fixed_window
    ErrorScheme = 4'd7,
    // An operand was not written to its full length since LENGTH was set; or PRODUCT names an entry
    // that there is not
    ErrorOperandMissing = 4'd8,
    // COMMAND.abort ended the operation
    ErrorAborted = 4'd9,
    // n' is not -1/N mod 2^word_bits
    ErrorInverse = 4'd10
  } error_e;

  typedef enum logic [3:0] {
    // No fault since the last COMMAND.clear
    FaultNone = 4'd0,
    // COMMAND.start while an operation runs: ignored, the operation goes on
    FaultStartWhileBusy = 4'd1,
    // A configuration or operand write while an operation runs: dropped, the operation goes on
    FaultWriteWhileBusy = 4'd2,
    // A non-zero bit beyond the operand's length: the operand counts as missing
    FaultOperandTooLong = 4'd3,
    // DATA was read while no result is there, or from a slot or entry that cannot be read: zero was
    // returned
    FaultNotReadable = 4'd4,
    // PRODUCT was written while the queue was full or a wipe ran, or in a design without entries:
    // dropped
    FaultQueueFull = 4'd5,
    // A packet does not begin with its header, or a section word in it is none; or a section is
    // longer than its packet
    FaultStreamHeader = 4'd6,
    // A packet names a register that there is not, or that cannot be written or read
    FaultStreamTarget = 4'd7,
    // A packet ended before the length in its header, or a word of it has less than four bytes
    FaultStreamShort = 4'd8,
    // A packet did not end at the length in its header; its last word by that length was dropped,
    // too
    FaultStreamLong = 4'd9,
    // COMMAND.flush, wipe or abort ended a packet under way, or dropped words of an answer
    FaultStreamCut = 4'd10,
    // Over AXI4-Lite, with a packet under way: a configuration or operand write, a start, a PRODUCT
    // or a read of DATA: dropped, the read returned zero
    FaultStreamBusy = 4'd11,
    // LENGTH, EXPONENT, CONFIG or an operand that is no base was written while STATUS.locked:
    // dropped, and everything is wiped
    FaultLocked = 4'd12
  } fault_e;

  typedef enum logic [2:0] {
    // Left-to-right fixed window. Cycles depend on lengths only, whatever the exponent
    SchemeFixedWindow = 3'd0,
    // Left-to-right binary. With CONFIG.public the zero bits cost no multiplication, otherwise
    // every bit costs one
    SchemeBinary = 3'd1,
    // Right-to-left binary. With CONFIG.public the zero bits cost no multiplication, otherwise
    // every bit costs one
    SchemeRightToLeft = 3'd2,
    // Left-to-right sliding window over odd powers. The time depends on the exponent: CONFIG.public
    // only
    SchemeSlidingWindow = 3'd3,
    // Montgomery ladder: a product and a squaring for each bit. Cycles depend on lengths only
    SchemeLadder = 3'd4,
    // e - 1 multiplications by the base: CONFIG.public and exponents of 32 bits at most only
    SchemeRepeated = 3'd5
  } scheme_e;

  typedef enum logic [1:0] {
    // The modulus, or p and q, with their constants. Any operation can use them: trust every master
    // of the bus
    LeaveKeep = 2'd0,
    // All but the base. Only a base can be written, and only the same operation started, until a
    // wipe
    LeaveLock = 2'd1,
    // The result alone. 3 is the same
    LeaveWipe = 2'd2
  } leave_e;

  typedef enum logic [2:0] {
    // N, or p with CRT: odd, LENGTH words long. Kept from one operation to the next, with what was
    // precomputed from it, unless CONFIG.leave is wipe. With entries, unless PARAM_ARRAY.exact is
    // set: 2^-word_bits mod N instead of N
    SlotModulus = 3'd0,
    // x < N; c < p * q with CRT. Used up by the operation
    SlotBase = 3'd1,
    // e, or dP with CRT, EXPONENT.bits long. Used up by the operation, unless CONFIG.leave is lock:
    // no one can use a secret exponent again without knowing it
    SlotExponent = 3'd2,
    // x^e mod N, or c^d mod p * q with CRT. The only slot that can be read, but for entries
    SlotResult = 3'd3,
    // q: CRT only, as modulus, and of the same length in bits as p
    SlotModulusQ = 3'd4,
    // dQ: CRT only, as exponent
    SlotExponentQ = 3'd5,
    // qInv = q^-1 mod p: CRT only, LENGTH words long. Used up by the operation, unless CONFIG.leave
    // is lock. With PARAM_ARRAY.exact: n' = -1/N mod 2^word_bits, one word
    SlotInverse = 3'd6,
    // The operand or result of single products that OPERAND.entry names
    SlotEntry = 3'd7
  } slot_e;

  // Sets of schemes, from regs/schemes.toml. Bit n stands for scheme n of scheme_e.
  typedef logic [5:0] schemes_t;
  localparam schemes_t SchemesWindow = 6'b001001;
  localparam schemes_t SchemesOddPowers = 6'b001000;
  localparam schemes_t SchemesSecrets = 6'b010111;
  localparam schemes_t SchemesCrt = 6'b000001;
  localparam schemes_t SchemesLookUp = 6'b011101;
  localparam schemes_t SchemesLookUpSecret = 6'b000010;

  // No set has a number that is no scheme.
  function automatic logic is_in(scheme_e scheme, schemes_t schemes);
    return 1'(8'(schemes) >> scheme);
  endfunction

  // The scheme multiplies by entries that it looks up in the table memory.
  function automatic logic looks_up(scheme_e scheme, logic is_public);
    return is_in(scheme, SchemesLookUp) || (is_in(scheme, SchemesLookUpSecret) && !is_public);
  endfunction

  // The scheme does not take an exponent of this length, whatever the design holds.
  function automatic logic is_too_long(scheme_e scheme, logic [15:0] bits);
    unique case (scheme)
      SchemeRepeated: return bits > 16'd32;
      default: return 1'b0;
    endcase
  endfunction

endpackage
