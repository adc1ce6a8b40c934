"""An estimate of what a text costs: the same for everything that tells of tokens."""

from __future__ import annotations

from rules_lsp.source.expressions import expression

# Letters that models read about one by one: kana, Chinese characters, hangul, and the forms as wide as those.
_WIDE = expression(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3000-\u303f\u3040-\u30ff\u3100-\u31ff\u3200-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U0001aff0-\U0001b16f\U00020000-\U0003ffff]+"
)
_CHARACTERS_PER_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """The estimated tokens of a text: one per CJK character, and one per four others, the last four perhaps fewer."""
    wide = 0 if text.isascii() else sum(len(run) for run in _WIDE.findall(text))
    return wide + -(-(len(text) - wide) // _CHARACTERS_PER_TOKEN)
