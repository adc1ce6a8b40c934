"""Text for people and for the audit without the secrets in it."""

from __future__ import annotations

import json
from functools import lru_cache

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
    # Options of well-known programs that hold a password, and `user:password`.
    (
        expression(rf"(\b(?:mysql\w{{0,20}}|mariadb|sshpass|login)\b[^|;&]{{0,200}}?\s-p)\s?(?=[^\s-]){_VALUE}"),
        rf"\1{MASK}",
    ),
    (
        expression(rf"(\b(?:redis-cli\b[^|;&]{{0,200}}?\s-a|openssl\b[^|;&]{{0,200}}?\s-[kK])\s{{1,4}}){_VALUE}"),
        rf"\1{MASK}",
    ),
    (
        expression(r"""(\s(?:-u|-U|--user|--proxy-user)[\s=]{0,4}["']?[^\s:"']{1,80}:)[^\s"',;&]+"""),
        rf"\1{MASK}",
    ),
    (expression(rf"(?i)(\bpass:|\bpass(?:word|phrase|wd)?\s{{1,4}}(?=\S*[0-9])){_VALUE}"), rf"\1{MASK}"),
    # The user and password of an address.
    (expression(r"(\b[a-z][a-z0-9+.-]{1,20}://)[^/\s@]{1,200}@"), rf"\1{MASK}@"),
    # Tokens that are known by their form, and long runs of letters and digits.
    (
        expression(
            r"(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|AKIA|AIza|pypi-Ag"
            r"|(?<![A-Za-z0-9])(?:sk-|pk_|rk_|ASIA|npm_|eyJ))[A-Za-z0-9_.-]{8,}"
        ),
        MASK,
    ),
    (expression(r"\b(?=[A-Za-z+_-]{0,200}[0-9])(?=[0-9+_-]{0,200}[A-Za-z])[A-Za-z0-9+_-]{32,}={0,2}"), MASK),
)


_MOST = 8 * LONGEST
_CUT_WORD = expression(r"\S{1,256}\Z")
_NAMING = ("name", "key", "header", "id")
"""The keys of a pair that say what its `value` is."""


_SHORT = 128


def masked(text: str) -> str:
    """A text of one line with what looks like a secret masked, bounded."""
    return _masked_short(text) if len(text) <= _SHORT else _masked(text)


# The names of jobs and rules come again with each event.
@lru_cache(maxsize=1_024)
def _masked_short(text: str) -> str:
    return _masked(text)


def _masked(text: str) -> str:
    if len(text) > _MOST:
        # Half of a secret has no form by which it is known.
        text = _CUT_WORD.sub("", text[:_MOST])
    for form, instead in _FORMS:
        text = form.sub(instead, text)
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
        names_secret = any(key in _NAMING and _is_secret_name(each) for key, each in pairs)
        return {
            str(key): MASK
            if _SECRET_KEY.search(str(key)) or (names_secret and key not in _NAMING)
            else without_secrets(each, depth + 1)
            for key, each in pairs
        }
    if isinstance(value, (list, tuple)):
        some = value[:20]
        # The word behind an option that names a secret is one.
        before = (None, *some)
        return [
            MASK if _is_secret_option(option) and isinstance(each, str) else without_secrets(each, depth + 1)
            for option, each in zip(before, some, strict=False)
        ]
    return masked(value) if isinstance(value, str) else value


def _is_secret_name(value: object) -> bool:
    return isinstance(value, str) and len(value) <= 80 and _SECRET_KEY.search(value) is not None


def _is_secret_option(value: object) -> bool:
    return isinstance(value, str) and (
        value in ("-p", "-u") or (value.startswith("-") and "=" not in value and _is_secret_name(value))
    )
