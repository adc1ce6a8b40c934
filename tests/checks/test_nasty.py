"""Hostile and broken files: what is found in each and where, which rules hold, and which are still understood."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from rules_lsp.checks import Subject, run_checks
from rules_lsp.policy.model import Rules
from rules_lsp.policy.yaml.read_yaml import YamlRules

DIRECTORY = Path(__file__).resolve().parent.parent / "data" / "yaml_nasty"
DENIED = "file_patterns.exclude"
INCLUDE = "file_patterns.include"
BROKEN = "broken"


class Expected(NamedTuple):
    """Code, line, character, end line, end character (base 0, code points) of each finding; whether the file is in
    force; the lists that are understood, in force or not, a broken list as `broken`."""

    found: list[tuple[str, int, int, int, int]]
    in_force: bool
    understood: list[tuple[str, list[str] | str]]


NUMBERS = ["123", "0x1F", "0o17", "017", "1_000", "1e3", "1:30", ".5", ".inf", "0b1", "2024-01-01"]
PATTERNS = [
    "../**", "/etc/**", "~/secrets", "./src/**", "src//a", "#x", "!", "a\\", "[", "[z-a]", "[[:alpha:]]", "{a,b}",
]  # fmt: skip

TABLE: dict[str, Expected] = {
    "01_mid_key": Expected([("syntax-error", 2, 0, 2, 3)], False, [("allowed_tools", ["read_file"])]),
    "03_dash_only": Expected([("null-value", 2, 2, 2, 3)], True, [("allowed_tools", ["read_file"])]),
    "05_unclosed_dquote": Expected([("syntax-error", 0, 25, 0, 26)], False, [("allowed_tools", ["read_file"])]),
    "07_unclosed_flow_seq": Expected([("syntax-error", 0, 15, 0, 16)], False, [("denied_tools", ["rm"])]),
    "09_tab_indent": Expected(
        [("tab-indentation", 1, 0, 1, 1), ("tab-indentation", 2, 0, 2, 2)], False, [(INCLUDE, ["src/**"])]
    ),
    "11_duplicate_key": Expected(
        [("duplicate-key", 4, 0, 4, 12)],
        True,
        [("allowed_tools", ["read_file"]), ("denied_tools", ["execute_command"]), ("denied_tools", [])],
    ),
    "13_anchor_alias": Expected([], True, [("allowed_tools", ["read_file", "grep"])]),
    "15_unquoted_star_glob": Expected(
        [("unquoted-glob", 2, 6, 2, 10), ("unquoted-glob", 3, 6, 3, 13)], False, [(INCLUDE, ["*.py", "**/*.ts"])]
    ),
    "17_unquoted_hash": Expected(
        [("malformed-tool-name", 2, 4, 2, 7), ("null-value", 5, 4, 5, 5)],
        True,
        [("allowed_tools", ["read_file", "a#b"]), (DENIED, [])],
    ),
    "19_merge_key": Expected(
        [("unknown-key", 0, 0, 0, 4), ("wrong-type", 3, 2, 3, 4)], False, [(DENIED, ["**/*.key"])]
    ),
    "21_billion_laughs": Expected([("alias-bomb", 4, 9, 4, 12)], False, []),
    "23_recursive_alias": Expected([("wrong-type", 2, 4, 2, 6)], True, [("allowed_tools", ["read_file", "*t"])]),
    "25_deep_flow_10k": Expected([("alias-bomb", 0, 1014, 0, 1015)], False, []),
    "27_deep_flow_unclosed_50k": Expected([("alias-bomb", 0, 1002, 0, 1003)], False, []),
    "29_doc_end_garbage": Expected([("multiple-documents", 2, 0, 2, 21)], False, [("allowed_tools", ["read_file"])]),
    "31_only_comments": Expected([], True, []),
    "33_crlf": Expected([("syntax-error", 3, 14, 3, 15)], False, [("allowed_tools", ["read_file", "gerp"])]),
    "35_mixed_nel_ls": Expected([], True, [("allowed_tools", ["gerp"])]),
    "37_nul_byte": Expected(
        [("syntax-error", 1, 8, 1, 9)],
        False,
        [("allowed_tools", ["read _file"]), ("denied_tools", ["shell"])],
    ),
    "39_utf16be_nobom": Expected([("unreadable-file", 0, 0, 0, 1)], False, []),
    "41_lone_surrogate_escape": Expected([("syntax-error", 0, 26, 0, 32)], False, [("allowed_tools", ["gerp"])]),
    "43_combining_rtl": Expected(
        [
            ("malformed-tool-name", 1, 5, 1, 10),
            ("malformed-tool-name", 2, 5, 2, 15),
            ("malformed-tool-name", 3, 5, 3, 13),
            ("malformed-tool-name", 4, 4, 4, 13),
        ],
        True,
        [("allowed_tools", ["e\u0301dit", "\u202eelif_daer", "קרא_קובץ", "re\u0430d_file"])],
    ),
    "45_numbers": Expected(
        [
            *(("ambiguous-scalar", line, 4, line, 4 + len(text)) for line, text in enumerate(NUMBERS, 1)),
            ("null-value", 12, 4, 12, 5),
            ("ambiguous-scalar", 13, 4, 13, 8),
            ("ambiguous-scalar", 14, 4, 14, 9),
        ],
        True,
        [("allowed_tools", [*NUMBERS, "null", "12e03"])],
    ),
    "47_python_object_tag": Expected([("wrong-type", 0, 15, 0, 46)], True, [("allowed_tools", BROKEN)]),
    "49_local_tags": Expected(
        [("unquoted-glob", 0, 15, 0, 34), ("unquoted-glob", 1, 14, 1, 20), ("syntax-error", 2, 0, 2, 8)],
        False,
        [("allowed_tools", ["!include tools.yaml"]), ("denied_tools", ["!Ref X"])],
    ),
    "51_bad_indent": Expected([("syntax-error", 3, 3, 3, 11)], False, []),
    "53_same_indent_list": Expected([], True, [("allowed_tools", ["read_file", "grep"]), (INCLUDE, ["src/**"])]),
    "55_list_of_maps": Expected(
        [("wrong-type", 1, 4, 2, 16), ("wrong-type", 3, 4, 3, 19), ("wrong-type", 4, 4, 4, 14)],
        True,
        [("allowed_tools", ["name: read_file\n    path: src/**", "read_file: true", "[grep, ls]"])],
    ),
    "57_block_scalars": Expected(
        [("wrong-type", 3, 0, 3, 13), ("wrong-type", 6, 0, 6, 12)],
        True,
        [("allowed_tools", BROKEN), ("denied_tools", BROKEN)],
    ),
    "59_fence_lookalike": Expected([("syntax-error", 0, 0, 0, 7)], False, [("allowed_tools", ["read_file"])]),
    "61_json": Expected([], True, [("allowed_tools", ["read_file"]), ("denied_tools", ["shell"])]),
    "65_fullwidth_colon": Expected([("fullwidth-punctuation", 0, 13, 0, 14)], False, []),
    "67_case_typos": Expected(
        [
            ("unknown-key", 0, 0, 0, 13),
            ("unknown-key", 1, 0, 1, 13),
            ("unknown-key", 2, 0, 2, 12),
            ("unknown-key", 3, 0, 3, 11),
            ("unknown-key", 4, 0, 4, 12),
            ("unknown-key", 5, 2, 5, 10),
        ],
        True,
        [
            ("allowed_tools", ["read_file"]),
            ("allowed_tools", ["read_file"]),
            ("allowed_tools", ["read_file"]),
            ("allowed_tools", ["x"]),
            (INCLUDE, ["a"]),
        ],
    ),
    "69_escapes": Expected([("syntax-error", 1, 9, 1, 11)], False, []),
    "71_path_traversal": Expected(
        [
            ("never-matches", 2, 6, 2, 11),
            ("never-matches", 4, 6, 4, 15),
            ("never-matches", 6, 6, 6, 12),
            ("null-value", 7, 6, 7, 8),
            ("null-value", 8, 6, 8, 11),
            ("negated-pattern", 10, 7, 10, 8),
            ("invalid-glob", 11, 7, 11, 10),
            ("invalid-glob", 12, 7, 12, 8),
            ("invalid-glob", 13, 8, 13, 11),
            ("covered-pattern", 15, 7, 15, 12),
        ],
        True,
        [(INCLUDE, PATTERNS)],
    ),
}


def understood(rules: Rules) -> list[tuple[str, list[str] | str]]:
    return [
        (each.name, BROKEN if each.broken is not None else [entry.text for entry in each.entries])
        for each in rules.lists()
    ]


def test_every_file_is_in_the_table() -> None:
    assert {path.stem for path in DIRECTORY.iterdir()} == TABLE.keys()


@pytest.mark.parametrize("name", TABLE)
def test_what_is_found_in_it_and_what_is_understood(name: str) -> None:
    subject = Subject.of_file(str(DIRECTORY / f"{name}.yaml"))
    expected = TABLE[name]
    reading = subject.reading
    assert isinstance(reading, YamlRules)
    places = [(each.code, subject.text.range(each.span, "utf-32")) for each in run_checks(subject)]
    found = [
        (code, place.start.line, place.start.character, place.end.line, place.end.character) for code, place in places
    ]
    assert found == expected.found
    assert (reading.rules is not None) == expected.in_force
    assert understood(reading.shown) == expected.understood
