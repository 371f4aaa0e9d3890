"""A space of designs swept or searched under a budget."""
