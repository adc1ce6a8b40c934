"""The part of the system prompt that Auto Prompter adds: this module alone of its room knows those rules."""

from __future__ import annotations

from collections.abc import Iterator

from rules_lsp.policy.roots import Root
from rules_lsp.prompt.system_parts import Told
from rules_lsp.prompt.told_files import LeftOut, Overlay, read_told
from rules_lsp.prompt.view import Part
from rules_lsp.prompter.keys import ALWAYS, FILE_NAME


def always_parts(root: Root, overlay: Overlay | None) -> Iterator[Told]:
    """The instructions of Auto Prompter's rules that hold always, in the order of their file."""
    path = root.absolute(FILE_NAME)
    found = read_told(path, root, overlay)
    if found is None:
        return
    if found.cause is not None:
        yield LeftOut(FILE_NAME, path, found.cause, found.why)
        return
    # Most projects have no such file.
    from rules_lsp.prompter.reading import read_auto_prompter

    read = read_auto_prompter(found.text)
    if read.rules.refusal is not None:
        yield LeftOut(FILE_NAME, path, "broken", read.rules.refusal)
        return
    for each in read.read:
        rule = each.rule
        if rule.when != ALWAYS:
            continue
        text = rule.instruction.strip()
        if not read.rules.enabled:
            yield LeftOut(FILE_NAME, path, "disabled", f"the rule `{rule.id}` is off, since the whole file is")
        elif not rule.enabled:
            yield LeftOut(FILE_NAME, path, "disabled", f"the rule `{rule.id}` is switched off")
        elif rule.broken is not None:
            yield LeftOut(FILE_NAME, path, "broken", f"the rule `{rule.id}` cannot be read: {rule.broken}")
        elif text:
            yield Part("always", FILE_NAME, path, found.text, each.span, "", text, f"`{rule.name}` holds always")
