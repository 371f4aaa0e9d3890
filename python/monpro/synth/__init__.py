# SPDX-License-Identifier: Apache-2.0
"""Synthesis and placement: area, clock, bitstreams."""
