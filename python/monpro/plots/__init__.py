"""One plotting kit: what a plot is, and how it becomes a file or a part of a page."""
