# SPDX-License-Identifier: Apache-2.0
"""Power and energy: activity, fit, estimate, verdict."""
