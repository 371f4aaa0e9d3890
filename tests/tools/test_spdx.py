# SPDX-License-Identifier: Apache-2.0
"""tools/spdx.py: a source file without its licence's line is found, and gets it."""

from __future__ import annotations

from pathlib import Path

import pytest

import spdx


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.py", '"""Words."""\n', f'# {spdx.LINE}\n"""Words."""\n'),
        (
            "a.py",
            "#!/usr/bin/env python3\nx = 1\n",
            f"#!/usr/bin/env python3\n# {spdx.LINE}\nx = 1\n",
        ),
        ("a.c", "int x;\n", f"/* {spdx.LINE} */\nint x;\n"),
        ("a.sv", "module a;\n", f"// {spdx.LINE}\nmodule a;\n"),
    ],
)
def test_a_file_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str, expected: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    monkeypatch.setattr(spdx, "sources", lambda: [path])
    assert spdx.without() == [path]
    spdx.add(path)
    assert path.read_text() == expected
    assert spdx.without() == []


def test_every_source_of_this_tree_has_it() -> None:
    found = spdx.sources()
    assert len(found) > 600
    assert spdx.without() == []
