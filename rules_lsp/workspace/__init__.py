"""One project as the fronts see it: its files, its policy, its servers; made anew when a file changes."""
