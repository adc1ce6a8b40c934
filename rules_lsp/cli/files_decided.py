"""What the policy says of files, one after another as a walk finds them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rules_lsp.policy.decide_file import FileRequest, decide_file
from rules_lsp.policy.decision import ALLOWING
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import asked_path
from rules_lsp.policy.resolve import Resolver
from rules_lsp.policy.verdicts import Verdicts

_REMEMBERED = 2000


class Decided(NamedTuple):
    """A file, root-relative, and the decision about it."""

    path: str
    allowed: bool
    code: str


def decided(policy: Policy, pieces: Iterable[list[str]], wanted: bool, operation: str) -> Iterator[list[Decided]]:
    """Of root-relative paths those with the wanted verdict."""
    resolver, number = Resolver(policy.root), 0
    verdicts = Verdicts(policy, operation, resolver)
    for paths in pieces:
        number += len(paths)
        if number >= _REMEMBERED:
            # What a resolver remembers is the state of the disk: for a while only.
            resolver, number = Resolver(policy.root), 0
            verdicts = Verdicts(policy, operation, resolver)
        found: list[Decided] = []
        for path in paths:
            code = verdicts.code(path)
            if code is None:
                asked = asked_path(path, None, policy.root, policy.config)
                code = decide_file(policy, FileRequest(asked, operation), resolver, full=False).code
            if (code in ALLOWING) == wanted:
                found.append(Decided(path, wanted, code))
        if found:
            yield found
