# SPDX-License-Identifier: Apache-2.0
"""Golden models of the hardware: plain integers, no shortcuts, the words and cycles of the RTL."""
