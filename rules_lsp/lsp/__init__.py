"""The language server: the protocol's types in and out, and nothing that decides or explains."""
