"""Area of the reference designs, each built for one length, and how many of them fit a device."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from collections.abc import Mapping

from monpro import designs, published_reference, records, synth, synth_targets, synth_tools
from monpro.designs import Design
from monpro.errors import MonproError
from monpro.published_reference import Thesis
from monpro.records import Record
from monpro.synth_targets import Counts

TARGET = "xc7a100t"
SLICE_LUTS = 4  # a slice of this family has so many, and one CARRY4


def sized(name: str, bits: int) -> Design:
    """The design built for one length, as the thesis builds its own."""
    design = designs.get(name)
    return design if bits == design.max_bits else design.with_parameters(max_bits=bits)


def kept(design: Design) -> Counts | None:
    """What the cache has of the design's synthesis, or None."""
    target = synth_targets.get(TARGET)
    try:
        version = synth_tools.version(synth_tools.YOSYS)
    except importlib.metadata.PackageNotFoundError:
        return None
    sources = synth.Sources.of(design, target)
    text = synth.script(sources, target.family, write=False)
    found = synth.recall(synth.folder() / f"{synth.digest([version, text], sources.files)}.json")
    return synth_targets.count(target.family, found["cells"]) if found else None


def synthesized(design: Design) -> Counts:
    """The same, made where the cache has nothing."""
    target = synth_targets.get(TARGET)
    sources = synth.Sources.of(design, target)
    netlist = synth.synthesize(sources, target.family, write=False)
    return synth_targets.count(target.family, netlist.cells)


def no_tool() -> str | None:
    """Why what is not in the cache cannot be made."""
    try:
        synth_tools.require([synth_tools.YOSYS])
    except MonproError as why:
        return why.message
    return None


def instances(parts: Mapping[str, float]) -> int:
    """How many fit, by the part that runs out first."""
    there = dataclasses.asdict(synth_targets.get(TARGET).available)
    there["carry"] = there["lut"] // SLICE_LUTS
    return min(int(there[part] // number) for part, number in parts.items() if number)


def record(name: str, bits: int, counts: Counts, thesis: Thesis | None = None) -> Record:
    """A design of one length beside the published one."""
    thesis = thesis or published_reference.load()
    parts = {k: v for k, v in dataclasses.asdict(counts).items() if k != "lut_sites"}
    theirs = {"lut": thesis.figure("LUT", name, bits), "ff": thesis.figure("FF", name, bits)}
    target = synth_targets.get(TARGET)
    return records.record(
        "bench",
        parts,
        engine=f"sim:{sized(name, bits).name}",
        design=name,
        operation="area",
        bits=bits,
        ok=True,
        obtained="synthesized",
        reference="R4",
        target=target.name,
        device=target.device,
        instances=instances(parts),
        published=theirs | {"instances": instances(theirs)},
    )
