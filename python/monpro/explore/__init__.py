"""Exploring: a space of designs is swept or searched under a budget."""
