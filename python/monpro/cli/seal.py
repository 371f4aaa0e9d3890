# SPDX-License-Identifier: Apache-2.0
"""Commands that encrypt whole files: seal, open."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from monpro import records
from monpro.base import files
from monpro.base.terminal import Steps
from monpro.cli import options as o
from monpro.cli.operation import measured
from monpro.errors import MonproError

if TYPE_CHECKING:
    from monpro.seal.recipients import Recipient

app = typer.Typer(rich_markup_mode=None)
QUIET_BLOCKS = 1000  # below so many a file gets no lines of progress where there is no terminal

To = Annotated[
    list[str],
    typer.Option(
        "--to",
        metavar="FILE",
        help="Certificate or public key of who may open the file; may be given several times.",
    ),
]
Blocks = Annotated[
    bool, typer.Option("--blocks", help="Put all of the file through RSA, block by block.")
]
Certificate = Annotated[
    str | None,
    typer.Option("--cert", metavar="FILE", help="The key's certificate, where several could fit."),
]
Unauthenticated = Annotated[
    bool,
    typer.Option("--unauthenticated", help="Open also what nothing protects against change (CBC)."),
]


class _Progress:
    """A bar on a terminal; else a line for each tenth of a large file."""

    def __init__(self) -> None:
        self._steps: Steps | None = None
        self._parts, self._shown = 0, 0

    def __call__(self, done: int, total: int | None) -> None:
        if total is None:
            return
        if self._steps is None:
            terminal = sys.stderr.isatty()
            if not terminal and total < QUIET_BLOCKS:
                return
            self._parts = min(total, 1000 if terminal else 10)
            self._steps = Steps(self._parts)
            self._steps.__enter__()
        reached = min(done, total) * self._parts // total
        for _ in range(self._shown, reached):
            self._steps.done(f"{done} of {total} blocks")
        self._shown = max(self._shown, reached)

    def close(self) -> None:
        if self._steps is not None:
            self._steps.__exit__(None, None, None)


def _warn(recipients: list[Recipient]) -> None:
    for recipient in recipients:
        for warning in recipient.warnings:
            print(f"monpro: warning: {warning}", file=sys.stderr)


@app.command()
def seal(
    file: o.Input,
    to: To,
    engine: o.EngineSpec = o.ENGINE,
    blocks: Blocks = False,
    out: o.Out = None,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Encrypt a file of any size to one or more RSA keys.

    The result is CMS, which `openssl cms -decrypt -inform DER` opens: a fresh key under RSA-OAEP,
    the content under AES-256-GCM. With --blocks all of the content is under RSA-OAEP, to one key.
    """
    from monpro.seal import blocks as seal_blocks
    from monpro.seal import cms
    from monpro.seal.recipients import read_recipient

    o.one_standard_input(file, *to)
    o.not_both_to_standard_output(json, out)
    if blocks and len(to) > 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--blocks seals to one key")
    recipients = [read_recipient(path) for path in to]
    key, progress = recipients[0].key, _Progress()
    _warn(recipients)
    with (
        files.output(out) as write,
        files.source(file) as source,
        measured(
            "seal", key, engine, trace, private=False,
            padding="oaep", form="blocks" if blocks else "cms", recipients=len(recipients),
        ) as operation,
    ):  # fmt: skip
        try:
            if blocks:
                seal_blocks.seal(operation.engine, key, source, source.size, write, progress)
            else:
                cms.seal(operation.engine, recipients, source, source.size, write)
        finally:
            progress.close()
    if json and operation.record is not None:
        records.show([operation.record])


@app.command("open")
def open_(
    file: o.Input,
    key: o.KeyFile,
    engine: o.EngineSpec = o.ENGINE,
    certificate: Certificate = None,
    unauthenticated: Unauthenticated = False,
    out: o.Out = None,
    passphrase_file: o.PassphraseFile = None,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Decrypt a file that was sealed to a private key.

    Takes what `monpro seal` and `openssl cms -encrypt` make, binary or as text. Nothing is let out
    before the end of the file has shown that all of it is right.
    """
    from monpro.seal.formats import open_file
    from monpro.seal.recipients import read_recipient

    o.one_standard_input(file, key, *([certificate] if certificate else []))
    o.not_both_to_standard_output(json, out)
    only = read_recipient(certificate) if certificate else None
    with files.whole_output(out, secret=True) as write, files.source(file) as source:
        secret, progress = o.read_key(key, passphrase_file), _Progress()
        with measured("open", secret, engine, trace, private=True, crt=True) as operation:
            try:
                operation.figures["form"] = open_file(
                    operation.engine, secret, source, write,
                    only=only, unauthenticated=unauthenticated, progress=progress,
                )  # fmt: skip
            finally:
                progress.close()
    if json and operation.record is not None:
        records.show([operation.record])
