# Installs the coding agents that tests/hosts starts. Sourced by tests/run.
#
#   ensure_hosts   Claude Code, Codex and Gemini CLI, about 0.9 GiB, in $RULES_LSP_CACHE/hosts
#                  (without that variable: below ~/.cache/rules-lsp-tests)
#
# Versions and checksums stand in tests/hosts/package-lock.json. Nothing is done twice.

ensure_hosts() {
    local cache=${RULES_LSP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rules-lsp-tests} stamp place
    place=$cache/hosts
    stamp=$(cksum <"$project/tests/hosts/package-lock.json")
    [ "$(cat "$place/installed" 2>/dev/null)" != "$stamp" ] || return 0
    if [ "$(uname -sm)" != "Linux x86_64" ] || ! command -v npm >/dev/null; then
        echo "the coding agents need npm, and Linux on x86-64" >&2
        return 1
    fi
    echo "installing the coding agents into $place" >&2
    mkdir -p "$place" || return
    (
        # Another run may be at it.
        flock 9 && cd "$place" || exit 1
        [ "$(cat installed 2>/dev/null)" != "$stamp" ] || exit 0
        cp "$project"/tests/hosts/package*.json . &&
            npm ci --ignore-scripts --omit=optional --no-audit --no-fund --loglevel=error >/dev/null &&
            printf '%s\n' "$stamp" >installed
    ) 9>"$place/lock"
}
