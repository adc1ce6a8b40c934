"""What a selection of files says: the files, those that the rules refuse, and what is wrong with what was asked."""

from __future__ import annotations

from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Role: TypeAlias = "Literal['target', 'automatic', 'reference']"
FindingCode: TypeAlias = (
    "Literal['missing', 'no-match', 'invalid-glob', 'unset-variable', 'unknown-home', 'foreign-path', "
    "'unreadable', 'unreadable-list', 'empty-path', 'too-many']"
)


@dataclass(frozen=True, slots=True)
class Source:
    """How something came into the selection: as it was given, perhaps on a line (base 1) of a list."""

    given: str
    list: str | None = None
    line: int | None = None

    @property
    def words(self) -> str:
        """The place in words, behind what was given: empty where it was given directly."""
        return "" if self.list is None else f" (line {self.line} of `{self.list}`)"


@dataclass(frozen=True, slots=True)
class ContextFile:
    """A file whose text is taken in. `shown` is its name in a prompt, `absolute` is normalised and keeps links.

    `reason` says why it is there, `also` what else asked for it. `link` is where it leads where it is reached by a
    link. `size` counts bytes, `tokens` are estimated.
    """

    shown: str
    absolute: str
    role: Role
    reason: str
    source: Source
    text: str
    size: int
    tokens: int
    link: str | None = None
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusedFile:
    """A file that the rules deny, with their decision; nothing of it was read."""

    shown: str
    absolute: str
    role: Role
    source: Source
    decision: FileDecision


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a folder or a pattern would have brought along and does not, and why: no fault."""

    shown: str
    reason: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something asked for that is not there, or not as it was meant."""

    code: FindingCode
    message: str
    source: Source


@dataclass(frozen=True, slots=True)
class ContextSelection:
    """Files in the order of a prompt: targets, automatic files, references. `policy` is the one that was asked."""

    cwd: str
    policy: Policy
    files: tuple[ContextFile, ...] = ()
    refused: tuple[RefusedFile, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything that was asked for is there and allowed."""
        return not self.refused and not self.findings

    def of_role(self, *roles: Role) -> tuple[ContextFile, ...]:
        """The files of some roles."""
        return tuple(file for file in self.files if file.role in roles)
