"""The engine: rules are read from a tree, a request is decided, and the decision says by what."""
