"""May this path be read, written, created, deleted or renamed? The first step that denies gives the code."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator

from rules_lsp.policy.decision import ALLOWING, Code, Effect, FileDecision, RuleReference, Weighed, refer_to
from rules_lsp.policy.files import is_below
from rules_lsp.policy.model import Entry, RuleList
from rules_lsp.policy.policy import Policy
from rules_lsp.policy.requests import OPERATIONS, AskedPath, Refusal, shown
from rules_lsp.policy.resolve import Kind, Resolver
from rules_lsp.policy.roots import path_below
from rules_lsp.policy.spellings import spellings
from rules_lsp.source.records import dataclass, replace

MAX_BELOW = 100_000
_IS_DIRECTORY: dict[Kind, bool | None] = {"file": False, "directory": True, "missing": None}


@dataclass(frozen=True, slots=True)
class FileRequest:
    """A request about one path; `new_path` belongs to a rename."""

    path: AskedPath | Refusal
    operation: str = "write"
    new_path: AskedPath | Refusal | None = None


def decide_file(policy: Policy, request: FileRequest, resolver: Resolver, *, full: bool = True) -> FileDecision:
    """Decide a request. Without `full` the answer's overruled rules and steps are left empty."""
    operation = request.operation
    judge = _Judge(policy, operation, resolver, full)
    if operation not in OPERATIONS:
        known = ", ".join(f"`{name}`" for name in OPERATIONS)
        return judge.refuse(request.path, f"`{shown(operation)}` is no operation: use one of {known}")
    if operation == "rename" and request.new_path is None:
        return judge.refuse(request.path, "a rename needs `newPath`")
    if operation != "rename" and request.new_path is not None:
        return judge.refuse(request.path, f"`newPath` belongs to a rename and not to `{operation}`")
    decision = judge.path(request.path)
    if request.new_path is not None and decision.allowed:
        decision = _renamed(decision, judge.path(request.new_path))
    if decision.allowed and operation in ("delete", "rename"):
        decision = _with_everything_below(judge, request, decision)
    if request.new_path is not None:
        decision = replace(decision, new_path=_name_of(request.new_path, policy))
    return decision


def excluding_entries(policy: Policy, asked: AskedPath, resolver: Resolver) -> list[Entry]:
    """The entries of exclude lists that cover a path under one of its names or readings, for whoever asks no more.

    Whether the path may be read is another question: names that lie outside of the root count for nothing here.
    """
    return _Judge(policy, "read", resolver, full=True).excluding(asked)


def _renamed(old: FileDecision, new: FileDecision) -> FileDecision:
    """The decision about a rename whose old name is allowed: that about the new name, told of the old one."""
    weighed = (*old.weighed, *new.weighed)
    if new.allowed:
        return replace(old, weighed=weighed)
    return replace(new, path=old.path, resolved_path=old.resolved_path, weighed=weighed)


def _with_everything_below(judge: _Judge, request: FileRequest, decision: FileDecision) -> FileDecision:
    """The decision about an existing directory: that about the first file below it that is denied, if one is."""
    assert isinstance(request.path, AskedPath)
    targets = judge.directories(request.new_path) if isinstance(request.new_path, AskedPath) else []
    walks = [(directory, targets) for directory in judge.directories(request.path)]
    nowhere: list[str] = []
    walks += [(directory, nowhere) for directory in targets]
    for directory, moved_to in walks:
        found = _first_denied_below(judge, directory, moved_to) if os.path.isdir(directory) else None
        if found is not None:
            return replace(
                found,
                path=decision.path,
                resolved_path=decision.resolved_path,
                weighed=(*decision.weighed, *found.weighed),
            )
    return decision


def _first_denied_below(judge: _Judge, directory: str, moved_to: list[str]) -> FileDecision | None:
    """The first denial below a directory, of a file where it is or where it would be; None where all is allowed."""
    told = shown(os.path.basename(directory))
    count = 0
    pending = [directory]
    while pending:
        current = pending.pop()
        try:
            with os.scandir(current) as entries:
                children = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            cause = (error.strerror or "unknown cause").lower()
            return judge.deny("invalid-request", f"`{shown(current)}` cannot be looked into ({cause})")
        for child in children:
            count += 1
            if count > MAX_BELOW:
                reason = f"`{told}` holds more than {MAX_BELOW:,} files, too many to check each of them"
                return judge.deny("policy-error", reason)
            is_directory = child.is_dir(follow_symlinks=False)
            places = [child.path]
            places += [os.path.join(target, os.path.relpath(child.path, directory)) for target in moved_to]
            for place in places:
                found = judge.path(AskedPath(place, place))
                # A directory that no include names may still hold nothing but files that one does.
                if not found.allowed and not (is_directory and found.code == "not-included"):
                    return replace(found, reason=f"`{told}` holds what is denied: {found.reason}")
            if is_directory:
                pending.append(child.path)
    return None


def _name_of(asked: AskedPath | Refusal, policy: Policy) -> str | None:
    if isinstance(asked, Refusal):
        return None
    relative = policy.root.relative(os.path.normpath(asked.absolute))
    return asked.text if relative is None else relative or "."


def is_protected(policy: Policy, name: str) -> bool:
    """Whether a name governs, or lies below one that does: to make it would put a directory in that one's place."""
    end = 0
    while end < len(name):
        end = name.find("/", end + 1)
        end = len(name) if end < 0 else end
        top = name[:end]
        if top in policy.protected:
            if top not in policy.unprotected:
                return True
        elif policy.fold_case and top.casefold() in policy.protected_folded:
            return True
    return False


class _Judge:
    """Decides paths of one operation under one policy."""

    def __init__(self, policy: Policy, operation: str, resolver: Resolver, full: bool) -> None:
        self._policy = policy
        self._operation = operation
        self._resolver = resolver
        self._full = full

    def refuse(self, asked: AskedPath | Refusal, reason: str) -> FileDecision:
        return self._answer("invalid-request", reason, _name_of(asked, self._policy), None)

    def deny(self, code: Code, reason: str) -> FileDecision:
        return self._answer(code, reason, None, None)

    def directories(self, asked: AskedPath) -> list[str]:
        """The absolute paths below which a request about a directory reaches: one for each thing that it may mean."""
        resolved = self._resolver.resolve(asked.absolute)
        found = {os.path.normpath(asked.absolute): None}
        if ".." in asked.absolute.split(os.sep):
            found[resolved.real] = None
        inside = [name for path in resolved.candidates if (name := self._policy.root.relative(path)) is not None]
        names, _ = self._other_names(asked.absolute, inside, None)
        found.update(dict.fromkeys(self._policy.root.absolute(name) for name in names if name not in inside))
        return list(found)

    def excluding(self, asked: AskedPath) -> list[Entry]:
        """The entries that exclude one of the names of a path, or of what they may mean."""
        resolved = self._resolver.resolve(asked.absolute)
        inside = [name for path in resolved.candidates if (name := self._policy.root.relative(path)) is not None]
        names, _ = self._other_names(asked.absolute, inside, _IS_DIRECTORY[resolved.kind])
        return [entry for entry, _ in self._excluding(names)]

    def path(self, asked: AskedPath | Refusal) -> FileDecision:
        if isinstance(asked, Refusal):
            return self._answer("invalid-request", asked.reason, None, None)
        policy = self._policy
        resolved = self._resolver.resolve(asked.absolute)
        name = policy.root.relative(resolved.candidates[0])
        told = shown(asked.text if name is None else name or ".")
        path = asked.text if name is None else name or "."
        real = policy.root.relative(resolved.real)
        real_path = resolved.real if real is None else real or "."
        if resolved.refusal is not None:
            return self._answer("invalid-request", f"`{told}` cannot be followed: {resolved.refusal}", path, None)
        inside: list[str] = []
        for candidate in resolved.candidates:
            relative = policy.root.relative(candidate)
            if relative is not None:
                inside.append(relative)
            elif not self._is_readable_outside(candidate, asked.absolute):
                where = "" if candidate == resolved.candidates[0] else f" leads to `{shown(candidate)}`, which"
                return self._answer("outside-root", f"`{told}`{where} lies outside the project", path, real_path)
        if not policy.enabled:
            return self._answer("disabled", "the rules of this project are switched off", path, real_path)
        if policy.refusal is not None:
            return self._answer("policy-error", policy.refusal, path, real_path)
        is_directory = _IS_DIRECTORY[resolved.kind]
        names, outside = self._other_names(asked.absolute, inside, is_directory)
        if outside:
            reason = f"`{told}` can also be read as a path outside the project"
            return self._answer("outside-root", reason, path, real_path)
        if self._operation != "read":
            governed = next((other for other in names if is_protected(self._policy, other)), None)
            if governed is not None:
                leads = "" if governed == name else f" leads to `{shown(governed)}`, which"
                reason = f"`{told}`{leads} governs what the agent may do and is protected"
                return self._answer("protected", reason, path, real_path)
        return self._by_patterns(told, path, real_path, inside, names, is_directory)

    def _by_patterns(
        self,
        told: str,
        path: str,
        real_path: str,
        inside: list[str],
        names: dict[str, bool | None],
        is_directory: bool | None,
    ) -> FileDecision:
        policy = self._policy
        broken = policy.broken_exclude
        if broken is not None:
            rule, cause = broken
            what = f"the entry `{shown(rule.text)}`" if isinstance(rule, Entry) else f"the list `{rule.name}`"
            reason = f"{what} cannot be read, so no file is allowed until it is repaired: {cause}"
            return self._answer("policy-error", reason, path, real_path, rule)
        steps: list[Weighed] = []
        if self._full and real_path != path:
            steps.append(Weighed("passes", f"`{told}` leads to `{shown(real_path)}`"))
        excluding = list(self._excluding(names))
        included = self._including(inside, is_directory)
        allowing = tuple(entry for entry in included if entry is not None)
        if excluding:
            entry, by = excluding[0]
            leads = "" if by in (inside[:1] or [""]) else f" leads to or can be read as `{shown(by)}`, which"
            reason = f"`{told}`{leads} is excluded by `{shown(entry.text)}`"
            if not self._full:
                return self._answer("excluded", reason, path, real_path, entry)
            steps += [self._step("denies", f"`{shown(e.text)}` excludes `{shown(n)}`", e) for e, n in excluding]
            steps += [self._step("passes", f"`{shown(e.text)}` includes it and is overruled", e) for e in allowing]
            return self._answer("excluded", reason, path, real_path, entry, allowing, steps)
        if policy.rules.exclude:
            steps.append(Weighed("passes", "no exclude matches"))
        if not policy.rules.include or self._operation == "read" or not inside:
            only_read = policy.rules.include and self._operation == "read"
            reason = f"no rule keeps `{told}` from being read" if only_read else f"`{told}` is restricted by no rule"
            steps.append(Weighed("allows", reason))
            return self._answer("unrestricted", reason, path, real_path, None, (), steps)
        if None in included:
            missed = policy.rules.include[included.index(None)]
            reason = f"`{told}` matches no pattern of `{missed.name}`"
            steps.append(self._step("denies", reason, missed))
            return self._answer("not-included", reason, path, real_path, missed, (), steps)
        reason = f"`{told}` is included by `{shown(allowing[0].text)}`"
        if not self._full:
            return self._answer("included", reason, path, real_path, allowing[0])
        steps += [self._step("allows", f"`{shown(e.text)}` includes it", e) for e in allowing]
        return self._answer("included", reason, path, real_path, allowing[0], (), steps)

    def _is_readable_outside(self, path: str, asked: str) -> bool:
        roots = self._policy.config.read_roots if self._operation == "read" else ()
        tops = [top for root in roots for top in (root, os.path.realpath(root))]
        below = next((top for top in tops if is_below(path, top)), None)
        if below is None:
            return False
        written = [os.path.relpath(path, below).replace(os.sep, "/")]
        written += [tail] if ".." in asked and (tail := path_below(asked, below)) is not None else []
        followed = [
            candidate
            for relative in written
            for reading in spellings(relative)[0][1:]
            if "\0" not in reading
            for candidate in self._resolver.resolve(os.path.join(below, reading)).candidates
        ]
        return all(any(is_below(candidate, top) for top in tops) for candidate in followed)

    def _other_names(
        self, asked: str, inside: list[str], is_directory: bool | None
    ) -> tuple[dict[str, bool | None], bool]:
        """Every reading of the names, and of what those readings lead to; and whether one leaves the root.

        Each name comes with whether a directory stands there, None where that cannot be told.
        """
        names: dict[str, bool | None] = dict.fromkeys(inside, is_directory)
        # What decodes to `..` meets one that is written only where neither has been taken away.
        root = self._policy.root
        written = path_below(asked, root.given, root.real) if ".." in asked else None
        for candidate in inside if written is None else [*inside, written]:
            if candidate.isascii() and "%" not in candidate and "\\" not in candidate and os.name != "nt":
                continue
            readings, escapes = spellings(candidate)
            if escapes and candidate is not written:
                return names, True
            for reading in readings[1:]:
                if reading in names:
                    continue
                if "\0" in reading:
                    names[os.path.normpath(reading)] = None
                    continue
                resolved = self._resolver.resolve(root.absolute(reading))
                for followed in resolved.candidates:
                    relative = root.relative(followed)
                    if relative is None:
                        return names, True
                    names.setdefault(relative, _IS_DIRECTORY[resolved.kind])
        return names, False

    def _excluding(self, names: dict[str, bool | None]) -> Iterator[tuple[Entry, str]]:
        """The entries that exclude one of the names, each with that name; only the first where no steps are wanted."""
        excludes = self._policy.excludes
        seen: set[int] = set()
        for name, is_directory in names.items():
            if not self._full:
                found = excludes.first_covering(name, is_directory, fold_case=self._policy.fold_case)
                positions = [] if found is None else [found]
            else:
                positions = excludes.all_covering(name, is_directory, fold_case=self._policy.fold_case)
            for position in positions:
                if position not in seen:
                    seen.add(position)
                    yield excludes.entries[position], name
                    if not self._full:
                        return

    def _including(self, inside: list[str], is_directory: bool | None) -> list[Entry | None]:
        """For each include list the entry that includes the path as written; None where one of its names is in none."""
        found: list[Entry | None] = []
        for includes in self._policy.includes:
            entry: Entry | None = None
            for number, name in enumerate(inside):
                normal = name if name.isascii() else unicodedata.normalize("NFC", name)
                position = includes.first_covering(normal, is_directory is True)
                if position is None:
                    entry = None
                    break
                if number == 0:
                    entry = includes.entries[position]
            found.append(entry)
        return found

    def _step(self, effect: Effect, sentence: str, rule: Entry | RuleList) -> Weighed:
        return Weighed(effect, sentence, refer_to(self._policy, rule))

    def _answer(
        self,
        code: Code,
        reason: str,
        path: str | None,
        real_path: str | None,
        rule: Entry | RuleList | None = None,
        overruled: tuple[Entry, ...] = (),
        steps: list[Weighed] | None = None,
    ) -> FileDecision:
        policy = self._policy
        allowed = code in ALLOWING
        reference = refer_to(policy, rule) if rule is not None else None
        if not self._full:
            return FileDecision(allowed, code, reason, policy, path, real_path, self._operation, None, reference)
        overruling: list[RuleReference] = [r for entry in overruled if (r := refer_to(policy, entry)) is not None]
        weighed = tuple(steps) if steps else (Weighed("allows" if allowed else "denies", reason, reference),)
        return FileDecision(
            allowed, code, reason, policy, path, real_path, self._operation, None, reference, tuple(overruling), weighed
        )
