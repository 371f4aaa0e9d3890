"""Ledgard 2023: an MSc thesis with three designs."""
