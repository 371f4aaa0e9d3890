# SPDX-License-Identifier: Apache-2.0
"""The system on chip: it is built, run, and made for boards."""
