# SPDX-License-Identifier: Apache-2.0
"""Intermediate values of an exponentiation, C code and RTL side by side."""
