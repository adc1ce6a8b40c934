"""The language server: the protocol's types in and out, and nothing that decides or explains."""

from rules_lsp.lsp.deferred_types import import_types

# Before any module of this room, or of pygls, imports them otherwise.
import_types()
