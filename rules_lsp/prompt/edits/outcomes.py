"""From what stops an edit to its answer."""

from __future__ import annotations

import os

from rules_lsp.policy.decision import FileDecision
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.edits.model import EditAnswer, Nearest, Place, Status, StructuredEdit
from rules_lsp.source.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Asked:
    """An edit and the decision by which its file may be written or created."""

    edit: StructuredEdit
    decision: FileDecision

    @property
    def name(self) -> str:
        """The file from the root, as it was named."""
        return self.decision.path or self.edit.file_path

    @property
    def real_name(self) -> str:
        """The file from the root, its links followed."""
        return self.decision.resolved_path or self.name

    @property
    def real_path(self) -> str:
        """The absolute path of the file itself: what a link leads to. An allowed path lies in the root."""
        return os.path.normpath(self.decision.policy.root.absolute(self.real_name))

    @property
    def told(self) -> str:
        """The name for a sentence."""
        return shown(self.name)


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why an edit that the policy allows cannot be made."""

    status: Status
    reason: str
    places: tuple[Place, ...] = ()
    nearest: Nearest | None = None
    others: tuple[int, ...] = ()


def refused(asked: Asked, stopped: Stopped) -> EditAnswer:
    """The answer to an edit that cannot be made. What allowed the file has no say in it any more."""
    decision = replace(
        asked.decision, allowed=False, code="invalid-request", reason=stopped.reason, rule=None, overruled=()
    )
    return EditAnswer(
        asked.edit.index,
        stopped.status,
        decision,
        places=stopped.places,
        nearest=stopped.nearest,
        others=stopped.others,
    )
