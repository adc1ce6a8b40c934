"""Text for people and for the audit without the secrets in it."""

from __future__ import annotations

import json

from rules_lsp.policy.requests import printable
from rules_lsp.source.excerpt import bounded
from rules_lsp.source.expressions import expression

MASK = "***"
LONGEST = 300
_NAMES = (
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|auth|credentials?|cookie"
    r"|session|bearer|signature)"
)
_VALUE = r"""(?:"[^"]*"|'[^']*'|[^\s"',;&]+)"""
_SECRET_KEY = expression(rf"(?i)(?:^|[^a-z]){_NAMES}|{_NAMES}(?:$|[^a-z])")
_FORMS = (
    (expression(r"(?s)-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"), MASK),
    # A name with a value behind `=` or `:`, or as the next word of an option.
    (
        expression(
            rf"""(?i)({_NAMES}[\w.-]{{0,40}}["']?\s{{0,4}}[=:]\s{{0,4}})(?:(?:bearer|basic|token)\s+)?{_VALUE}"""
        ),
        rf"\1{MASK}",
    ),
    (expression(rf"(?i)(--?[\w-]{{0,40}}{_NAMES}[\w-]{{0,40}}\s{{1,4}}){_VALUE}"), rf"\1{MASK}"),
    (expression(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9+/=._~-]{8,}"), rf"\1 {MASK}"),
    (expression(r"(\b(?:mysql\w{0,20}|mariadb|sshpass)\b[^|;&]{0,200}?\s-p)\s?[^\s-]\S*"), rf"\1{MASK}"),
    # The user and password of an address.
    (expression(r"(\b[a-z][a-z0-9+.-]{1,20}://)[^/\s@]{1,200}@"), rf"\1{MASK}@"),
    # Tokens that are known by their form, and long runs of letters and digits.
    (
        expression(
            r"\b(?:gh[pousr]_|github_pat_|glpat-|sk-|pk_|rk_|xox[abeprs]-|AKIA|ASIA|AIza|npm_|pypi-|eyJ)"
            r"[A-Za-z0-9_.-]{8,}"
        ),
        MASK,
    ),
    (expression(r"\b(?=[A-Za-z+_-]{0,200}[0-9])(?=[0-9+_-]{0,200}[A-Za-z])[A-Za-z0-9+_-]{32,}={0,2}"), MASK),
)


def masked(text: str) -> str:
    """A text of one line with what looks like a secret masked, bounded."""
    for form, instead in _FORMS:
        text = form.sub(instead, text[: 8 * LONGEST])
    return bounded(printable(text.replace("\n", " ")), LONGEST)


def summary_of(tool: str, arguments: object, lines: list[str]) -> str:
    """What would run, in one masked line: the tool with its command, else with its arguments."""
    if lines:
        return masked(f"{tool}: {'; '.join(lines)}")
    told = json.dumps(without_secrets(arguments), ensure_ascii=False, default=repr) if arguments else ""
    return masked(f"{tool} {told}".strip())


def without_secrets(value: object, depth: int = 0) -> object:
    """A value with the values of keys masked that name secrets; depth and length are bounded."""
    if depth > 4:
        return "…"
    if isinstance(value, dict):
        pairs = list(value.items())[:20]
        return {
            str(key): MASK if _SECRET_KEY.search(str(key)) else without_secrets(each, depth + 1) for key, each in pairs
        }
    if isinstance(value, (list, tuple)):
        return [without_secrets(each, depth + 1) for each in value[:20]]
    return masked(value) if isinstance(value, str) else value
