"""Verdicts on many files at once: those that go by one plain name are decided without an explanation.

A name is plain where no second reading of it exists and no link lies on its way. Whatever is not plain is left to
`decide_file`, which answers the same for what is: a test holds the two together.
"""

from __future__ import annotations

import errno
import os
import stat

from rules_lsp.policy.decide_file import is_protected
from rules_lsp.policy.requests import MAX_PATH_BYTES
from rules_lsp.source.expressions import expression

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rules_lsp.policy.decision import Code
    from rules_lsp.policy.policy import Policy
    from rules_lsp.policy.resolve import Resolver

OPERATIONS = frozenset({"read", "write", "create", "delete"})
"""What is asked about one path alone."""
_PLAIN = expression(r"[ !#&'()*+,\-.0-9;<=>?@A-Z\[\]^_`a-z{|}]+")
_SPECIAL = frozenset({"", ".", ".."})
_DEEPEST = 100


class Verdicts:
    """Decides paths of one operation under one policy. Like its resolver it is for one batch, never longer."""

    def __init__(self, policy: Policy, operation: object, resolver: Resolver) -> None:
        self._policy = policy
        self._operation = operation
        self._resolver = resolver
        self._quick = isinstance(operation, str) and operation in OPERATIONS and os.name != "nt"
        self._directories: dict[str, str | None] = {}
        """The real path of each directory with a final separator; None for one that is not plain."""
        self._governing = frozenset(name.rpartition("/")[2].casefold() for name in policy.protected)
        self._protected: set[str] = set()

    def code(self, path: object) -> Code | None:
        """The code of the decision about a path from the root, or None where `decide_file` must be asked.

        The file is looked at now, its directory was when it was first met.
        """
        if not self._quick or not isinstance(path, str):
            return None
        directory, slash, name = path.rpartition("/")
        if slash and not directory or directory.count("/") > _DEEPEST:
            return None
        real = self._directory(directory)
        if real is None or name in _SPECIAL or not _PLAIN.fullmatch(name) or len(path) > MAX_PATH_BYTES:
            return None
        is_directory: bool | None = False
        try:
            if not stat.S_ISREG(os.lstat(real + name).st_mode):
                return None
        except OSError as error:
            if error.errno != errno.ENOENT:
                return None
            is_directory = None
        return self._code(path, directory, name, is_directory)

    def _directory(self, directory: str) -> str | None:
        if directory not in self._directories:
            real = self._directories[directory] = self._plain_directory(directory)
            if real is not None and is_protected(self._policy, directory):
                self._protected.add(directory)
        return self._directories[directory]

    def _plain_directory(self, directory: str) -> str | None:
        root = self._policy.root
        above, slash, name = directory.rpartition("/")
        if not directory:
            found = self._resolver.resolve(root.given)
            plain = found.kind == "directory" and found.refusal is None
            plain = plain and all(root.relative(candidate) == "" for candidate in found.candidates)
            return os.path.join(found.real, "") if plain else None
        if slash and not above or name in _SPECIAL or not _PLAIN.fullmatch(name):
            return None
        top = self._directory(above)
        if top is None:
            return None
        try:
            is_directory = stat.S_ISDIR(os.lstat(top + name).st_mode)
        except OSError:
            return None
        return f"{top}{name}{os.sep}" if is_directory else None

    def _code(self, path: str, directory: str, name: str, is_directory: bool | None) -> Code:
        policy = self._policy
        if not policy.enabled:
            return "disabled"
        if policy.refusal is not None:
            return "policy-error"
        if self._operation != "read" and self._is_protected(path, directory, name):
            return "protected"
        if policy.broken_exclude is not None:
            return "policy-error"
        if policy.excludes.first_covering(path, is_directory, fold_case=policy.fold_case) is not None:
            return "excluded"
        if not policy.rules.include or self._operation == "read":
            return "unrestricted"
        if any(includes.first_covering(path, False) is None for includes in policy.includes):
            return "not-included"
        return "included"

    def _is_protected(self, path: str, directory: str, name: str) -> bool:
        if directory in self._protected:
            return True
        # Only what is called as one that governs can be it.
        return name.casefold() in self._governing and is_protected(self._policy, path)
