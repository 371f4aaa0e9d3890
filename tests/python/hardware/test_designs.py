# SPDX-License-Identifier: Apache-2.0
"""designs.toml and variants of designs: what is accepted, and what each error says."""

from __future__ import annotations

import dataclasses
import subprocess
from pathlib import Path
from typing import Any

import pytest

from monpro import MonproError
from monpro.hardware import designs, simulator

GOOD = """
[design.one]
summary = "s"
multiplier = "array"
word_bits = 17
elements = 1
min_bits = 128
max_bits = 4096
table_words = 2048
table_banks = 1
entries = 0
schemes = ["binary"]
bus = "axi4-lite"
crt = false
reference = "own"
"""


def test_every_named_design_is_within_the_ranges() -> None:
    for name, design in designs.load().items():
        assert design.name == name
        assert design.with_parameters(**design.parameters()).parameters() == design.parameters()


def test_a_variant_changes_its_parameters_only() -> None:
    variant = designs.parse("small,elements=4,max_bits=1024")
    small = designs.get("small")
    assert (variant.elements, variant.max_bits) == (4, 1024)
    assert variant.parameters() == small.parameters() | {"elements": 4, "max_bits": 1024}
    assert variant.name == "small,elements=4,max_bits=1024"
    assert designs.parse("small") == small


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("smal", "MONPRO_ERR_DESIGN", "there are: tiny, small, fast, study"),
        ("", "MONPRO_ERR_DESIGN", "there are: tiny, small, fast, study"),
        ("small,elemants=4", "MONPRO_ERR_PARAMETER", "there are: word_bits, elements,"),
        ("small,elemants=x", "MONPRO_ERR_PARAMETER", "there are: word_bits, elements,"),
        ("small,elements", "MONPRO_ERR_PARAMETER", "parameter=value"),
        ("small,elements=", "MONPRO_ERR_PARAMETER", "whole number"),
        ("small,elements=four", "MONPRO_ERR_PARAMETER", "whole number"),
        ("small,elements=0", "MONPRO_ERR_PARAMETER", "it can be 1 to"),
        ("small,digit_bits=8", "MONPRO_ERR_PARAMETER", "not word_bits / 2 to word_bits,"),
        ("small,digit_bits=18", "MONPRO_ERR_PARAMETER", "digit_bits = 18 is not word_bits / 2 to"),
        ("small,digit_bits=37", "MONPRO_ERR_PARAMETER", "it can be 0 to 36"),
        ("fast,digit_bits=35", "MONPRO_ERR_PARAMETER", "wants the multiplier array and no entries"),
        ("codesign,digit_bits=16", "MONPRO_ERR_PARAMETER", "the multiplier array and no entries"),
        ("pynq,digit_bits=31", "MONPRO_ERR_PARAMETER", "wants the multiplier array and no entries"),
        ("binary,digit_bits=31", "MONPRO_ERR_PARAMETER", "wants the multiplier array and no ent"),
        ("small,elements=4,elements=5", "MONPRO_ERR_PARAMETER", "twice"),
        ("small,max_bits=64", "MONPRO_ERR_PARAMETER", "min_bits = 128 is above max_bits = 64"),
        ("small,min_bits=32", "MONPRO_ERR_PARAMETER", "less than four words"),
        ("small,table_words=5000", "MONPRO_ERR_PARAMETER", "power of two"),
        ("small,table_words=256", "MONPRO_ERR_PARAMETER", "two operands of 243 words"),
        ("small,entries=8", "MONPRO_ERR_PARAMETER", "with the multiplier array and entries: it is"),
        ("fast,entries=8,table_words=0,table_banks=1", "MONPRO_ERR_PARAMETER", "crt = True is not"),
        ("codesign,entries=12", "MONPRO_ERR_PARAMETER", "entries = 12 is not 8, 16 or 32"),
        ("codesign,entries=33", "MONPRO_ERR_PARAMETER", "it can be 0 to 32"),
        ("pynq,entries=0", "MONPRO_ERR_PARAMETER", "entries must not be 0"),
        ("pynq,elements=3", "MONPRO_ERR_PARAMETER", "it is 1 or 2"),
        ("pynq,min_bits=224", "MONPRO_ERR_PARAMETER", "less than 8 words of 32 bits"),
        ("pynq,elements=2,min_bits=448", "MONPRO_ERR_PARAMETER", "less than 15 words of 32 bits"),
        ("pynq,word_bits=31", "MONPRO_ERR_PARAMETER", "word_bits = 31 is odd"),
        ("pynq,word_bits=34", "MONPRO_ERR_PARAMETER", "or above 32"),
        ("montgomery,entries=8", "MONPRO_ERR_PARAMETER", "entries = 8 is not possible"),
    ],
)
def test_a_bad_specification_is_named(text: str, name: str, words: str) -> None:
    with pytest.raises(MonproError) as caught:
        designs.parse(text)
    assert caught.value.name == name
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("bits", "blocks"),
    [((17, 0), 1), ((17, 17), 1), ((18, 18), 1), ((24, 17), 1), ((24, 18), 2), ((25, 17), 2),
     ((24, 0), 4), ((36, 0), 4), ((36, 18), 2)],
)  # fmt: skip
def test_blocks_of_an_element(bits: tuple[int, int], blocks: int) -> None:
    """18 x 18 bits are a block, and 24 x 17, which is one of 7-series."""
    word_bits, digit_bits = bits
    design = designs.get("small").with_parameters(word_bits=word_bits, digit_bits=digit_bits)
    assert design.multipliers == 16 * blocks
    assert design.narrow == (digit_bits not in (0, word_bits))


def test_words_stand_for_digits_that_are_not_named() -> None:
    small, narrow = designs.get("small"), designs.parse("small,word_bits=24,digit_bits=17")
    assert "DigitBits" not in small.rtl_parameters()
    assert narrow.rtl_parameters()["DigitBits"] == 17
    assert not designs.parse("small,digit_bits=17").narrow


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("elements = 1", "elemants = 1", 'unknown key "elemants"; there are: summary, multiplier'),
        ("elements = 1", "", 'design.one: "elements" is missing'),
        ("elements = 1", 'elements = "1"', "elements = '1' is not a whole number"),
        ("elements = 1", "elements = true", "elements = True is not a whole number"),
        ("elements = 1", "elements = 0", "elements = 0 is not possible"),
        ('"binary"', '"binari"', 'no scheme "binari"; there are: fixed_window, binary'),
        ("crt = false", "crt = true", "crt = true wants the multiplier pipelined"),
        ("[design.one]", "[designs.one]", 'unknown table "designs"'),
        ("[design.one]", "[design.one", "line 2"),
    ],
)
def test_a_bad_file_is_explained(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = tmp_path / "designs.toml"
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(MonproError) as caught:
        designs.read(file)
    assert words in caught.value.message


def test_the_file_of_the_last_test_is_good_when_it_is_not_spoiled(tmp_path: Path) -> None:
    file = tmp_path / "designs.toml"
    file.write_text(GOOD)
    assert list(designs.read(file)) == ["one"]
    with pytest.raises(MonproError, match="MONPRO_ERR_FILE"):
        designs.read(tmp_path / "absent.toml")


@pytest.mark.sim
@pytest.mark.parametrize(
    "changes",
    [
        {"word_bits": 7}, {"word_bits": 8}, {"word_bits": 36}, {"word_bits": 37},
        {"digit_bits": 3}, {"digit_bits": 4}, {"digit_bits": 8}, {"digit_bits": 9},
        {"digit_bits": 7, "multiplier": "pipelined"},
        {"digit_bits": 7, "table_words": 0, "entries": 16},
        {"elements": 0}, {"elements": 1}, {"max_bits": 16384, "table_words": 2048},
        {"max_bits": 16385, "table_words": 4096}, {"min_bits": 31}, {"min_bits": 300},
        {"min_bits": 49, "word_bits": 17}, {"min_bits": 50, "word_bits": 17},
        {"table_words": 64}, {"table_words": 96}, {"table_words": 128},
        {"table_banks": 2}, {"table_banks": 3}, {"table_banks": 16}, {"table_banks": 32},
        {"multiplier": "pipelined"}, {"multiplier": "pipelined", "crt": True}, {"crt": True},
        {"multiplier": "none"}, {"multiplier": "word"},
        *({"table_words": 0, **more} for more in (
            {"entries": 4}, {"entries": 12}, {"entries": 16}, {"entries": 32},
            {"entries": 8, "min_bits": 33}, {"entries": 8, "table_banks": 2},
            {"entries": 8, "multiplier": "pipelined"},
            {"entries": 8, "multiplier": "word"},
            {"entries": 8, "multiplier": "word", "elements": 1, "min_bits": 56},
            {"entries": 8, "multiplier": "word", "elements": 1, "min_bits": 57},
            {"entries": 8, "multiplier": "word", "elements": 2, "min_bits": 112},
            {"entries": 8, "multiplier": "word", "elements": 2, "min_bits": 113},
            {"entries": 8, "multiplier": "word", "elements": 2, "min_bits": 135, "word_bits": 9},
            {"entries": 8, "multiplier": "word", "elements": 1, "word_bits": 34},
        )),
    ],
    ids=str,
)  # fmt: skip
def test_the_rtl_elaborates_what_is_accepted_here(changes: dict[str, Any]) -> None:
    """The ranges are written here and in the RTL: they have to be the same."""
    design = dataclasses.replace(designs.get("study"), max_bits=256, table_words=128)
    design = dataclasses.replace(design, **changes)
    try:
        design.with_parameters(**design.parameters())
        accepted = design.multiplier != "none"
    except MonproError:
        accepted = False
    flags = [flag for flag in simulator.flags(design, trace=False) if flag.startswith("-G")]
    done = subprocess.run(
        ["verilator", "--lint-only", *simulator.WARNINGS, "--top-module", simulator.TOP, *flags,
         *map(str, simulator.sources())],
        env=simulator.environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode == 0) == accepted, done.stderr
