"""Uses an installed rules-lsp as a user would, away from the checkout: run with that environment's Python."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import rules_lsp
from rules_lsp.schemas import SCHEMA_NAMES, schema_path, validate

COMMAND = Path(sys.executable).parent / "rules-lsp"
RULES = "denied_tools:\n  - github/delete_file\nfile_patterns:\n  exclude:\n    - secrets/\n"
QUESTIONS = (
    ({"path": "src/a.py"}, True, "unrestricted"),
    ({"path": "secrets/key.pem"}, False, "excluded"),
    ({"path": "../a.py", "operation": "read"}, False, "outside-root"),
    ({"tool": "github/get_issue"}, True, "unrestricted"),
    ({"tool": "mcp__github__delete_file"}, False, "denied-tool"),
)


def run(root: Path, *arguments: str, text: str = "", expected: int = 0) -> str:
    """The standard output of a command that must end with the exit status `expected`."""
    command = [str(COMMAND), *arguments]
    answer = subprocess.run(command, input=text, capture_output=True, text=True, check=False, cwd=root)
    assert answer.returncode == expected, f"{command} ended with {answer.returncode}:\n{answer.stdout}{answer.stderr}"
    return answer.stdout


def main() -> None:
    """Ends with an AssertionError where something is amiss."""
    package = Path(rules_lsp.__file__).resolve().parent
    assert package.is_relative_to(Path(sys.prefix).resolve()), f"{package} is not the installed package"
    for name in SCHEMA_NAMES:
        assert schema_path(name).is_relative_to(package), f"{schema_path(name)} is not of the installed package"

    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        (root / ".coding-agent-rules.yaml").write_text(RULES, encoding="utf-8")
        assert rules_lsp.__version__ in run(root, "--version")
        assert run(root, "check", "--root", str(root), "--format", "json")

        questions = "".join(json.dumps(question) + "\n" for question, _, _ in QUESTIONS)
        answers = run(root, "query", "--root", str(root), text=questions).splitlines()
        for (question, allowed, code), line in zip(QUESTIONS, answers, strict=True):
            answer = json.loads(line)
            assert validate("decision", answer) == [], f"{question}: {validate('decision', answer)}"
            assert (answer["allowed"], answer["code"]) == (allowed, code), f"{question}: {line}"

        (root / ".coding-agent-rules.yaml").write_text(RULES.replace("denied_", "deny_"), encoding="utf-8")
        assert "unknown-key" in run(root, "check", "--root", str(root), expected=1)

    print(f"the wheel of rules-lsp {rules_lsp.__version__} works")


if __name__ == "__main__":
    main()
