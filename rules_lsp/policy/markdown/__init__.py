"""A Markdown rule file read: sections, lists, entries, and what only looks like them."""
