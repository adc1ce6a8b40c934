"""What is wrong in the template of a persona, found without running any of it. Needs Jinja2."""

from __future__ import annotations

from jinja2 import TemplateSyntaxError, nodes

from rules_lsp.policy.keys import MAX_SLIP, meant_key
from rules_lsp.policy.requests import shown
from rules_lsp.prompt.personas.environment import PersonaEnvironment, packaged_names, tokens_of
from rules_lsp.prompt.personas.joined import JoinedItems
from rules_lsp.prompt.personas.known import VARIABLES
from rules_lsp.prompt.personas.model import TemplateUse
from rules_lsp.source.expressions import expression
from rules_lsp.source.problem import Problem, Severity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules_lsp.prompt.personas.model import UseKind

_CLOSED = frozenset({"for", "if", "macro", "call", "filter", "block", "with", "autoescape"})
_UNDEFINED_ALLOWED = frozenset({"defined", "undefined"})
_WORD = expression(r"\w+")
_BEGIN = {"variable_begin": "variable_end", "block_begin": "block_end", "comment_begin": "comment_end"}
_MARKS = {"variable_begin": ("{{", "}}"), "block_begin": ("{%", "%}"), "comment_begin": ("{#", "#}")}


def check_template(joined: JoinedItems) -> tuple[list[Problem], list[TemplateUse]]:
    """The problems of a template, and the names that it uses in the order of their places."""
    return _Checking(joined).run()


class _Checking:
    def __init__(self, joined: JoinedItems) -> None:
        self._joined = joined
        self._environment = PersonaEnvironment()
        self._problems: list[Problem] = []
        self._uses: list[TemplateUse] = []

    def run(self) -> tuple[list[Problem], list[TemplateUse]]:
        self._check_borders()
        try:
            self._check_tree(self._environment.parse(self._joined.text))
        except TemplateSyntaxError as error:
            self._tell_syntax(error)
        except RecursionError:
            self._tell("template-syntax", "the template is nested too deeply", 0, 0)
        return self._problems, sorted(self._uses, key=lambda use: use.span)

    def _tell(self, code: str, message: str, start: int, end: int, severity: Severity = "error") -> None:
        self._problems.append(Problem(code, message, self._joined.span(start, end), severity))

    def _check_borders(self) -> None:
        """A tag that begins in one item and ends in another parses, and is hardly meant: a block over items is."""
        began: tuple[str, int] | None = None
        for offset, kind, value in tokens_of(self._environment, self._joined.text):
            if kind in _BEGIN:
                began = kind, offset + len(value) - len(value.lstrip())
            elif began is not None and kind == _BEGIN[began[0]]:
                opening, closing = _MARKS[began[0]]
                end = offset + len(value.rstrip())
                items = self._joined.item_of(began[1]), self._joined.item_of(end - 1)
                if items[0] != items[1] and began[0] != "comment_begin":
                    message = f"`{opening}` is closed only in another item: write `{closing}` in the same one"
                    self._tell("template-split-tag", message, began[1], began[1] + 2, "warning")
                began = None

    def _tell_syntax(self, error: TemplateSyntaxError) -> None:
        message = _in_our_words(error.message or "it does not parse")
        start, text = error.lineno, self._joined.text
        if message.startswith("unexpected char") and text[start : start + 1] in ("'", '"'):
            message = "this quote is never closed"
        elif message.startswith("encountered unknown tag `end"):
            message = "there is nothing open that this closes"
        elif "end of template" in message or "missing end of" in message or start >= len(text):
            opened = (text.rfind("raw", 0, start), "raw") if "raw" in message else self._innermost_open()
            if opened is not None:
                start, name = opened
                end = start + len(name)
                self._tell("template-syntax", f"`{name}` is never closed: {_wanted(name)}", start, end)
                return
        while start > 0 and (start >= len(text) or text[start].isspace()):
            start -= 1
        end = start + 1
        while end < len(text) and text[start].isalnum() and (text[end].isalnum() or text[end] == "_"):
            end += 1
        self._tell("template-syntax", message, start, end)

    def _innermost_open(self) -> tuple[int, str] | None:
        """The offset and the name of what is opened last and never closed: a block's name, or the mark of a tag."""
        blocks: list[tuple[int, str]] = []
        tag: tuple[int, str] | None = None
        fresh = False
        for offset, kind, value in tokens_of(self._environment, self._joined.text):
            if kind in _BEGIN:
                tag = offset + len(value) - len(value.lstrip()), value.strip()[:2]
                fresh = kind == "block_begin"
            elif kind in _BEGIN.values():
                tag = None
            elif fresh and kind == "name":
                fresh = False
                if value in _CLOSED:
                    blocks.append((offset, value))
                elif value.startswith("end") and blocks:
                    blocks.pop()
            elif kind != "whitespace":
                fresh = False
        return tag or self._raw_or_comment() or (blocks[-1] if blocks else None)

    def _raw_or_comment(self) -> tuple[int, str] | None:
        text = self._joined.text
        start = text.rfind("{#")
        return (start, "{#") if start >= 0 and "#}" not in text[start:] else None

    def _check_tree(self, tree: nodes.Template) -> None:
        every = [*_descendants(tree)]
        stored = {node.name for node in every if isinstance(node, nodes.Name) and node.ctx in ("store", "param")}
        macros = {node.name: node.lineno for node in every if isinstance(node, nodes.Macro)}
        imported = {name for node in every for name in _imported(node)}
        guarded = {name for node in every for name in _guarded(node)}
        local = stored | macros.keys() | imported | {"loop", "self", "super", "caller", "varargs", "kwargs"}
        loaded: set[str] = set()
        for node in every:
            if isinstance(node, nodes.Name) and node.ctx == "load":
                loaded.add(node.name)
                self._check_name(node, local, guarded)
            elif isinstance(node, (nodes.Filter, nodes.Test)):
                self._check_filter(node)
            elif isinstance(node, nodes.Getattr) and node.attr.startswith("_"):
                self._unsafe(node.attr, node.lineno)
            elif isinstance(node, nodes.Getitem) and isinstance(node.arg, nodes.Const):
                if isinstance(node.arg.value, str) and node.arg.value.startswith("__"):
                    self._unsafe(node.arg.value, node.lineno)
            elif isinstance(node, (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends)):
                self._check_include(node)
        self._check_unused(every, macros, loaded)

    def _check_name(self, node: nodes.Name, local: set[str], guarded: set[str]) -> None:
        start, end = node.lineno, node.lineno + len(node.name)
        kind: UseKind = "variable"
        if node.name in local:
            kind = "local"
        elif node.name in self._environment.globals:
            kind = "function"
        known = kind != "variable" or node.name in VARIABLES
        self._uses.append(TemplateUse(node.name, kind, self._joined.span(start, end), known))
        if not known and node.name not in guarded:
            near = _near(node.name, tuple(VARIABLES))
            hint = f"did you mean `{near}`?" if near else f"there are {', '.join(f'`{name}`' for name in VARIABLES)}"
            message = f"the variable `{shown(node.name)}` is defined nowhere: {hint}"
            span, data = self._joined.span(start, end), {} if near is None else {"meant": near}
            self._problems.append(Problem("undefined-variable", message, span, data=data))

    def _check_filter(self, node: nodes.Filter | nodes.Test) -> None:
        is_filter = isinstance(node, nodes.Filter)
        table = self._environment.filters if is_filter else self._environment.tests
        start = self._joined.text.find(node.name.split(".")[-1], node.lineno)
        start = node.lineno if start < 0 else start
        end = start + len(node.name)
        if is_filter:
            self._uses.append(TemplateUse(node.name, "filter", self._joined.span(start, end), node.name in table))
        if node.name not in table:
            near = _near(node.name, tuple(table))
            hint = f": did you mean `{near}`?" if near else ""
            what = "filter" if is_filter else "test"
            self._tell("unknown-filter", f"there is no {what} `{shown(node.name)}`{hint}", start, end)

    def _unsafe(self, name: str, offset: int) -> None:
        start = self._joined.text.find(name, offset)
        start = offset if start < 0 else start
        message = f"`{shown(name)}` is out of reach of a template: names that begin with `_` are internal"
        self._tell("template-unsafe", message, start, start + len(name))

    def _check_include(self, node: nodes.Include | nodes.Import | nodes.FromImport | nodes.Extends) -> None:
        named = node.template.value if isinstance(node.template, nodes.Const) else None
        names = packaged_names()
        start = node.lineno if named is None else self._joined.text.find(str(named), node.lineno)
        word = _WORD.match(self._joined.text, start) if named is None else None
        end = start + len(str(named)) if named is not None else word.end() if word is not None else start
        if isinstance(named, str):
            span = self._joined.span(start, end)
            self._uses.append(TemplateUse(named, "include", span, named in names))
        if named not in names:
            told = ", ".join(f"`{name}`" for name in names)
            message = f"a template reads no file: only the texts of this package can be taken in, which are {told}"
            self._tell("template-reads-file", message, start, end)

    def _check_unused(self, every: list[nodes.Node], macros: dict[str, int], loaded: set[str]) -> None:
        assigned = {
            name.name: name.lineno
            for node in every
            if isinstance(node, (nodes.Assign, nodes.AssignBlock))
            for name in _names_of(node.target)
        }
        for name, offset in {**macros, **assigned}.items():
            if name not in loaded and not name.startswith("_"):
                start = max(self._joined.text.find(name, offset), offset)
                self._tell("unused-variable", f"`{shown(name)}` is never used", start, start + len(name), "warning")


def _near(name: str, known: tuple[str, ...]) -> str | None:
    """The known name that is meant; a short name is near to too many."""
    return meant_key(name, known) if len(name) > MAX_SLIP else None


def _descendants(tree: nodes.Node) -> Iterator[nodes.Node]:
    pending: list[nodes.Node] = [tree]
    while pending:
        node = pending.pop()
        yield node
        pending += reversed([*node.iter_child_nodes()])


def _names_of(target: nodes.Node) -> Iterator[nodes.Name]:
    return (node for node in _descendants(target) if isinstance(node, nodes.Name))


def _imported(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Import):
        yield node.target
    elif isinstance(node, nodes.FromImport):
        yield from (name if isinstance(name, str) else name[1] for name in node.names)


def _guarded(node: nodes.Node) -> Iterator[str]:
    """The names that may be undefined, since the template asks for that."""
    asks = isinstance(node, nodes.Test) and node.name in _UNDEFINED_ALLOWED
    replaces = isinstance(node, nodes.Filter) and node.name in ("default", "d")
    if (asks or replaces) and isinstance(node, (nodes.Test, nodes.Filter)) and isinstance(node.node, nodes.Name):
        yield node.node.name


def _wanted(name: str) -> str:
    marks = dict(_MARKS.values())
    return f"write `{marks[name]}` behind it" if name in marks else f"write `{{% end{name} %}}`"


def _in_our_words(message: str) -> str:
    """What Jinja2 says, in the form of our messages."""
    first = message.strip().split(". ")[0].rstrip(".")
    words = first[:1].lower() + first[1:]
    head, at, position = words.rpartition(" at ")
    return (head if at and position.isdigit() else words).replace("'", "`")
