"""One module a figure, with its script beside it."""
