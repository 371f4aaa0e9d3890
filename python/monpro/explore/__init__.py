# SPDX-License-Identifier: Apache-2.0
"""Exploring: a space of designs is swept or searched under a budget."""
