"""The look into command lines: literal files that well-known programs touch, against the excludes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules_lsp.agents.shell_look import reason_to_deny
from rules_lsp.policy.query import decide_by
from rules_lsp.workspace.project import Project

RULES = "file_patterns:\n  include: [src/**]\n  exclude: ['*.pem', 'secrets/']\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for directory in ("src", "secrets", "deep/certs"):
        (tmp_path / directory).mkdir(parents=True)
    for file in ("src/app.py", "k.pem", "secrets/key", "deep/certs/a.pem", "notes.md"):
        (tmp_path / file).write_text("")
    (tmp_path / ".coding-agent-rules.yaml").write_text(RULES)
    return tmp_path


def look(root: Path, *lines: str, cwd: str | None = "") -> str | None:
    policy = Project(str(root)).policy()
    place = None if cwd is None else str(root / cwd)
    return reason_to_deny(lines, place, lambda query: decide_by(lambda asked: ((policy, asked),), policy, query))


DENIED: list[tuple[str, str, str]] = [
    ("cat k.pem", "k.pem", "`cat`"),
    ("head -n 5 k.pem", "k.pem", "`head`"),
    ("/bin/cat ./k.pem", "k.pem", "`cat`"),
    ("echo x > a/b.pem", "a/b.pem", "the redirection"),
    ("sort < k.pem", "k.pem", "the redirection"),
    ("{ ls; } &> k.pem", "k.pem", "the redirection"),
    ("> k.pem", "k.pem", "the redirection"),
    ("rm -rf -- k.pem", "k.pem", "`rm`"),
    ("mv src/app.py x.pem", "x.pem", "`mv`"),
    ("mv k.pem x", "k.pem", "`mv`"),
    ("cp src/app.py k.pem", "k.pem", "`cp`"),
    ("cp k.pem /tmp/x", "k.pem", "`cp`"),
    ("cp k.pem -t /tmp", "k.pem", "`cp`"),
    ("cp /tmp/new.pem src", "src/new.pem", "`cp`"),
    ("install --target-directory=secrets a", "secrets", "`install`"),
    ("ln -s k.pem src/link", "k.pem", "`ln`"),
    ("sed -i s/a/b/ x.pem", "x.pem", "`sed`"),
    ("sed -n 1p k.pem", "k.pem", "`sed`"),
    ("sed -e 1p k.pem", "k.pem", "`sed`"),
    ("awk '{print}' k.pem", "k.pem", "`awk`"),
    ("grep -r x k.pem", "k.pem", "`grep`"),
    ("rg -e x k.pem", "k.pem", "`rg`"),
    ("tee -a k.pem", "k.pem", "`tee`"),
    ("touch new.pem", "new.pem", "`touch`"),
    ("chmod 600 k.pem", "k.pem", "`chmod`"),
    ("dd if=src/app.py of=k.pem", "k.pem", "`dd`"),
    ("curl -s http://x -o k.pem", "k.pem", "`curl`"),
    ("curl --output=k.pem http://x", "k.pem", "`curl`"),
    ("wget -O k.pem http://x", "k.pem", "`wget`"),
    ("find k.pem -delete", "k.pem", "`find`"),
    ("git show HEAD:deep/k.pem", "deep/k.pem", "`git`"),
    ("git -C . checkout main -- k.pem", "k.pem", "`git`"),
    ("git rm k.pem", "k.pem", "`git`"),
    ("git mv src/app.py k.pem", "k.pem", "`git`"),
    ("cd deep && cat certs/a.pem", "deep/certs/a.pem", "`cat`"),
    ("cd src; rm ../k.pem", "k.pem", "`rm`"),
    ("(cd deep; cat certs/*.pem)", "deep/certs/*.pem", "`cat`"),
    ("cat sec*/key", "secrets/key", "`cat`"),
    ("sudo -u root env -i A=1 timeout -s KILL 5 cat k.pem", "k.pem", "`cat`"),
    ("ls | xargs -n 1 rm k.pem", "k.pem", "`rm`"),
    ("nohup cat k.pem", "k.pem", "`cat`"),
    ("bash -lc 'cat k.pem'", "k.pem", "`cat`"),
    ("sh -c \"sh -c 'cat k.pem'\"", "k.pem", "`cat`"),
    ("eval 'cat k.pem'", "k.pem", "`cat`"),
    ("sh <<EOF\ncat k.pem\nEOF", "k.pem", "`cat`"),
    ("for x in 1; do cat k.pem; done", "k.pem", "`cat`"),
    ("echo $(cat k.pem)", "k.pem", "`cat`"),
    ("tee >(cat > k.pem)", "k.pem", "the redirection"),
    ("cat 'k.p'em", "k.pem", "`cat`"),
    ("cat k.pem && (", "k.pem", "`cat`"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "path", "who"), DENIED)
def test_denied(line: str, path: str, who: str, root: Path) -> None:
    pattern = "secrets/" if path.startswith("secrets") else "*.pem"
    expected = f"`{path}` is excluded by `{pattern}` ({who} in the command line; a best-effort look)"
    assert look(root, line) == expected


ABSTAINED = [
    "",
    "ls",
    "echo k.pem",
    "cat src/app.py",
    "cat notes.md",
    "rm notes.md",
    "cat \"$FILE.pem\"",
    "cat '*.pem '",
    "grep k.pem src/app.py",
    "sed s/k.pem/x/ src/app.py",
    "python3 -c \"open('k.pem')\"",
    "cat /etc/passwd",
    "echo hi >&2",
    "git commit -m k.pem",
    "find . -name '*.pem'",
    "cat .coding-agent-rules.yaml",
    "cd $HOME && cat src/app.py",
    "true '",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: src/app.py\n@@\n-a\n+b\n*** End Patch\nEOF",
]  # fmt: skip


@pytest.mark.parametrize("line", ABSTAINED)
def test_abstained(line: str, root: Path) -> None:
    assert look(root, line) is None


@pytest.mark.parametrize("line", ["> .coding-agent-rules.yaml", "rm .coding-agent-rules.yaml"])
def test_a_rule_file_is_protected_from_writing(line: str, root: Path) -> None:
    reason = look(root, line)
    assert reason is not None
    assert reason.startswith("`.coding-agent-rules.yaml` governs what the agent may do and is protected (")


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("*** Add File: k.pem", "`k.pem` is excluded by `*.pem`"),
        ("*** Delete File: secrets/key", "`secrets/key` is excluded by `secrets/`"),
        ("*** Update File: src/app.py\n*** Move to: b.pem", "`b.pem` is excluded by `*.pem`"),
        ("*** Add File: notes.md", "`notes.md` matches no pattern of `file_patterns.include`"),
    ],
)
@pytest.mark.parametrize("line", ["apply_patch <<'EOF'\n{}\nEOF", "apply_patch '{}'", "bash -lc \"apply_patch '{}'\""])
def test_a_patch_is_decided_like_one_in_json(line: str, header: str, reason: str, root: Path) -> None:
    assert look(root, line.format(f"*** Begin Patch\n{header}\n*** End Patch")) == reason


def test_relative_words_start_where_the_host_says(root: Path) -> None:
    assert look(root, "cat key", cwd="secrets") is not None
    assert look(root, "cat key", cwd="src") is None
    assert look(root, "cat secrets/key", cwd=None) is not None


def test_every_line_is_looked_at(root: Path) -> None:
    assert look(root, "ls", "cat k.pem") is not None
    assert look(root, "ls", "cat notes.md") is None


def test_a_broken_exclude_denies_what_is_named(root: Path) -> None:
    (root / ".coding-agent-rules.yaml").write_text("file_patterns:\n  exclude: ['[a']\n")
    assert look(root, "ls") is None
    assert look(root, "cat src/app.py") is not None
