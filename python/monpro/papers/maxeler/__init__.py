# SPDX-License-Identifier: Apache-2.0
"""Maxeler: RSA over a dataflow kernel."""
