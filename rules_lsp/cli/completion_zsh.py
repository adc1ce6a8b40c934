"""The completion for zsh: `_arguments` with the specification of each verb."""

from __future__ import annotations

from collections.abc import Sequence

from rules_lsp.cli.completion_model import Option, Value, VerbModel, codes, levels

_HEAD = """\
#compdef rules-lsp
# Completion of rules-lsp for zsh.

_rules_lsp_codes() {
    local -a codes=(
{CODES}
    )
    _values -s , code $codes
}

_rules_lsp_level() {
    local -a codes=(
{CODES}
    )
    if compset -P '*='; then
        compadd {LEVELS}
    else
        compadd -S = -- $codes
    fi
}

_rules_lsp() {
    local -a verbs=(
{VERBS}
    )
    if (( CURRENT == 2 )); then
        _describe -t verbs verb verbs
        _arguments '--version[print the version]' '(-h --help)'{-h,--help}'[say how it is used]'
        return
    fi
    local verb=$words[2]
    shift words
    (( CURRENT-- ))
    case $verb in
"""
_TAIL = """\
    esac
}

if [[ $funcstack[1] == _rules_lsp ]]; then
    _rules_lsp "$@"
else
    compdef _rules_lsp rules-lsp
fi
"""


def script(verbs: Sequence[VerbModel]) -> str:
    """The script; it works sourced and from a directory of `fpath`."""
    summaries = "\n".join(f"        {_quoted(f'{_escaped(verb.name)}:{verb.summary}')}" for verb in verbs)
    head = _HEAD.replace("{VERBS}", summaries).replace("{LEVELS}", " ".join(levels()))
    head = head.replace("{CODES}", "\n".join(f"        {code}" for code in codes()))
    return head + "".join(_verb(verb) for verb in verbs) + _TAIL


def _verb(verb: VerbModel) -> str:
    specifications = [text for option in verb.options for text in _option(option)]
    specifications += [_positional(number, value) for number, value in enumerate(verb.positionals, start=1)]
    arguments = " \\\n".join(f"                {text}" for text in specifications)
    return f"        {verb.name})\n            _arguments -s -S \\\n{arguments}\n            ;;\n"


def _option(option: Option) -> list[str]:
    value = "" if option.value is None else f":{_escaped(option.value.name)}:{_action(option.value)}"
    exclusive = f"({' '.join(option.names)})" if len(option.names) > 1 else ""
    equals = "=" if option.value is not None else ""
    return [
        _quoted(f"{exclusive}{name}{equals if name.startswith('--') else ''}[{_escaped(option.help)}]{value}")
        for name in option.names
    ]


def _positional(number: int, value: Value) -> str:
    place = "*" if value.many else str(number)
    return _quoted(f"{place}:{_escaped(value.name)}:{_action(value)}")


def _action(value: Value) -> str:
    if value.kind == "words":
        return f"({' '.join(value.words)})"
    return {
        "codes": "_rules_lsp_codes",
        "level": "_rules_lsp_level",
        "file": "_files",
        "directory": "_files -/",
        "nothing": " ",
    }[value.kind]


def _escaped(text: str) -> str:
    for special in "\\:[]":
        text = text.replace(special, f"\\{special}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
