# SPDX-License-Identifier: Apache-2.0
"""Bishop 2021: 128-bit RSA on a 32-bit ARM."""
