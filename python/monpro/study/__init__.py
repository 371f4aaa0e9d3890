# SPDX-License-Identifier: Apache-2.0
"""What is there for study: scanning methods, the dataflow kernel, small keys."""
