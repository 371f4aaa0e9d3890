# SPDX-License-Identifier: Apache-2.0
"""What everything else stands on: paths, files, terminal."""
