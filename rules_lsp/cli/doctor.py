"""`rules-lsp doctor`: which agents would obey the rules here, and what goes around them."""

from __future__ import annotations

import argparse
import json

from rules_lsp.agents.doctor import HostReport, InstalledHook, examine
from rules_lsp.agents.doctor_hosts import Finding
from rules_lsp.cli.main import FOUND, OK
from rules_lsp.cli.names import below, shortened
from rules_lsp.cli.options import root_of
from rules_lsp.cli.printable import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rules_lsp.agents.hook_trial import Trial

    Trials = dict[InstalledHook, Trial]

DESCRIPTION = """Say for each agent's host that is used here whether it would run the hook of `rules-lsp` and obey it.

A problem keeps the hook from being obeyed; what is open goes around it all the same. Files are read, and nothing is run
unless `--run` asks for it.

Exit codes: 0 no problem, 1 problems, 2 failure."""
EXAMPLE = "rules-lsp doctor\n  rules-lsp doctor --run --format json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the verb."""
    parser.add_argument("--format", choices=("text", "json"), default="text", help="the format of the report")
    parser.add_argument(
        "--run", action="store_true", help="run each installed hook once, with a call that does nothing"
    )
    parser.add_argument("--root", metavar="DIR", help="the project's directory (default: the git work tree's top)")


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    root = root_of(arguments)
    reports = examine(root)
    trials = _trials(reports, root) if arguments.run else {}
    if arguments.format == "json":
        print(json.dumps({"hosts": [_as_json(report, trials) for report in reports]}, ensure_ascii=False))
    else:
        _print(reports, trials)
    failed = any(trial.failure is not None for trial in trials.values())
    return FOUND if failed or any(report.problems for report in reports) else OK


def _trials(reports: list[HostReport], root: str) -> Trials:
    from rules_lsp.agents.hook_trial import try_hook

    hooks = dict.fromkeys(hook for report in reports for hook in report.hooks if hook.words)
    return {hook: try_hook(hook, root) for hook in hooks}


def _print(reports: list[HostReport], trials: Trials) -> None:
    if not reports:
        print("no agent's host is found here")
    for report in reports:
        number = len(report.problems)
        state = "ok" if not number else f"{number} problem{'s' if number > 1 else ''}"
        print(f"{report.host}: {state} (found by {printable(shortened(report.found_by))})")
        for hook in report.hooks:
            print(f"  hook: {printable(shortened(hook.path))}{_trial(trials.get(hook))}")
        for finding in report.findings:
            _print_finding(finding)


def _trial(trial: Trial | None) -> str:
    if trial is None:
        return ""
    if trial.failure is not None:
        return f": run once, {printable(trial.failure)}"
    return f": run once, it answers in {trial.seconds:.2f} s"


def _print_finding(finding: Finding) -> None:
    where = "" if finding.path is None else f"{printable(shortened(finding.path))}: "
    print(f"  {finding.level}[{finding.code}] {where}{printable(finding.message)}")
    first, *rest = finding.advice.splitlines()
    print(f"    do: {printable(first)}")
    for line in rest:
        print(f"        {printable(line)}")


def _as_json(report: HostReport, trials: Trials) -> dict[str, Any]:
    return {
        "host": report.host,
        "foundBy": below(report.found_by),
        "ok": not report.problems,
        "hooks": [_hook_as_json(hook, trials.get(hook)) for hook in report.hooks],
        "findings": [
            {
                "level": finding.level,
                "code": finding.code,
                "message": finding.message,
                "advice": finding.advice,
                "path": None if finding.path is None else below(finding.path),
            }
            for finding in report.findings
        ],
    }


def _hook_as_json(hook: InstalledHook, trial: Trial | None) -> dict[str, Any]:
    shown: dict[str, Any] = {"path": below(hook.path), "command": list(hook.words)}
    if trial is not None:
        shown["run"] = {"seconds": round(trial.seconds, 3), "failure": trial.failure}
    return shown
