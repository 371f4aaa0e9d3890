# SPDX-License-Identifier: Apache-2.0
"""The HTML page of records, tables and plots."""
