# Installs the MCP server of npm that tests/workspace/live asks. Sourced by tests/run.
#
#   ensure_servers   the file-system server, about 37 MiB, in $RULES_LSP_CACHE/servers
#                    (without that variable: below ~/.cache/rules-lsp-tests)
#
# Versions and checksums stand in tests/workspace/live/package-lock.json. Nothing is done twice.

ensure_servers() {
    local cache=${RULES_LSP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rules-lsp-tests} stamp place
    place=$cache/servers
    stamp=$(cksum <"$project/tests/workspace/live/package-lock.json")
    [ "$(cat "$place/installed" 2>/dev/null)" != "$stamp" ] || return 0
    if ! command -v npm >/dev/null; then
        echo "the file-system server needs Node and npm" >&2
        return 1
    fi
    mkdir -p "$place" || return
    (
        # Another run may be at it.
        flock 9 && cd "$place" || exit 1
        [ "$(cat installed 2>/dev/null)" != "$stamp" ] || exit 0
        cp "$project"/tests/workspace/live/package*.json . &&
            npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null &&
            printf '%s\n' "$stamp" >installed
    ) 9>"$place/lock"
}
