"""Pai 2025: a word-serial Montgomery multiplier on a PYNQ-Z2."""
