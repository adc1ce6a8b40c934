"""What an agent is told, part by part: the text of each, where it comes from, and why it is there."""

from __future__ import annotations

from functools import cached_property

from rules_lsp.policy.roots import Root
from rules_lsp.prompt.tokens import estimate_tokens
from rules_lsp.prompt.told_files import LeftOut
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Section: TypeAlias = (
    "Literal['base', 'active_project', 'system_prompt_extension', 'always', 'mcp_tools', "
    "'agents_md_instructions', 'project_instructions']"
)
SYSTEM_SECTIONS: tuple[Section, ...] = ("base", "active_project", "system_prompt_extension", "always", "mcp_tools")
MESSAGE_SECTIONS: tuple[Section, ...] = ("agents_md_instructions", "project_instructions")
SECTIONS = (*SYSTEM_SECTIONS, *MESSAGE_SECTIONS)
"""The sections in the order in which they are told: those of the system prompt, then the messages."""
TOTAL = "total"
BUDGETED = (*SECTIONS, TOTAL)
"""What may have a budget, in estimated tokens."""
GAP = "\n\n"


@dataclass(frozen=True)
class Part:
    """A piece of what is told. A section is `before` and `text` of its parts, one behind the other.

    `text` is what stands in the file, or is made of it; `before` is in words of this package and of the host. `name`
    is the root-relative name of the file, or says what the part is where it is of no file: `path` is None then. `span`
    is its place in `source`, the text of the file. `why` is a sentence without its subject.
    """

    section: Section
    name: str
    path: str | None
    source: Text | None
    span: Span | None
    before: str
    text: str
    why: str

    @property
    def told(self) -> str:
        """What is told of it."""
        return self.before + self.text

    @property
    def characters(self) -> int:
        """Its length in code points."""
        return len(self.before) + len(self.text)

    @cached_property
    def tokens(self) -> int:
        """Its estimated tokens."""
        return estimate_tokens(self.told)


@dataclass(frozen=True, slots=True)
class ListedFolder:
    """A folder whose files an agent has and is not told: names from the root, sorted; `complete` where that is all."""

    name: str
    files: tuple[str, ...]
    complete: bool


@dataclass(frozen=True, slots=True)
class OverBudget:
    """A section, or the total, that costs more tokens than it may. Nothing is cut."""

    section: str
    tokens: int
    budget: int


@dataclass(frozen=True)
class PromptView:
    """Everything that an agent is told before the history, in its order, and what it is not told.

    `target` is the absolute path for which the chain of instructions was asked, `folder` its root-relative folder, None
    where it lies outside the root. The messages live until the project changes or the session is reset.
    """

    root: Root
    target: str
    folder: str | None
    parts: tuple[Part, ...]
    left_out: tuple[LeftOut, ...]
    listed: tuple[ListedFolder, ...]
    over_budget: tuple[OverBudget, ...]

    def section(self, section: Section) -> str:
        """The text of a section; empty where it is not told."""
        return "".join(part.told for part in self.parts if part.section == section)

    @property
    def system(self) -> str:
        """The system prompt."""
        return "".join(part.told for part in self.parts if part.section in SYSTEM_SECTIONS)

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages before the history."""
        return tuple(text for section in MESSAGE_SECTIONS if (text := self.section(section)))

    @cached_property
    def characters(self) -> int:
        """The length of all parts."""
        return sum(part.characters for part in self.parts)

    @cached_property
    def tokens(self) -> int:
        """The estimated tokens of all parts."""
        return sum(part.tokens for part in self.parts)


def section_tokens(parts: tuple[Part, ...], section: str) -> int:
    """The estimated tokens of a section, or of all of them for `total`."""
    return sum(part.tokens for part in parts if section in (TOTAL, part.section))
