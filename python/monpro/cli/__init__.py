# SPDX-License-Identifier: Apache-2.0
"""The command line: a file for each family of commands."""
