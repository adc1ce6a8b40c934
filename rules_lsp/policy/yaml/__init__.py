"""A YAML rule file read: keys, lists, entries, and what only looks like them."""
