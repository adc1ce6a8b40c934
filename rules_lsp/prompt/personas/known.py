"""What a persona's template may use: for completion, hover, checks and rendering."""

from __future__ import annotations

VARIABLES: dict[str, str] = {
    "property_descriptions": "A mapping: each key of the answer's schema and its description.",
    "datetime": "The date and the time of day, with the offset from UTC.",
    "platform": "The operating system and its release.",
    "cwd": "The working directory, an absolute path.",
    "task_description": "What the person asks for.",
    "target_contents": "A mapping: the absolute path of each file to change, and its text.",
    "context_contents": "A mapping: the absolute path of each file to know, and its text.",
}
"""The variables and what each holds."""

FILTERS: dict[str, str] = {
    "relative_path": "An absolute path as seen from the working directory; one outside of it stays absolute.",
}
"""The filters that Jinja2 itself has not, and what each does."""

KEYS = ("user_content", "system_content", "json_schema", "default_file_path")
PASSED_OVER = ("$schema",)
"""Keys that have no effect and are no fault."""

EDIT_KEYS = ("file_path", "search_block", "replace_block")
"""What each edit of an answer must have."""

HIDDEN_GLOBALS = ("lipsum", "cycler", "joiner")
"""What Jinja2 offers everywhere and no prompt needs."""

INSTALLING = "pip install 'rules-lsp[personas]'"
"""The command that brings Jinja2 along."""
