"""What a device is: designs, RTL, registers, golden models, simulator."""
