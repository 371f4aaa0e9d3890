# SPDX-License-Identifier: Apache-2.0
"""Measurements side by side: RSA with real keys, designs, schemes, software engines."""
