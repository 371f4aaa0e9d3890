# SPDX-License-Identifier: Apache-2.0
"""Software times: Monpro's engine and OpenSSL's libcrypto in this process, in turns."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Iterator

ROUND_S = 0.015  # each side's share of a round

Operation = Callable[[], object]


def peer_version() -> str:
    """Whose time the ratios are against, as "OpenSSL 3.5.0 libcrypto"."""
    from cryptography.hazmat.backends.openssl.backend import backend

    return " ".join(backend.openssl_version_text().split()[:2]) + " libcrypto"


def peer(private_pem: bytes, message: bytes, secret: bytes) -> dict[str, Operation]:
    """The four operations by libcrypto, with PSS and OAEP as Monpro does them."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import padding, rsa

    private = serialization.load_pem_private_key(private_pem, None)
    assert isinstance(private, rsa.RSAPrivateKey)
    public = private.public_key()
    sha256 = hashes.SHA256()
    pss = padding.PSS(padding.MGF1(sha256), padding.PSS.DIGEST_LENGTH)
    sha1 = hashes.SHA1()  # noqa: S303 - OAEP's default; nothing here rests on collisions
    oaep = padding.OAEP(padding.MGF1(sha1), sha1, None)
    signature, block = private.sign(message, pss, sha256), public.encrypt(secret, oaep)
    return {
        "sign": lambda: private.sign(message, pss, sha256),
        "verify": lambda: public.verify(signature, message, pss, sha256),
        "encrypt": lambda: public.encrypt(secret, oaep),
        "decrypt": lambda: private.decrypt(block, oaep),
    }


@contextlib.contextmanager
def pinned() -> Iterator[None]:
    """Keeps this thread on one processor."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def interleaved_ms(operations: list[Operation], rounds: int) -> list[float]:
    """The median time of each operation over rounds in which they take turns."""
    repeats = []
    for operation in operations:
        operation()
        start_s = time.perf_counter()
        operation()
        repeats.append(max(1, round(ROUND_S / max(time.perf_counter() - start_s, 1e-6))))
    times_ms: list[list[float]] = [[] for _ in operations]
    with pinned():
        for _ in range(rounds):
            for operation, repeat, times in zip(operations, repeats, times_ms, strict=True):
                start_s = time.perf_counter()
                for _ in range(repeat):
                    operation()
                times.append((time.perf_counter() - start_s) * 1e3 / repeat)
    return [statistics.median(times) for times in times_ms]
