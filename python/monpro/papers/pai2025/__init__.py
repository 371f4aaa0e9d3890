# SPDX-License-Identifier: Apache-2.0
"""Pai 2025: a word-serial Montgomery multiplier on a PYNQ-Z2."""
