"""Decision vectors: small projects with questions and the answers that must come out, asked through every front."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rules_lsp.workspace.project import Project

VECTOR_FILE = Path(__file__).with_name("decisions.jsonl")
EXPECTATIONS = ("allowed", "code", "degraded", "pathsChecked")


@dataclass(frozen=True)
class Built:
    """A vector's project on disk."""

    root: Path
    outside: Path
    elsewhere: Path
    operator_config: Path | None
    case_insensitive: bool
    queries: list[dict[str, Any]]


class Front(Protocol):
    """Something that answers queries about a project."""

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        """One answer a question, in order."""


def vectors() -> list[dict[str, Any]]:
    """Every vector of the file."""
    return [json.loads(line) for line in VECTOR_FILE.read_text(encoding="utf-8").splitlines()]


def build(vector: dict[str, Any], directory: Path) -> Built:
    """Create the project of a vector in a fresh directory."""
    top = Path(os.path.realpath(directory))
    root, outside, elsewhere = top / "app", top / "app-evil", top / "elsewhere"
    for made in (root, outside, elsewhere):
        made.mkdir()

    def placed(name: str) -> Path:
        return outside / name.removeprefix("@OUTSIDE/") if name.startswith("@OUTSIDE/") else root / name

    def filled(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("@ROOT", str(root)).replace("@OUTSIDE", str(outside))
        if isinstance(value, list):
            return [filled(item) for item in value]
        if isinstance(value, dict):
            return {key: filled(item) for key, item in value.items()}
        return value

    def write(path: Path, content: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_bytes(filled(content).encode("utf-8"))
        elif "base64" in content:
            path.write_bytes(base64.b64decode(content["base64"]))
        else:
            data = filled(content["text"]).encode("utf-8")
            path.write_bytes(data + b"\n" * (content["pad_to"] - len(data)))

    for name in vector["dirs"]:
        placed(name).mkdir(parents=True, exist_ok=True)
    for name, content in {**vector["files"], **vector["rules"]}.items():
        write(placed(name), content)
    if vector.get("config") is not None:
        write(root / "config.yaml", vector["config"])
    operator_config = None
    if vector.get("operator_config") is not None:
        operator_config = top / "operator" / "config.yaml"
        write(operator_config, vector["operator_config"])
    if vector.get("mcp") is not None:
        write(root / ".mcp.json", json.dumps(vector["mcp"]))
    for name, target in vector["links"].items():
        placed(name).parent.mkdir(parents=True, exist_ok=True)
        placed(name).symlink_to(filled(target))
    queries = filled(vector["queries"])
    return Built(root, outside, elsewhere, operator_config, bool(vector["case_insensitive"]), queries)


def differences(vector: dict[str, Any], built: Built, front: Front) -> list[str]:
    """What a front answers otherwise than the vector says, a line each."""
    questions = [{key: value for key, value in query.items() if key not in EXPECTATIONS} for query in built.queries]
    answers = front.ask(built, questions)
    if len(answers) != len(questions):
        return [f"{len(answers)} answers to {len(questions)} questions"]
    found = []
    for query, answer in zip(built.queries, answers, strict=True):
        expected = {key: query[key] for key in EXPECTATIONS if key in query}
        given = _given(query, answer, expected)
        if given != expected:
            found.append(f"{ascii(query)}: expected {expected}, got {given} ({ascii(answer)})")
    return found


def _given(query: dict[str, Any], answer: Any, expected: dict[str, Any]) -> dict[str, Any] | str:
    if not isinstance(answer, dict):
        return "no JSON object"
    if "paths" in query or "tools" in query:
        given: dict[str, Any] = {}
        if isinstance(answer.get("answers"), list):
            given = {key: [item.get(key) for item in answer["answers"]] for key in ("allowed", "code")}
        else:
            given = {key: answer.get(key) for key in ("allowed", "code")}
    else:
        given = {key: answer.get(key) for key in ("allowed", "code", "pathsChecked")}
    given["degraded"] = answer["policy"]["degraded"]
    return {key: given[key] for key in expected if key in given}


class PythonFront:
    """The engine in this process."""

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        config = str(built.operator_config) if built.operator_config else None
        project = Project(str(built.root), config, fold_case=True if built.case_insensitive else None)
        return [project.answer(question) for question in questions]


class TerminalFront:
    """`rules-lsp query`, started once a vector."""

    def ask(self, built: Built, questions: list[dict[str, Any]]) -> list[Any]:
        command = [sys.executable, "-m", "rules_lsp", "query", "--root", str(built.root)]
        if built.case_insensitive:
            command.append("--case-insensitive")
        if built.operator_config is not None:
            command += ["--config", str(built.operator_config)]
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        environment = {key: value for key, value in os.environ.items() if key != "RULES_LSP_CONFIG"}
        done = subprocess.run(
            command,
            input=lines.encode(),
            capture_output=True,
            cwd=built.elsewhere,
            env=environment,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()
        assert done.stderr == b""
        return [json.loads(line) for line in done.stdout.decode().splitlines()]
