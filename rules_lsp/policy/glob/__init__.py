"""Globs: a pattern's text, its tree with places, and a matcher whose cost is bounded by pattern × path."""

from rules_lsp.policy.glob.advice import advice_for
from rules_lsp.policy.glob.braces import MAXIMUM_EXPANSIONS
from rules_lsp.policy.glob.nodes import (
    POSIX_CLASSES,
    Alternative,
    AnyCharacter,
    AnyDirectories,
    CharacterClass,
    ClassRange,
    GlobError,
    GlobErrorKind,
    Literal,
    Name,
    PosixClass,
    Segment,
    Star,
    Token,
)
from rules_lsp.policy.glob.pattern import MAXIMUM_LENGTH, Glob, parse_glob

__all__ = [
    "MAXIMUM_EXPANSIONS",
    "MAXIMUM_LENGTH",
    "POSIX_CLASSES",
    "Alternative",
    "AnyCharacter",
    "AnyDirectories",
    "CharacterClass",
    "ClassRange",
    "Glob",
    "GlobError",
    "GlobErrorKind",
    "Literal",
    "Name",
    "PosixClass",
    "Segment",
    "Star",
    "Token",
    "advice_for",
    "parse_glob",
]
