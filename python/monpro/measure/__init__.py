# SPDX-License-Identifier: Apache-2.0
"""How measurements are made: prediction, timing, and OpenSSL as the independent party."""
