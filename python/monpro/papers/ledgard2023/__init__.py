# SPDX-License-Identifier: Apache-2.0
"""Ledgard 2023: an MSc thesis with three designs."""
