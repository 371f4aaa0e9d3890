# SPDX-License-Identifier: Apache-2.0
"""Published systems: a folder for each, with its figures, measurements and tables."""
