"""The system on chip: built, run, for boards."""
