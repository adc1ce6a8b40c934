"""What installing a hook changes in the file of each host, and that taking it away restores every byte."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.agents.codex_trust import project_trust, trust_entry, trust_key, trusted_hash
from rules_lsp.agents.hook_command import guarded, hook_words, words_in
from rules_lsp.agents.host_files import HOOK_FILES
from rules_lsp.agents.hosts import HOSTS
from rules_lsp.agents.installing import Change, Refused, plan_install, plan_uninstall
from rules_lsp.workspace.located_json import read_json

GOLDEN = Path(__file__).parent.parent / "data" / "hook_files"
ENDINGS = {"json": "json", "script": "sh", "plugin": "js"}
JSON_HOSTS = [host for host, file in HOOK_FILES.items() if file.kind == "json"]
PLACES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/hooks/rules-lsp.json",
    "qwen": ".qwen/settings.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".github/hooks/rules-lsp.json",
    "cline": ".clinerules/hooks/PreToolUse",
    "opencode": ".opencode/plugins/rules-lsp.js",
}
USER_PLACES = {
    "claude": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".copilot/hooks/rules-lsp.json",
    "qwen": ".qwen/settings.json",
    "cursor": ".cursor/hooks.json",
    "vscode": ".copilot/hooks/rules-lsp.json",
    "cline": ".cline/hooks/PreToolUse",
    "opencode": ".config/opencode/plugins/rules-lsp.js",
}
COMMAND = (
    """sh -c '"$@" || { [ $? = 2 ] || echo "policy engine failed: rules-lsp gave no answer" >&2; exit 2; }' """
    "rules-lsp '/opt/rules lsp/bin/python' -P -m rules_lsp hook "
)


@pytest.fixture(autouse=True)
def python(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An installation that does not depend on where the tests run, and a home that is empty."""
    monkeypatch.setattr(sys, "executable", "/opt/rules lsp/bin/python")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)


def golden(host: str) -> bytes:
    return (GOLDEN / f"{host}.{ENDINGS[HOOK_FILES[host].kind]}").read_bytes()


def apply(change: Change) -> None:
    path = Path(change.path)
    if change.after is None:
        path.unlink(missing_ok=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(change.after)


def install(host: str, root: Path, before: str | None = None) -> str:
    """The file of a host after the hook was installed beside what is there already."""
    path = root / PLACES[host]
    if before is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(before.encode())
    apply(plan_install(host, str(root)))
    return path.read_bytes().decode()


def test_each_host_has_a_file() -> None:
    assert list(HOOK_FILES) == list(HOSTS)


@pytest.mark.parametrize("host", PLACES)
def test_a_file_that_is_not_there_is_written_whole_and_removed_again(host: str, tmp_path: Path) -> None:
    change = plan_install(host, str(tmp_path))
    assert (change.path, change.before, change.after) == (str(tmp_path / PLACES[host]), None, golden(host))
    assert change.mode == (0o777 if host == "cline" else 0o666)
    apply(change)
    again = plan_install(host, str(tmp_path))
    assert again.before == again.after == golden(host)
    assert plan_uninstall(host, str(tmp_path)).after is None


@pytest.mark.parametrize("host", USER_PLACES)
def test_the_file_of_the_user(host: str, tmp_path: Path) -> None:
    change = plan_install(host, None)
    assert (change.path, change.after) == (str(tmp_path / "home" / USER_PLACES[host]), golden(host))


@pytest.mark.parametrize(
    ("host", "variable", "path"),
    [
        ("claude", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("codex", "CODEX_HOME", "hooks.json"),
        ("copilot", "COPILOT_HOME", "hooks/rules-lsp.json"),
        ("opencode", "XDG_CONFIG_HOME", "opencode/plugins/rules-lsp.js"),
    ],
)
def test_a_directory_of_the_user_that_was_moved(
    host: str, variable: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "moved"))
    assert plan_install(host, None).path == str(tmp_path / "moved" / path)


def test_the_script_beside_the_interpreter_is_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert hook_words("claude")[:4] == (str(tmp_path / "python"), "-P", "-m", "rules_lsp")
    script = tmp_path / "rules-lsp"
    script.touch()
    assert hook_words("claude")[0] == str(tmp_path / "python")
    script.chmod(0o755)
    assert hook_words("claude", look_into_shell=False) == (str(script), "hook", "claude", "--no-shell-look")


QUOTED = json.dumps(COMMAND + "claude")
MERGED = [
    # Comments, a closing comma and an indentation by tabs stay.
    (
        """\
// mine
{
\t"model": "opus", // keep
\t"hooks": {
\t\t"PreToolUse": [
\t\t\t{"matcher": "Bash", "hooks": []},
\t\t],
\t},
}
""",
        f"""\
// mine
{{
\t"model": "opus", // keep
\t"hooks": {{
\t\t"PreToolUse": [
\t\t\t{{"matcher": "Bash", "hooks": []}},
\t\t\t{{
\t\t\t\t"hooks": [
\t\t\t\t\t{{
\t\t\t\t\t\t"type": "command",
\t\t\t\t\t\t"command": {QUOTED},
\t\t\t\t\t\t"timeout": 30,
\t\t\t\t\t\t"onFailure": "block"
\t\t\t\t\t}}
\t\t\t\t]
\t\t\t}},
\t\t],
\t}},
}}
""",
    ),
    # A comment behind the last member stays behind it, and lines end as the others do.
    (
        """\
{\r
  "model": "opus" // last\r
}""",
        f"""\
{{\r
  "model": "opus", // last\r
  "hooks": {{\r
    "PreToolUse": [\r
      {{\r
        "hooks": [\r
          {{\r
            "type": "command",\r
            "command": {QUOTED},\r
            "timeout": 30,\r
            "onFailure": "block"\r
          }}\r
        ]\r
      }}\r
    ]\r
  }}\r
}}""",
    ),
]


@pytest.mark.parametrize(("before", "after"), MERGED)
def test_what_is_there_stays(before: str, after: str, tmp_path: Path) -> None:
    assert install("claude", tmp_path, before) == after
    assert plan_uninstall("claude", str(tmp_path)).after == before.encode()


def test_two_hosts_share_a_file(tmp_path: Path) -> None:
    install("copilot", tmp_path)
    both = json.loads(install("vscode", tmp_path))
    assert list(both["hooks"]) == ["preToolUse", "PreToolUse"]
    apply(plan_uninstall("copilot", str(tmp_path)))
    assert (tmp_path / PLACES["vscode"]).read_bytes() == golden("vscode")
    assert plan_uninstall("vscode", str(tmp_path)).after is None


def ours(path: str, host: str = "claude", **more: object) -> dict[str, Any]:
    return {"hooks": [{"type": "command", "command": guarded((path, "hook", host)), "timeout": 30}], **more}


def other(command: str) -> dict[str, Any]:
    return {"matcher": "Write", "hooks": [{"type": "command", "command": command}]}


def commands(text: str, event: str = "PreToolUse") -> list[str]:
    return [handler["command"] for group in json.loads(text)["hooks"][event] for handler in group["hooks"]]


def settings_with(*groups: dict[str, Any]) -> str:
    return json.dumps({"hooks": {"PreToolUse": list(groups)}}, indent=2)


def test_a_changed_command_is_replaced_and_an_old_one_goes(tmp_path: Path) -> None:
    before = settings_with(ours("/old/rules-lsp"), other("lint"), ours("/older/rules-lsp"))
    assert commands(install("claude", tmp_path, before)) == [COMMAND + "claude", "lint"]


def test_a_hook_inside_of_another_group_is_replaced_there(tmp_path: Path) -> None:
    group = {"matcher": "Write", "hooks": [{"command": "lint"}, {"command": "rules-lsp hook claude"}]}
    after = install("claude", tmp_path, settings_with(group))
    assert commands(after) == ["lint", COMMAND + "claude"]
    apply(plan_uninstall("claude", str(tmp_path)))
    left = {"matcher": "Write", "hooks": [{"command": "lint"}]}
    assert json.loads((tmp_path / PLACES["claude"]).read_text()) == {"hooks": {"PreToolUse": [left]}}


def test_qwen_obeys_the_last_hook(tmp_path: Path) -> None:
    before = settings_with(ours("/old/rules-lsp", "qwen"), other("lint"))
    assert commands(install("qwen", tmp_path, before)) == ["lint", COMMAND + "qwen"]
    assert plan_install("qwen", str(tmp_path)).after == (tmp_path / PLACES["qwen"]).read_bytes()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("rules-lsp hook claude", ("rules-lsp", "hook", "claude")),
        (
            "/a/python -m rules_lsp hook codex --root /x",
            ("/a/python", "-m", "rules_lsp", "hook", "codex", "--root", "/x"),
        ),
        (guarded(("/a b/rules-lsp", "hook", "qwen")), ("/a b/rules-lsp", "hook", "qwen")),
        ("rules-lsp hook install claude", None),
        ("rules-lsp check", None),
        ("my-rules-lsp hook claude", None),
        ("echo 'rules-lsp hook claude'", None),
        ("echo 'unclosed", None),
        (7, None),
    ],
)
def test_which_commands_are_ours(command: object, words: tuple[str, ...] | None) -> None:
    assert words_in(command) == words


REFUSED = [
    ("{", "a key in double quotes must stand here"),
    ("[]", "it holds no JSON object"),
    ("null", "it holds no JSON object"),
    ('{"hooks": []}', "`hooks` is no object"),
    ('{"hooks": {"PreToolUse": {}}}', "`hooks.PreToolUse` is no list"),
    ('{"hooks": {}, "hooks": {}}', "the key `hooks` stands twice in it"),
    ('{"hooks": {"PreToolUse": [,]}}', "its commas stand where no entry can be added or removed"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_a_file_that_cannot_be_edited_is_left_alone(text: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        install("claude", tmp_path, text)
    assert str(refused.value) == reason


def test_a_file_that_is_no_text_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / PLACES["claude"]).write_bytes(b'{"a": "\xff"}')
    for plan in (plan_install, plan_uninstall):
        with pytest.raises(Refused, match="it is no text of UTF-8"):
            plan("claude", str(tmp_path))


@pytest.mark.parametrize("host", ["cline", "opencode"])
def test_the_script_of_another_is_left_alone(host: str, tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        install(host, tmp_path, "#!/bin/sh\nexit 0\n")
    assert str(refused.value) == "it is not ours: move it away, or call `rules-lsp hook` in it"
    change = plan_uninstall(host, str(tmp_path))
    assert change.before == change.after == b"#!/bin/sh\nexit 0\n"
    assert install(host, tmp_path, golden(host).decode().replace("/opt/", "/old/")) == golden(host).decode()


GAPS = st.sampled_from(["", " ", "\n", "\n  ", "\t", "\r\n\t", " // c, {\n", '/* c, "x */', "\n    // a\n  "])
VALUES = st.sampled_from(["1", "null", '"a, b"', '"//no"', '"\\"}"', '"é"', "[]", "{}", "[1,\n2]", '{"z": [ ] }'])
GROUPS = st.sampled_from(['{"matcher":"Bash","hooks":[{"type":"command","command":"x"}]}', "{}", '{ "hooks" : [ ] }'])


@st.composite
def container(draw: st.DrawFn, keys: tuple[str, ...], values: dict[str, st.SearchStrategy[str]]) -> str:
    """The text of an object, or of a list where there are no keys, with comments and closing commas anywhere."""
    names = draw(st.lists(st.sampled_from(keys), unique=True, max_size=3)) if keys else [""] * draw(st.integers(0, 2))
    text = draw(GAPS)
    for number, name in enumerate(names):
        label = f"{json.dumps(name)}{draw(GAPS)}:{draw(GAPS)}" if keys else ""
        text += label + draw(values.get(name, VALUES)) + draw(GAPS)
        if number < len(names) - 1 or draw(st.booleans()):
            text += "," + draw(GAPS)
    return f"{{{text}}}" if keys else f"[{text}]"


EVENTS = ("PreToolUse", "preToolUse", "BeforeTool", "Other")
HOOKS = container(EVENTS, dict.fromkeys(EVENTS, container((), {"": GROUPS})))
TOPS = container(("permissions", "hooks", "version"), {"hooks": HOOKS, "version": st.sampled_from(["1", "2"])})
DOCUMENTS = st.tuples(GAPS, TOPS, GAPS).map("".join) | st.sampled_from(
    ["", "\n", "// x\n", "/* */ ", "\ufeff{}", "\ufeff"]
)


@settings(max_examples=200, deadline=None)
@given(text=DOCUMENTS, host=st.sampled_from(JSON_HOSTS))
def test_installed_twice_is_installed_once_and_uninstalled_is_untouched(
    text: str, host: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("root")
    parsed = read_json(text.removeprefix("\ufeff"))
    assert parsed.problem is None
    once = install(host, root, text)
    assert plan_install(host, str(root)).after == once.encode()
    assert plan_uninstall(host, str(root)).after == text.encode()
    kept = read_json(once.removeprefix("\ufeff")).value
    assert isinstance(kept, dict)
    before = parsed.value if isinstance(parsed.value, dict) else {}
    assert [kept.get(key) for key in before if key != "hooks"] == [before[key] for key in before if key != "hooks"]
    old = once.replace("rules_lsp hook", "/old/rules-lsp hook")
    assert old != once
    assert read_json(install(host, root, old).removeprefix("\ufeff")).value == kept
    assert plan_uninstall(host, str(root)).after == text.encode()


# Hashes that Codex 0.171 tells itself (`hooks/list` of its app server).
@pytest.mark.parametrize(
    ("group", "handler", "digest"),
    [
        ({}, {"command": 'écho "x" hook'}, "28c435c5760e7b4fa01a9298cfeb37a0caff7bc99893ff4a22b298bc93b3fe7c"),
        ({}, {"command": "b", "timeout": 5, "statusMessage": "hi"},
         "26fe94b01df617e305f271283898733630202639de8006b424038016d4d20505"),
        ({"matcher": ""}, {"command": "u", "async": True, "timeout": 0},
         "abad2627fedefe30410d983a5bcbb705cee551170e1b67f126d26f6b41a0f564"),
        ({}, {"command": "fromtoml"}, "16db01a645ed0400941e51fca3f00921d000e9ee2f296b766349badd312482f4"),
    ],
)  # fmt: skip
def test_the_hash_that_codex_trusts(group: dict[str, Any], handler: dict[str, Any], digest: str) -> None:
    assert trusted_hash(group, handler) == f"sha256:{digest}"


def test_how_a_hook_of_codex_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real" / ".codex").mkdir(parents=True)
    (tmp_path / "home").symlink_to("real")
    (tmp_path / "project").symlink_to("real")
    of_user = str(tmp_path / "home" / ".codex" / "hooks.json")
    real = f"{tmp_path.resolve()}/real/.codex/hooks.json:pre_tool_use:1:0"
    assert trust_key(str(tmp_path / "project" / ".codex" / "hooks.json"), 1, 0) == real
    assert trust_key(of_user, 1, 0) == f"{of_user}:pre_tool_use:1:0"
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "home" / ".codex"))
    assert trust_key(of_user, 1, 0) == real


def test_codex_is_told_how_to_trust(tmp_path: Path) -> None:
    lint = json.dumps({"hooks": {"PreToolUse": [other("lint")]}})
    (tmp_path / ".codex").mkdir()
    (tmp_path / PLACES["codex"]).write_text(lint)
    first, second = plan_install("codex", str(tmp_path)).notes
    group = {"hooks": [{"type": "command", "command": COMMAND + "codex", "timeout": 30}]}
    entry = trust_entry(
        f"{tmp_path.resolve()}/.codex/hooks.json:pre_tool_use:1:0", trusted_hash(group, group["hooks"][0])
    )
    assert first.splitlines()[1:] == entry.splitlines()
    assert second.splitlines()[1:] == project_trust(str(tmp_path)).splitlines()
    assert len(plan_install("codex", None).notes) == 1


def guard(script: str) -> tuple[int, str, str]:
    done = subprocess.run(
        ["sh", "-c", guarded(("sh", "-c", script))], input="in", capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


FAILED = "policy engine failed: rules-lsp gave no answer\n"


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        ("exit 0", (0, "", "")),
        ("cat; exit 0", (0, "in", "")),
        ("cat; echo why >&2; exit 2", (2, "in", "why\n")),
        ("exit 1", (2, "", FAILED)),
        ("exit 127", (2, "", FAILED)),
        ("kill -KILL $$", (2, "", FAILED)),
    ],
)
def test_the_guard_lets_no_failure_pass_for_an_answer(script: str, answer: tuple[int, str, str]) -> None:
    code, stdout, stderr = guard(script)
    # A shell may tell of the signal itself.
    assert (code, stdout) == answer[:2]
    assert stderr.splitlines()[-1:] == answer[2].splitlines()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("exit 0", ""),
        ("""echo '{"cancel":true,"errorMessage":"no"}'; exit 2""", '{"cancel":true,"errorMessage":"no"}\n'),
        ("exit 2", None),
        ("exit 1", None),
        ("echo noise", None),
        ("kill -KILL $$", None),
    ],
)
def test_the_script_of_cline_cancels_what_fails(program: str, said: str | None, tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    answer.write_text(f"#!/bin/sh\n{program}\n")
    answer.chmod(0o755)
    hook = tmp_path / "PreToolUse"
    hook.write_text(golden("cline").decode().replace("'/opt/rules lsp/bin/python'", str(answer)))
    hook.chmod(0o755)
    done = subprocess.run([hook], capture_output=True, text=True, check=False)
    failed = '{"cancel":true,"errorMessage":"policy engine failed: the hook of rules-lsp gave no answer"}\n'
    assert (done.returncode, done.stdout) == (0, failed if said is None else said)
