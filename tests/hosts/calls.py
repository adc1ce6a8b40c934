"""What each host's model is told to do, in pairs: a thing that the rules stop, and a neighbour that they allow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.hosts.hands import NEW, Claude, Codex, Gemini, Hand
from tests.hosts.model.script import Call, Script
from tests.hosts.project import FILES, content_of


@dataclass(frozen=True)
class Deed:
    """Calls that come to one change of one file. The model hears of it as the result of the call of that `name`."""

    name: str
    path: str
    calls: Sequence[Call]
    subagents: Mapping[str, Sequence[Call]] = field(default_factory=dict)

    def done(self, project: Path) -> bool:
        """Whether the file holds what the calls write."""
        return NEW in (content_of(project, self.path) or "")

    def left(self, project: Path) -> bool:
        """Whether the file is as it was, absent where it was absent."""
        return content_of(project, self.path) == FILES.get(self.path)


@dataclass(frozen=True)
class Pair:
    """A deed that the rules stop for a reason, and one like it that they let through."""

    stopped: Deed
    reason: str
    neighbour: Deed


def script_of(deeds: Iterable[Deed]) -> Script:
    """One conversation in which the model does one deed after the other."""
    chosen = list(deeds)
    subagents = {prompt: calls for deed in chosen for prompt, calls in deed.subagents.items()}
    return Script([call for deed in chosen for call in deed.calls], subagents)


def _everywhere(hand: Hand) -> Iterator[Pair]:
    def write(name: str, path: str) -> Deed:
        return Deed(name, path, hand.write(name, path))

    def shell(name: str, path: str) -> Deed:
        return Deed(name, path, hand.shell(name, f"echo {NEW} > {path}"))

    def put(name: str, tool: str, path: str) -> Deed:
        return Deed(name, path, hand.ask(name, "stubfs", tool, {"path": path, "content": NEW}))

    yield Pair(
        write("write", "secrets/key.pem"),
        _not_here(hand.writer, "`secrets/key.pem` is excluded by `secrets/**`"),
        write("write-beside", "src/key.pem"),
    )
    yield Pair(
        Deed("edit", "docs/guide.md", hand.edit("edit", "docs/guide.md")),
        _not_here(hand.editor, "`docs/guide.md` matches no pattern of `file_patterns.include`"),
        Deed("edit-beside", "src/app.py", hand.edit("edit-beside", "src/app.py")),
    )
    yield Pair(
        Deed("link", "secrets/linked.txt", hand.write("link", "src/to-secrets/linked.txt")),
        _not_here(
            hand.writer,
            "`src/to-secrets/linked.txt` leads to or can be read as `secrets/linked.txt`,"
            " which is excluded by `secrets/**`",
        ),
        Deed("link-beside", "src/parts/linked.txt", hand.write("link-beside", "src/to-parts/linked.txt")),
    )
    yield Pair(
        Deed("dots", "secrets/dots.pem", hand.write("dots", "src/../secrets/dots.pem")),
        _not_here(hand.writer, "`secrets/dots.pem` is excluded by `secrets/**`"),
        Deed("dots-beside", "src/dots.pem", hand.write("dots-beside", "secrets/../src/dots.pem")),
    )
    yield Pair(
        put("mcp-tool", "make_file", "src/made.txt"),
        f"`{hand.mcp.format('stubfs', 'make_file')}` is denied by `stubfs/make_file`",
        put("mcp-tool-beside", "put_file", "src/made-beside.txt"),
    )
    yield Pair(
        put("mcp-path", "put_file", "secrets/put.txt"),
        _not_here(hand.mcp.format("stubfs", "put_file"), "`secrets/put.txt` is excluded by `secrets/**`"),
        put("mcp-path-beside", "put_file", "src/put.txt"),
    )
    yield Pair(
        shell("shell", "secrets/shell.txt"),
        "`secrets/shell.txt` is excluded by `secrets/**` (the redirection in the command line; a best-effort look)",
        shell("shell-beside", "src/shell.txt"),
    )


def _in_claude(hand: Claude) -> Iterator[Pair]:
    yield Pair(
        Deed("notebook", "docs/book.ipynb", hand.edit_notebook("notebook", "docs/book.ipynb")),
        _not_here("NotebookEdit", "`docs/book.ipynb` matches no pattern of `file_patterns.include`"),
        Deed("notebook-beside", "src/book.ipynb", hand.edit_notebook("notebook-beside", "src/book.ipynb")),
    )
    yield _agent(hand)
    yield Pair(
        _put_from_elsewhere(hand, "gone", "secrets/gone.txt"),
        _not_here("mcp__stubfs__put_file", "`secrets/gone.txt` is excluded by `secrets/**`"),
        # A server that went along with the shell would write into `src/src`.
        _put_from_elsewhere(hand, "gone-beside", "src/gone.txt"),
    )


def _put_from_elsewhere(hand: Claude, name: str, path: str) -> Deed:
    """A file that an MCP server writes, which stays in the root, while the host's shell is in `src`."""
    put = hand.ask(name, "stubfs", "put_file", {"path": path, "content": NEW})
    return Deed(name, path, [*hand.shell(f"{name}-there", "cd src"), *put, *hand.shell(f"{name}-back", "cd ..")])


def _agent(hand: Claude | Gemini) -> Pair:
    """A file that a subagent writes."""

    def delegated(name: str, path: str) -> Deed:
        prompt = f"As a subagent, write {path}."
        return Deed(name, path, hand.delegate(f"{name}-start", prompt), {prompt: hand.write(name, path)})

    return Pair(
        delegated("agent", "secrets/agent.txt"),
        _not_here(hand.writer, "`secrets/agent.txt` is excluded by `secrets/**`"),
        delegated("agent-beside", "src/agent.txt"),
    )


def _in_codex(hand: Codex) -> Iterator[Pair]:
    yield Pair(
        Deed("move", "secrets/moved.txt", hand.move("move", "src/one.txt", "secrets/moved.txt")),
        _not_here("apply_patch", "`secrets/moved.txt` is excluded by `secrets/**`"),
        Deed("move-beside", "src/moved.txt", hand.move("move-beside", "src/two.txt", "src/moved.txt")),
    )
    yield Pair(
        Deed("heredoc", "secrets/heredoc.txt", hand.patch_in_shell("heredoc", "secrets/heredoc.txt")),
        "`secrets/heredoc.txt` is excluded by `secrets/**`",
        Deed("heredoc-beside", "src/heredoc.txt", hand.patch_in_shell("heredoc-beside", "src/heredoc.txt")),
    )
    yield _shell_in_directory(hand)


def _in_gemini(hand: Gemini) -> Iterator[Pair]:
    yield Pair(
        Deed("create", "secrets/created.txt", hand.create_by_edit("create", "secrets/created.txt")),
        _not_here("replace", "`secrets/created.txt` is excluded by `secrets/**`"),
        Deed("create-beside", "src/created.txt", hand.create_by_edit("create-beside", "src/created.txt")),
    )
    yield Pair(
        _copied(hand, "copy", "secrets/copy.txt"),
        "`secrets/copy.txt` is excluded by `secrets/**` (`cp` in the command line; a best-effort look)",
        _copied(hand, "copy-beside", "src/copy.txt"),
    )
    yield _agent(hand)
    yield _shell_in_directory(hand)


def _shell_in_directory(hand: Codex | Gemini) -> Pair:
    """A command line that runs in the directory that an argument names."""

    def run(name: str, directory: str) -> Deed:
        return Deed(name, f"{directory}/there.txt", hand.shell_in(name, directory, f"echo {NEW} > there.txt"))

    return Pair(
        run("directory", "secrets"),
        "`secrets/there.txt` is excluded by `secrets/**` (the redirection in the command line; a best-effort look)",
        run("directory-beside", "src"),
    )


def _copied(hand: Hand, name: str, path: str) -> Deed:
    """A file that a command line copies."""
    return Deed(name, path, hand.shell(name, f"echo {NEW} > src/from.txt && cp src/from.txt {path}"))


def _not_here(tool: str, reason: str) -> str:
    return f"`{tool}` may be called, but not here: {reason}"


PAIRS: dict[str, tuple[Pair, ...]] = {
    "claude": (*_everywhere(Claude()), *_in_claude(Claude())),
    "codex": (*_everywhere(Codex()), *_in_codex(Codex())),
    "gemini": (*_everywhere(Gemini()), *_in_gemini(Gemini())),
}
