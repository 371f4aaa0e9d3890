# SPDX-License-Identifier: Apache-2.0
"""Machine-checked statements about the RTL as it ships: `make prove`; docs/proofs.md explains."""
