"""The settings as clients write them, and what is said of those that cannot be taken."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rules_lsp.lsp.settings import EDITORS_OWN, SETTINGS, Fault, FolderSettings, read_settings, section_of
from tests.editors.home import EDITORS

WANTED = FolderSettings(file_status=True, code_lens=False)


@pytest.mark.parametrize(
    "value",
    [
        {"fileStatus": True, "codeLens": {"enabled": False}},
        {"fileStatus": True, "codeLens.enabled": False},
        {"rulesLsp": {"fileStatus": True, "codeLens": {"enabled": False}}},
        {"rulesLsp": {"fileStatus": True, "codeLens.enabled": False}},
        {"rulesLsp.fileStatus": True, "rulesLsp.codeLens.enabled": False},
        {"rulesLsp.fileStatus": True, "rulesLsp.codeLens": {"enabled": False}},
        {"fileStatus": True, "rulesLsp": {"codeLens": {"enabled": False}}},
    ],
)
def test_a_setting_may_be_written_bare_nested_or_with_dots(value: dict[str, Any]) -> None:
    assert read_settings(value, FolderSettings()) == (WANTED, ())
    assert read_settings(section_of(value), FolderSettings())[1] == ()


@pytest.mark.parametrize("value", [None, {}, {"config": None}, {"diagnostics": None}, {"trace": {"server": "off"}}])
def test_what_says_nothing_is_no_fault(value: object) -> None:
    assert read_settings(value, WANTED) == (WANTED, ())


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"fileStats": True}, Fault("fileStats", "`fileStats` is no setting of `rulesLsp`")),
        ({"rulesLsp": {"a": 1}}, Fault("a", "`a` is no setting of `rulesLsp`")),
        ({"rulesLsp.a": 1}, Fault("a", "`a` is no setting of `rulesLsp`")),
        ({"codeLens": {"on": 1}}, Fault("codeLens.on", "`codeLens.on` is no setting of `rulesLsp`")),
        ({"diagnostics": 3}, Fault("diagnostics", "`diagnostics` must be an object")),
        (
            {"diagnostics": {"workspace": 3}},
            Fault("diagnostics.workspace", "`diagnostics.workspace` must be true or false"),
        ),
        ({"rulesLsp": 3}, Fault("rulesLsp", "`rulesLsp` must be an object")),
        ({"rulesLsp": {"config": 5}}, Fault("config", "`config` must be a text")),
        (
            {"autoPrompter": {"available": "no"}},
            Fault("autoPrompter.available", "`autoPrompter.available` must be true or false"),
        ),
        *(
            (
                {"autoPrompter.approvalSeconds": seconds},
                Fault(
                    "autoPrompter.approvalSeconds",
                    "`autoPrompter.approvalSeconds` must be a whole number from 1 to 86,400",
                ),
            )
            for seconds in (0, 86_401, True, "5", 1.5)
        ),
        (5, Fault("", "the settings must be an object")),
    ],
)
def test_what_cannot_be_taken_is_told(value: object, fault: Fault) -> None:
    assert read_settings(value, WANTED) == (WANTED, (fault,))


@pytest.mark.parametrize(
    ("sent", "ours"),
    [
        ({"python": {"x": 1}}, None),
        ({"python": {"x": 1}, "rulesLsp": {"fileStatus": True}}, {"rulesLsp": {"fileStatus": True}}),
        ({"rulesLsp.fileStatus": True, "editor.x": 1}, {"rulesLsp.fileStatus": True}),
        ({"fileStatus": True}, {"fileStatus": True}),
    ],
)
def test_of_all_settings_only_ours_are_looked_at(sent: object, ours: object) -> None:
    assert section_of(sent) == ours


def test_what_the_extension_offers_is_known() -> None:
    package = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    offered = {name.removeprefix("rulesLsp.") for name in package["contributes"]["configuration"]["properties"]}
    groups = {name.split(".")[0] for name in offered - {setting.name for setting in SETTINGS}}
    assert groups == EDITORS_OWN
