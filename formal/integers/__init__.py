# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of the multipliers, over integers of any size."""

from formal.integers.theorems import theorems as theorems
