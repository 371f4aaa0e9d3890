"""What is there for study: scanning methods, the dataflow kernel, small keys."""
