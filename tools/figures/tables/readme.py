"""The tables and sessions of README.md and docs/using.md."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.areas import clock
from figures.tables.kit import aligned, console, markdown, table
from monpro.base.terminal import significant
from monpro.hardware import designs
from monpro.records import Record

SKIPPED = "..."  # a line of a session that stands for any lines
STEPS = ("sign", "decrypt", "verify", "encrypt")
MAIN_HEADS = (
    ["", "total", "", "pre-", "expo-", "", "", "soft", "OpenSSL", "soft/"],
    ["", "cycles", "load", "compute", "nentiate", "read", "sim s", "ms", "ms", "OpenSSL"],
)
DESIGNS = ("tiny", "small", "fast")


def _hardware(store: Store, item: Record) -> list[str]:
    """The cells of one run of the RTL; its seconds are of the machine that was measured."""
    names = ("total", "load", "precompute", "exponentiate", "read")
    wanted = {name: item[name] for name in ("step", "bits", "key_state")}
    wall_ms = store.one("measured/main", engine="sim:small", **wanted)["wall_ms"]
    return [*(str(item[f"cycles_{name}"]) for name in names), significant(wall_ms / 1e3, 2)]


def _operation(store: Store, bits: int, step: str) -> list[list[str]]:
    """The lines of an operation: with a cold key, and with a warm one."""
    rows: list[list[str]] = []
    for item in store.all("cycles/main", bits=bits, step=step):
        name, software = f"  {item['key_state']}", ["", "", ""]
        if not rows:
            soft, peer = (
                store.one("measured/main", bits=bits, step=step, engine=engine)
                for engine in ("soft", "openssl")
            )
            times = [significant(each["time_ms"]) for each in (soft, peer)]
            name, software = f" {step}", [*times, f"{soft['ratio_to_openssl']:.2f}"]
        rows.append([name, *_hardware(store, item), *software])
    return rows


@table
def readme_bench(store: Store) -> str:
    """What `make bench` prints, shortened."""
    rows = [list(head) for head in MAIN_HEADS]
    empty = [""] * (len(MAIN_HEADS[0]) - 1)
    rows += [[SKIPPED, *empty], ["RSA-2048", *empty]]
    for step in STEPS:
        rows += _operation(store, 2048, step)
    rows += [[SKIPPED, *empty], ["RSA-4096", *empty], *_operation(store, 4096, "sign")]
    return console(
        [
            "$ make bench    # sets everything up in .venv and runs the main job",
            *aligned(rows),
            SKIPPED,
            "$ make test     # lint, and the tests of RTL, library, package and this page",
        ]
    )


def _private_ms(store: Store, key: str, design: str, bits: int, mhz: float) -> str:
    """A private operation by CRT, its result checked, at a design's clock."""
    where = {"operation": "rsa_private", "bits": bits, "checked": True}
    found = store.all(key, design=design, **where)
    return significant(found[0]["cycles"] / mhz / 1e3) if found else "-"


@table
def readme_designs(store: Store) -> str:
    rows = []
    for design in (*DESIGNS, "codesign"):
        top = store.one(f"placed/{design}", part="top")
        key = "cycles/codesign" if design == "codesign" else "cycles/designs"
        times = [_private_ms(store, key, design, bits, top["clock_mhz"]) for bits in (2048, 4096)]
        device = top["device"].removesuffix("-6")
        what = designs.get(design).summary
        area = f"{top['lut']} + {top['carry']}, {top['ff']}"
        rows.append([f"`{design}`", what, f"{top['dsp']}", device, area, clock(top), *times])
    heads = ["design", "what for", "blocks", "device", "LUT4 + CCU2C, FF", "clock"]
    return markdown([*heads, "RSA-2048 ms", "RSA-4096 ms"], rows)


TITLES = {
    ("modexp", 1024): "Exponentiation, 1024 bits, secret exponent of full length, constant time",
    ("modexp", 2048): "Exponentiation, 2048 bits, secret exponent of full length, constant time",
    ("rsa_private", 2048): "RSA-2048 private operation (CRT), constant time",
    ("rsa_private", 4096): "RSA-4096 private operation (CRT), constant time",
    ("rsa_public", 2048): "RSA-2048 public operation, e = 65537",
}


def _designs_line(item: Record) -> list[str]:
    key = str(item["key_state"])
    if item["operation"] == "rsa_private":
        key = "with check" if item["checked"] else "no check"
    work = f"{item['multiplier_cycles'] / 1e6:.3f}"
    shares = [f"{100 * item['bound_fraction']:.1f}"]
    shares.append(f"{100 * item['overhead']:.2f}" if "overhead" in item else "")
    obtained = "model" if item["obtained"] == "estimated" else item["obtained"]
    return [f" {item['design']}", key, str(item["cycles"]), work, *shares, obtained]


@table
def using_designs(store: Store) -> str:
    """The bench of the designs, shortened to what a reader compares."""
    lines = ["$ monpro bench designs tiny,small,fast", SKIPPED]
    for (operation, bits), title in TITLES.items():
        found = store.all("cycles/designs", operation=operation, bits=bits)
        rows = [
            ["", "", "", "M multiplier-", "% of", "bus", ""],
            ["design", "key", "cycles", "cycles", "bound", "%", "obtained"],
            *map(_designs_line, found),
        ]
        lines += [title, *aligned(rows, left=2), SKIPPED]
    return console(lines)


@table
def using_modexp(store: Store) -> str:
    item = store.one(
        "cycles/designs", design="small", operation="modexp", bits=1024, key_state="cold"
    )
    names = ("cycles", "multipliers", "multiplier_cycles")
    pattern = "|".join(names)
    command = f"""monpro modexp --engine sim:small --random 1024 --json | grep -E '"({pattern})"'"""
    return console([f"$ {command}", *(f'    "{name}": {item[name]},' for name in names)])


@table
def using_schemes(store: Store) -> str:
    rows = []
    for item in store.all("cycles/schemes"):
        rows.append(
            [
                f" {item['scheme']}",
                f"{item['exponent_bits']} {item['exponent']}",
                str(item["products"]),
                str(item["cycles"]),
                f"{item['multiplier_cycles'] / 1e6:.3f}",
                f"{100 * item['bound_fraction']:.1f}",
                "yes" if item["exponent"] == "secret" else "no",
            ]
        )
    command = "$ monpro bench schemes small --bits 512"
    return console([command, SKIPPED, "small", *aligned(rows, left=2), SKIPPED])


@table
def using_products(store: Store) -> str:
    rows = []
    for item in store.all("cycles/products", bits=2048):
        bound = item["bound_word_products"] // item["word_multipliers"]
        cells = [item["bits"], item["word_multipliers"], item["cycles"], item["formula_cycles"]]
        share = f"{100 * item['bound_fraction']:.1f}"
        rows.append(
            [
                *map(str, [*cells, bound]),
                share,
                *(str(item[f"cycles_{way}"]) for way in ("load", "read")),
            ]
        )
    title = "Single products, start to start; operands and result over the bus apart"
    return console(["$ monpro papers pai2025", SKIPPED, title, SKIPPED, *aligned(rows), SKIPPED])
