"""The keys and files of an Agent Zero project; the schema describes the keys, this module lists them for speed."""

from __future__ import annotations

META_FOLDER = ".a0proj"
PROJECT_FILE = ".a0proj/project.json"
SERVERS_FILE = ".a0proj/mcp_servers.json"
INSTRUCTIONS_FOLDER = ".a0proj/instructions"
LISTED_FOLDERS = (".a0proj/knowledge", ".a0proj/skills")
"""Folders of which an agent has the files and is told none of them."""

TEXT_KEYS = ("title", "description", "instructions", "color", "git_url")
PROJECT_KEYS = ("title", "description", "instructions", "include_agents_md", "color", "git_url", "file_structure")
NUMBER_KEYS = ("max_depth", "max_files", "max_folders", "max_lines")
STRUCTURE_KEYS = ("enabled", *NUMBER_KEYS, "gitignore")

FALSE_WORDS = ("0", "false", "no", "off")
"""The texts that switch `include_agents_md` off, in any case, with blanks around; every other one switches it on."""
TRUE_WORDS = ("1", "true", "yes", "on")
