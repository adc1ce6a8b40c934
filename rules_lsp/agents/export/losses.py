"""What a host's settings cannot say of a policy: the loss report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

Effect: TypeAlias = "Literal['lets-through', 'denies-more', 'asks', 'notice']"


@dataclass(frozen=True, slots=True)
class Loss:
    """One difference between the policy and what the host will do.

    `effect` is what the host does: it lets through what the policy denies, denies what the policy allows, asks its user
    instead of denying; a notice says what else the settings depend on. `entries` are the entries of the rules that it
    is about, none where it is about all.
    """

    code: str
    effect: Effect
    message: str
    entries: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The loss as an object of the report."""
        return {"code": self.code, "effect": self.effect, "message": self.message, "entries": list(self.entries)}


def loss(code: str, effect: Effect, message: str, entries: Iterable[str] = ()) -> Loss:
    """A loss about entries, each of them once."""
    return Loss(code, effect, message, tuple(dict.fromkeys(entries)))


def allow_lists(policy: Policy, *, files: bool = True) -> Iterator[Loss]:
    """What is lost of `include` and `allowed_tools` where a host's settings can only deny."""
    if not policy.enabled:
        return
    if files and policy.rules.include:
        texts = (entry.text for rules in policy.rules.include for entry in rules.entries)
        message = "`include` limits what may be written to what it names; these settings can only deny"
        yield loss("include", "lets-through", message, texts)
    if policy.rules.allowed_tools:
        texts = (entry.text for rules in policy.rules.allowed_tools for entry in rules.entries)
        message = "`allowed_tools` allows only what it names; these settings can only deny"
        yield loss("allowed-tools", "lets-through", message, texts)


def denied_tools_lost(policy: Policy) -> Iterator[Loss]:
    """What is lost of `denied_tools` where a host's settings know files alone."""
    if policy.enabled and policy.rules.denied_tools:
        texts = (entry.text for rules in policy.rules.denied_tools for entry in rules.entries)
        yield loss("denied-tools", "lets-through", "these settings name files and no tools", texts)


def common_losses(*, follows_links: bool, shell: str) -> Iterator[Loss]:
    """What hosts do not look at, whatever the rules are. `shell` says what of commands and MCP tools."""
    names = (
        "a file under another spelling of its name: percent-encoded, with `\\` as separator, with invisible characters"
    )
    yield loss("spellings", "lets-through", names)
    if not follows_links:
        yield loss("links", "lets-through", "a symbolic link with an innocent name that leads to an excluded file")
    yield loss("shell", "lets-through", shell)
    yield loss("outside", "notice", "paths outside the project are left to the host's own settings")
