# SPDX-License-Identifier: Apache-2.0
"""Information flow: what a secret can reach in the netlist of a whole coprocessor."""

from formal.constant_time.theorems import theorems as theorems
