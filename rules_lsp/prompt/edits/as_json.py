"""Answers about a batch, as `edit-answers.schema.json` describes them."""

from __future__ import annotations

from rules_lsp.policy.decision import policy_as_json
from rules_lsp.prompt.edits.model import CheckedEdits, EditAnswer, Place
from rules_lsp.source.excerpt import bounded
from rules_lsp.source.text import Encoding
from rules_lsp.source.uri import to_uri

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_TEXT = 2000
"""Characters of a file that an answer shows at most."""


def edits_as_json(
    checked: CheckedEdits, encoding: Encoding = "utf-16", *, policy: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The whole answer; `policy` is what it says of the rules where no folder is open."""
    return {
        "allowed": checked.allowed,
        "applied": checked.applied,
        "reason": checked.reason,
        "answers": [answer_as_json(answer, encoding) for answer in checked.answers],
        "policy": policy if checked.policy is None else policy_as_json(checked.policy, encoding),
    }


def answer_as_json(answer: EditAnswer, encoding: Encoding = "utf-16") -> dict[str, Any]:
    """The answer about one edit: that about its file, and what becomes of the edit."""
    nearest = answer.nearest
    return {
        "edit": answer.edit,
        "status": answer.status,
        **answer.decision.as_json(encoding, with_policy=False),
        "place": None if answer.place is None else _place(answer.place, encoding),
        "places": [_place(place, encoding) for place in answer.places],
        "nearest": None
        if nearest is None
        else {
            **_place(nearest.place, encoding),
            "text": bounded(nearest.place.text.slice(nearest.place.span), MOST_TEXT),
            "differs": list(nearest.differs),
            "sentence": nearest.sentence,
        },
        "others": list(answer.others),
        "notes": list(answer.notes),
    }


def _place(place: Place, encoding: Encoding) -> dict[str, Any]:
    return {"uri": to_uri(place.path), "range": place.text.range(place.span, encoding).as_json()}
