"""Pattern lists: what an entry means for a decision, one by one and as a whole list."""

from rules_lsp.policy.patterns.lists import ExcludeList, IncludeList
from rules_lsp.policy.patterns.matchers import ExcludeMatcher, IncludeMatcher
from rules_lsp.policy.patterns.reading import ReadPattern, never_matches_in, read_pattern
from rules_lsp.policy.patterns.rewriting import NeverMatches, NeverMatchesKind

__all__ = [
    "ExcludeList",
    "ExcludeMatcher",
    "IncludeList",
    "IncludeMatcher",
    "NeverMatches",
    "NeverMatchesKind",
    "ReadPattern",
    "never_matches_in",
    "read_pattern",
]
