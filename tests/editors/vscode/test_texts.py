"""What the extension for VS Code consists of beside its code: settings, texts in two languages, wheels."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from pathlib import Path
from typing import Any

import pytest

from rules_lsp import __version__
from tests.support.vscode_settings import EXTENSION, configuration, english

PACKAGE: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
SOURCES = sorted((EXTENSION / "src").rglob("*.ts"))
CURRENT = "run `python -m tests.support.vscode_settings`"
INSTALLER = runpy.run_path(str(EXTENSION / "python" / "install_wheels.py"))


def texts(name: str) -> dict[str, str]:
    found: dict[str, str] = json.loads((EXTENSION / name).read_text(encoding="utf-8"))
    return found


def test_the_settings_are_those_of_the_server() -> None:
    assert PACKAGE["contributes"]["configuration"] == configuration(), CURRENT
    assert {key: text for key, text in texts("package.nls.json").items() if key.startswith("config.")} == english(), (
        CURRENT
    )


def test_every_text_of_the_manifest_is_there_in_both_languages() -> None:
    used = set(re.findall(r'"%([\w.]+)%"', json.dumps(PACKAGE)))
    assert used == set(texts("package.nls.json")) == set(texts("package.nls.ja.json"))


def test_every_text_of_the_code_is_there_in_japanese() -> None:
    calls = [re.findall(r"l10n\.t\(\s*'((?:[^'\\]|\\.)*)'", path.read_text(encoding="utf-8")) for path in SOURCES]
    said = {text for found in calls for text in found}
    written = sum(path.read_text(encoding="utf-8").count("l10n.t(") for path in SOURCES)
    assert sum(map(len, calls)) == written, "a text is no plain literal"
    assert said == set(texts("l10n/bundle.l10n.ja.json"))


@pytest.mark.parametrize("name", ["package.nls.ja.json", "l10n/bundle.l10n.ja.json"])
def test_a_translation_has_the_places_of_its_original(name: str) -> None:
    originals = {text: text for text in texts(name)} if name.startswith("l10n") else texts("package.nls.json")
    places = re.compile(r"\{\d\}|\(command:[\w.]+\)|`[^`]+`")
    different = {
        key: text
        for key, text in texts(name).items()
        if set(places.findall(text)) != set(places.findall(originals[key]))
    }
    assert different == {}


def test_every_command_of_the_manifest_is_registered() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES)
    commands = [each["command"] for each in PACKAGE["contributes"]["commands"]]
    assert [name for name in commands if f"'{name}'" not in code] == []
    menus = [each["command"] for entries in PACKAGE["contributes"]["menus"].values() for each in entries]
    assert set(menus) <= set(commands)


def test_the_version_is_that_of_the_server() -> None:
    assert PACKAGE["version"] == __version__


def test_every_package_that_the_server_needs_is_pinned() -> None:
    project = tomllib.loads((EXTENSION.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    pinned = {line.partition("==")[0].lower() for line in (EXTENSION / "wheels.txt").read_text().split()}
    needed = {re.split(r"[<>=~! \[;]", each, maxsplit=1)[0].lower() for each in project["project"]["dependencies"]}
    assert needed <= pinned, "name a version in editors/vscode/wheels.txt"


@pytest.mark.parametrize(
    ("minor", "chosen"),
    [
        (11, ["a-1-py3-none-any.whl", "b-2-cp311-cp311-linux.whl", "c-1-cp310-abi3-linux.whl"]),
        (12, ["a-1-py3-none-any.whl", "b-2-cp312-cp312-linux.whl", "c-1-cp310-abi3-linux.whl"]),
    ],
)
def test_the_wheels_that_fit_a_python(tmp_path: Path, minor: int, chosen: list[str]) -> None:
    for name in ("a-1-py3", "b-2-cp311", "b-2-cp312", "c-1-cp310"):
        tag = name.rpartition("-")[2]
        abi = {"py3": "none-any", "cp310": "abi3-linux"}.get(tag, f"{tag}-linux")
        (tmp_path / f"{name}-{abi}.whl").touch()
    assert [wheel.name for wheel in INSTALLER["fitting"](tmp_path, minor)] == chosen


@pytest.mark.parametrize(
    "name", ["b-2-cp311-cp311-linux.whl", "b-2-cp315-abi3-linux.whl", "b-2-cp314-cp314t-linux.whl"]
)
def test_a_package_without_a_wheel_that_fits_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(INSTALLER["NoWheelFits"], match=r"there is no wheel of b for Python 3\.14"):
        INSTALLER["fitting"](tmp_path, 14)
