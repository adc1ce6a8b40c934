"""The reader and the schema judge the structure of a document alike."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_lsp.policy.yaml.read_yaml import read_yaml
from rules_lsp.schemas import violations
from rules_lsp.source.text import Text

STRUCTURAL = {"wrong-type", "unknown-key", "scalar-for-list", "unquoted-glob", "ambiguous-scalar"}
TEXTS = st.sampled_from(["Read", "github/get_issue", "src/**", "secrets/", "a b", "x"])
SCALARS = TEXTS | st.booleans() | st.integers(0, 9)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=2), max_leaves=4
)
LISTS = st.lists(TEXTS, min_size=1, max_size=3) | VALUES
PATTERNS = st.dictionaries(st.sampled_from(["include", "exclude", "other"]), LISTS, max_size=2) | VALUES
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "system_prompt_extension": TEXTS | VALUES,
        "allowed_tools": LISTS,
        "denied_tools": LISTS,
        "file_patterns": PATTERNS,
        "x-unprotected": LISTS,
        "x-tool-paths": st.dictionaries(st.just("site/publish"), st.lists(st.just("a[].b"), min_size=1)) | VALUES,
        "x-other": VALUES,
        "nonsense": VALUES,
    },
)


@settings(max_examples=400, deadline=None)
@given(DOCUMENTS)
def test_what_the_schema_refuses_the_reader_reports_and_nothing_else(document: dict[str, Any]) -> None:
    reading = read_yaml(Text(json.dumps(document)))
    assert reading.error is None
    reported = {problem.code for problem in reading.problems} & STRUCTURAL
    assert bool(reported) == bool(violations("coding-agent-rules", document)), (reported, reading.problems)
