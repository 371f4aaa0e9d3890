# SPDX-License-Identifier: Apache-2.0
"""Sharif: a hardware/software codesign on a Zynq."""
