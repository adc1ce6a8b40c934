# Makes the project's virtual environment. Sourced by tests/run, tests/demo and .ci/run.
#
#   ensure_environment EXTRA...   the package in editable mode, and what these extras of pyproject.toml ask for
#   ensure_packages NAME...       packages of Debian, where this is a Debian and may be changed; else nothing
#   $environment                  the directory of the virtual environment
#   $project                      the top of the checkout
#
# The directory is .venv, or $RULES_LSP_VENV. What is installed is noted there; nothing is done twice.

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
environment=${RULES_LSP_VENV:-$project/.venv}

_stop() {
    printf '%s\n' "$@" >&2
    exit 2
}

_find_python() {
    local name old=
    for name in ${PYTHON:+"$PYTHON"} python3 python3.13 python3.12 python3.11 python3.14 python; do
        command -v "$name" >/dev/null 2>&1 || continue
        case $("$name" -c 'import sys
fit = sys.version_info >= (3, 11)
try:
    import ensurepip, venv
except ImportError:
    fit = fit and None
print(fit)' 2>/dev/null) in
            True) python=$name && return 0 ;;
            None) bare=${bare:-$name} ;;
            False) old="$old $name" ;;
        esac
    done
    [ -n "$bare" ] || _stop "rules-lsp needs Python 3.11 or newer, and there is none on PATH${old:+ (too old:$old)}" \
        "install one, or name one: PYTHON=/path/to/python3 $0"
    return 1
}

_install_venv_module() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "$bare has no venv module: installing the package python3-venv" >&2
        { apt-get -qq update && apt-get -qq install -y --no-install-recommends python3-venv; } >&2 && return
    fi
    _stop "$bare can make no virtual environment: it lacks the modules venv and ensurepip" \
        "on Debian and Ubuntu: sudo apt-get install python3-venv"
}

_make_environment() {
    local python= bare=
    if ! _find_python; then
        _install_venv_module
        bare=
        _find_python || _stop "$bare still lacks the modules venv and ensurepip"
    fi
    echo "setting up $environment with $("$python" --version)" >&2
    "$python" -m venv --clear "$environment"
}

_noted() {
    local name wanted=$1
    shift
    for name; do
        [ "$(cat "$environment/installed-$name" 2>/dev/null)" = "$wanted" ] || return 1
    done
}

ensure_environment() {
    local name list wanted
    list=$(IFS=, && printf '%s' "$*")
    wanted="$(cksum <"$project/pyproject.toml") $project"
    "$environment/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || _make_environment
    if ! _noted "$wanted" package "$@"; then
        echo "installing rules-lsp${list:+ with $list}" >&2
        "$environment/bin/python" -m pip install --quiet --disable-pip-version-check \
            --editable "$project${list:+[$list]}" || return
        for name in package "$@"; do
            printf '%s\n' "$wanted" >"$environment/installed-$name"
        done
    fi
}

ensure_packages() {
    local name missing=
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    for name; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null)" = installed ] || missing="$missing $name"
    done
    # What could not be had is not asked for again.
    [ -n "$missing" ] && [ "$(cat "$environment/tried-packages" 2>/dev/null)" != "$missing" ] || return 0
    echo "installing$missing" >&2
    apt-get -qq update || return 0
    for name in $missing; do
        DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y --no-install-recommends \
            "$name" >/dev/null || echo "the package $name cannot be installed here" >&2
    done
    printf '%s\n' "$missing" >"$environment/tried-packages"
}
