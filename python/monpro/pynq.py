# SPDX-License-Identifier: Apache-2.0
"""The coprocessor in the manner of PYNQ: an overlay, a register map, buffers.

    overlay = Overlay("monpro.bit")                # on a PYNQ board, with its own library
    overlay = Overlay("sim:pynq")                  # anywhere: the design's RTL, simulated
    overlay.monpro.register_map.STATUS             # what each field holds
    overlay.monpro.register_map.LENGTH.words = 32  # writes the field
    x = allocate(32)                               # words of 32 bits
    overlay.monpro.write_operand(Slot.MODULUS, modulus)

The registers are those of docs/registers.html, by their names. MonproIP.product() is a single
Montgomery product of a design with exact products, such as `pynq`: operands in, start, poll, result
out.
"""

from __future__ import annotations

import array
from typing import Any, Protocol

from monpro.base.closing import Closing
from monpro.errors import MonproError
from monpro.hardware import designs, regs, simulator
from monpro.hardware.regs import Register, Slot

IP_NAME = "monpro_0"
POLLS = 1 << 20
ACCUMULATOR, FIRST, SECOND = 0, 1, 2  # entries


class Mmio(Protocol):
    """Accesses to 32-bit registers by their addresses, like PYNQ's MMIO."""

    def read(self, offset: int) -> int: ...

    def write(self, offset: int, value: int) -> None: ...


class SimulatedMmio:
    """The registers of a simulated coprocessor, an access of the bus each."""

    def __init__(self, design: designs.Design) -> None:
        import cffi

        from monpro import _native
        from monpro.base import paths

        header = (paths.share() / "sim" / "monpro_sim.h").read_text(encoding="utf-8")
        self._ffi: Any = cffi.FFI()
        self._ffi.cdef(_native.declarations(header.replace('extern "C" {', "")))
        self._model: Any = self._ffi.dlopen(str(simulator.model(design)))
        self._sim: Any = self._model.monpro_sim_create(self._ffi.NULL)

    def read(self, offset: int) -> int:
        value = self._ffi.new("uint32_t *")
        self._check(self._model.monpro_sim_read(self._open(), offset, value), "reading", offset)
        return int(value[0])

    def write(self, offset: int, value: int) -> None:
        self._check(self._model.monpro_sim_write(self._open(), offset, value), "writing", offset)

    def cycles(self) -> int:
        """Clock cycles since the start."""
        return int(self._model.monpro_sim_cycles(self._open()))

    def close(self) -> None:
        if self._sim is not None:
            self._model.monpro_sim_destroy(self._sim)
            self._sim = None

    def _open(self) -> Any:
        if self._sim is None:
            raise MonproError("MONPRO_ERR_ARGUMENT", "the overlay is closed")
        return self._sim

    @staticmethod
    def _check(code: int, what: str, offset: int) -> None:
        if code:
            raise MonproError("MONPRO_ERR_DEVICE_BUS", f"{what} register {offset:#04x}: {code}")


class RegisterView:
    """One register: a field is an attribute; reading it reads the register."""

    _mmio: Mmio
    _register: Register

    def __init__(self, mmio: Mmio, register: Register) -> None:
        object.__setattr__(self, "_mmio", mmio)
        object.__setattr__(self, "_register", register)

    def __int__(self) -> int:
        return int(self._mmio.read(self._register.offset))

    def __getattr__(self, name: str) -> int:
        return self._field(name).get(int(self))

    def __setattr__(self, name: str, value: int) -> None:
        """Writes the field; the register's others keep what they hold, if that can be read."""
        field = self._field(name)
        others = any("r" in x.access for x in self._register.fields)
        word = int(self) & ~field.mask if others else 0
        self._mmio.write(self._register.offset, word | field.put(value))

    def _field(self, name: str) -> regs.Field:
        for field in self._register.fields:
            if _short(field) == name.lower():
                return field
        known = ", ".join(map(_short, self._register.fields))
        raise AttributeError(f"{self._register.name} has no field {name}; there are: {known}")

    def __repr__(self) -> str:
        word = int(self)
        fields = ", ".join(f"{_short(x)}={x.get(word)}" for x in self._register.fields)
        return f"{self._register.name}({fields})"


def _short(field: regs.Field) -> str:
    """A field's name without its register's."""
    return field.name.rpartition(".")[2].lower()


class RegisterMap:
    """All registers, by their names."""

    def __init__(self, mmio: Mmio) -> None:
        self._mmio = mmio
        self._registers = {register.name: register for register in regs.REGISTERS}

    def __getattr__(self, name: str) -> RegisterView:
        registers: dict[str, Register] = self.__dict__.get("_registers", {})
        if name not in registers:
            raise AttributeError(f"no register {name}; there are: {', '.join(registers)}")
        return RegisterView(self._mmio, registers[name])

    def __dir__(self) -> list[str]:
        return list(self._registers)


class MonproIP:
    """The coprocessor of an overlay."""

    def __init__(self, mmio: Mmio) -> None:
        self.mmio = mmio
        self.register_map = RegisterMap(mmio)
        if int(self.register_map.ID) != regs.ID_MAGIC.reset:
            raise MonproError("MONPRO_ERR_DEVICE_ABSENT", "no coprocessor answers there")

    def read(self, offset: int) -> int:
        return self.mmio.read(offset)

    def write(self, offset: int, value: int) -> None:
        self.mmio.write(offset, value)

    def write_operand(self, slot: Slot, words: Any, entry: int = 0) -> None:
        """Words of 32 bits, the lowest first, into a slot."""
        self.write(regs.OPERAND.offset, regs.OPERAND_SLOT.put(slot) | regs.OPERAND_ENTRY.put(entry))
        for word in words:
            self.write(regs.DATA.offset, int(word))

    def read_operand(self, slot: Slot, words: Any, entry: int = 0) -> None:
        """Fills a buffer from a slot."""
        self.write(regs.OPERAND.offset, regs.OPERAND_SLOT.put(slot) | regs.OPERAND_ENTRY.put(entry))
        for index in range(len(words)):
            words[index] = self.read(regs.DATA.offset)

    def _idle(self) -> int:
        """Polls until the coprocessor is idle. Returns STATUS, with the errors in it."""
        for _ in range(POLLS):
            status = int(self.register_map.STATUS)
            if not regs.STATUS_BUSY.get(status):
                return status
        raise MonproError("MONPRO_ERR_DEVICE_TIMEOUT", "the coprocessor stays busy")

    def wait(self) -> None:
        """Polls until the coprocessor is idle; an error or a fault that it names is raised."""
        status = self._idle()
        error, fault = regs.STATUS_ERROR.get(status), regs.STATUS_FAULT.get(status)
        if error or fault:
            names = [x.name.lower() for x in regs.Error if error and x == error]
            names += [x.name.lower() for x in regs.Fault if fault and x == fault]
            raise MonproError(
                "MONPRO_ERR_DEVICE_FAULT", f"the coprocessor says: {', '.join(names)}"
            )

    def load_modulus(self, modulus: int, bits: int) -> None:
        """Writes the modulus and -1/N mod 2^w, for exact products. Forgets an earlier error."""
        width = self.register_map.PARAM_ARRAY.word_bits
        if not self.register_map.PARAM_ARRAY.exact:
            raise MonproError("MONPRO_ERR_UNSUPPORTED", "this design's products are not exact")
        words = to_words(modulus, bits)
        if modulus % 2 == 0:
            raise MonproError(
                "MONPRO_ERR_MODULUS_EVEN",
                "the modulus is even: Montgomery products need an odd one",
            )
        self._idle()  # no wait(): only the start below clears an old error
        self.write(regs.COMMAND.offset, regs.COMMAND_CLEAR.mask)
        self.write(regs.COMMAND.offset, regs.COMMAND_START.mask)
        self.register_map.LENGTH.words = -(-bits // width)
        self.write_operand(Slot.MODULUS, words)
        self.write_operand(Slot.INVERSE, to_words(-pow(modulus, -1, 1 << width) % (1 << width), 32))

    def product(self, x: int, y: int, bits: int) -> int:
        """x * y / R mod N, R being 2^(w K) for K words of w bits."""
        first, second = to_words(x, bits), to_words(y, bits)
        self.write_operand(Slot.ENTRY, first, FIRST)
        self.write_operand(Slot.ENTRY, second, SECOND)
        self.write(
            regs.PRODUCT.offset,
            regs.PRODUCT_X.put(FIRST)
            | regs.PRODUCT_Y.put(SECOND)
            | regs.PRODUCT_TO.put(ACCUMULATOR),
        )
        self.wait()
        result = allocate(-(-bits // 32))
        self.read_operand(Slot.ENTRY, result, ACCUMULATOR)
        return from_words(result)


class Overlay(Closing):
    """A configured device with a coprocessor in it: `monpro` is its driver."""

    def __init__(self, bitfile: str, **more: Any) -> None:
        self._mmio: Any
        if bitfile.startswith("sim:"):
            design = designs.parse(bitfile.removeprefix("sim:"))
            if design.stream:
                raise MonproError(
                    "MONPRO_ERR_UNSUPPORTED",
                    f"{design.name} is a kernel between two streams: it has no registers",
                )
            self._mmio = SimulatedMmio(design)
        else:
            try:
                import pynq
            except ImportError as why:
                raise MonproError(
                    "MONPRO_ERR_UNSUPPORTED",
                    f"{bitfile} is for a board with PYNQ; without one: Overlay('sim:pynq')",
                ) from why
            self._mmio = getattr(pynq.Overlay(bitfile, **more), IP_NAME).mmio
        self.monpro = MonproIP(self._mmio)

    def close(self) -> None:
        """Ends a simulation."""
        if isinstance(self._mmio, SimulatedMmio):
            self._mmio.close()


def allocate(shape: int, dtype: str = "u4") -> Any:
    """A buffer of words of 32 bits: PYNQ's, which its DMA can reach, or one of this process."""
    if dtype not in ("u4", "uint32"):
        raise MonproError("MONPRO_ERR_ARGUMENT", f"buffers are of 32-bit words, not {dtype}")
    try:
        import pynq
    except ImportError:
        return array.array("I", bytes(4 * shape))
    return pynq.allocate(shape=(shape,), dtype="u4")


def to_words(value: int, bits: int) -> list[int]:
    """A number as words of 32 bits, the lowest first; one that has more bits is refused."""
    if value < 0 or value >> bits:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f"the number is negative or longer than {bits} bits"
        )
    return [value >> 32 * i & 0xFFFFFFFF for i in range(-(-bits // 32))]


def from_words(words: Any) -> int:
    """The number in a buffer."""
    return sum(int(word) << 32 * i for i, word in enumerate(words))
