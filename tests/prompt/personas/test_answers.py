from __future__ import annotations

import time

import pytest

from rules_lsp.prompt.personas.answers import EditsAnswer, parse_edits_answer

ONE = '[{"file_path": "a", "search_block": "```\\n", "replace_block": "]"}]'
EDITS = [{"file_path": "a", "search_block": "```\n", "replace_block": "]"}]
AROUND, LAX = "text around the array", "comments or trailing commas"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        (ONE, EditsAnswer(EDITS)),
        ("[]", EditsAnswer([])),
        (f"\ufeff\n{ONE}\n", EditsAnswer(EDITS)),
        (f"Here:\n\n```json\n{ONE}\n```\nDone [1].", EditsAnswer(EDITS, None, ("fence",))),
        (f"```\r\n{ONE}\r\n```", EditsAnswer(EDITS, None, ("fence",))),
        (f"~~~~json\n{ONE}\n~~~~", EditsAnswer(EDITS, None, ("fence",))),
        (f"```json\n{ONE}", EditsAnswer(EDITS, None, ("fence",))),
        (f"```py\nx = 1\n```\n```json\n{ONE}\n```", EditsAnswer(EDITS, None, ("fence",))),
        (f'I don"t [know]: {ONE} – see [1].', EditsAnswer(EDITS, None, (AROUND,))),
        ('[{"a": 1,}, ]', EditsAnswer([{"a": 1}], None, (LAX,))),
        ('```json\n[{"a": ", }"}, // one\n]\n```', EditsAnswer([{"a": ", }"}], None, ("fence", LAX))),
        ("", EditsAnswer(None, "the answer is empty")),
        ('[{"a": 1, "a": 2}]', EditsAnswer(None, "the answer holds no JSON array of edits")),
        ("I cannot.", EditsAnswer(None, "the answer holds no JSON array of edits")),
        ('{"file_path": "a"}', EditsAnswer(None, "the answer is one object and no array of edits")),
        ("5", EditsAnswer(None, "the answer is one value and no array of edits")),
        ('[{"a": 1}, 2]', EditsAnswer(None, "item 2 of the array is no object")),
        (
            f"```\n{ONE}\n```\n```\n{ONE}\n```",
            EditsAnswer(None, "the answer holds 2 arrays in fences, and it is not clear which is meant"),
        ),
        (f"{ONE} or {ONE}", EditsAnswer(None, "the answer holds 2 arrays, and it is not clear which is meant")),
        (
            'Here:\n```json\n[\n{"a": "b"\n```',
            EditsAnswer(
                None, "the array of the answer does not parse: line 4: a comma or a closing bracket is missing here"
            ),
        ),
    ],
)
def test_an_answer(text: str, answer: EditsAnswer) -> None:
    assert parse_edits_answer(text) == answer


@pytest.mark.parametrize("text", ["[{" * 200_000, "```\n" * 200_000, '[{"' * 100_000, "[" * 400_000, "{" * 400_000])
def test_a_long_answer_takes_little_time(text: str) -> None:
    began = time.process_time()
    assert parse_edits_answer(text).edits is None
    assert time.process_time() - began < 5
