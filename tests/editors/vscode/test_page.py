"""The packaged extension in the real page of VS Code, with the server that it brings along."""

from __future__ import annotations

import json
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.editors.vscode.harness import EXTENSION, Editor, build, drive
from tests.support.programs import find_program

HERE = Path(__file__).parent
WHEELS = EXTENSION / "wheels.txt"
RULES = ".coding-agent-rules.yaml"
FAULTY = """system_prompt_extension: |
  Prices are integers in cents.

allowed_tools:
  - Read
  - Edit
  - filesystem/*

deny_tools:
  - filesystem/move_file

file_patterns:
  include:
    - src/**
    - tests/**
  exclude:
    - secrets/
    - "*.pem"
"""
FILES = {
    RULES: FAULTY,
    ".mcp.json": json.dumps(
        {"mcpServers": {"filesystem": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem"]}}}
    ),
    "README.md": "# Shop\n",
    "secrets/stripe.pem": "",
    "src/cart.py": "def total(prices: list[int]) -> int:\n    return sum(prices)\n",
    "src/prices.py": "",
    "tests/test_cart.py": "",
}

# As systems have it whose package of Python is a small one.
PYTHON_WITHOUT_VENV = """\
#!/bin/sh
[ "$2" = -c ] && echo "cpython 3 12  {itself}" && exit
echo "ModuleNotFoundError: No module named 'venv'" >&2
exit 1
"""

pytestmark = pytest.mark.vscode


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is published, with the wheels of this checkout."""
    made = tmp_path_factory.mktemp("package") / "rules-lsp.vsix"
    build("package", "--", "--target", "linux-x64", "--python", sys.executable, "--out", str(made))
    return made


def environment_without_server(home: Path, *, python: bool) -> dict[str, str]:
    """The environment of a person who has Python, or has none, and nothing of ours."""
    programs = home / "programs"
    programs.mkdir()
    if python:
        (programs / "python3").symlink_to(Path(sys.base_prefix) / "bin" / "python3")
    node = find_program("node")
    assert node is not None
    (programs / "node").symlink_to(node)
    kept = {key: value for key, value in os.environ.items() if key in ("LANG", "LC_ALL", "TMPDIR")}
    gallery = json.dumps({"serviceUrl": "", "itemUrl": "", "resourceUrlTemplate": ""})
    path = os.pathsep.join([str(programs), *(["/usr/bin", "/bin"] if python else [])])
    return {**kept, "HOME": str(home), "PATH": path, "EXTENSIONS_GALLERY": gallery}


@contextmanager
def shop(home: Path, package: Path, settings: dict[str, Any], *, python: bool = True) -> Iterator[tuple[Editor, Path]]:
    """An editor that serves, with the extension, and a project."""
    folder = home / "shop"
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    editor = Editor(home, environment_without_server(home, python=python))
    editor.configure(user=settings, machine={})
    editor.install(package)
    with editor.serving():
        yield editor, folder


def drive_page(script: str, home: Path, editor: Editor, folder: Path, **values: str) -> list[Any]:
    """What a script says that uses the page with a folder."""
    values |= {"FAILURE_PICTURE": str(home / "failure.png"), "BROWSER_PROGRAM": find_program("chromium") or ""}
    return drive(HERE / script, home, PAGE_ADDRESS=editor.address(folder=folder), **values)


def test_what_a_person_sees(tmp_path_factory: pytest.TempPathFactory, package: Path) -> None:
    """With RULES_LSP_PICTURES the pictures go there. Those of the README are made so, with --basetemp=/home/dev."""
    home = tmp_path_factory.mktemp("ada")
    pictures = os.environ.get("RULES_LSP_PICTURES") or str(home)
    servers = home / "data" / "User" / "globalStorage" / "rules-lsp.rules-lsp" / "server"
    # What another package of the same version has left behind: it seems whole, and is passed over.
    other = servers / "0.1.0-cp311"
    (other / "bin").mkdir(parents=True)
    (other / "installed").write_text("0.1.0\n")
    (other / "bin" / "python").write_text("#!/bin/sh\nexit 0\n")
    (other / "bin" / "python").chmod(0o755)
    with shop(home, package, {"rulesLsp.explorer.decorations": True}) as (editor, folder):
        said = drive_page("page.mjs", home, editor, folder, PICTURES=pictures)
    assert said == [
        {
            "lenses": [
                "policy: 3 of 7 files writable · 13 of 14 tools allowed",
                "14 of 14 tools",
                "1 of 14 tools",
                "3 of 7 files",
                "2 files · net +2",
                "1 file · net +1",
                "1 of 7 files",
                "1 file · net ±0",
                "1 file · net ±0",
            ]
        },
        {"problems": ["1", "0"]},
        {"hover": "unknown key `deny_tools`; it is read as `denied_tools` meanwhile: rename itrules-lsp(unknown-key)"},
        {"pattern": "what src/** matches may be changed, unless an exclude matches"},
        {"files": ["cart.py", "prices.py", "test_cart.py"]},
        {"tools": ["filesystem/move_file", "denied"]},
        {"completion": "src/"},
        {"denied": "denied · file_patterns.include"},
        {"writable": "writable · src/**"},
        {"marked": ["secrets", RULES, ".mcp.json", "README.md"]},
        {"policy": ["Policy of", "allowed_tools", "denied_tools", "file_patterns.include", "file_patterns.exclude"]},
        {
            "tree": [
                "Files3 of 7 writable",
                "writable3",
                "denied4",
                "Tools13 of 14 allowed",
                "Rules.coding-agent-rules.yaml",
                "allowed_tools3",
                "denied_tools1",
                "file_patterns.include2",
                "file_patterns.exclude2",
                "secrets/1 file",
                "*.pem1 file",
                "Problems0",
            ]
        },
        {"line": "15"},
    ]
    assert [re.sub("[0-9a-f]{12}", "…", place.name) for place in servers.iterdir()] == [
        f"0.1.0-…-cp3{sys.version_info[1]}"
    ]


def test_no_program_of_a_folder_runs_before_it_is_trusted(tmp_path: Path, package: Path) -> None:
    settings = {
        "security.workspace.trust.enabled": True,
        "security.workspace.trust.startupPrompt": "never",
        "security.workspace.trust.banner": "never",
    }
    ran = tmp_path / "ran"
    with shop(tmp_path, package, settings) as (editor, folder):
        for name, who in (("named", "setting"), (".venv/bin/rules-lsp", "environment")):
            program = folder / name
            program.parent.mkdir(parents=True, exist_ok=True)
            program.write_text(f"#!/bin/sh\necho {who} >>'{ran}'\nexit 1\n")
            program.chmod(0o755)
        own = folder / ".vscode" / "settings.json"
        own.parent.mkdir()
        own.write_text(json.dumps({"rulesLsp.server.command": [str(folder / "named")]}))
        said = drive_page("trust.mjs", tmp_path, editor, folder, RAN=str(ran))
    assert said == [{"untrusted": {"fault": True, "ran": False}}, {"trusted": {"ran": "setting"}}]


def test_without_python_one_message_says_what_to_do(tmp_path: Path, package: Path) -> None:
    with shop(tmp_path, package, {}, python=False) as (editor, folder):
        asked = tmp_path / "asked"
        old = tmp_path / "programs" / "rules-lsp"
        old.write_text(f"#!/bin/sh\necho $* >>'{asked}'\necho rules-lsp 0.0.9\n")
        old.chmod(0o755)
        said = drive_page("without.mjs", tmp_path, editor, folder, TOLD="Python")
    advice = "install one, or name a server in `rulesLsp.server.command`"
    assert said == [{"messages": [f"Rules LSP needs Python 3.11 to 3.14 and finds none: {advice}"]}]
    assert set(asked.read_text(encoding="utf-8").split()) == {"--version"}


@pytest.mark.parametrize(
    ("machine", "sentence"),
    [
        ("no storage", r"Rules LSP has no place for its server: make it writable, .*ENOTDIR.*"),
        ("no venv", r"Rules LSP cannot set up its server with the Python .*No module named 'venv'.*"),
    ],
)
def test_a_machine_on_which_the_server_cannot_be_set_up(
    tmp_path: Path, package: Path, machine: str, sentence: str
) -> None:
    with shop(tmp_path, package, {}, python=False) as (editor, folder):
        if machine == "no storage":
            storage = tmp_path / "data" / "User" / "globalStorage" / "rules-lsp.rules-lsp"
            storage.parent.mkdir(parents=True, exist_ok=True)
            storage.write_text("in the way")
        program = tmp_path / "programs" / "python3"
        program.write_text(PYTHON_WITHOUT_VENV.format(itself=program))
        program.chmod(0o755)
        said = drive_page("without.mjs", tmp_path, editor, folder, TOLD="server.command")
    [message] = said[0]["messages"]
    assert re.fullmatch(sentence, message), message


def test_the_package_holds_what_it_needs_and_no_more(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        names = sorted(name.removeprefix("extension/") for name in archive.namelist())
    wheels = [name.removeprefix("wheels/").split("-")[0] for name in names if name.endswith(".whl")]
    pictures = [
        f"images/{name}.png" for name in ("completion", "diagnostic", "files", "hover", "icon", "policy", "status")
    ]
    texts = ["l10n/bundle.l10n.ja.json", "package.json", "package.nls.ja.json", "package.nls.json"]
    assert [name for name in names if not name.endswith(".whl")] == [
        "LICENSE.txt",
        "[Content_Types].xml",
        "changelog.md",
        "dist/extension.js",
        "dist/licenses.txt",
        "extension.vsixmanifest",
        *pictures,
        *texts,
        "python/install_wheels.py",
        "readme.md",
    ]
    pinned = [line.partition("==")[0].lower().replace("-", "_") for line in WHEELS.read_text().split()]
    assert set(wheels) == {"rules_lsp", *pinned}
    # What is compiled for one Python alone is there for each.
    assert {name for name in wheels if wheels.count(name) > 1} == {"pyyaml", "rpds_py", "tree_sitter"}
    assert {wheels.count(name) for name in ("pyyaml", "rpds_py", "tree_sitter")} == {4}


def test_the_package_holds_the_licence_of_everything_in_it(package: Path) -> None:
    with zipfile.ZipFile(package) as archive:
        bundled = archive.read("extension/dist/licenses.txt").decode("utf-8")
        wheels = [zipfile.ZipFile(archive.open(name)) for name in archive.namelist() if name.endswith(".whl")]
        without = [
            wheel.filename
            for wheel in wheels
            if not any(re.search(r"\.dist-info/.*(LICEN[CS]E|COPYING)", name) for name in wheel.namelist())
        ]
    names = "balanced-match brace-expansion minimatch semver vscode-jsonrpc vscode-languageclient"
    names += " vscode-languageserver-protocol vscode-languageserver-textdocument vscode-languageserver-types"
    assert [notice.split(maxsplit=1)[0] for notice in bundled.split("-" * 78)] == names.split()
    assert bundled.count("Copyright") >= len(names.split())
    assert without == []
