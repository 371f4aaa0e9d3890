# SPDX-License-Identifier: Apache-2.0
"""The command `monpro`, which is `python -m monpro` too.

An interrupt while the command line is still being imported ends as it does later: one line, and
exit status 130.
"""

from __future__ import annotations

import os


def main() -> None:
    try:
        from monpro.cli.program import main as run
    except KeyboardInterrupt:
        os.write(2, b"monpro: error: interrupted\n")
        os._exit(130)
    run()


if __name__ == "__main__":
    main()
