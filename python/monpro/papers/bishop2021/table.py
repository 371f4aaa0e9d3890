# SPDX-License-Identifier: Apache-2.0
"""bishop2021's table 1 with Monpro's figures beside its own, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.papers.bishop2021 import arm
from monpro.papers.bishop2021 import figures as bishop2021_figures
from monpro.papers.bishop2021.arm import OPERATIONS
from monpro.papers.bishop2021.figures import Optimizations
from monpro.papers.bishop2021.measure import KINDS
from monpro.papers.table_kit import Found, show_doubts, show_heading
from monpro.records import Record

PI_MHZ = 1400  # of the report's board, by its maker; the report does not say

INTRODUCTION = (
    "x^E and x^D mod M from right to left, every product by the bits of one operand, M, E and D of "
    "128 bits (two bits more for the sum): one C program, written anew from the report's "
    "description, with its eight steps one after the other. A round trip is an encryption and a "
    "decryption. Columns M: million instructions of a round trip, mean over strings; gain: per "
    "cent less than at step 0, as in the report."
)
# What the step is here, and why it comes out as it does. Figures come from the records.
WORDS: dict[int, str] = {
    1: "Static variables and the key in memory cost an address each time. With -O2 the key known "
    "as constants is put into the instructions, two for each word and each use: worse than a load.",
    2: "NEON adds two lanes of 64 bits, but has no carry between them and no comparison of such "
    "lanes: each sum goes back to the processor's own registers to be looked at. Without -O every "
    "intrinsic also keeps its operands on the stack. The report's sums have to fit 128 bits or "
    "lose carries; it does not say which.",
    3: "clang ignores the word `register`, with -O2 every compiler does; gcc without -O obeys it.",
    4: "Read here as: a square scales its one operand once. Of six products (with half of the "
    "exponent's bits 1) five are left: 16.7 %, which is what the report found.",
    5: "The last product of each four has no bits to test and no y to add. Before, its x was 1, so "
    "that y was added once: the saving is the test of the bits alone.",
    6: "Counting down to zero saves the comparison, but the bit at i is then found by shifting the "
    "whole operand. Without -O no function is put in line, whatever it is called; with -O2 each "
    "small one was before. What is left with -O2 is that a shift by one is cheaper than one by i.",
    7: "The report names nothing. Here the parity of T + y is taken instead of computed before.",
    8: "Two products to scale, one for each product, one to descale at the end, where "
    "before each product took four and a square three: the step that counts, with or without -O.",
}  # fmt: skip
TRIED = {
    "unroll": "two bits a turn",
    "pipeline": "next bit taken early",
    "predicate": "masks, no branch on a bit",
}


def columns(found: Found) -> list[tuple[str, str]]:
    """Compiler and level of each, in the order of the run."""
    pairs = [(item["compiler"], item["level"]) for item in found.every("roundtrip")]
    return list(dict.fromkeys(pairs))


def name(column: tuple[str, str]) -> str:
    """Short: gcc -O0."""
    return f"{column[0].split()[0]} -{column[1]}"


def item_of(found: Found, column: tuple[str, str], step: int, attempt: str | None = None) -> Record:
    return found.one(
        "roundtrip", compiler=column[0], level=column[1], step=step, attempt=attempt,
        workload=KINDS[0],
    )  # fmt: skip


def mean(item: Record, operation: str = "roundtrip") -> float:
    return float(item[f"instructions_{operation}"]["mean"])


def millions(count: float, digits: int = 4) -> str:
    return terminal.significant(count / 1e6, digits)


def saved(before: float, after: float) -> str:
    """What a change saves, in words."""
    percent = 100 * (1 - after / before)
    return f"saves {percent:.1f} %" if percent >= 0 else f"costs {-percent:.1f} % more"


def step_heads(found: Found) -> list[str]:
    heads = ["", "paper\nms", "gain\n%", "lines"]
    for column in columns(found):
        compiler, level = name(column).split()
        heads += [f"{compiler}\n{level} M", f"{level}\ngain %", f"{level}\nlines"]
    # A table's heads are its names: no two alike.
    return [head + " " * heads[:index].count(head) for index, head in enumerate(heads)]


def step_rows(found: Found, paper: Optimizations) -> list[list[str]]:
    rows = []
    for row in paper.rows:
        gain = "" if row.gain_percent is None else f"{row.gain_percent:.1f}"
        cells = [f"{row.iteration}", f"{1e3 * row.roundtrip_s:.2f}", gain, f"{row.assembly_lines}"]
        for column in columns(found):
            item, first = item_of(found, column, row.iteration), item_of(found, column, 0)
            less = "" if row.iteration == 0 else f"{100 * (1 - mean(item) / mean(first)):.1f}"
            cells += [millions(mean(item)), less, f"{item['assembly_lines']}"]
        rows.append(cells)
    return rows


def step_words(found: Found, paper: Optimizations) -> list[str]:
    """Each step: what it saves of the one before, in the report and here, and why."""
    lines = []
    for before, row in zip(paper.rows, paper.rows[1:], strict=False):
        step = row.iteration
        each = []
        for column in columns(found):
            last, this = (mean(item_of(found, column, of)) for of in (step - 1, step))
            each.append(f"{name(column)} {saved(last, this)}")
        lines.append(
            f"{step}, {row.what}: the report {saved(before.roundtrip_s, row.roundtrip_s)} of step "
            f"{step - 1}; {', '.join(each)}. {WORDS[step]}"
        )
    return lines


RANGE = ["", "encrypt\nmin", "mean", "max", "decrypt\nmin", "mean ", "max "]


def range_rows(found: Found, workload: str) -> list[list[str]]:
    rows = []
    for column in columns(found):
        items = found.every(
            "roundtrip", compiler=column[0], level=column[1], workload=workload, attempt=None
        )
        if not items:
            continue
        rows.append([name(column), *[""] * (len(RANGE) - 1)])
        for item in items:
            cells = [
                f"{item[f'instructions_{operation}'][figure] / 1e6:.4f}"
                for operation in OPERATIONS
                for figure in ("min", "mean", "max")
            ]
            rows.append([f" {item['step']}", *cells])
    return rows


def tried_heads(found: Found) -> list[str]:
    """The compiler that ran them."""
    heads = [""]
    for column in _tried_columns(found):
        level = column[1]
        heads += [f"-{level}\nM", f"-{level}\nsaves %", f"-{level}\nlines"]
    return heads


def _tried_columns(found: Found) -> list[tuple[str, str]]:
    return [
        c
        for c in columns(found)
        if c[0] == found.every("roundtrip", attempt="unroll")[0]["compiler"]
    ]


def tried_rows(found: Found) -> list[list[str]]:
    rows = []
    for attempt in (None, *TRIED):
        cells = [f"{attempt}: {TRIED[attempt]}" if attempt else "step 8"]
        for column in _tried_columns(found):
            item, base = item_of(found, column, 8, attempt), item_of(found, column, 8)
            less = f"{100 * (1 - mean(item) / mean(base)):.1f}" if attempt else ""
            cells += [millions(mean(item)), less, f"{item['assembly_lines']}"]
        rows.append(cells)
    return rows


def tried_words(found: Found) -> str:
    """Which of them helped."""
    texts = []
    for attempt in TRIED:
        gains = [
            1 - mean(item_of(found, column, 8, attempt)) / mean(item_of(found, column, 8))
            for column in _tried_columns(found)
        ]
        most = 100 * max(gains)
        texts.append(f"{attempt} {f'helps by {most:.1f} % at most' if most > 0 else 'does not'}")
    return (
        f"The report: none of them helped. Here {', '.join(texts)}. Each bit waits for the sum "
        "before it, so there is nothing to do beside; a mask adds what a branch leaves out in half "
        "of the bits. Instructions alone: branches that are guessed wrong, which masks avoid, cost "
        "time that is not counted here."
    )


def bit_steps() -> int:
    """Turns of the inner loops in a round trip of step 8: products times bits."""
    ones = sum(arm.key()[name].bit_count() for name in ("E", "D"))
    return arm.BITS * (2 * (arm.BITS + 3) + ones)


def ahead(found: Found, paper: Optimizations) -> str:
    last = paper.rows[-1]
    cycles = last.roundtrip_s * PI_MHZ * 1e6
    each = ", ".join(
        f"{name(column)} {mean(item_of(found, column, last.iteration)) / bit_steps():.0f}"
        for column in columns(found)
    )
    best = min(columns(found), key=lambda column: mean(item_of(found, column, last.iteration)))
    count = mean(item_of(found, best, last.iteration))
    return (
        f"Who is ahead: at step 8 the report's {1e3 * last.roundtrip_s:g} ms are "
        f"{millions(cycles, 3)} M cycles if its board ran at its {PI_MHZ} MHz, "
        f"{cycles / bit_steps():.0f} for each bit of each product with an exponent like ours; our "
        f"instructions for the same: {each}. The work is two sums of four words, half of them "
        "made, and a shift: about twenty instructions. Without -O the report's program and ours "
        f"are alike; {name(best)} needs {millions(count, 3)} M, and is ahead of the report unless "
        f"one instruction takes {cycles / count:.1f} cycles. What the report did by hand in steps "
        "1, 3, 6 and 7, and measured without -O, the compiler does, or undoes. Instructions are no "
        "time: "
        "no clock is claimed here."
    )


def how(found: Found) -> str:
    """Whether each text was run or told."""
    items = found.every("roundtrip")
    told = [item for item in items if item["obtained"] == "estimated"]
    if not told:
        return "Every figure simulated: all its instructions emulated."
    runs = [item["rounds_emulated"] for item in told]
    checks = min(item["rounds_checked"] for item in told)
    short = [item for item in items if item["inputs"] < item["inputs_asked"]]
    text = (
        f"Of {2 * told[0]['inputs']} round trips of each build {min(runs)} to {max(runs)} were "
        "emulated, the others estimated: a count is a sum of weights times events (sums made, "
        "carries, subtractions), which the same source notes for every text. The emulated ones "
        f"give the weights and check them, {checks} times or more for each build; no difference of "
        "one instruction was let pass."
    )
    return text + (
        f" {len(short)} builds: of emulated texts only, nothing fitted." if short else ""
    )


BODY = ["", "cycles", "times\nas fast"]
WHOLE = ["", "multiply\nby one", "times", "product", "times ", "round\ntrip", "times  "]
BODY_FORMS = {
    "branch": "as the report wrote it, a branch",
    "mask": "as the compiler writes it, a mask",
    "word": "the instruction as drawn",
}
FORM_WORDS = {
    "software": "software",
    "limbs": "words, chained",
    "held": "128 bits inside",
}


def body_rows(found: Found, paper: Optimizations) -> list[list[str]]:
    """Cycles of a turn; against the branch, as the report estimates."""
    drawn = paper.assist
    rows = [
        ["report, estimated: software", f"{drawn.software_cycles}", ""],
        ["report, estimated: the instruction", f"{drawn.assisted_cycles}",
         f"{drawn.estimated_speedup:g}"],
    ]  # fmt: skip
    base = found.one("body", form="branch")
    for form, words in BODY_FORMS.items():
        item = found.one("body", form=form)
        ratio = "" if item is base else f"{base['cycles'] / item['cycles']:.2f}"
        rows.append([words, f"{item['cycles'] / item['turns']:.2f}", ratio])
    return rows


def part_cycles(found: Found, form: str, *parts: str) -> float:
    return sum(float(found.one(part, form=form)["cycles"]) for part in parts)


def whole_rows(found: Found) -> list[list[str]]:
    rows = []
    for form, words in FORM_WORDS.items():
        cells = [words]
        for parts in (["by_one"], ["product"], ["encrypt", "decrypt"]):
            cycles = part_cycles(found, form, *parts)
            ratio = part_cycles(found, "software", *parts) / cycles
            cells += [f"{cycles:.0f}", "" if form == "software" else f"{ratio:.2f}"]
        rows.append(cells)
    return rows


def show_assist(found: Found, paper: Optimizations) -> None:
    """The instruction on the softcore."""
    terminal.show_text(
        "\nThe instruction, built: design assist, a custom function unit of a VexRiscv softcore"
    )
    if skipped := found.every("assist"):
        terminal.show_text(f"Not measured: {skipped[0]['skipped']}.")
        return
    turns = found.one("body", form="word")["turns"]
    terminal.show_text(f"Body of the loop on 32 bits, cycles a turn, of {turns}")
    terminal.show_table(BODY, body_rows(found, paper), numbers=BODY[1:])
    terminal.show_text(
        "An instruction a turn; its result, like that of a shift, is there a cycle later than "
        "others, and the next turn waits for it. The mask has three shifts. In the branch a turn "
        "with the sum takes longer than one without."
    )
    show_doubts(paper.doubts[2:])
    terminal.show_text("128 bits, cycles")
    terminal.show_table(WHOLE, whole_rows(found), numbers=WHOLE[1:])
    bits = arm.BITS
    terminal.show_text(
        "As drawn it cannot serve 128 bits: 32 without carry and without a bit to shift in. "
        "Chained words are the same logic with both kept in the unit, lowest word first: five "
        "instructions for a halving, four to add y, no number inside. With M, y and T inside, one "
        f"instruction makes 32 steps in 32 cycles: {part_cycles(found, 'held', 'product'):.0f} "
        f"cycles a product, of which {bits} are steps. The program is the last step's, by "
        "clang -O3; in software four words in registers, carries by comparison. Cycles by the "
        "processor's counter, program in the cache; strings, mean of "
        f"{found.one('encrypt', form='held')['inputs']}."
    )


def show_steps(found: Found, paper: Optimizations) -> None:
    """Table 1, and what belongs to it."""
    terminal.show_text(INTRODUCTION)
    items = found.every("roundtrip", workload=KINDS[0])
    texts = max(item["inputs"] for item in items)
    terminal.show_text(f"\nTable 1: a round trip after each step, {_some(texts, KINDS[0])}")
    heads = step_heads(found)
    terminal.show_table(heads, step_rows(found, paper), numbers=heads)
    for line in step_words(found, paper):
        terminal.show_text(line)
    terminal.show_text(
        "Lines: of the whole assembly file, directives too; the report's has its test program in "
        "it. More lines are not more instructions run: -O2 makes copies of what runs often."
    )
    show_doubts(paper.doubts[:2])
    for workload in KINDS:
        if rows := range_rows(found, workload):
            terminal.show_text(f"\nM instructions by step, {_some(texts, workload)}")
            terminal.show_table(RANGE, rows, numbers=RANGE[1:])
    terminal.show_text(
        "The report has no minimum and maximum, and no figures of the integers. The text hardly "
        "matters, as after the first products every operand looks random; but 1 stays 1, where "
        "operands are not scaled."
    )
    terminal.show_text("\nWhat did not help the report, over step 8; clang")
    heads = tried_heads(found)
    terminal.show_table(heads, tried_rows(found), numbers=heads[1:])
    terminal.show_text(tried_words(found))
    terminal.show_text(f"\n{ahead(found, paper)}")
    terminal.show_text(f"\n{how(found)}")


def _some(texts: int, kind: str) -> str:
    what = {"strings": "strings of 15 letters", "integers": "integers of 1 to 1000"}[kind]
    return f"{texts} {what}" if texts > 1 else f"one of the {what}"


def show(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    """Every table, the doubts under it, and who is ahead."""
    found, paper = Found(all_records), bishop2021_figures.load()
    show_heading("bishop2021", paper.source)
    if found.every("roundtrip"):
        show_steps(found, paper)
    if any(item["table"] == "assist" for item in all_records):
        show_assist(found, paper)
    wrong = sum(item["ok"] is False for item in all_records)
    names = dict.fromkeys(item["compiler"] for item in all_records if "compiler" in item)
    terminal.show_text(
        f"\nResults by Python's pow: {'all right' if not wrong else f'{wrong} WRONG'}, "
        f"{len(all_records)} figures{' (quick: one text of each kind)' if quick else ''}. "
        f"{''.join(f'{name}. ' for name in names)}Seed {seed}, {elapsed_s:.0f} s in all. "
        f"Records: {out}"
    )
