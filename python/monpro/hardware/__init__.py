# SPDX-License-Identifier: Apache-2.0
"""What a device is: designs, RTL, registers, golden models, simulator."""
