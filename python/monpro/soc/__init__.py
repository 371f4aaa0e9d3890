"""The system on chip: it is built, run, and made for boards."""
