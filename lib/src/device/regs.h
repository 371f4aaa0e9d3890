/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from regs/monpro.rdl by regs/generate.py. Do not edit. */
#ifndef MONPRO_REGS_H
#define MONPRO_REGS_H

#include <stdint.h>

/* Fields: the value of a field in a register's word, and a field's share of a word to be written.
 *   MONPRO_REGS_GET(status, STATUS_ERROR)      MONPRO_REGS_PUT(CONFIG_WINDOW, 5u) */
#define MONPRO_REGS_GET(word, field) \
    (((uint32_t)(word) & MONPRO_REGS_##field##_MASK) >> MONPRO_REGS_##field##_SHIFT)
#define MONPRO_REGS_PUT(field, value) \
    (((uint32_t)(value) << MONPRO_REGS_##field##_SHIFT) & MONPRO_REGS_##field##_MASK)

/* Identification */
#define MONPRO_REGS_ID_OFFSET 0x00u
#define MONPRO_REGS_ID_MAGIC_MASK 0xFFFFFFFFu /* r: 0x4D4E5052, "MNPR" */
#define MONPRO_REGS_ID_MAGIC_SHIFT 0u
#define MONPRO_REGS_ID_MAGIC_VALUE 0x4D4E5052u

/* Version of the register map */
#define MONPRO_REGS_VERSION_OFFSET 0x04u
#define MONPRO_REGS_VERSION_MINOR_MASK 0x0000FFFFu /* r: Grows with each compatible addition */
#define MONPRO_REGS_VERSION_MINOR_SHIFT 0u
#define MONPRO_REGS_VERSION_MINOR_VALUE 0x1u
#define MONPRO_REGS_VERSION_MAJOR_MASK 0xFFFF0000u /* r: A driver refuses another major */
#define MONPRO_REGS_VERSION_MAJOR_SHIFT 16u
#define MONPRO_REGS_VERSION_MAJOR_VALUE 0x3u

/* Parameters: multiplier */
#define MONPRO_REGS_PARAM_ARRAY_OFFSET 0x08u
#define MONPRO_REGS_PARAM_ARRAY_WORD_BITS_MASK 0x000000FFu /* r: Bits of a word */
#define MONPRO_REGS_PARAM_ARRAY_WORD_BITS_SHIFT 0u
#define MONPRO_REGS_PARAM_ARRAY_ELEMENTS_MASK 0x00FFFF00u /* r: Processing elements */
#define MONPRO_REGS_PARAM_ARRAY_ELEMENTS_SHIFT 8u
#define MONPRO_REGS_PARAM_ARRAY_DELAY_MASK 0x0F000000u /* r: Rows by which a quotient digit is used late, D. A product has K = k * U - D digits, k = ceil((s + D) / elements), s = LENGTH.words + 1 + D, U = max(ceil((s + D) / k), floor(elements / 2) + 1) */
#define MONPRO_REGS_PARAM_ARRAY_DELAY_SHIFT 24u
#define MONPRO_REGS_PARAM_ARRAY_EXACT_MASK 0x10000000u /* r: Products of operands below N, to the end: LENGTH.words = ceil(bits / word_bits), s = K = LENGTH.words, and operand inverse is needed */
#define MONPRO_REGS_PARAM_ARRAY_EXACT_SHIFT 28u

/* Parameters: lengths */
#define MONPRO_REGS_PARAM_BITS_OFFSET 0x0Cu
#define MONPRO_REGS_PARAM_BITS_MIN_BITS_MASK 0x0000FFFFu /* r: Shortest modulus, in bits */
#define MONPRO_REGS_PARAM_BITS_MIN_BITS_SHIFT 0u
#define MONPRO_REGS_PARAM_BITS_MAX_BITS_MASK 0xFFFF0000u /* r: Longest modulus, in bits; also the longest exponent */
#define MONPRO_REGS_PARAM_BITS_MAX_BITS_SHIFT 16u

/* Parameters: table */
#define MONPRO_REGS_PARAM_TABLE_OFFSET 0x10u
#define MONPRO_REGS_PARAM_TABLE_WORDS_MASK 0x00FFFFFFu /* r: Words of the table memory; a window of k bits needs s * max(2^k, 2 * banks) (PARAM_ARRAY.delay says what s is), twice that with CRT; sliding_window as if k were one less */
#define MONPRO_REGS_PARAM_TABLE_WORDS_SHIFT 0u
#define MONPRO_REGS_PARAM_TABLE_BANKS_MASK 0xFF000000u /* r: Memories side by side in which it lies: a look-up takes s * max(2^k / banks, 2) cycles, twice that with CRT */
#define MONPRO_REGS_PARAM_TABLE_BANKS_SHIFT 24u

/* Parameters: features */
#define MONPRO_REGS_PARAM_FEATURES_OFFSET 0x14u
#define MONPRO_REGS_PARAM_FEATURES_MULTIPLIERS_MASK 0x0000FFFFu /* r: Multiplier blocks present */
#define MONPRO_REGS_PARAM_FEATURES_MULTIPLIERS_SHIFT 0u
#define MONPRO_REGS_PARAM_FEATURES_SCHEMES_MASK 0x003F0000u /* r: Bit n set: scheme number n of CONFIG.scheme is there */
#define MONPRO_REGS_PARAM_FEATURES_SCHEMES_SHIFT 16u
#define MONPRO_REGS_PARAM_FEATURES_CRT_MASK 0x01000000u /* r: RSA private operations with both CRT halves at once */
#define MONPRO_REGS_PARAM_FEATURES_CRT_SHIFT 24u
#define MONPRO_REGS_PARAM_FEATURES_STREAM_MASK 0x02000000u /* r: Whole operations may come as packets over AXI4-Stream */
#define MONPRO_REGS_PARAM_FEATURES_STREAM_SHIFT 25u
#define MONPRO_REGS_PARAM_FEATURES_ENTRIES_MASK 0xFC000000u /* r: Entries of the memory for single products; zero: the design does exponentiations. Schemes are then what software can do with them */
#define MONPRO_REGS_PARAM_FEATURES_ENTRIES_SHIFT 26u

/* Command. Each bit is a pulse and reads as zero. Of start, wipe and abort in one write the one that destroys most wins: with wipe or abort nothing is started. start with abort, while nothing runs, is a wipe. wipe with abort, while an operation runs, is an abort */
#define MONPRO_REGS_COMMAND_OFFSET 0x20u
#define MONPRO_REGS_COMMAND_START_MASK 0x00000001u /* w, pulse: Start an operation; with entries: zero the counters */
#define MONPRO_REGS_COMMAND_START_SHIFT 0u
#define MONPRO_REGS_COMMAND_WIPE_MASK 0x00000002u /* w, pulse: Clear every operand, table and result; done is set when that is finished. While an operation runs it is ignored, and is a fault */
#define MONPRO_REGS_COMMAND_WIPE_SHIFT 1u
#define MONPRO_REGS_COMMAND_ABORT_MASK 0x00000004u /* w, pulse: End the running operation and wipe */
#define MONPRO_REGS_COMMAND_ABORT_SHIFT 2u
#define MONPRO_REGS_COMMAND_CLEAR_MASK 0x00000008u /* w, pulse: Clear STATUS.done, STATUS.fault and with them the interrupt */
#define MONPRO_REGS_COMMAND_CLEAR_SHIFT 3u
#define MONPRO_REGS_COMMAND_FLUSH_MASK 0x00000010u /* w, pulse: End the packet that is under way on AXI4-Stream: words of the answer that were not taken are dropped, the rest of the packet is dropped up to TLAST, then STATUS ends the answer. If no word has moved since the flush before, TLAST and STATUS are given up, too. Operands and results stay. wipe and abort do that, too. Of no effect in a packet */
#define MONPRO_REGS_COMMAND_FLUSH_SHIFT 4u

/* Status */
#define MONPRO_REGS_STATUS_OFFSET 0x24u
#define MONPRO_REGS_STATUS_BUSY_MASK 0x00000001u /* r: An operation, or a wipe, is running. With CONFIG.leave = wipe that goes on behind STATUS.done: OPERAND can be written then and the result read */
#define MONPRO_REGS_STATUS_BUSY_SHIFT 0u
#define MONPRO_REGS_STATUS_DONE_MASK 0x00000002u /* r: The last operation ended, well or not, or a wipe did, that after a reset included. Cleared by start, wipe, clear and a write to PRODUCT */
#define MONPRO_REGS_STATUS_DONE_SHIFT 1u
#define MONPRO_REGS_STATUS_WARM_MASK 0x00000004u /* r: The constants of the modulus in its slot are there: the next operation is warm */
#define MONPRO_REGS_STATUS_WARM_SHIFT 2u
#define MONPRO_REGS_STATUS_RESULT_MASK 0x00000008u /* r: A result can be read */
#define MONPRO_REGS_STATUS_RESULT_SHIFT 3u
#define MONPRO_REGS_STATUS_ERROR_MASK 0x000000F0u /* r: How the last operation ended. Any value but none wiped the operands */
#define MONPRO_REGS_STATUS_ERROR_SHIFT 4u
#define MONPRO_REGS_STATUS_FAULT_MASK 0x00000F00u /* r: The first misuse of the bus since the last clear */
#define MONPRO_REGS_STATUS_FAULT_SHIFT 8u
#define MONPRO_REGS_STATUS_QUEUED_MASK 0x0000F000u /* r: Products in the queue that have not begun: PRODUCT can be written while these are fewer than 8 */
#define MONPRO_REGS_STATUS_QUEUED_SHIFT 12u
#define MONPRO_REGS_STATUS_STREAMING_MASK 0x00010000u /* r: A packet is under way, from its header until its status word is taken; up to a flush it has operands and start for itself */
#define MONPRO_REGS_STATUS_STREAMING_SHIFT 16u
#define MONPRO_REGS_STATUS_LOCKED_MASK 0x00020000u /* r: An operation with CONFIG.leave = lock has left its operands. A wipe ends it */
#define MONPRO_REGS_STATUS_LOCKED_SHIFT 17u

/* Interrupt */
#define MONPRO_REGS_INTERRUPT_OFFSET 0x28u
#define MONPRO_REGS_INTERRUPT_ENABLE_MASK 0x00000001u /* rw: Raise the interrupt line while STATUS.done is set */
#define MONPRO_REGS_INTERRUPT_ENABLE_SHIFT 0u
#define MONPRO_REGS_INTERRUPT_QUEUE_MASK 0x00000002u /* rw: Raise it while at most half of the queue, 4 products, is filled */
#define MONPRO_REGS_INTERRUPT_QUEUE_SHIFT 1u

/* Length. Setting it, even to the same value, forgets every operand. Cycles depend on it and not on the modulus, except in a design of bit-serial multipliers (PARAM_TABLE.words and PARAM_FEATURES.entries are zero): there they depend on how many bits the modulus has */
#define MONPRO_REGS_LENGTH_OFFSET 0x2Cu
#define MONPRO_REGS_LENGTH_WORDS_MASK 0x00000FFFu /* rw: Words of the modulus: ceil((bits of the modulus + 2) / PARAM_ARRAY.word_bits); of p and q with CRT; with PARAM_ARRAY.exact ceil(bits / word_bits) */
#define MONPRO_REGS_LENGTH_WORDS_SHIFT 0u

/* Exponent length */
#define MONPRO_REGS_EXPONENT_OFFSET 0x30u
#define MONPRO_REGS_EXPONENT_BITS_MASK 0x0000FFFFu /* rw: Bits of the exponent that are processed, leading zeros included */
#define MONPRO_REGS_EXPONENT_BITS_SHIFT 0u

/* Configuration */
#define MONPRO_REGS_CONFIG_OFFSET 0x34u
#define MONPRO_REGS_CONFIG_SCHEME_MASK 0x00000007u /* rw: Exponentiation scheme */
#define MONPRO_REGS_CONFIG_SCHEME_SHIFT 0u
#define MONPRO_REGS_CONFIG_WINDOW_MASK 0x00000070u /* rw: Bits of the window, 1 to 6; of meaning to fixed_window and sliding_window only */
#define MONPRO_REGS_CONFIG_WINDOW_SHIFT 4u
#define MONPRO_REGS_CONFIG_PUBLIC_MASK 0x00000100u /* rw: The exponent is public: the time may depend on it */
#define MONPRO_REGS_CONFIG_PUBLIC_SHIFT 8u
#define MONPRO_REGS_CONFIG_CRT_MASK 0x00001000u /* rw: RSA private operation over p and q */
#define MONPRO_REGS_CONFIG_CRT_SHIFT 12u
#define MONPRO_REGS_CONFIG_LEAVE_MASK 0x00030000u /* rw: What an operation leaves behind when it has ended well. Any other end leaves nothing. Of no meaning with entries */
#define MONPRO_REGS_CONFIG_LEAVE_SHIFT 16u

/* Operand select. Selects the slot behind DATA and starts at its lowest word */
#define MONPRO_REGS_OPERAND_OFFSET 0x38u
#define MONPRO_REGS_OPERAND_SLOT_MASK 0x00000007u /* rw: The slot */
#define MONPRO_REGS_OPERAND_SLOT_SHIFT 0u
#define MONPRO_REGS_OPERAND_ENTRY_MASK 0x00001F00u /* rw: With slot entry: which; nothing is written to one that there is not */
#define MONPRO_REGS_OPERAND_ENTRY_SHIFT 8u

/* Operand data. The next 32 bits of the selected slot, least significant first. A write of fewer than four bytes answers SLVERR and changes nothing. Moduli, qInv and base: write ceil(word_bits * s / 32) words, zeros at the top (PARAM_ARRAY.delay says what s and K are); the base with CRT: ceil(word_bits * 2K / 32); exponents: ceil(EXPONENT.bits / 32). A result is ceil(bits / 32) words. An entry, written or read, is as long as a modulus */
#define MONPRO_REGS_DATA_OFFSET 0x3Cu
#define MONPRO_REGS_DATA_DATA_MASK 0xFFFFFFFFu /* rw: 32 bits of the operand */
#define MONPRO_REGS_DATA_DATA_SHIFT 0u

/* Cycles: load */
#define MONPRO_REGS_CYCLES_LOAD_OFFSET 0x40u
#define MONPRO_REGS_CYCLES_LOAD_CYCLES_MASK 0xFFFFFFFFu /* r: of the last operation: clock cycles with a bus write under way, from its request until its response is taken, from the end of the operation before to its start; with entries since COMMAND.start, whenever no command is under way, whatever is written */
#define MONPRO_REGS_CYCLES_LOAD_CYCLES_SHIFT 0u

/* Cycles: precompute */
#define MONPRO_REGS_CYCLES_PRECOMPUTE_OFFSET 0x44u
#define MONPRO_REGS_CYCLES_PRECOMPUTE_CYCLES_MASK 0xFFFFFFFFu /* r: Of the last operation: from start until the first product or pass of the exponentiation begins: the checks of the operands and, unless it was warm, the constants of the modulus. Together with CYCLES_EXPONENTIATE every cycle in which it was busy */
#define MONPRO_REGS_CYCLES_PRECOMPUTE_CYCLES_SHIFT 0u

/* Cycles: exponentiate, low */
#define MONPRO_REGS_CYCLES_EXPONENTIATE_LOW_OFFSET 0x48u
#define MONPRO_REGS_CYCLES_EXPONENTIATE_LOW_CYCLES_MASK 0xFFFFFFFFu /* r: Of the last operation: from there to the result: into Montgomery form, table, exponent, out of Montgomery form; with CRT also c modulo p and q, and the recombination */
#define MONPRO_REGS_CYCLES_EXPONENTIATE_LOW_CYCLES_SHIFT 0u

/* Cycles: exponentiate, high */
#define MONPRO_REGS_CYCLES_EXPONENTIATE_HIGH_OFFSET 0x4Cu
#define MONPRO_REGS_CYCLES_EXPONENTIATE_HIGH_CYCLES_MASK 0xFFFFFFFFu /* r: Upper half */
#define MONPRO_REGS_CYCLES_EXPONENTIATE_HIGH_CYCLES_SHIFT 0u

/* Cycles: read back */
#define MONPRO_REGS_CYCLES_READ_OFFSET 0x50u
#define MONPRO_REGS_CYCLES_READ_CYCLES_MASK 0xFFFFFFFFu /* r: Clock cycles with a bus read under way since the last operation ended */
#define MONPRO_REGS_CYCLES_READ_CYCLES_SHIFT 0u

/* Operations */
#define MONPRO_REGS_OPERATIONS_OFFSET 0x54u
#define MONPRO_REGS_OPERATIONS_COUNT_MASK 0xFFFFFFFFu /* r: Operations that ended without an error since reset; with entries: commands of PRODUCT that began */
#define MONPRO_REGS_OPERATIONS_COUNT_SHIFT 0u

/* Products */
#define MONPRO_REGS_PRODUCTS_OFFSET 0x58u
#define MONPRO_REGS_PRODUCTS_COUNT_MASK 0xFFFFFFFFu /* r: Montgomery products of the last operation, or since COMMAND.start with entries */
#define MONPRO_REGS_PRODUCTS_COUNT_SHIFT 0u

/* Single product. A write puts one into the queue. They are done in order, each with the results of those before it. STATUS.done is set when the queue has run empty */
#define MONPRO_REGS_PRODUCT_OFFSET 0x5Cu
#define MONPRO_REGS_PRODUCT_X_MASK 0x0000001Fu /* w: Entry of the first factor */
#define MONPRO_REGS_PRODUCT_X_SHIFT 0u
#define MONPRO_REGS_PRODUCT_Y_MASK 0x00001F00u /* w: Entry of the second factor */
#define MONPRO_REGS_PRODUCT_Y_SHIFT 8u
#define MONPRO_REGS_PRODUCT_TO_MASK 0x001F0000u /* w: Entry of the result x * y / R mod N; it may be a factor too */
#define MONPRO_REGS_PRODUCT_TO_SHIFT 16u
#define MONPRO_REGS_PRODUCT_CHOOSE_MASK 0x01000000u /* w: No product: the result is a copy of x if `first` is set, else of y, in the same cycles and with both read */
#define MONPRO_REGS_PRODUCT_CHOOSE_SHIFT 24u
#define MONPRO_REGS_PRODUCT_FIRST_MASK 0x02000000u /* w: See choose */
#define MONPRO_REGS_PRODUCT_FIRST_SHIFT 25u

/* Encodings. Each has an enum, and a list to make tables and switches from:
 * X(NAME, value, "name", "description"). */

typedef enum monpro_regs_error {
    MONPRO_REGS_ERROR_NONE = 0,
    MONPRO_REGS_ERROR_LENGTH = 1,
    MONPRO_REGS_ERROR_MODULUS_EVEN = 2,
    MONPRO_REGS_ERROR_MODULUS_SIZE = 3,
    MONPRO_REGS_ERROR_BASE_RANGE = 4,
    MONPRO_REGS_ERROR_EXPONENT_LENGTH = 5,
    MONPRO_REGS_ERROR_WINDOW = 6,
    MONPRO_REGS_ERROR_SCHEME = 7,
    MONPRO_REGS_ERROR_OPERAND_MISSING = 8,
    MONPRO_REGS_ERROR_ABORTED = 9,
    MONPRO_REGS_ERROR_INVERSE = 10
} monpro_regs_error;
#define MONPRO_REGS_ERROR_LIST(X) \
    X(NONE, 0, "none", "The operation succeeded, or none was started") \
    X(LENGTH, 1, "length", "LENGTH.words is outside the design's range") \
    X(MODULUS_EVEN, 2, "modulus_even", "The modulus is even or zero") \
    X(MODULUS_SIZE, 3, "modulus_size", "The modulus has not the size that LENGTH.words says; with CRT also: q is far longer than p") \
    X(BASE_RANGE, 4, "base_range", "The base is not below the modulus; with CRT: qInv is not below p") \
    X(EXPONENT_LENGTH, 5, "exponent_length", "EXPONENT.bits is zero or more than the design holds (half of that with CRT; 32 with scheme repeated)") \
    X(WINDOW, 6, "window", "CONFIG.window is not 1 to 6, or its table does not fit the design's table memory at this length") \
    X(SCHEME, 7, "scheme", "CONFIG.scheme is none that the design has, or needs CONFIG.public; or CONFIG.crt is set where the design has no CRT, or with another scheme than fixed_window") \
    X(OPERAND_MISSING, 8, "operand_missing", "An operand was not written to its full length since LENGTH was set; or PRODUCT names an entry that there is not") \
    X(ABORTED, 9, "aborted", "COMMAND.abort ended the operation") \
    X(INVERSE, 10, "inverse", "n' is not -1/N mod 2^word_bits")

typedef enum monpro_regs_fault {
    MONPRO_REGS_FAULT_NONE = 0,
    MONPRO_REGS_FAULT_START_WHILE_BUSY = 1,
    MONPRO_REGS_FAULT_WRITE_WHILE_BUSY = 2,
    MONPRO_REGS_FAULT_OPERAND_TOO_LONG = 3,
    MONPRO_REGS_FAULT_NOT_READABLE = 4,
    MONPRO_REGS_FAULT_QUEUE_FULL = 5,
    MONPRO_REGS_FAULT_STREAM_HEADER = 6,
    MONPRO_REGS_FAULT_STREAM_TARGET = 7,
    MONPRO_REGS_FAULT_STREAM_SHORT = 8,
    MONPRO_REGS_FAULT_STREAM_LONG = 9,
    MONPRO_REGS_FAULT_STREAM_CUT = 10,
    MONPRO_REGS_FAULT_STREAM_BUSY = 11,
    MONPRO_REGS_FAULT_LOCKED = 12
} monpro_regs_fault;
#define MONPRO_REGS_FAULT_LIST(X) \
    X(NONE, 0, "none", "No fault since the last COMMAND.clear") \
    X(START_WHILE_BUSY, 1, "start_while_busy", "COMMAND.start while an operation runs: ignored, the operation goes on") \
    X(WRITE_WHILE_BUSY, 2, "write_while_busy", "A configuration or operand write while an operation runs: dropped, the operation goes on") \
    X(OPERAND_TOO_LONG, 3, "operand_too_long", "A non-zero bit beyond the operand's length: the operand counts as missing") \
    X(NOT_READABLE, 4, "not_readable", "DATA was read while no result is there, or from a slot or entry that cannot be read: zero was returned") \
    X(QUEUE_FULL, 5, "queue_full", "PRODUCT was written while the queue was full or a wipe ran, or in a design without entries: dropped") \
    X(STREAM_HEADER, 6, "stream_header", "A packet does not begin with its header, or a section word in it is none; or a section is longer than its packet") \
    X(STREAM_TARGET, 7, "stream_target", "A packet names a register that there is not, or that cannot be written or read") \
    X(STREAM_SHORT, 8, "stream_short", "A packet ended before the length in its header, or a word of it has less than four bytes") \
    X(STREAM_LONG, 9, "stream_long", "A packet did not end at the length in its header; its last word by that length was dropped, too") \
    X(STREAM_CUT, 10, "stream_cut", "COMMAND.flush, wipe or abort ended a packet under way, or dropped words of an answer") \
    X(STREAM_BUSY, 11, "stream_busy", "Over AXI4-Lite, with a packet under way: a configuration or operand write, a start, a PRODUCT or a read of DATA: dropped, the read returned zero") \
    X(LOCKED, 12, "locked", "LENGTH, EXPONENT, CONFIG or an operand that is no base was written while STATUS.locked: dropped, and everything is wiped")

typedef enum monpro_regs_scheme {
    MONPRO_REGS_SCHEME_FIXED_WINDOW = 0,
    MONPRO_REGS_SCHEME_BINARY = 1,
    MONPRO_REGS_SCHEME_RIGHT_TO_LEFT = 2,
    MONPRO_REGS_SCHEME_SLIDING_WINDOW = 3,
    MONPRO_REGS_SCHEME_LADDER = 4,
    MONPRO_REGS_SCHEME_REPEATED = 5
} monpro_regs_scheme;
#define MONPRO_REGS_SCHEME_LIST(X) \
    X(FIXED_WINDOW, 0, "fixed_window", "Left-to-right fixed window. Cycles depend on lengths only, whatever the exponent") \
    X(BINARY, 1, "binary", "Left-to-right binary. With CONFIG.public the zero bits cost no multiplication, otherwise every bit costs one") \
    X(RIGHT_TO_LEFT, 2, "right_to_left", "Right-to-left binary. With CONFIG.public the zero bits cost no multiplication, otherwise every bit costs one") \
    X(SLIDING_WINDOW, 3, "sliding_window", "Left-to-right sliding window over odd powers. The time depends on the exponent: CONFIG.public only") \
    X(LADDER, 4, "ladder", "Montgomery ladder: a product and a squaring for each bit. Cycles depend on lengths only") \
    X(REPEATED, 5, "repeated", "e - 1 multiplications by the base: CONFIG.public and exponents of 32 bits at most only")

typedef enum monpro_regs_leave {
    MONPRO_REGS_LEAVE_KEEP = 0,
    MONPRO_REGS_LEAVE_LOCK = 1,
    MONPRO_REGS_LEAVE_WIPE = 2
} monpro_regs_leave;
#define MONPRO_REGS_LEAVE_LIST(X) \
    X(KEEP, 0, "keep", "The modulus, or p and q, with their constants. Any operation can use them: trust every master of the bus") \
    X(LOCK, 1, "lock", "All but the base. Only a base can be written, and only the same operation started, until a wipe") \
    X(WIPE, 2, "wipe", "The result alone. 3 is the same")

typedef enum monpro_regs_slot {
    MONPRO_REGS_SLOT_MODULUS = 0,
    MONPRO_REGS_SLOT_BASE = 1,
    MONPRO_REGS_SLOT_EXPONENT = 2,
    MONPRO_REGS_SLOT_RESULT = 3,
    MONPRO_REGS_SLOT_MODULUS_Q = 4,
    MONPRO_REGS_SLOT_EXPONENT_Q = 5,
    MONPRO_REGS_SLOT_INVERSE = 6,
    MONPRO_REGS_SLOT_ENTRY = 7
} monpro_regs_slot;
#define MONPRO_REGS_SLOT_LIST(X) \
    X(MODULUS, 0, "modulus", "N, or p with CRT: odd, LENGTH words long. Kept from one operation to the next, with what was precomputed from it, unless CONFIG.leave is wipe. With entries, unless PARAM_ARRAY.exact is set: 2^-word_bits mod N instead of N") \
    X(BASE, 1, "base", "x < N; c < p * q with CRT. Used up by the operation") \
    X(EXPONENT, 2, "exponent", "e, or dP with CRT, EXPONENT.bits long. Used up by the operation, unless CONFIG.leave is lock: no one can use a secret exponent again without knowing it") \
    X(RESULT, 3, "result", "x^e mod N, or c^d mod p * q with CRT. The only slot that can be read, but for entries") \
    X(MODULUS_Q, 4, "modulus_q", "q: CRT only, as modulus, and of the same length in bits as p") \
    X(EXPONENT_Q, 5, "exponent_q", "dQ: CRT only, as exponent") \
    X(INVERSE, 6, "inverse", "qInv = q^-1 mod p: CRT only, LENGTH words long. Used up by the operation, unless CONFIG.leave is lock. With PARAM_ARRAY.exact: n' = -1/N mod 2^word_bits, one word") \
    X(ENTRY, 7, "entry", "The operand or result of single products that OPERAND.entry names")

#endif
