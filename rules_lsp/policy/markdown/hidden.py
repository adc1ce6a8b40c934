"""Sections that Markdown hides: inside code, comments, HTML and quotes, or behind a fence that is never closed."""

from __future__ import annotations

from collections.abc import Iterator, Set

from rules_lsp.policy.markdown.headings import SectionName, section_name, side_name
from rules_lsp.policy.markdown.words import markdown_words
from rules_lsp.source.expressions import expression
from rules_lsp.source.markdown import Block, Code, Heading, Html, ListItem, MarkdownDocument, Paragraph, Quote
from rules_lsp.source.problem import Problem
from rules_lsp.source.records import dataclass
from rules_lsp.source.text import Span, Text

_HEADING = expression(r"[ \t]*(?:>[ \t]*)*(?P<level>\#{1,6})[ \t]+(?P<name>.*?)[ \t]*\#*[ \t]*")
_ENTRY = expression(r"[ \t>]*(?:\||(?:[-+*]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?P<item>\S.*))")
_BEHIND_NAMES = expression(r"[ \t]+[-–—][ \t]|:[ \t]|[ \t]*[(（]|-->")
_MARKS = expression(r"[*_`]+")
_LONGEST_LINE = 300
_MARKDOWN = ("markdown", "md", "mdx")
_PLAIN = ("", "text", "txt", "plain", "plaintext")


def hidden_sections(
    document: MarkdownDocument, present: Set[SectionName], in_section: frozenset[int]
) -> Iterator[Problem]:
    """The problems of a document's hidden sections.

    `present` are the sections that the document has; `in_section` are the starts of code blocks that stand in one. A
    section that is also present, or that the text before it calls an example, is hidden on purpose.
    """
    text = document.text
    end = len(text.content.rstrip())
    covered = -1
    around = Around()
    for block in document.walk():
        around.note(text, block)
        if not isinstance(block, Code | Html | Quote) or block.span.start < covered:
            continue
        covered = block.span.end
        if isinstance(block, Code) and block.info is not None and not block.closed and block.span.end >= end:
            if block.span.start in in_section or any(_hidden(text, block)):
                message = "this fence is never closed, so the rest of the file is code and no rules: close it"
                yield Problem("unclosed-fence", message, block.opening)
        elif not around.announces_example(text, block):
            for name, span in _hidden(text, block):
                if name not in present:
                    message = f"`{text.slice(span)}` stands in {_where(block)} and is no section"
                    yield Problem("section-in-code", f"{message}: move it out if its rules are meant", span, "warning")


@dataclass(slots=True)
class Around:
    """The last heading and the last prose before a block."""

    heading: str = ""
    prose: str = ""

    def note(self, text: Text, block: Block | ListItem) -> None:
        """Take notice of the next block of the walk."""
        if isinstance(block, Heading):
            self.heading, self.prose = text.slice(block.span)[:_LONGEST_LINE], ""
        elif isinstance(block, Paragraph) or (isinstance(block, Html) and not block.comment):
            self.prose = text.slice(block.span)[-_LONGEST_LINE:]
        elif isinstance(block, ListItem) and block.content is not None:
            self.prose = text.slice(block.content.span)[-_LONGEST_LINE:]

    def announces_example(self, text: Text, block: Block) -> bool:
        """Whether what stands before a block, or its own first line, calls it an example."""
        gives_example = markdown_words().gives_example
        first = text.slice(text.line_span(text.line_of(block.span.start)))[:_LONGEST_LINE]
        return gives_example(self.heading) or gives_example(self.prose) or gives_example(first)


def _where(block: Code | Html | Quote) -> str:
    if isinstance(block, Code):
        return "a code block"
    if isinstance(block, Quote):
        return "a quote"
    return "a comment" if block.comment else "HTML"


def _hidden(text: Text, block: Code | Html | Quote) -> Iterator[tuple[SectionName, Span]]:
    """The headings of sections in a block that have an entry below them; a comment of a language is no heading."""
    language = (block.info or "").split(maxsplit=1)[:1] if isinstance(block, Code) else ["markdown"]
    word = language[0].casefold() if language else ""
    closed = not isinstance(block, Code) or block.closed
    if closed and word not in (*_MARKDOWN, *_PLAIN):
        return
    found: tuple[SectionName, Span] | None = None
    depth = 0
    for number in range(text.line_of(block.span.start), text.line_of(block.span.end) + 1):
        line = text.line_span(number)
        written = text.slice(Span(line.start, min(line.end, line.start + _LONGEST_LINE)))
        heading = _HEADING.fullmatch(written)
        if heading is not None:
            title, level = _MARKS.sub("", heading["name"]), len(heading["level"])
            name = section_name(title)
            if found is not None and name is None and level > depth and _stays_in(found[0], title):
                continue
            is_heading = word in _MARKDOWN or level > 1
            place = Span(line.start + heading.start("name"), line.start + heading.end("name"))
            found, depth = (name, place) if name is not None and is_heading else None, level
        elif found is not None and _is_entry(written, found[0]):
            yield found
            found = None


def _stays_in(name: SectionName, deeper: str) -> bool:
    """Whether what stands below a deeper heading belongs to the section all the same."""
    return name != "File Patterns" or side_name(deeper) is not None


def _is_entry(line: str, section: SectionName) -> bool:
    """Whether a line is an entry of a section: for tools an item of names, no sentence and no word for nothing."""
    match = _ENTRY.match(line)
    item = match["item"] if match is not None else None
    if item is None:
        return match is not None
    if markdown_words().is_nothing(item.removesuffix("-->")):
        return False
    names = _BEHIND_NAMES.split(item, maxsplit=1)[0].strip()
    return section == "File Patterns" or "`" in names or all(" " not in name.strip() for name in names.split(","))
