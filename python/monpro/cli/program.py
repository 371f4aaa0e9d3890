# SPDX-License-Identifier: Apache-2.0
"""The command `monpro`.

Exit status: 0 done; 1 a check failed (a bad signature, a message that does not decrypt, a wrong
result); 2 wrong use or bad input. `monpro model` has three more.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import Annotated

import typer

from monpro.base import closing, files
from monpro.cli.families import Families
from monpro.errors import MonproError

app = typer.Typer(
    cls=Families,
    name="monpro",
    help="RSA through a Montgomery coprocessor, simulated from its RTL, or through software.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from monpro import _native

        print(f"monpro {_native.load().version()}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _monpro(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help(), file=sys.stderr)
        raise typer.Exit(2)


def main() -> None:
    """Runs the command line; every failure is one clear message and an exit status."""
    _open_standard_streams()
    signal.signal(signal.SIGTERM, _terminate)
    _watch_signals()
    try:
        status = app(prog_name="monpro", standalone_mode=False)
        sys.stdout.flush()
    except MonproError as error:
        status = fail(str(error), 1 if error.failed_check else 2, error.name)
    except (KeyboardInterrupt, typer.Abort):
        status = fail("interrupted", 130, "INTERRUPTED")
    except BrokenPipeError:
        status = 1  # whoever read our output has gone
    except OSError as why:
        where = why.filename or "standard output"
        status = fail(f"MONPRO_ERR_FILE: {where}: {why.strerror or why}", 2, "MONPRO_ERR_FILE")
    except ImportError as error:
        status = fail(f"{error}; `monpro doctor` says more", 2, "IMPORT")
    except Exception as error:
        # Usage errors of typer, whose class it keeps to itself.
        if not hasattr(error, "format_message"):
            raise
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        status = fail(f"{error.format_message()}{hint}", 2, "USAGE")
    _drop_lost_output()
    sys.exit(status if isinstance(status, int) else 0)


def _open_standard_streams() -> None:
    """Stands in for streams that the caller has closed: using them is an error, not a crash.

    Left closed, the next file to be opened would get their number, and what is meant for standard
    error would go to standard output.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        if (sys.stdin, sys.stdout, sys.stderr)[number] is None:
            descriptor = os.open(os.devnull, mode)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
    sys.stdin = sys.stdin or os.fdopen(0)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")


def _terminate(_number: int, _frame: FrameType | None) -> None:
    """Unwinds, so that unfinished files are removed."""
    sys.exit(128 + signal.SIGTERM)


def _watch_signals() -> None:
    """Ends the process at a signal even while the library computes.

    Python handles a signal when a blocking call has returned, which may take a simulation minutes.
    What it writes to the pipe at once wakes a thread. The thread ends the tools that run, as those
    of `monpro synth`, and waits a moment for the normal way out.
    """
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing)

    def watch() -> None:
        number = os.read(reading, 1)[0]
        if number in (signal.SIGINT, signal.SIGTERM):
            closing.end_all()
            time.sleep(1)
            files.discard_unfinished()
            if number == signal.SIGINT:
                fail("interrupted", 130, "INTERRUPTED")
            os._exit(128 + number)

    threading.Thread(target=watch, daemon=True).start()


def _drop_lost_output() -> None:
    """What could not be written has been reported; Python would complain again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, status: int, name: str) -> int:
    """Says what went wrong on standard error; with --json on standard output too, as an object."""
    print(f"monpro: error: {message}", file=sys.stderr)
    if "--json" in sys.argv[1:]:
        with contextlib.suppress(OSError):  # standard output may be what failed
            print(json.dumps({"error": {"name": name, "message": message}}), flush=True)
    return status


if __name__ == "__main__":
    main()
