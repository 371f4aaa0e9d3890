"""Monpro: RSA through a Montgomery coprocessor, simulated or real, or through software.

    import monpro

    with monpro.Engine("sim:small") as engine:
        print(engine.modexp(3, 65537, 0xF123_4567_89AB_CDEF_0123_4567_89AB_CDEF))
        print(engine.counters().cycles)

Nothing is loaded or built until the first call that needs it.
"""

from monpro.engine import Batch, Counters, Engine, EngineInfo, Job, Result
from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.rsa import (
    Key,
    RawResult,
    decrypt,
    encrypt,
    raw_private,
    raw_private_batch,
    raw_public,
    raw_public_batch,
    sign,
    verify,
)

__all__ = [
    "Batch",
    "Counters",
    "Design",
    "Engine",
    "EngineInfo",
    "Job",
    "Key",
    "MonproError",
    "RawResult",
    "Result",
    "decrypt",
    "encrypt",
    "raw_private",
    "raw_private_batch",
    "raw_public",
    "raw_public_batch",
    "sign",
    "verify",
]
