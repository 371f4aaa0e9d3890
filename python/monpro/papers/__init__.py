"""Published systems: a folder for each, with its figures, measurements and tables."""
