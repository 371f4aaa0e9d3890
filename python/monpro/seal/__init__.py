# SPDX-License-Identifier: Apache-2.0
"""Sealed files: their formats, CMS, blocks, recipients."""
