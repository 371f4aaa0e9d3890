# SPDX-License-Identifier: Apache-2.0
"""The peers of the software engines: the system's libcrypto through ctypes, and GMP through gmpy2.

Both get what suits them best: their keys and their Montgomery constants are made beforehand.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import importlib
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as keys

from monpro.errors import MonproError

RSA_NO_PADDING = 3
Work = Callable[[], list[int]]


@functools.cache
def libcrypto() -> Any:
    """OpenSSL as this machine has it."""
    name = ctypes.util.find_library("crypto")
    if name is None:
        raise MonproError("MONPRO_ERR_UNSUPPORTED", "this machine has no libcrypto")
    lib = ctypes.CDLL(name)
    lib.OpenSSL_version.restype = ctypes.c_char_p
    pointers = "BN_CTX_new BN_MONT_CTX_new BN_new BN_bin2bn d2i_RSAPrivateKey"
    for function in pointers.split():
        getattr(lib, function).restype = ctypes.c_void_p
    return lib


def libcrypto_version() -> str:
    """As "OpenSSL 3.0.22 libcrypto"."""
    return " ".join(libcrypto().OpenSSL_version(0).decode().split()[:2]) + " libcrypto"


def _number(value: int) -> ctypes.c_void_p:
    data = value.to_bytes(max(1, -(-value.bit_length() // 8)), "big")
    return ctypes.c_void_p(libcrypto().BN_bin2bn(data, len(data), None))


def openssl_modexp(bases: list[int], exponents: list[int], moduli: list[int]) -> Work:
    """Exponentiations by BN_mod_exp_mont_consttime, the constants of each modulus at hand."""
    lib = libcrypto()
    context, result = ctypes.c_void_p(lib.BN_CTX_new()), ctypes.c_void_p(lib.BN_new())
    operands = []
    for base, exponent, modulus in zip(bases, exponents, moduli, strict=True):
        constants, n = ctypes.c_void_p(lib.BN_MONT_CTX_new()), _number(modulus)
        lib.BN_MONT_CTX_set(constants, n, context)
        operands.append((_number(base), _number(exponent), n, context, constants))
    room = ctypes.create_string_buffer(-(-max(moduli).bit_length() // 8))

    def work() -> list[int]:
        found = []
        for operand in operands:
            lib.BN_mod_exp_mont_consttime(result, *operand)
            size = lib.BN_bn2bin(result, room)
            found.append(int.from_bytes(room.raw[:size], "big"))
        return found

    return work


def openssl_rsa(of: list[keys.RSAPrivateKey], blocks: list[bytes], *, private: bool) -> Work:
    """Raw RSA, one block after the other, each with its key.

    The private operation is libcrypto's, with CRT, blinding and the check.
    """
    lib = libcrypto()
    handles = {}
    for key in of:
        if key not in handles:
            der = key.private_bytes(
                serialization.Encoding.DER,
                serialization.PrivateFormat.TraditionalOpenSSL,
                serialization.NoEncryption(),
            )
            start = ctypes.c_char_p(der)
            read = lib.d2i_RSAPrivateKey(None, ctypes.byref(start), len(der))
            handles[key] = ctypes.c_void_p(read)
    requests = [(block, handles[key]) for block, key in zip(blocks, of, strict=True)]
    function = lib.RSA_private_decrypt if private else lib.RSA_public_encrypt
    size = len(blocks[0])
    room = ctypes.create_string_buffer(size)

    def work() -> list[int]:
        found = []
        for block, handle in requests:
            if function(size, block, room, handle, RSA_NO_PADDING) != size:
                raise MonproError("MONPRO_ERR_DEVICE_FAULT", "libcrypto refused a block")
            found.append(int.from_bytes(room.raw, "big"))
        return found

    return work


def gmp() -> Any:
    """The module gmpy2, which brings GMP."""
    try:
        return importlib.import_module("gmpy2")
    except ImportError as why:
        raise MonproError("MONPRO_ERR_UNSUPPORTED", "gmpy2 is not installed") from why


def gmp_modexp(bases: list[int], exponents: list[int], moduli: list[int]) -> Work:
    """Exponentiations by mpz_powm_sec."""
    module = gmp()
    operands = [
        tuple(map(module.mpz, three)) for three in zip(bases, exponents, moduli, strict=True)
    ]
    return lambda: [module.powmod_sec(*three) for three in operands]


def gmp_rsa(of: list[keys.RSAPrivateKey], blocks: list[bytes], *, private: bool) -> Work:
    """Raw RSA with CRT, but neither blinded nor checked: GMP has no RSA of its own."""
    module = gmp()
    requests = []
    for key, block in zip(of, blocks, strict=True):
        numbers, base = key.private_numbers(), module.mpz(int.from_bytes(block, "big"))
        crt = (numbers.p, numbers.q, numbers.dmp1, numbers.dmq1, numbers.iqmp)
        public = (numbers.public_numbers.e, numbers.public_numbers.n)
        requests.append((base, *map(module.mpz, crt if private else public)))

    def whole(base: Any, p: Any, q: Any, dp: Any, dq: Any, qinv: Any) -> Any:
        m1, m2 = module.powmod_sec(base % p, dp, p), module.powmod_sec(base % q, dq, q)
        return m2 + q * ((m1 - m2) * qinv % p)

    function = whole if private else module.powmod
    return lambda: [function(*request) for request in requests]
