"""The command `monpro`. Exit status: 0 done, 1 a check failed (a bad signature, a message that does
not decrypt, a wrong result), 2 wrong use or bad input. `monpro model` tells three more apart."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from monpro import commands_engine, commands_rsa
from monpro.errors import MonproError

app = typer.Typer(
    name="monpro",
    help="RSA through a Montgomery coprocessor, simulated or real, or through software.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
commands_rsa.add_to(app)
commands_engine.add_to(app)


def _version(wanted: bool) -> None:
    if wanted:
        from monpro import _native

        print(f"monpro {_native.load().version()}")
        raise typer.Exit


@app.callback()
def _monpro(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Runs the command line; every failure is one clear message and an exit status."""
    try:
        status = app(prog_name="monpro", standalone_mode=False)
        sys.stdout.flush()
    except MonproError as error:
        status = fail(str(error), 1 if error.failed_check else 2)
    except (KeyboardInterrupt, typer.Abort):
        status = fail("interrupted", 130)
    except BrokenPipeError:
        # Whoever read our output has gone; Python would complain once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except ImportError as error:
        status = fail(f"{error}; `monpro doctor` says more", 2)
    except Exception as error:
        # Usage errors of typer, whose class it keeps to itself.
        if not hasattr(error, "format_message"):
            raise
        context = getattr(error, "ctx", None)
        hint = f" (see {context.command_path} --help)" if context else ""
        status = fail(f"{error.format_message()}{hint}", 2)
    sys.exit(status if isinstance(status, int) else 0)


def fail(message: str, status: int) -> int:
    print(f"monpro: error: {message}", file=sys.stderr)
    return status


if __name__ == "__main__":
    main()
