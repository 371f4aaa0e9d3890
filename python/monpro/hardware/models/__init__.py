"""Golden models of the hardware: plain integers, no shortcuts, the same words and cycles."""
