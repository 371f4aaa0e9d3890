"""What everything else stands on: paths, files, terminal."""
