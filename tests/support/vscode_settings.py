"""Writes the settings of the extension for VS Code from the server's table: `python -m tests.support.vscode_settings`.

They go to `contributes.configuration` of its package.json and, as English texts, to package.nls.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rules_lsp.lsp.settings import SECTION, SETTINGS

EXTENSION = Path(__file__).resolve().parents[2] / "editors" / "vscode"
FOR_OTHER_EDITORS = {"fileStatus"}
"""The extension asks about the active file itself."""
OF_THE_EDITOR: dict[str, dict[str, Any]] = {
    "server.command": {
        "type": "array",
        "items": {"type": "string"},
        "default": [],
        "scope": "machine-overridable",
        "description": (
            'The program that starts the language server and its first arguments, such as ["rules-lsp"]. Where it is '
            "empty, the workspace's environment, PATH and the server that comes with the extension are tried in turn."
        ),
    },
    "trace.server": {
        "type": "string",
        "enum": ["off", "messages", "verbose"],
        "default": "off",
        "scope": "window",
        "description": "Write the messages to and from the server into the output.",
    },
    "explorer.decorations": {
        "type": "boolean",
        "default": False,
        "scope": "resource",
        "description": "Mark the files in the Explorer that agents may not write.",
    },
}
"""What only the extension reads; the other settings are the server's."""


def properties() -> dict[str, dict[str, Any]]:
    """The schema of each setting by its name below the section, with its description in English."""
    of_the_server = {
        setting.name: {**setting.schema, "scope": setting.scope}
        for setting in SETTINGS
        if setting.name not in FOR_OTHER_EDITORS
    }
    return {**OF_THE_EDITOR, **of_the_server}


def configuration() -> dict[str, Any]:
    """What package.json contributes: the descriptions stand in the files of texts."""
    settings = {
        f"{SECTION}.{name}": {**schema, "description": f"%config.{name}%"} for name, schema in properties().items()
    }
    return {"title": "%config.title%", "properties": settings}


def english() -> dict[str, str]:
    """The texts of the settings in English."""
    return {
        "config.title": "Rules LSP",
        **{f"config.{name}": schema["description"] for name, schema in properties().items()},
    }


def main() -> None:
    """Put them in."""
    manifest, texts = EXTENSION / "package.json", EXTENSION / "package.nls.json"
    package = json.loads(manifest.read_text(encoding="utf-8"))
    package["contributes"]["configuration"] = configuration()
    kept = {name: text for name, text in json.loads(texts.read_text(encoding="utf-8")).items() if "config." not in name}
    for path, content in ((manifest, package), (texts, {**kept, **english()})):
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
