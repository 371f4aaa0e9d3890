# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers: offsets, fields and what fields may hold.

Generated from regs/monpro.rdl by regs/generate.py. Do not edit.
A register is a constant (`STATUS`), and so is each field (`STATUS_ERROR`):

    word = read(STATUS.offset)
    if STATUS_DONE.get(word) and STATUS_ERROR.get(word) == Error.NONE: ...
    write(CONFIG.offset, CONFIG_SCHEME.put(Scheme.BINARY) | CONFIG_PUBLIC.put(1))
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from monpro.hardware.schemes import Scheme as Scheme


class Encoding(IntEnum):
    """What a field may hold; each member says what it means."""

    description: str

    def __new__(cls, value: int, description: str) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of a register; `access` is what software may do: "r", "w" or "rw"."""

    name: str
    low: int
    high: int
    access: str
    reset: int | None
    description: str
    encoding: type[IntEnum] | None = None

    @property
    def mask(self) -> int:
        return ((1 << (self.high - self.low + 1)) - 1) << self.low

    def get(self, word: int) -> int:
        """The field's value in a word of its register."""
        return (word & self.mask) >> self.low

    def put(self, value: int) -> int:
        """The word that has `value` in this field and zero elsewhere."""
        if not 0 <= value <= self.mask >> self.low:
            raise ValueError(f"{self.name} cannot hold {value}")
        return value << self.low


@dataclass(frozen=True, slots=True)
class Register:
    """A 32-bit register; `offset` is its address in bytes, `fields` start at bit 0."""

    name: str
    offset: int
    title: str
    description: str
    fields: tuple[Field, ...]


class Error(Encoding):
    NONE = (
        0,
        "The operation succeeded, or none was started",
    )
    LENGTH = (
        1,
        "LENGTH.words is outside the design's range",
    )
    MODULUS_EVEN = (
        2,
        "The modulus is even or zero",
    )
    MODULUS_SIZE = (
        3,
        (
            "The modulus has not the size that LENGTH.words says; with CRT also: q is far longer "
            "than p"
        ),
    )
    BASE_RANGE = (
        4,
        "The base is not below the modulus; with CRT: qInv is not below p",
    )
    EXPONENT_LENGTH = (
        5,
        (
            "EXPONENT.bits is zero or more than the design holds (half of that with CRT; 32 with "
            "scheme repeated)"
        ),
    )
    WINDOW = (
        6,
        (
            "CONFIG.window is not 1 to 6, or its table does not fit the design's table memory at "
            "this length"
        ),
    )
    SCHEME = (
        7,
        (
            "CONFIG.scheme is none that the design has, or needs CONFIG.public; or CONFIG.crt is "
            "set where the design has no CRT, or with another scheme than fixed_window"
        ),
    )
    OPERAND_MISSING = (
        8,
        (
            "An operand was not written to its full length since LENGTH was set; or PRODUCT names"
            " an entry that there is not"
        ),
    )
    ABORTED = (
        9,
        "COMMAND.abort ended the operation",
    )
    INVERSE = (
        10,
        "n' is not -1/N mod 2^word_bits",
    )


class Fault(Encoding):
    NONE = (
        0,
        "No fault since the last COMMAND.clear",
    )
    START_WHILE_BUSY = (
        1,
        "COMMAND.start while an operation runs: ignored, the operation goes on",
    )
    WRITE_WHILE_BUSY = (
        2,
        "A configuration or operand write while an operation runs: dropped, the operation goes on",
    )
    OPERAND_TOO_LONG = (
        3,
        "A non-zero bit beyond the operand's length: the operand counts as missing",
    )
    NOT_READABLE = (
        4,
        (
            "DATA was read while no result is there, or from a slot or entry that cannot be read:"
            " zero was returned"
        ),
    )
    QUEUE_FULL = (
        5,
        (
            "PRODUCT was written while the queue was full or a wipe ran, or in a design without "
            "entries: dropped"
        ),
    )
    STREAM_HEADER = (
        6,
        (
            "A packet does not begin with its header, or a section word in it is none; or a "
            "section is longer than its packet"
        ),
    )
    STREAM_TARGET = (
        7,
        "A packet names a register that there is not, or that cannot be written or read",
    )
    STREAM_SHORT = (
        8,
        "A packet ended before the length in its header, or a word of it has less than four bytes",
    )
    STREAM_LONG = (
        9,
        (
            "A packet did not end at the length in its header; its last word by that length was "
            "dropped, too"
        ),
    )
    STREAM_CUT = (
        10,
        "COMMAND.flush, wipe or abort ended a packet under way, or dropped words of an answer",
    )
    STREAM_BUSY = (
        11,
        (
            "Over AXI4-Lite, with a packet under way: a configuration or operand write, a start, "
            "a PRODUCT or a read of DATA: dropped, the read returned zero"
        ),
    )
    LOCKED = (
        12,
        (
            "LENGTH, EXPONENT, CONFIG or an operand that is no base was written while "
            "STATUS.locked: dropped, and everything is wiped"
        ),
    )


class Leave(Encoding):
    KEEP = (
        0,
        (
            "The modulus, or p and q, with their constants. Any operation can use them: trust "
            "every master of the bus"
        ),
    )
    LOCK = (
        1,
        (
            "All but the base. Only a base can be written, and only the same operation started, "
            "until a wipe"
        ),
    )
    WIPE = (
        2,
        "The result alone. 3 is the same",
    )


class Slot(Encoding):
    MODULUS = (
        0,
        (
            "N, or p with CRT: odd, LENGTH words long. Kept from one operation to the next, with "
            "what was precomputed from it, unless CONFIG.leave is wipe. With entries, unless "
            "PARAM_ARRAY.exact is set: 2^-word_bits mod N instead of N"
        ),
    )
    BASE = (
        1,
        "x < N; c < p * q with CRT. Used up by the operation",
    )
    EXPONENT = (
        2,
        (
            "e, or dP with CRT, EXPONENT.bits long. Used up by the operation, unless CONFIG.leave"
            " is lock: no one can use a secret exponent again without knowing it"
        ),
    )
    RESULT = (
        3,
        "x^e mod N, or c^d mod p * q with CRT. The only slot that can be read, but for entries",
    )
    MODULUS_Q = (
        4,
        "q: CRT only, as modulus, and of the same length in bits as p",
    )
    EXPONENT_Q = (
        5,
        "dQ: CRT only, as exponent",
    )
    INVERSE = (
        6,
        (
            "qInv = q^-1 mod p: CRT only, LENGTH words long. Used up by the operation, unless "
            "CONFIG.leave is lock. With PARAM_ARRAY.exact: n' = -1/N mod 2^word_bits, one word"
        ),
    )
    ENTRY = (
        7,
        "The operand or result of single products that OPERAND.entry names",
    )


ID_MAGIC = Field(
    name="ID.magic",
    low=0,
    high=31,
    access="r",
    reset=0x4D4E5052,
    description='0x4D4E5052, "MNPR"',
)
ID = Register(
    name="ID",
    offset=0x00,
    title="Identification",
    description="",
    fields=(ID_MAGIC,),
)
VERSION_MINOR = Field(
    name="VERSION.minor",
    low=0,
    high=15,
    access="r",
    reset=0x1,
    description="Grows with each compatible addition",
)
VERSION_MAJOR = Field(
    name="VERSION.major",
    low=16,
    high=31,
    access="r",
    reset=0x3,
    description="A driver refuses another major",
)
VERSION = Register(
    name="VERSION",
    offset=0x04,
    title="Version of the register map",
    description="",
    fields=(
        VERSION_MINOR,
        VERSION_MAJOR,
    ),
)
PARAM_ARRAY_WORD_BITS = Field(
    name="PARAM_ARRAY.word_bits",
    low=0,
    high=7,
    access="r",
    reset=None,
    description="Bits of a word",
)
PARAM_ARRAY_ELEMENTS = Field(
    name="PARAM_ARRAY.elements",
    low=8,
    high=23,
    access="r",
    reset=None,
    description="Processing elements",
)
PARAM_ARRAY_DELAY = Field(
    name="PARAM_ARRAY.delay",
    low=24,
    high=27,
    access="r",
    reset=None,
    description=(
        "Rows by which a quotient digit is used late, D. A product has K = k * U - D digits, k = "
        "ceil((s + D) / elements), s = LENGTH.words + 1 + D, U = max(ceil((s + D) / k), "
        "floor(elements / 2) + 1)"
    ),
)
PARAM_ARRAY_EXACT = Field(
    name="PARAM_ARRAY.exact",
    low=28,
    high=28,
    access="r",
    reset=None,
    description=(
        "Products of operands below N, to the end: LENGTH.words = ceil(bits / word_bits), s = K ="
        " LENGTH.words, and operand inverse is needed"
    ),
)
PARAM_ARRAY = Register(
    name="PARAM_ARRAY",
    offset=0x08,
    title="Parameters: multiplier",
    description="",
    fields=(
        PARAM_ARRAY_WORD_BITS,
        PARAM_ARRAY_ELEMENTS,
        PARAM_ARRAY_DELAY,
        PARAM_ARRAY_EXACT,
    ),
)
PARAM_BITS_MIN_BITS = Field(
    name="PARAM_BITS.min_bits",
    low=0,
    high=15,
    access="r",
    reset=None,
    description="Shortest modulus, in bits",
)
PARAM_BITS_MAX_BITS = Field(
    name="PARAM_BITS.max_bits",
    low=16,
    high=31,
    access="r",
    reset=None,
    description="Longest modulus, in bits; also the longest exponent",
)
PARAM_BITS = Register(
    name="PARAM_BITS",
    offset=0x0C,
    title="Parameters: lengths",
    description="",
    fields=(
        PARAM_BITS_MIN_BITS,
        PARAM_BITS_MAX_BITS,
    ),
)
PARAM_TABLE_WORDS = Field(
    name="PARAM_TABLE.words",
    low=0,
    high=23,
    access="r",
    reset=None,
    description=(
        "Words of the table memory; a window of k bits needs s * max(2^k, 2 * banks) "
        "(PARAM_ARRAY.delay says what s is), twice that with CRT; sliding_window as if k were one"
        " less"
    ),
)
PARAM_TABLE_BANKS = Field(
    name="PARAM_TABLE.banks",
    low=24,
    high=31,
    access="r",
    reset=None,
    description=(
        "Memories side by side in which it lies: a look-up takes s * max(2^k / banks, 2) cycles, "
        "twice that with CRT"
    ),
)
PARAM_TABLE = Register(
    name="PARAM_TABLE",
    offset=0x10,
    title="Parameters: table",
    description="",
    fields=(
        PARAM_TABLE_WORDS,
        PARAM_TABLE_BANKS,
    ),
)
PARAM_FEATURES_MULTIPLIERS = Field(
    name="PARAM_FEATURES.multipliers",
    low=0,
    high=15,
    access="r",
    reset=None,
    description="Multiplier blocks present",
)
PARAM_FEATURES_SCHEMES = Field(
    name="PARAM_FEATURES.schemes",
    low=16,
    high=21,
    access="r",
    reset=None,
    description="Bit n set: scheme number n of CONFIG.scheme is there",
)
PARAM_FEATURES_CRT = Field(
    name="PARAM_FEATURES.crt",
    low=24,
    high=24,
    access="r",
    reset=None,
    description="RSA private operations with both CRT halves at once",
)
PARAM_FEATURES_STREAM = Field(
    name="PARAM_FEATURES.stream",
    low=25,
    high=25,
    access="r",
    reset=None,
    description="Whole operations may come as packets over AXI4-Stream",
)
PARAM_FEATURES_ENTRIES = Field(
    name="PARAM_FEATURES.entries",
    low=26,
    high=31,
    access="r",
    reset=None,
    description=(
        "Entries of the memory for single products; zero: the design does exponentiations. "
        "Schemes are then what software can do with them"
    ),
)
PARAM_FEATURES = Register(
    name="PARAM_FEATURES",
    offset=0x14,
    title="Parameters: features",
    description="",
    fields=(
        PARAM_FEATURES_MULTIPLIERS,
        PARAM_FEATURES_SCHEMES,
        PARAM_FEATURES_CRT,
        PARAM_FEATURES_STREAM,
        PARAM_FEATURES_ENTRIES,
    ),
)
COMMAND_START = Field(
    name="COMMAND.start",
    low=0,
    high=0,
    access="w",
    reset=0x0,
    description="Start an operation; with entries: zero the counters",
)
COMMAND_WIPE = Field(
    name="COMMAND.wipe",
    low=1,
    high=1,
    access="w",
    reset=0x0,
    description=(
        "Clear every operand, table and result; done is set when that is finished. While an "
        "operation runs it is ignored, and is a fault"
    ),
)
COMMAND_ABORT = Field(
    name="COMMAND.abort",
    low=2,
    high=2,
    access="w",
    reset=0x0,
    description="End the running operation and wipe",
)
COMMAND_CLEAR = Field(
    name="COMMAND.clear",
    low=3,
    high=3,
    access="w",
    reset=0x0,
    description="Clear STATUS.done, STATUS.fault and with them the interrupt",
)
COMMAND_FLUSH = Field(
    name="COMMAND.flush",
    low=4,
    high=4,
    access="w",
    reset=0x0,
    description=(
        "End the packet that is under way on AXI4-Stream: words of the answer that were not taken"
        " are dropped, the rest of the packet is dropped up to TLAST, then STATUS ends the "
        "answer. If no word has moved since the flush before, TLAST and STATUS are given up, too."
        " Operands and results stay. wipe and abort do that, too. Of no effect in a packet"
    ),
)
COMMAND = Register(
    name="COMMAND",
    offset=0x20,
    title="Command",
    description=(
        "Each bit is a pulse and reads as zero. Of start, wipe and abort in one write the one "
        "that destroys most wins: with wipe or abort nothing is started. start with abort, while "
        "nothing runs, is a wipe. wipe with abort, while an operation runs, is an abort."
    ),
    fields=(
        COMMAND_START,
        COMMAND_WIPE,
        COMMAND_ABORT,
        COMMAND_CLEAR,
        COMMAND_FLUSH,
    ),
)
STATUS_BUSY = Field(
    name="STATUS.busy",
    low=0,
    high=0,
    access="r",
    reset=None,
    description=(
        "An operation, or a wipe, is running. With CONFIG.leave = wipe that goes on behind "
        "STATUS.done: OPERAND can be written then and the result read"
    ),
)
STATUS_DONE = Field(
    name="STATUS.done",
    low=1,
    high=1,
    access="r",
    reset=None,
    description=(
        "The last operation ended, well or not, or a wipe did, that after a reset included. "
        "Cleared by start, wipe, clear and a write to PRODUCT"
    ),
)
STATUS_WARM = Field(
    name="STATUS.warm",
    low=2,
    high=2,
    access="r",
    reset=None,
    description="The constants of the modulus in its slot are there: the next operation is warm",
)
STATUS_RESULT = Field(
    name="STATUS.result",
    low=3,
    high=3,
    access="r",
    reset=None,
    description="A result can be read",
)
STATUS_ERROR = Field(
    name="STATUS.error",
    low=4,
    high=7,
    access="r",
    reset=None,
    description="How the last operation ended. Any value but none wiped the operands",
    encoding=Error,
)
STATUS_FAULT = Field(
    name="STATUS.fault",
    low=8,
    high=11,
    access="r",
    reset=None,
    description="The first misuse of the bus since the last clear",
    encoding=Fault,
)
STATUS_QUEUED = Field(
    name="STATUS.queued",
    low=12,
    high=15,
    access="r",
    reset=None,
    description=(
        "Products in the queue that have not begun: PRODUCT can be written while these are fewer "
        "than 8"
    ),
)
STATUS_STREAMING = Field(
    name="STATUS.streaming",
    low=16,
    high=16,
    access="r",
    reset=None,
    description=(
        "A packet is under way, from its header until its status word is taken; up to a flush it "
        "has operands and start for itself"
    ),
)
STATUS_LOCKED = Field(
    name="STATUS.locked",
    low=17,
    high=17,
    access="r",
    reset=None,
    description="An operation with CONFIG.leave = lock has left its operands. A wipe ends it",
)
STATUS = Register(
    name="STATUS",
    offset=0x24,
    title="Status",
    description="",
    fields=(
        STATUS_BUSY,
        STATUS_DONE,
        STATUS_WARM,
        STATUS_RESULT,
        STATUS_ERROR,
        STATUS_FAULT,
        STATUS_QUEUED,
        STATUS_STREAMING,
        STATUS_LOCKED,
    ),
)
INTERRUPT_ENABLE = Field(
    name="INTERRUPT.enable",
    low=0,
    high=0,
    access="rw",
    reset=0x0,
    description="Raise the interrupt line while STATUS.done is set",
)
INTERRUPT_QUEUE = Field(
    name="INTERRUPT.queue",
    low=1,
    high=1,
    access="rw",
    reset=0x0,
    description="Raise it while at most half of the queue, 4 products, is filled",
)
INTERRUPT = Register(
    name="INTERRUPT",
    offset=0x28,
    title="Interrupt",
    description="",
    fields=(
        INTERRUPT_ENABLE,
        INTERRUPT_QUEUE,
    ),
)
LENGTH_WORDS = Field(
    name="LENGTH.words",
    low=0,
    high=11,
    access="rw",
    reset=0x0,
    description=(
        "Words of the modulus: ceil((bits of the modulus + 2) / PARAM_ARRAY.word_bits); of p and "
        "q with CRT; with PARAM_ARRAY.exact ceil(bits / word_bits)"
    ),
)
LENGTH = Register(
    name="LENGTH",
    offset=0x2C,
    title="Length",
    description=(
        "Setting it, even to the same value, forgets every operand. Cycles depend on it and not "
        "on the modulus, except in a design of bit-serial multipliers (PARAM_TABLE.words and "
        "PARAM_FEATURES.entries are zero): there they depend on how many bits the modulus has."
    ),
    fields=(LENGTH_WORDS,),
)
EXPONENT_BITS = Field(
    name="EXPONENT.bits",
    low=0,
    high=15,
    access="rw",
    reset=0x0,
    description="Bits of the exponent that are processed, leading zeros included",
)
EXPONENT = Register(
    name="EXPONENT",
    offset=0x30,
    title="Exponent length",
    description="",
    fields=(EXPONENT_BITS,),
)
CONFIG_SCHEME = Field(
    name="CONFIG.scheme",
    low=0,
    high=2,
    access="rw",
    reset=0x0,
    description="Exponentiation scheme",
    encoding=Scheme,
)
CONFIG_WINDOW = Field(
    name="CONFIG.window",
    low=4,
    high=6,
    access="rw",
    reset=0x5,
    description="Bits of the window, 1 to 6; of meaning to fixed_window and sliding_window only",
)
CONFIG_PUBLIC = Field(
    name="CONFIG.public",
    low=8,
    high=8,
    access="rw",
    reset=0x0,
    description="The exponent is public: the time may depend on it",
)
CONFIG_CRT = Field(
    name="CONFIG.crt",
    low=12,
    high=12,
    access="rw",
    reset=0x0,
    description="RSA private operation over p and q",
)
CONFIG_LEAVE = Field(
    name="CONFIG.leave",
    low=16,
    high=17,
    access="rw",
    reset=0x0,
    description=(
        "What an operation leaves behind when it has ended well. Any other end leaves nothing. Of"
        " no meaning with entries"
    ),
    encoding=Leave,
)
CONFIG = Register(
    name="CONFIG",
    offset=0x34,
    title="Configuration",
    description="",
    fields=(
        CONFIG_SCHEME,
        CONFIG_WINDOW,
        CONFIG_PUBLIC,
        CONFIG_CRT,
        CONFIG_LEAVE,
    ),
)
OPERAND_SLOT = Field(
    name="OPERAND.slot",
    low=0,
    high=2,
    access="rw",
    reset=0x0,
    description="The slot",
    encoding=Slot,
)
OPERAND_ENTRY = Field(
    name="OPERAND.entry",
    low=8,
    high=12,
    access="rw",
    reset=0x0,
    description="With slot entry: which; nothing is written to one that there is not",
)
OPERAND = Register(
    name="OPERAND",
    offset=0x38,
    title="Operand select",
    description="Selects the slot behind DATA and starts at its lowest word.",
    fields=(
        OPERAND_SLOT,
        OPERAND_ENTRY,
    ),
)
DATA_DATA = Field(
    name="DATA.data",
    low=0,
    high=31,
    access="rw",
    reset=None,
    description="32 bits of the operand",
)
DATA = Register(
    name="DATA",
    offset=0x3C,
    title="Operand data",
    description=(
        "The next 32 bits of the selected slot, least significant first. A write of fewer than "
        "four bytes answers SLVERR and changes nothing. Moduli, qInv and base: write "
        "ceil(word_bits * s / 32) words, zeros at the top (PARAM_ARRAY.delay says what s and K "
        "are); the base with CRT: ceil(word_bits * 2K / 32); exponents: ceil(EXPONENT.bits / 32)."
        " A result is ceil(bits / 32) words. An entry, written or read, is as long as a modulus."
    ),
    fields=(DATA_DATA,),
)
CYCLES_LOAD_CYCLES = Field(
    name="CYCLES_LOAD.cycles",
    low=0,
    high=31,
    access="r",
    reset=None,
    description=(
        "of the last operation: clock cycles with a bus write under way, from its request until "
        "its response is taken, from the end of the operation before to its start; with entries "
        "since COMMAND.start, whenever no command is under way, whatever is written"
    ),
)
CYCLES_LOAD = Register(
    name="CYCLES_LOAD",
    offset=0x40,
    title="Cycles: load",
    description="",
    fields=(CYCLES_LOAD_CYCLES,),
)
CYCLES_PRECOMPUTE_CYCLES = Field(
    name="CYCLES_PRECOMPUTE.cycles",
    low=0,
    high=31,
    access="r",
    reset=None,
    description=(
        "Of the last operation: from start until the first product or pass of the exponentiation "
        "begins: the checks of the operands and, unless it was warm, the constants of the "
        "modulus. Together with CYCLES_EXPONENTIATE every cycle in which it was busy"
    ),
)
CYCLES_PRECOMPUTE = Register(
    name="CYCLES_PRECOMPUTE",
    offset=0x44,
    title="Cycles: precompute",
    description="",
    fields=(CYCLES_PRECOMPUTE_CYCLES,),
)
CYCLES_EXPONENTIATE_LOW_CYCLES = Field(
    name="CYCLES_EXPONENTIATE_LOW.cycles",
    low=0,
    high=31,
    access="r",
    reset=None,
    description=(
        "Of the last operation: from there to the result: into Montgomery form, table, exponent, "
        "out of Montgomery form; with CRT also c modulo p and q, and the recombination"
    ),
)
CYCLES_EXPONENTIATE_LOW = Register(
    name="CYCLES_EXPONENTIATE_LOW",
    offset=0x48,
    title="Cycles: exponentiate, low",
    description="",
    fields=(CYCLES_EXPONENTIATE_LOW_CYCLES,),
)
CYCLES_EXPONENTIATE_HIGH_CYCLES = Field(
    name="CYCLES_EXPONENTIATE_HIGH.cycles",
    low=0,
    high=31,
    access="r",
    reset=None,
    description="Upper half",
)
CYCLES_EXPONENTIATE_HIGH = Register(
    name="CYCLES_EXPONENTIATE_HIGH",
    offset=0x4C,
    title="Cycles: exponentiate, high",
    description="",
    fields=(CYCLES_EXPONENTIATE_HIGH_CYCLES,),
)
CYCLES_READ_CYCLES = Field(
    name="CYCLES_READ.cycles",
    low=0,
    high=31,
    access="r",
    reset=None,
    description="Clock cycles with a bus read under way since the last operation ended",
)
CYCLES_READ = Register(
    name="CYCLES_READ",
    offset=0x50,
    title="Cycles: read back",
    description="",
    fields=(CYCLES_READ_CYCLES,),
)
OPERATIONS_COUNT = Field(
    name="OPERATIONS.count",
    low=0,
    high=31,
    access="r",
    reset=None,
    description=(
        "Operations that ended without an error since reset; with entries: commands of PRODUCT "
        "that began"
    ),
)
OPERATIONS = Register(
    name="OPERATIONS",
    offset=0x54,
    title="Operations",
    description="",
    fields=(OPERATIONS_COUNT,),
)
PRODUCTS_COUNT = Field(
    name="PRODUCTS.count",
    low=0,
    high=31,
    access="r",
    reset=None,
    description="Montgomery products of the last operation, or since COMMAND.start with entries",
)
PRODUCTS = Register(
    name="PRODUCTS",
    offset=0x58,
    title="Products",
    description="",
    fields=(PRODUCTS_COUNT,),
)
PRODUCT_X = Field(
    name="PRODUCT.x",
    low=0,
    high=4,
    access="w",
    reset=0x0,
    description="Entry of the first factor",
)
PRODUCT_Y = Field(
    name="PRODUCT.y",
    low=8,
    high=12,
    access="w",
    reset=0x0,
    description="Entry of the second factor",
)
PRODUCT_TO = Field(
    name="PRODUCT.to",
    low=16,
    high=20,
    access="w",
    reset=0x0,
    description="Entry of the result x * y / R mod N; it may be a factor too",
)
PRODUCT_CHOOSE = Field(
    name="PRODUCT.choose",
    low=24,
    high=24,
    access="w",
    reset=0x0,
    description=(
        "No product: the result is a copy of x if `first` is set, else of y, in the same cycles "
        "and with both read"
    ),
)
PRODUCT_FIRST = Field(
    name="PRODUCT.first",
    low=25,
    high=25,
    access="w",
    reset=0x0,
    description="See choose",
)
PRODUCT = Register(
    name="PRODUCT",
    offset=0x5C,
    title="Single product",
    description=(
        "A write puts one into the queue. They are done in order, each with the results of those "
        "before it. STATUS.done is set when the queue has run empty."
    ),
    fields=(
        PRODUCT_X,
        PRODUCT_Y,
        PRODUCT_TO,
        PRODUCT_CHOOSE,
        PRODUCT_FIRST,
    ),
)
REGISTERS: tuple[Register, ...] = (
    ID,
    VERSION,
    PARAM_ARRAY,
    PARAM_BITS,
    PARAM_TABLE,
    PARAM_FEATURES,
    COMMAND,
    STATUS,
    INTERRUPT,
    LENGTH,
    EXPONENT,
    CONFIG,
    OPERAND,
    DATA,
    CYCLES_LOAD,
    CYCLES_PRECOMPUTE,
    CYCLES_EXPONENTIATE_LOW,
    CYCLES_EXPONENTIATE_HIGH,
    CYCLES_READ,
    OPERATIONS,
    PRODUCTS,
    PRODUCT,
)
