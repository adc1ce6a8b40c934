"""What helps to begin good instructions: offered where nothing is written yet, and never in prose."""

from __future__ import annotations

from rules_lsp.features.completion_place import Place, Proposal, Proposals, TextStyle, Topic
from rules_lsp.features.view import View
from rules_lsp.prompt.a0_keys import INSTRUCTIONS_FOLDER
from rules_lsp.prompt.instruction_names import INSTRUCTION_NAMES
from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Span

STARTER = "instructions"
_STOPS = (
    ("Purpose", "What this folder is for, and for whom, in two sentences."),
    ("Style", "Which code here is a model to follow; which tools format and check it."),
    ("Where files go", "New modules in `src/`, their tests beside the old ones in `tests/`; no file in the root."),
    ("When it is done", "Which command must pass, and what else a reviewer looks at."),
    ("Ask first", "Before a new dependency, a change of an interface, or a deletion."),
)
_STOP = expression(r"\$\{\d:(.*?)\}|\$0")
SNIPPET = "# Instructions for agents\n" + "".join(
    f"\n## {heading}\n\n${{{number}:{words}}}\n" for number, (heading, words) in enumerate(_STOPS, 1)
)
WRITTEN = _STOP.sub(lambda stop: stop[1] or "", SNIPPET)


def completion(view: View, offset: int, trigger: str | None) -> tuple[Place, Proposals] | None:
    """The whole of some instructions, where the file is empty and its writer asks for it."""
    subject = view.subject
    folder, _, base = subject.name.rpartition("/")
    if trigger is not None or subject.text.content.strip() or not (base in INSTRUCTION_NAMES or _is_told(folder)):
        return None
    place = Place((), None, Span(offset, offset), "", "", TextStyle())
    detail = "purpose, style, where files go, when it is done, when to ask"
    topic = Topic("skeleton", STARTER)
    starter = Proposal(STARTER, "instructions for agents", "skeleton", detail, topic, snippet=SNIPPET, written=WRITTEN)
    return place, Proposals((starter,))


def documentation(view: View, topic: Topic) -> str | None:
    """The text that the item writes."""
    return f"```markdown\n{WRITTEN.strip()}\n```" if topic == Topic("skeleton", STARTER) else None


def _is_told(folder: str) -> bool:
    return folder == INSTRUCTIONS_FOLDER
