"""Tools: their names, the entries that name them, and the files that a call touches."""
