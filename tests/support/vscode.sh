# Installs what the tests of the extension for VS Code need. Sourced by tests/run, behind tests/environment.sh.
#
#   ensure_vscode   VS Code as a server, a newer one with the Node that it needs, and what drives their pages, in
#                   $environment/editors/vscode; what builds the extension, in editors/vscode/node_modules; the wheels
#                   that it brings along
#
# Versions stand in the two package-lock.json and in editors/vscode/wheels.txt. Nothing is done twice.

_vscode_stamp() {
    cat "$project"/{tests/editors/vscode,editors/vscode}/package-lock.json "$project/editors/vscode/wheels.txt" \
        "$project/pyproject.toml" | cksum
}

_npm() {
    npm "$@" --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
}

ensure_vscode() {
    local place=$environment/editors/vscode extension=$project/editors/vscode stamp name
    if ! command -v npm >/dev/null || ! node -e 'process.exit(+(parseInt(process.versions.node) < 20))'; then
        echo "VS Code needs Node 20 or newer, and npm" >&2
        return 1
    fi
    stamp=$(_vscode_stamp)
    if [ "$(cat "$place/installed" 2>/dev/null)" = "$stamp" ] && [ -d "$extension/node_modules" ] &&
        [ -d "$extension/wheels" ]; then
        return
    fi
    echo "installing VS Code for its tests" >&2
    mkdir -p "$place" && cp "$project"/tests/editors/vscode/package*.json "$place" || return
    (cd "$place" && _npm ci) || return
    # The part that is VS Code has a list of its own.
    for name in code-server code-server-newer; do
        (cd "$place/node_modules/$name/lib/vscode" && _npm install --omit=dev) || return
    done
    (cd "$extension" && _npm ci && npm run --silent wheels -- --platform linux-x64 --python "$environment/bin/python") ||
        return
    printf '%s\n' "$stamp" >"$place/installed"
}
