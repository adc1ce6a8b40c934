"""The side where rules are written: what a saved file changed, who did it, and the record of both."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator

from rules_lsp.prompter.audit import AuditLog
from rules_lsp.prompter.model import RuleSet
from rules_lsp.prompter.places import audit_directory, project_name
from rules_lsp.prompter.reading import read_auto_prompter
from rules_lsp.prompter.recording import record_change
from rules_lsp.source.expressions import expression
from rules_lsp.source.text import Text

SWITCH, DANGEROUS = "enabled", "x-dangerous"
"""What stands in a record beside ids: the file's switch, and its own list of dangerous commands."""
UNKNOWN_AUTHOR = "unknown"
_SECTION = expression(r"\s*\[\s*([A-Za-z0-9.-]+)\s*(\"[^\"]*\")?\s*\]")
_NAME = expression(r"(?i)\s*name\s*=\s*((?:\"(?:[^\"\\]|\\.)*\"|\\.|[^\"\\#;])*)")
_SIGN = expression(r"\\(.)|\"")
_GIT_FILE = expression(r"gitdir: (.+)")
_MOST_CHARACTERS = 256 * 1024
_MOST_LETTERS = 100
_DAY = 86_400


def record_saved(root: str, store: str, before: Text, after: Text, now: float) -> str | None:
    """Audit what a save changed in the rules of the project at a real path; why that failed, or None.

    It is done while the rules are off as well. Nothing of the audit is dropped here, however old it is.
    """
    what = changed_rules(read_auto_prompter(before).rules, read_auto_prompter(after).rules)
    if not what:
        return None
    audit = AuditLog(audit_directory(store, project_name(root)), retention_days=int(now // _DAY))
    return record_change(audit, author_of(root), what, now)


def changed_rules(before: RuleSet, after: RuleSet) -> tuple[str, ...]:
    """What is otherwise now, sorted: the ids of rules that were added, taken away or changed, the switch."""
    found: set[str] = set()
    if before.enabled is not after.enabled:
        found.add(SWITCH)
    if [each.text for each in before.dangerous] != [each.text for each in after.dangerous]:
        found.add(DANGEROUS)
    then, now = _versions(before), _versions(after)
    found.update(identity for identity in then.keys() | now.keys() if then.get(identity) != now.get(identity))
    return tuple(sorted(found))


def author_of(root: str) -> str:
    """Who writes in a project: the name that git would put into a commit, else the name of the system's user."""
    for path in _git_configurations(root):
        name = _name_in(path)
        if name:
            return name[:_MOST_LETTERS]
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return UNKNOWN_AUTHOR


def _versions(rules: RuleSet) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for rule in rules.rules:
        found[rule.id].append(rule.version)
    return dict(found)


def _git_configurations(root: str) -> Iterator[str]:
    """The files in which git looks for a name, the strongest first."""
    repository = _repository(root)
    if repository is not None:
        yield os.path.join(repository, "config")
    chosen = os.environ.get("GIT_CONFIG_GLOBAL")
    if chosen is not None:
        yield chosen
        return
    home = os.path.expanduser("~")
    yield os.path.join(home, ".gitconfig")
    yield os.path.join(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "config")


def _repository(root: str) -> str | None:
    """The directory of the repository that a project lies in; of a worktree that of its main one."""
    directory = os.path.abspath(root)
    while True:
        git = os.path.join(directory, ".git")
        if os.path.isdir(git):
            return git
        link = _GIT_FILE.match(_content(git))
        if link is not None:
            own = os.path.join(directory, link[1].strip())
            common = _content(os.path.join(own, "commondir")).strip()
            return os.path.join(own, common) if common else own
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above


def _name_in(path: str) -> str | None:
    """The last `name` in the section `user` of a configuration of git's."""
    section, found = "", None
    for line in _content(path).splitlines():
        header = _SECTION.match(line)
        if header is not None:
            section = header[1].lower() if header[2] is None else ""
            line = line[header.end() :]
        match = _NAME.match(line) if section == "user" else None
        if match is not None:
            found = _SIGN.sub(lambda sign: sign[1] or "", match[1].strip())
    return found


def _content(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_CHARACTERS)
    except (OSError, ValueError):
        return ""
