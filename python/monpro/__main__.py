"""`python -m monpro` is the command `monpro`."""

from monpro.cli.program import main

if __name__ == "__main__":
    main()
