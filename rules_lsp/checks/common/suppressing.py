"""Writing the comment that asks for silence about a finding."""

from __future__ import annotations

import re

from rules_lsp.checks.common.base import Diagnostic, Fix
from rules_lsp.checks.common.lines import line_at, line_break_of
from rules_lsp.checks.common.subject import Subject
from rules_lsp.checks.common.suppressions import suppressions_of
from rules_lsp.checks.common.surroundings import with_content
from rules_lsp.policy.markdown.fenced_yaml import is_yaml_fence
from rules_lsp.policy.markdown.read_markdown import MarkdownRules
from rules_lsp.policy.model import Rules
from rules_lsp.source.edits import TextEdit, apply_edits
from rules_lsp.source.markdown import Block, Code, Heading, Html, ListItem, Quote, Row, Table
from rules_lsp.source.text import Span

_BLANKS = re.compile(r"[\ufeff]?(?P<indentation>[ \t]*)")
_HARD_BREAK = re.compile(r"(?:[ \t]+|[ \t]*\\)\Z")
_LAST_PIPE = re.compile(r"[ \t]*\|[ \t]*\Z")


def suppression_fix(subject: Subject, diagnostic: Diagnostic, reason: str = "") -> Fix | None:
    """The fix that writes a comment about a diagnostic, or adds its code to one that already covers its line.

    None where no comment can be put, where it would change a rule, and for the fault for which the whole file is not
    read. A reason is kept to one line.
    """
    if subject.is_error(diagnostic.code, diagnostic.span):
        return None
    edit = _joined(subject, diagnostic) or _written(subject, diagnostic, " ".join(reason.split()))
    if edit is None:
        return None
    after = with_content(subject, apply_edits(subject.text.content, [edit]))
    moved = diagnostic.span.start + (len(edit.replacement) if edit.span.end <= diagnostic.span.start else 0)
    line = after.text.line_of(moved)
    hidden = any(
        each.covers(line) and any(code.code == diagnostic.code for code in each.codes)
        for each in suppressions_of(after)
    )
    same = _texts(after.shown) == _texts(subject.shown) and (after.error is None) == (subject.error is None)
    return Fix(f"ignore `{diagnostic.code}` here", (edit,)) if hidden and same else None


def _joined(subject: Subject, diagnostic: Diagnostic) -> TextEdit | None:
    line = subject.text.line_of(diagnostic.span.start)
    for each in suppressions_of(subject):
        if each.covers(line):
            if not each.codes:
                return TextEdit(each.list, diagnostic.code)
            end = each.codes[-1].span.end
            return TextEdit(Span(end, end), f", {diagnostic.code}")
    return None


def _written(subject: Subject, diagnostic: Diagnostic, reason: str) -> TextEdit | None:
    code = diagnostic.code
    if isinstance(subject.reading, MarkdownRules):
        if "--" in reason or ">" in reason:
            return None
        comment = f"<!-- rules-lsp: ignore[{code}]{' ' if reason else ''}{reason} -->"
        return _in_markdown(subject, subject.reading, diagnostic.span.start, comment, f"# {comment[5:-4]}")
    if subject.kind in ("yaml", "config", "prompter"):
        return _above(subject, diagnostic.span.start, f"# rules-lsp: ignore[{code}] {reason}".rstrip())
    return None


def _above(subject: Subject, offset: int, comment: str) -> TextEdit:
    """The comment on a line of its own above the one that holds an offset, indented like it."""
    line = line_at(subject.text, offset)
    blanks = _BLANKS.match(subject.text.slice(line))
    indentation = blanks["indentation"] if blanks is not None else ""
    start = line.start + (1 if subject.text.content.startswith("\ufeff", line.start) else 0)
    return TextEdit(Span(start, start), f"{indentation}{comment}{line_break_of(subject.text)}")


def _in_markdown(
    subject: Subject, reading: MarkdownRules, offset: int, comment: str, yaml_comment: str
) -> TextEdit | None:
    front = reading.document.front_matter
    if front is not None and offset <= front.end:
        return None
    line = line_at(subject.text, offset)
    block = _block_at(reading, line)
    if isinstance(block, Code) and is_yaml_fence(block) and offset > block.opening.end:
        return _above(subject, offset, yaml_comment)
    if isinstance(block, Code | Html | Quote):
        return _above(subject, block.span.start, comment)
    if isinstance(block, Heading):
        return _above(subject, block.outer.start, comment)
    written = subject.text.slice(line)
    if not written.strip():
        return _above(subject, offset, comment)
    end = _LAST_PIPE.search(written) if isinstance(block, Row) else _HARD_BREAK.search(written)
    at = line.start + (end.start() if end is not None else len(written))
    return TextEdit(Span(at, at), f" {comment}")


def _block_at(reading: MarkdownRules, line: Span) -> Block | ListItem | Row | None:
    """What decides where a comment about a line goes: the code, HTML or quote, the heading or the row that holds it."""
    for block in reading.document.walk():
        outer = block.outer if isinstance(block, Heading) else block.span
        if outer.start <= line.end and line.start <= outer.end:
            if isinstance(block, Code | Html | Quote | Heading):
                return block
            if isinstance(block, Table):
                rows = (block.header, *block.rows)
                return next((row for row in rows if line.start <= row.span.start <= line.end), None)
    return None


def _texts(rules: Rules) -> list[tuple[str, list[str]]]:
    return [(each.name, [entry.text for entry in each.entries]) for each in rules.lists()]
