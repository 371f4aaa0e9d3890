"""Maxeler: RSA over a dataflow kernel."""
