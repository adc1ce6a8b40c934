"""An agent's loop that asks the gate, its model a script: example_loop.py ROOT STORE prints what happens."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from typing import Any

from rules_lsp.prompter.gate import PolicyGate

PLAN = {"id": "1", "tool": "Bash", "arguments": {"command": "terraform plan"}}
READ = {"id": "2", "tool": "Read", "arguments": {"file_path": "secrets/key.pem"}}
DROP = {"id": "3", "tool": "Bash", "arguments": {"command": "rm -r build"}}
MODEL: list[Any] = [[PLAN, READ], [PLAN, READ], [DROP], [DROP]]
MODEL += [{"text": text, "calls": ["finish"]} for text in ("All done.", "完了しました。")]


def work(gate: PolicyGate, model: Iterable[Any], wait_for_approval: Callable[[str], None]) -> None:
    print("system:", gate.claim_job("task-7", "deploy", "apply", "job-1")["preamble"])
    for said in model:
        if isinstance(said, dict):  # no more calls: a completion
            answer = gate.before_completion("job-1", said)
            if answer is said or answer["decision"] == "accept":
                print("accepted:", said["text"])
                break
        else:
            answer = gate.before_tools("job-1", said)
            decided = said if answer is said else answer["calls"]  # the very calls: it is off
            for call, about in zip(said, decided, strict=True):
                marks = (spend.values() for spend in about.get("consume", ()))
                if "result" not in about and all(gate.consume(*each)["consumed"] for each in marks):
                    print("runs:", call["arguments"])
                else:
                    print("result:", about.get("result", "Error: the approval is spent"))
        if "message" in answer:
            print("user:", answer["message"]["content"])
        if "approval" in answer:
            wait_for_approval(answer["approval"]["requestId"])
    gate.release("job-1")


if __name__ == "__main__":
    root, store = sys.argv[1:]
    prompter = [sys.executable, "-m", "rules_lsp", "prompter", "approvals", "--root", root, "--store", store]
    # Somebody in another terminal; a real loop would ask `gate.approvals()` until it is decided.
    work(
        PolicyGate.open(root, store),
        MODEL,
        lambda request: print(
            "another process:", subprocess.check_output([*prompter, "--approve", request], text=True), end=""
        ),
    )
