# SPDX-License-Identifier: Apache-2.0
"""Readers of published figures: of peers and of papers."""
