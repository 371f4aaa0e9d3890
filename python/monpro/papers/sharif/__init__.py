"""Sharif: a hardware/software codesign on a Zynq."""
