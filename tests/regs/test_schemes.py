# SPDX-License-Identifier: Apache-2.0
"""The table of schemes: a scheme that is added to a copy of the sources reaches C, Python and RTL.

docs/adding-a-scheme.md describes the steps that `add` makes.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = """
[comb]
library = 7
label = "comb of two rows"
short = "comb"
alias = "lim-lee"
secret = false
public_time = true
window = "odd powers"
look_up = "always"
crt = false
products = false
max_exponent_bits = 96
"""
ENUM = """    comb           = 3'd6 { desc = "A comb of two rows"; };
};

enum leave_e {"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of regs/ whose generator writes beside it."""
    pytest.importorskip("peakrdl_regblock")
    shutil.copytree(ROOT / "regs", tmp_path / "regs", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path.name, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def add(copy: Path, section: str = SECTION) -> None:
    """The scheme "comb" with number 6, as the documentation says to add one."""
    rdl, table = copy / "regs" / "monpro.rdl", copy / "regs" / "schemes.toml"
    change(rdl, "};\n\nenum leave_e {", ENUM)
    change(rdl, "schemes[21:16]", "schemes[22:16]")
    table.write_text(table.read_text(encoding="utf-8") + section, encoding="utf-8")


def generate(copy: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(copy / "regs" / "generate.py")],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def written(copy: Path, name: str) -> Path:
    """A generated file, in whichever folder it lies."""
    [path] = copy.rglob(name)
    return path


def module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("schemes_with_one_more", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = found  # dataclasses look their module up
    spec.loader.exec_module(found)
    return found


def test_an_added_scheme_is_in_the_three_languages(copy: Path) -> None:
    add(copy)
    done = generate(copy)
    assert done.returncode == 0, done.stderr

    schemes = module(written(copy, "schemes.py"))
    comb = schemes.Scheme.COMB
    assert (int(comb), comb.description) == (6, "A comb of two rows")
    assert (comb.facts.library, comb.facts.alias) == (7, "lim-lee")
    assert (comb.facts.window, comb.facts.odd_powers, comb.facts.secret) == (True, True, False)
    assert comb.facts.max_exponent_bits == 96
    assert get_args(schemes.SchemeName)[7] == "comb"

    header = written(copy, "*schemes.h").read_text(encoding="utf-8")
    assert 'X(COMB, "comb", 6, 96)' in header
    sets = dict(re.findall(r"#define MONPRO_SCHEMES_(\w+) (\w+)u", header))
    holds = {name: bool(int(sets[name], 0) >> 7 & 1) for name in sets if name != "ROWS"}
    assert holds == {
        "ALL": True, "WITH_WINDOW": True, "OF_ODD_POWERS": True, "FOR_SECRETS": False,
        "OF_PRODUCTS": False,
    }  # fmt: skip
    assert sets["ROWS"] == "8"

    package = written(copy, "monpro_regs_enum_pkg.sv").read_text(encoding="utf-8")
    assert "SchemeComb = 3'd6" in package
    assert "typedef logic [6:0] schemes_t;" in package
    assert "SchemesOddPowers = 7'b1001000;" in package
    assert "SchemesSecrets = 7'b0010111;" in package
    assert "SchemeComb: return bits > 16'd96;" in package


def test_the_compiler_compares_the_header_with_the_table(copy: Path) -> None:
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    add(copy)
    assert generate(copy).returncode == 0
    public = copy / "include" / "monpro"
    public.mkdir(parents=True)

    def compile_with(value: str) -> subprocess.CompletedProcess[str]:
        shutil.copy(ROOT / "lib" / "include" / "monpro" / "monpro.h", public)
        change(
            public / "monpro.h",
            "MONPRO_SCHEME_REPEATED = 6 ",
            f"MONPRO_SCHEME_REPEATED = 6, MONPRO_SCHEME_COMB = {value} ",
        )
        command = [compiler, "-std=c11", "-fsyntax-only", "-I", str(public.parent)]
        return subprocess.run(
            [*command, str(written(copy, "*schemes.h"))],
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    assert compile_with("7").returncode == 0
    wrong = compile_with("8")
    assert wrong.returncode != 0
    assert "the value of comb" in wrong.stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (SECTION, "", "the scheme comb of monpro.rdl has no section"),
        ("crt = false\n", "", "comb lacks the fact crt"),
        ("crt = false\n", "crt = 0\n", "comb.crt must be of type bool"),
        ("crt = false\n", "crt = false\nspeed = 3\n", "comb has an unknown fact speed"),
        ('"odd powers"', '"primes"', "comb.window must be one of none, all powers, odd powers"),
        ("[comb]", "[combs]", "the scheme comb of monpro.rdl has no section"),
        ("library = 7", "library = 9", "the values of library must be 1 to 7, each once"),
        ("lim-lee", "l2r", "an alias is the name or alias of another scheme"),
        ("public_time = true", "public_time = false", "public_time must be true"),
        ('"always"', '"secret"', "look_up cannot be secret"),
        ('"always"', '"never"', "look_up cannot be never"),
        ("library = 7", "library =", "Invalid value"),
    ],
)
def test_the_generator_says_what_is_wrong(copy: Path, old: str, new: str, message: str) -> None:
    assert SECTION.count(old) == 1
    add(copy, SECTION.replace(old, new))
    done = generate(copy)
    assert done.returncode == 1
    assert done.stderr.startswith("schemes.toml: ")
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (copy / "lib").exists()


def test_a_section_without_a_number_is_an_error(copy: Path) -> None:
    table = copy / "regs" / "schemes.toml"
    table.write_text(table.read_text(encoding="utf-8") + SECTION, encoding="utf-8")
    done = generate(copy)
    assert (done.returncode, done.stderr) == (1, "schemes.toml: monpro.rdl has no scheme comb\n")


def test_each_scheme_needs_its_bit_in_the_features(copy: Path) -> None:
    add(copy)
    change(copy / "regs" / "monpro.rdl", "schemes[22:16]", "schemes[21:16]")
    done = generate(copy)
    assert done.returncode == 1
    assert done.stderr.startswith("monpro.rdl: PARAM_FEATURES.schemes has 6 bits")
