# SPDX-License-Identifier: Apache-2.0
# LED 0 of the PYNQ-Z2: the coprocessor's interrupt line.
set_property -dict {PACKAGE_PIN R14 IOSTANDARD LVCMOS33} [get_ports led_o]
