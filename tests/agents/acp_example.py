"""An editor that drives an agent over the Agent Client Protocol and obeys the project's rules: a runnable example.

    python tests/agents/acp_example.py DIRECTORY

starts itself as an agent (`--agent`), which asks for permission to write `src/app.py`, then `secrets/key.pem`, and
writes what is permitted. The editor asks the rules first, and the user (who here says yes to everything) only where the
rules say nothing against it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import IO, Any

from rules_lsp.agents.acp import decide

Message = dict[str, Any]
OPTIONS = [
    {"optionId": "allow", "name": "Allow", "kind": "allow_once"},
    {"optionId": "reject", "name": "Reject", "kind": "reject_once"},
]
FILES = ("src/app.py", "secrets/key.pem")


class Peer:
    """One end: messages of JSON-RPC, a line each."""

    def __init__(self, reading: IO[str], writing: IO[str]) -> None:
        self._reading = reading
        self._writing = writing

    def send(self, **message: Any) -> None:
        self._writing.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._writing.flush()

    def messages(self) -> Iterator[Message]:
        return map(json.loads, self._reading)


class Editor:
    """The client's side. `calls` are the tool calls of the session, as the agent has told them so far."""

    def __init__(self, agent: Peer, root: str) -> None:
        self._agent = agent
        self._root = root
        self._calls: dict[str, Message] = {}

    def request(self, identity: int, method: str, parameters: Message) -> Message:
        """Send a request and answer the agent's own until its result is there."""
        self._agent.send(id=identity, method=method, params=parameters)
        for message in self._agent.messages():
            if message.get("method") == "session/update":
                self._learn(message["params"]["update"])
            elif message.get("method") == "session/request_permission":
                self._agent.send(id=message["id"], result=self._permission(message["params"]))
            elif message.get("id") == identity:
                return dict(message["result"])
        raise EOFError("the agent has ended")

    def _learn(self, update: Message) -> None:
        if update["sessionUpdate"] in ("tool_call", "tool_call_update"):
            self._calls.setdefault(update["toolCallId"], {}).update(update)

    def _permission(self, parameters: Message) -> Message:
        call = parameters["toolCall"]
        told = self._calls.get(call["toolCallId"], {})
        denial = decide({**parameters, "toolCall": {**told, **call}}, self._root)
        if denial is not None:
            print(f"denied: {denial.reason}")
            return denial.result
        print(f"the user is asked: {told['title']}")
        return {"outcome": {"outcome": "selected", "optionId": "allow"}}


def edit(root: str) -> None:
    """The editor: one session with one prompt."""
    command = [sys.executable, __file__, "--agent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        editor = Editor(Peer(process.stdout, process.stdin), root)
        editor.request(1, "initialize", {"protocolVersion": 1, "clientCapabilities": {}})
        session = editor.request(2, "session/new", {"cwd": root, "mcpServers": []})
        prompt = {"sessionId": session["sessionId"], "prompt": [{"type": "text", "text": "write the files"}]}
        print(f"stopped: {editor.request(3, 'session/prompt', prompt)['stopReason']}")


def act() -> None:
    """The agent: it does what it is permitted."""
    editor = Peer(sys.stdin, sys.stdout)
    messages = editor.messages()
    root = ""
    for message in messages:
        if message["method"] == "initialize":
            editor.send(id=message["id"], result={"protocolVersion": 1, "agentCapabilities": {}})
        elif message["method"] == "session/new":
            root = message["params"]["cwd"]
            editor.send(id=message["id"], result={"sessionId": "session"})
        elif message["method"] == "session/prompt":
            for number, name in enumerate(FILES):
                _write(editor, messages, os.path.join(root, name), f"call-{number}")
            editor.send(id=message["id"], result={"stopReason": "end_turn"})


def _write(editor: Peer, messages: Iterator[Message], path: str, call: str) -> None:
    update = {
        "sessionUpdate": "tool_call",
        "toolCallId": call,
        "title": f"Write {os.path.basename(path)}",
        "kind": "edit",
        "status": "pending",
        "locations": [{"path": path}],
    }
    editor.send(method="session/update", params={"sessionId": "session", "update": update})
    asked = {"sessionId": "session", "toolCall": {"toolCallId": call}, "options": OPTIONS}
    editor.send(id=call, method="session/request_permission", params=asked)
    outcome = next(messages)["result"]["outcome"]
    if outcome == {"outcome": "selected", "optionId": "allow"}:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("written\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--agent"]:
        act()
    else:
        edit(os.path.abspath(sys.argv[1]))
