# SPDX-License-Identifier: Apache-2.0
"""Monpro: RSA through a Montgomery coprocessor, simulated or real, or through software.

    import monpro

    with monpro.Engine("sim:small") as engine:
        print(engine.modexp(3, 65537, 0xF123_4567_89AB_CDEF_0123_4567_89AB_CDEF))
        print(engine.counters().cycles)

Nothing is loaded or built until the first use that needs it: each name below imports its room when
it is first asked for.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_ROOMS = ("engine", "errors", "hardware.designs", "rsa")


def __getattr__(name: str) -> Any:
    if name in __all__:
        for room in _ROOMS:
            module = importlib.import_module(f"monpro.{room}")
            if getattr(getattr(module, name, None), "__module__", None) == module.__name__:
                globals()[name] = getattr(module, name)
                return globals()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
