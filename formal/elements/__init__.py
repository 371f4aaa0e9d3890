# SPDX-License-Identifier: Apache-2.0
"""The elements of the arrays: in each cycle they do what the recurrence in their head says."""

from formal.elements.theorems import theorems as theorems
