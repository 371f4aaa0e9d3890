# SPDX-License-Identifier: Apache-2.0
"""The programs of the system on chip: the tasks for the firmware, and their right results."""

from __future__ import annotations

import dataclasses
import hashlib
import math
import random
from collections.abc import Callable

from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.hardware.schemes import Scheme
from monpro.soc.tasks import DMA, NO_CRT, PUBLIC, Kind, On, Task, number
from monpro.study.small_key import _is_prime

E = 65537
SMALL_E = 257  # for schemes that take short exponents only


@dataclasses.dataclass(frozen=True, slots=True)
class Program:
    """A program: what it is for, and its tasks for a design, a length, a scheme and a seed."""

    summary: str
    tasks: Callable[[Design | None, int, str, random.Random], list[Task]]
    peer: bool = False  # with another library in the firmware


def _operands(bits: int, rng: random.Random) -> tuple[int, int, int]:
    n = rng.getrandbits(bits) | 1 | 1 << (bits - 1)
    return n, rng.randrange(n), rng.getrandbits(bits) | 1 << (bits - 1)


def _modexp_task(
    on: On, n: int, b: int, e: int, scheme: str, *, public: bool = False, kind: Kind = Kind.MODEXP
) -> Task:
    return Task(
        kind, on, (number(n), number(b), number(e)), pow(b, e, n), n.bit_length(), "modexp",
        scheme, flags=PUBLIC if public else 0,
    )  # fmt: skip


def _device_task(n: int, b: int, e: int, scheme: str) -> Task:
    """An exponentiation by the device. The exponent is public if the scheme wants it so."""
    if scheme == "default":
        return _modexp_task(On.DEVICE, n, b, e, scheme)
    facts = Scheme[scheme.upper()].facts
    exponent = SMALL_E if facts.max_exponent_bits else e
    return _modexp_task(On.DEVICE, n, b, exponent, scheme, public=not facts.secret)


def _modexp(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    n, b, e = _operands(bits, rng)
    tasks = [_modexp_task(On.SOFT, n, b, e, "fixed_window")]
    if design is not None:
        tasks += [_device_task(n, b, e, scheme)] * 2
    return tasks


def _schemes(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    _only("schemes", scheme)
    design = _present("schemes", design)
    n, b, e = _operands(bits, rng)
    tasks = [_modexp_task(On.SOFT, n, b, e, "fixed_window")]
    return tasks + [_device_task(n, b, e, name) for name in design.schemes]


def _stream(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    _present("stream", design)
    tasks = _modexp(design, bits, scheme, rng)
    return [*tasks, *by_dma(tasks[1:])]


def _library(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    n, b, e = _operands(bits, rng)
    tasks = [_modexp_task(On.SOFT, n, b, e, "fixed_window", kind=Kind.PEER)]
    tasks.append(_modexp_task(On.SOFT, n, b, e, "fixed_window"))
    if design is not None:
        tasks += [_modexp_task(On.DEVICE, n, b, e, scheme)] * 2
    return tasks


def _present(program: str, design: Design | None) -> Design:
    if design is None:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"the program {program} wants a coprocessor")
    return design


def by_dma(tasks: list[Task]) -> list[Task]:
    """The same, with what the coprocessor does through its streams."""
    return [
        dataclasses.replace(task, flags=task.flags | DMA) if task.on == On.DEVICE else task
        for task in tasks
    ]


def _only(program: str, scheme: str) -> None:
    if scheme != "default":
        raise MonproError("MONPRO_ERR_ARGUMENT", f"the program {program} takes no --scheme")


def prime(bits: int, rng: random.Random) -> int:
    """A prime with its two highest bits set, for a key that is the same at every run."""
    while True:
        p = rng.getrandbits(bits) | 3 << (bits - 2) | 1
        if math.gcd(p - 1, E) == 1 and math.gcd(p, 3 * 5 * 7 * 11 * 13) == 1 and _is_prime(p):
            return p


def _signed(n: int, message: bytes) -> int:
    """The block that PKCS#1 v1.5 has signed, of a digest by SHA-256 (RFC 8017, 9.2)."""
    prefix = bytes.fromhex("3031300d060960864801650304020105000420")
    digest = prefix + hashlib.sha256(message).digest()
    size = (n.bit_length() + 7) // 8
    return int.from_bytes(b"\0\1" + b"\xff" * (size - len(digest) - 3) + b"\0" + digest, "big")


def _rsa(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    """A key, a block that is encrypted, and a signature, by the CRT and without it."""
    _only("rsa", scheme)
    p, q = prime(bits // 2, rng), prime(bits - bits // 2, rng)
    n, d = p * q, pow(E, -1, (p - 1) * (q - 1))
    size = (n.bit_length() + 7) // 8
    message = b"monpro soc run rsa"
    block = _signed(n, message)
    signature = pow(block, d, n)
    _check_with_openssl(p, q, d, message, signature)
    private = (n, E, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p))
    key = tuple(map(number, private[:2]))
    whole = (*key, number(d).rjust(size, b"\0"), number(p), number(q),
             number(private[5]).rjust(len(number(p)), b"\0"),
             number(private[6]).rjust(len(number(q)), b"\0"),
             number(private[7]).rjust(len(number(p)), b"\0"))  # fmt: skip
    text = rng.randrange(n)
    tasks = []
    for on in (On.SOFT, On.DEVICE)[: 1 if design is None else 2]:
        sent = (*key, text.to_bytes(size, "big"))
        public = Task(Kind.RSA_PUBLIC, on, sent, pow(text, E, n), bits, "public")
        tasks += [public] * (1 if on == On.SOFT else 2)  # the second with the key's constants
        sent = (*whole, block.to_bytes(size, "big"))
        tasks.append(Task(Kind.RSA_PRIVATE, on, sent, signature, bits, "private, CRT"))
        if on == On.DEVICE or bits <= 2048:  # in software it is four times as long
            tasks.append(Task(Kind.RSA_PRIVATE, on, sent, signature, bits, "private", flags=NO_CRT))
    return tasks


def _check_with_openssl(p: int, q: int, d: int, message: bytes, signature: int) -> None:
    """Checks that OpenSSL makes the same signature. It takes keys of 1024 bits and more."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding, rsa

    if (p * q).bit_length() < 1024:
        return
    numbers = rsa.RSAPrivateNumbers(
        p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), rsa.RSAPublicNumbers(E, p * q)
    )
    theirs = numbers.private_key().sign(message, padding.PKCS1v15(), hashes.SHA256())
    if int.from_bytes(theirs, "big") != signature:
        raise MonproError("MONPRO_ERR_CHECK", "Python's signature is not OpenSSL's")


def _errors(design: Design | None, bits: int, scheme: str, rng: random.Random) -> list[Task]:
    _only("errors", scheme)
    design = _present("errors", design)
    least = 1024 if design.products else 256
    if bits < least:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"the program errors wants {least} bits or more of {design.name}: shorter operations "
            "end before they can be disturbed",
        )
    n, b, e = _operands(bits, rng)
    fields = (number(n), number(b), number(e))
    expected = pow(b, e, n)
    tasks = [Task(Kind.MISUSE, On.DEVICE, fields, expected, bits, "misuse")]
    tasks += by_dma(tasks)
    if not design.products:
        tasks.append(Task(Kind.STREAM, On.DEVICE, fields, expected, bits, "misuse", flags=DMA))
    return tasks


PROGRAMS = {
    "modexp": Program(
        "an exponentiation, secret exponent: software, coprocessor cold and warm", _modexp
    ),
    "schemes": Program("the same by each scheme of the design", _schemes),
    "stream": Program("the same as packets by DMA, beside single accesses: overhead", _stream),
    "library": Program("an exponentiation by mbedTLS, by ours, and on chip", _library, peer=True),
    "rsa": Program("a key: encryption, and signatures with and without the CRT", _rsa),
    "errors": Program("what firmware can do wrong: each a named error, and work goes on", _errors),
}
