# SPDX-License-Identifier: Apache-2.0
"""The space of an exploration: specifications with alternatives, points, their cycles."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.explore import space as explore_space
from monpro.explore.space import E, Space, expand, expand_all
from monpro.hardware import designs
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.regs import Scheme
from monpro.measure import predict
from monpro.study import dataflow
from monpro.synth import targets

ECP5 = (targets.get("ecp5-25"),)


def space(
    spec: str, bits: tuple[int, ...] = (1024,), scheme: str = "fixed_window", **more: object
) -> Space:
    operation = str(more.get("operation", "modexp"))
    names = explore_space.schemes([scheme], operation)
    return Space(expand_all([spec]), ECP5, bits, schemes=names, **more)  # type: ignore[arg-type]


# ---- hardware


def test_alternatives_are_all_combinations() -> None:
    names = [design.name for design in expand("small,elements=4/16,word_bits=17/18")]
    assert names == [
        "small,elements=4",
        "small,elements=4,word_bits=18",
        "small",
        "small,word_bits=18",
    ]


def test_the_same_hardware_counts_once() -> None:
    found = expand_all(["small,elements=4/8", "small,elements=8", "small", "sim:small,elements=16"])
    assert [design.name for design in found] == ["small,elements=4", "small,elements=8", "small"]
    # tiny with as many elements is no small: its table is shorter.
    assert len(expand_all(["small,elements=4", "tiny,elements=4"])) == 2


def test_combinations_that_cannot_be_are_left_out() -> None:
    """A table of 64 words holds two operands of 4096 bits in no width of word."""
    found = expand("small,table_words=64/8192,max_bits=512/4096")
    assert [(d.table_words, d.max_bits) for d in found] == [(64, 512), (8192, 512), (8192, 4096)]
    with pytest.raises(MonproError, match="table_words = 64 is too small"):
        expand("small,table_words=64")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("smal", 'no design "smal"'),
        ("smal,elements=4", 'no design "smal"'),
        ("small,elments=4/8", 'no parameter "elments"'),
        ("small,elements=4/x", 'elements = "x" is not a whole number'),
        ("small,elements=4/0", "elements = 0 is not possible"),
        ("small,elements", "parameter=value"),
        ("small,elements=4,elements=8", "given twice"),
    ],
)
def test_a_wrong_specification_is_named(spec: str, words: str) -> None:
    with pytest.raises(MonproError, match=words):
        expand(spec)


def test_the_default_space_is_large_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explore_space, "_cost", lambda *_, **__: 1)  # there are seconds of them
    swept = Space(
        expand_all(explore_space.DESIGNS), ECP5, explore_space.BITS,
        schemes=explore_space.schemes(["best"], "modexp"), scheme_best=True,
    )  # fmt: skip
    points = swept.points()
    assert len(points) >= 60
    assert len({(point.design.name, point.bits) for point in points}) == len(points)
    assert {point.design.multiplier for point in points} >= {"array", "pipelined", "word", "radix2"}
    blocks = ECP5[0].available.dsp
    assert all(design.multipliers <= blocks for design in swept.designs)


# ---- points


def test_cycles_are_the_models() -> None:
    design = designs.get("small")
    [point] = space("small").points()
    assert (point.bits, point.scheme, point.window) == (1024, "fixed_window", 5)
    assert point.cycles == predict.predict(design, "modexp", 1024, E).rows[0][2] == 637574
    [warm] = space("small", warm=True).points()
    assert (warm.cycles, warm.key_state) == (626895, "warm")
    [private] = space("small", (2048,), operation="rsa_private").points()
    assert private.cycles == 1351790  # with the check
    [public] = space("small", (2048,), "binary", operation="rsa_public", warm=True).points()
    assert (public.cycles, public.exponent) == (40053, "public")


def test_windows() -> None:
    model = designs.get("tiny").model()
    assert isinstance(model, Coprocessor)
    every = space("tiny", window="all").points()
    assert [point.window for point in every] == [1, 2, 3, 4]  # as the table has room for
    costs = [
        model.modexp(Scheme.FIXED_WINDOW, 1024, 1024, w, warm=False).cycles for w in range(1, 5)
    ]
    assert [point.cycles for point in every] == costs
    assert [point.window for point in space("tiny", window="2").points()] == [2]
    with pytest.raises(MonproError, match="no design takes any of 1024 bits"):
        space("tiny", window="6").points()


def test_the_best_scheme_of_each_design() -> None:
    every = space("small,elements=1/4", scheme="all").points()
    best = space("small,elements=1/4", scheme="best", scheme_best=True).points()
    assert len(best) == 2
    assert len(every) == 2 * 4  # of the schemes for secret exponents
    for point in best:
        same = [one.cycles for one in every if one.design == point.design]
        assert point.cycles == min(same)
    assert (
        space("montgomery", scheme="best", scheme_best=True).points()[0].scheme == "right_to_left"
    )


def test_a_design_takes_the_lengths_it_takes() -> None:
    assert [p.bits for p in space("montgomery", (512, 1024, 2048), "binary").points()] == [
        512,
        1024,
    ]
    with pytest.raises(MonproError, match="no design takes any of 8192 bits with fixed_window"):
        space("small", (8192,)).points()


def test_schemes_that_an_operation_cannot_have() -> None:
    with pytest.raises(MonproError, match=r'modexp has no scheme "sliding_window".*ladder'):
        explore_space.schemes(["sliding_window"], "modexp")
    with pytest.raises(MonproError, match='rsa_private has no scheme "ladder"'):
        explore_space.schemes(["ladder"], "rsa_private")


# ---- a kernel between streams: products in lanes


def test_lanes_are_the_elements_of_a_kernel() -> None:
    names = ["dataflow", "dataflow,elements=2", "dataflow,elements=8"]
    assert [design.name for design in expand("dataflow,lanes=1/2/3/8")] == names
    both = expand_all(["dataflow,elements=1/2", "dataflow,lanes=2/8"])
    assert [design.name for design in both] == names
    assert designs.parse("dataflow,lanes=4") == designs.parse("dataflow,elements=4")
    for spec, words in (
        ("dataflow,lanes=3", "elements = 3 are not 1, 2, 4 or 8 lanes"),
        ("dataflow,lanes=2/x", 'elements = "x" is not a whole number'),
        ("dataflow,lanes=2,elements=4", "elements is given twice"),
        ("small,lanes=2", 'no parameter "lanes"'),
    ):
        with pytest.raises(MonproError, match=words):
            expand(spec)


def test_a_kernels_cycles_are_a_share_in_a_full_batch() -> None:
    engine = (Path(__file__).parents[3] / "lib" / "src" / "engine" / "engine.h").read_text()
    assert f"MONPRO_MAX_GROUP = {dataflow.BATCH} " in engine
    one, two = space("dataflow,lanes=1/2", scheme="best", scheme_best=True).points()
    assert (one.scheme, one.window, one.batch) == ("fixed_window", 6, 64)
    # Two products in, 62 more powers, 170 further digits of 6 squares and a product, one out.
    products = 2 + 62 + 170 * 7 + 1
    assert one.cycles == math.ceil(products * 133968 / 64) == 2627029
    assert two.cycles == math.ceil(products * 67376 / 64)
    assert space("small").points()[0].batch is None
    [public] = space("dataflow", scheme="binary", operation="rsa_public", warm=True).points()
    assert public.cycles == math.ceil((1 + 16 + 1 + 1) * 133968 / 64)
    halves = {w: space("dataflow", (512,), window=str(w)).points()[0].cycles for w in range(1, 7)}
    [private] = space("dataflow", operation="rsa_private").points()
    assert private.cycles == 2 * min(halves.values()) + public.cycles
    assert [p.window for p in space("dataflow", window="all").points()] == [1, 2, 3, 4, 5, 6]
    with pytest.raises(MonproError, match="no design takes any of 1024 bits"):
        space("dataflow", window="7").points()


def test_a_kernel_takes_the_lengths_it_takes() -> None:
    lengths = (64, 1024, 1056, 2048)
    points = space("dataflow,max_bits=1024", lengths).points()
    assert [point.bits for point in points] == [64, 1024]
    # Limbs have two digits: 1056 bits take 34, as many as 1088.
    longer = space("dataflow", (1056, 1088), window="1", operation="rsa_public", scheme="binary")
    assert len({point.cycles for point in longer.points()}) == 1
