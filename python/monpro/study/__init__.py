"""What is there to be studied: scanning methods, the dataflow kernel, small keys."""
