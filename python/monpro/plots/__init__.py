# SPDX-License-Identifier: Apache-2.0
"""One plotting kit: what a plot is, and how it becomes a file or a part of a page."""
