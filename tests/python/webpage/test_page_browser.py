# SPDX-License-Identifier: Apache-2.0
"""The page in a browser: drawn, sorted, hovered, in both themes, on a phone and on paper."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import page_records
from monpro.webpage import page, sources

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.sim,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium"),
]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
WAIT_S = 30.0
PHONE, DESKTOP = {"width": 390, "height": 844}, {"width": 1200, "height": 900}
DRAWN = "[...document.querySelectorAll('[data-plot]')].every(div => div.dataset.drawn)"


@dataclass
class Browser:
    """The page, and what it complained about and asked for since it was opened."""

    page: Any
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def evaluate(self, script: str, argument: object = None) -> Any:
        return self.page.evaluate(script, argument)

    def wait(self, condition: str) -> None:
        """playwright's own waiting evaluates a text in the page, whose policy does not let it."""
        end_s = time.monotonic() + WAIT_S
        while not self.evaluate(condition):
            assert time.monotonic() < end_s, f"never came true: {condition}"
            time.sleep(0.05)

    def font(self, key: str) -> str:
        return str(self.evaluate(
            "key => getComputedStyle(document.querySelector(`#${key} .xtick text`)).fill", key
        ))  # fmt: skip

    def background(self) -> str:
        return str(self.evaluate("getComputedStyle(document.body).backgroundColor"))

    def cells(self, table: str, column: int) -> list[list[str]]:
        """The texts of a column, group by group."""
        found: list[list[str]] = self.evaluate(
            """([table, column]) => [...document.querySelector(table).tBodies].map(
                 body => [...body.rows].filter(row => row.cells.length > column)
                   .map(row => row.cells[column].textContent))""",
            [table, column],
        )
        return found


@pytest.fixture(scope="module")
def assembled() -> page.Page:
    return page.assemble(sources.load(page_records.made()))


@pytest.fixture(scope="module")
def browser(assembled: page.Page, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(page.render(assembled), encoding="utf-8")
    with sync_api.sync_playwright() as play:
        context = play.chromium.launch_persistent_context(
            folder / "user", executable_path=CHROMIUM, args=FLAGS, viewport=DESKTOP,
            color_scheme="light",
        )  # fmt: skip
        tab = context.pages[0] if context.pages else context.new_page()
        found = Browser(tab)
        tab.on("console", lambda message: found.complaints.append(message.text))
        tab.on("pageerror", lambda error: found.complaints.append(str(error)))
        tab.on("request", lambda request: found.requests.append(request.url))
        tab.goto((folder / "page.html").as_uri())
        found.wait(DRAWN)
        yield found
        context.close()
        assert found.complaints == []
        assert [url for url in found.requests if not url.startswith(("file:", "data:"))] == []


@pytest.fixture
def desktop(browser: Browser) -> Browser:
    """As it was when opened."""
    browser.page.set_viewport_size(DESKTOP)
    browser.page.emulate_media(media="screen", color_scheme="light")
    browser.page.check("input[name=theme][value=auto]")
    return browser


def test_every_plot_is_drawn(desktop: Browser, assembled: page.Page) -> None:
    keys = desktop.evaluate(
        "[...document.querySelectorAll('[data-plot]')].map(d => d.id || d.dataset.plot)"
    )
    assert sorted(keys) == sorted(plot.key for plot in assembled.plots)
    for plot in assembled.plots:
        drawn = desktop.page.locator(f"#{plot.key} .cartesianlayer .trace")
        assert drawn.count() == len(plot.series), plot.key
        box = desktop.page.locator(f"#{plot.key} .main-svg").first.bounding_box()
        assert box["width"] > 600
        assert box["height"] > 300
        for axis, title in (("x", plot.x.title), ("y", plot.y.title)):
            assert desktop.page.locator(f"#{plot.key} .{axis}title").text_content() == title


def test_nothing_is_complained_about_or_asked_for(desktop: Browser) -> None:
    assert desktop.complaints == []
    assert [url for url in desktop.requests if not url.startswith(("file:", "data:"))] == []


def test_a_table_is_sorted_within_its_groups(desktop: Browser) -> None:
    table = "#section-ledgard2023 .table:has(figcaption:text('area on XC7A100T')) table"
    handle = desktop.page.locator(table)
    handle.evaluate("table => { table.id = 'sorted'; }")
    header = handle.locator("thead th").nth(1)
    before = desktop.cells("#sorted", 1)
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    up = desktop.cells("#sorted", 1)
    assert up == [sorted(group, key=float) for group in before]
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert desktop.cells("#sorted", 1) == [group[::-1] for group in up] != up
    titles = handle.locator("tr.group th").all_inner_texts()
    assert titles == ["repeated", "binary", "montgomery"]
    for body in range(3):  # a group's heading stays above its rows
        assert (
            handle.locator("tbody").nth(body).locator("tr").first.get_attribute("class") == "group"
        )


def test_numbers_are_sorted_as_numbers(desktop: Browser) -> None:
    """With powers, marks and ranges in them; what is no number is last, either way."""
    desktop.evaluate(
        """texts => {
            const table = document.querySelector("#section-pai2025 table");
            table.id = "real";
            const [body, ...others] = table.tBodies;
            others.forEach(other => other.remove());
            const row = [...body.rows].find(one => one.cells.length > 1);
            body.replaceChildren(...texts.map(text => {
                const copy = row.cloneNode(true);
                copy.cells[1].textContent = text;
                return copy;
            }));
        }""",
        ["10^11.2", "-", "9*", "1000", "5.8-11.6", "-3", ""],
    )
    button = desktop.page.locator("#real thead th").nth(1).locator("button")
    button.click()
    assert desktop.cells("#real", 1)[0] == ["-3", "5.8-11.6", "9*", "1000", "10^11.2", "-", ""]
    button.click()
    assert desktop.cells("#real", 1)[0] == ["10^11.2", "1000", "9*", "5.8-11.6", "-3", "-", ""]


@pytest.mark.parametrize(
    ("plot", "words"),
    [
        ("pareto", ["multiplier blocks", "cycles", " ms: ", "monpro synth "]),
        ("speed-blocks", ["multiplier-cycles", "of the bound", "monpro bench designs"]),
    ],
)
def test_a_hover_is_read(desktop: Browser, plot: str, words: list[str]) -> None:
    point = desktop.page.locator(f"#{plot} .scatterlayer .trace .point").first
    point.scroll_into_view_if_needed()
    box = point.bounding_box()
    desktop.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    label = desktop.page.locator(f"#{plot} .hoverlayer .hovertext")
    label.wait_for()
    text = label.first.text_content()
    for word in words:
        assert word in text
    desktop.page.mouse.move(0, 0)


def test_light_and_dark(desktop: Browser) -> None:
    light = desktop.background(), desktop.font("pareto")
    assert light[0] == "rgb(255, 255, 255)"
    desktop.page.check("input[name=theme][value=dark]")
    dark = desktop.background(), desktop.font("pareto")
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    desktop.page.check("input[name=theme][value=auto]")
    assert (desktop.background(), desktop.font("pareto")) == light
    desktop.page.emulate_media(color_scheme="dark")  # what the system prefers
    assert (desktop.background(), desktop.font("pareto")) == dark
    desktop.page.check("input[name=theme][value=light]")
    assert (desktop.background(), desktop.font("pareto")) == light


def test_on_a_phone_nothing_is_wider_than_the_screen(desktop: Browser) -> None:
    desktop.page.set_viewport_size(PHONE)
    desktop.wait("[...document.querySelectorAll('.main-svg')].every(svg => svg.clientWidth <= 390)")
    assert desktop.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    wide = desktop.page.locator("#section-ledgard2023 .scroll").nth(1)
    assert wide.evaluate("box => box.scrollWidth > box.clientWidth")  # it scrolls by itself


def test_on_paper(desktop: Browser, tmp_path: Path) -> None:
    data = desktop.page.pdf(format="A4")
    assert data.startswith(b"%PDF")
    desktop.page.check("input[name=theme][value=dark]")
    desktop.page.emulate_media(media="print")
    assert not desktop.page.locator("nav").is_visible()
    assert not desktop.page.locator(".theme").is_visible()
    try:
        desktop.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert desktop.font("pareto") == "rgb(0, 0, 0)"
        assert desktop.evaluate("document.querySelector('#pareto .main-svg').clientWidth") == 680
    finally:
        desktop.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert desktop.font("pareto") != "rgb(0, 0, 0)"
