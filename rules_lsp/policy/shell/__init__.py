"""Command lines: the programs that they run, the files that those touch, and what kind of command each is."""
