"""Measurements side by side: RSA with real keys, designs, schemes, software engines."""
