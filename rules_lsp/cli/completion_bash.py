"""The completion for bash: one function; it needs no package of ready completions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.cli.completion_model import Kind, Value, VerbModel, codes, levels

_SCRIPT = """\
# Completion of rules-lsp for bash.

_rules_lsp_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
}

_rules_lsp_complete() {
    local codes='{CODES}'
    case $1 in
        words)
            _rules_lsp_words "$2"
            ;;
        codes)
            # Codes with commas between: what stands before the last comma is kept.
            local last=${current##*,}
            mapfile -t COMPREPLY < <(compgen -P "${current%"$last"}" -W "$codes" -- "$last")
            ;;
        level)
            compopt -o nospace
            mapfile -t COMPREPLY < <(compgen -S = -W "$codes" -- "$current")
            ;;
        file)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
            ;;
        directory)
            compopt -o filenames
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
            ;;
    esac
}

_rules_lsp_option() {
    case $verb$1 in
{OPTION_VALUES}
        *) return 1 ;;
    esac
}

_rules_lsp_positional() {
    # What the argument number $1 of the verb is, counted from 0.
    case $verb:$1 in
{POSITIONALS}
    esac
}

_rules_lsp() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local verb=${COMP_WORDS[1]} options='' arguments=0 index
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        _rules_lsp_words '{VERBS} --version --help -h'
        return
    fi
    # `=` is a word of its own: --option = value, and CODE = LEVEL.
    if [[ $current == '=' ]]; then
        current=''
    elif [[ $previous == '=' ]]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    if [[ $previous != -* && " {CODES} " == *" $previous "* && ${COMP_WORDS[COMP_CWORD]} == '=' ||
        $previous != -* && ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
        _rules_lsp_words '{LEVELS}'
        return
    fi
    if _rules_lsp_option " $previous"; then
        return
    fi
    case $verb in
{OPTIONS}
        *) return ;;
    esac
    if [[ $current == -* ]]; then
        _rules_lsp_words "$options"
        return
    fi
    for ((index = 2; index < COMP_CWORD; index++)); do
        case "$verb ${COMP_WORDS[index]}" in
{SKIPPED}
            *' -'*) ;;
            *) ((arguments++)) ;;
        esac
    done
    _rules_lsp_positional "$arguments"
}

complete -F _rules_lsp rules-lsp
"""


def script(verbs: Sequence[VerbModel]) -> str:
    """The script."""
    parts = {
        "CODES": " ".join(codes()),
        "LEVELS": " ".join(levels()),
        "VERBS": " ".join(verb.name for verb in verbs),
        "OPTION_VALUES": "\n".join(_option_values(verbs)),
        "POSITIONALS": "\n".join(_positionals(verbs)),
        "OPTIONS": "\n".join(_options(verbs)),
        "SKIPPED": _skipped(verbs),
    }
    text = _SCRIPT
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def _option_values(verbs: Sequence[VerbModel]) -> Iterator[str]:
    for verb in verbs:
        for option in verb.options:
            if option.value is not None:
                names = " | ".join(f"'{verb.name} {name}'" for name in option.names)
                yield f"        {names}) {_call(option.value)} ;;"


def _positionals(verbs: Sequence[VerbModel]) -> Iterator[str]:
    for verb in verbs:
        for number, value in enumerate(verb.positionals):
            yield f"        {verb.name}:{'*' if value.many else number}) {_call(value)} ;;"


def _options(verbs: Sequence[VerbModel]) -> Iterator[str]:
    for verb in verbs:
        names = " ".join(name for option in verb.options for name in option.names)
        yield f"        {verb.name}) options='{names}' ;;"


def _skipped(verbs: Sequence[VerbModel]) -> str:
    patterns = [
        f"'{verb.name} {name}'"
        for verb in verbs
        for option in verb.options
        if option.value is not None
        for name in option.names
    ]
    return f"            {' | '.join(patterns)}) ((index++)) ;;"


def _call(value: Value) -> str:
    kind: Kind = value.kind
    if kind == "words":
        return f"_rules_lsp_complete words '{' '.join(value.words)}'"
    return f"_rules_lsp_complete {kind}"
