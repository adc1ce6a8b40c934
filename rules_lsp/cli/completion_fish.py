"""The completion for fish: one `complete` command a verb, an option and a positional argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules_lsp.cli.completion_model import Option, Value, VerbModel, codes, levels

_HEAD = """\
# Completion of rules-lsp for fish.

function __rules_lsp_arguments
    # The arguments behind the verb that are no options and no values of options ($argv: options with a value).
    set -l words (commandline -opc)[3..-1]
    set -l skip 0
    for word in $words
        if test $skip = 1
            set skip 0
        else if contains -- $word $argv
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
        end
    end
end

function __rules_lsp_verb
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

function __rules_lsp_codes
    # Codes with commas between: what stands before the last comma is kept.
    set -l before (string match -r -- '^.*,' (commandline -ct | string replace -r '^--[a-z]+=' ''))
    set -q before[1]; or set before ''
    printf '%s\\n' $before{CODES}
end

complete -c rules-lsp -f
complete -c rules-lsp -n 'test (count (commandline -opc)) -eq 1' -l version -d 'print the version'
complete -c rules-lsp -n 'test (count (commandline -opc)) -eq 1' -s h -l help -d 'say how it is used'
"""


def script(verbs: Sequence[VerbModel]) -> str:
    """The script."""
    lines = [_HEAD.replace("{CODES}", "{" + ",".join(codes()) + "}")]
    for verb in verbs:
        condition = "'test (count (commandline -opc)) -eq 1'"
        lines.append(f"complete -c rules-lsp -n {condition} -a {verb.name} -d {_quoted(verb.summary)}\n")
    for verb in verbs:
        lines.append("\n")
        lines += (_option(verb, option) for option in verb.options)
        lines += _positionals(verb)
    return "".join(lines)


def _option(verb: VerbModel, option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    value = "" if option.value is None else f" -r{_values(option.value)}"
    condition = f"'__rules_lsp_verb {verb.name}'"
    return f"complete -c rules-lsp -n {condition} {names} -d {_quoted(option.help)}{value}\n"


def _positionals(verb: VerbModel) -> Iterator[str]:
    with_value = " ".join(name for option in verb.options if option.value is not None for name in option.names)
    for number, value in enumerate(verb.positionals):
        comparison = f"-ge {number}" if value.many else f"-eq {number}"
        condition = f"__rules_lsp_verb {verb.name}; and test (count (__rules_lsp_arguments {with_value})) {comparison}"
        if _values(value):
            yield f"complete -c rules-lsp -n {_quoted(condition)}{_values(value)}\n"


def _values(value: Value) -> str:
    if value.kind == "words":
        return f" -f -a {_quoted(' '.join(value.words))}"
    if value.kind == "codes":
        return " -f -a '(__rules_lsp_codes)'"
    if value.kind == "level":
        return " -f -a " + _quoted(" ".join(f"{code}={level}" for code in codes() for level in levels()))
    if value.kind == "file":
        return " -F"
    return " -f -a '(__fish_complete_directories)'" if value.kind == "directory" else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
