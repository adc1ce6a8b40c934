"""One version of a document together with what its rules would decide: what every feature is asked about."""

from __future__ import annotations

from functools import cached_property

from rules_lsp.checks import run_checks
from rules_lsp.checks.common.base import Diagnostic
from rules_lsp.checks.common.settings import NO_SETTINGS, CheckSettings
from rules_lsp.checks.common.subject import Subject
from rules_lsp.features.counting import FileCounts, ToolCounts
from rules_lsp.policy.policy import Policy
from rules_lsp.source.records import dataclass


@dataclass(frozen=True)
class View:
    """A text that was read once, the saved policy of the project that it belongs to, and how grave each code is."""

    subject: Subject
    saved: Policy
    settings: CheckSettings = NO_SETTINGS

    @cached_property
    def policy(self) -> Policy:
        """The policy with the document's own rules in force, as far as they can be made out, saved or not."""
        subject, effective = self.subject, self.subject.effective
        if subject.neighbour is not None:
            return self.saved
        # What the checks have made of the same rules is not made again.
        if subject.policy is self.saved and effective is not None and effective is not self.saved:
            return effective
        return subject.as_if_saved(self.saved)

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What the checks find in the text."""
        return tuple(run_checks(self.subject, settings=self.settings))

    @cached_property
    def not_in_force(self) -> str | None:
        """Why the rules that stand here do not decide, whatever they say: one sentence, or None."""
        if self.subject.error is not None:
            return f"this file does not parse: {self.subject.meanwhile}"
        if self.subject.kind == "config" or self.subject.neighbour is not None:
            return None
        order = [entry.name for entry in self.saved.config.rule_files]
        above = self.saved.rule_file.name if self.saved.rule_file is not None else None
        if above in order and self.subject.name in order and order.index(above) < order.index(self.subject.name):
            return f"this file is not in force: `{above}` stands above it"
        return None

    @cached_property
    def file_counts(self) -> FileCounts | None:
        """What the document's patterns do to the files of the project; None as long as these are not known."""
        files = self.subject.files
        return None if files is None else FileCounts(self.policy, files)

    @cached_property
    def tool_counts(self) -> ToolCounts | None:
        """What the document's entries do to the known tools; None where no tool is known."""
        catalogue = self.subject.catalogue
        counts = None if catalogue is None else ToolCounts(self.policy, catalogue)
        return counts if counts is not None and counts.known else None

    @property
    def root_paths(self) -> tuple[str, ...]:
        """The absolute paths of the project, as given and real."""
        return self.saved.root.given, self.saved.root.real
