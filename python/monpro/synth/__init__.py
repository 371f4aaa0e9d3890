"""Synthesis and placement: area, clock, bitstreams."""
