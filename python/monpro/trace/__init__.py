"""Intermediate values of an exponentiation, C code and RTL side by side."""
