#!/bin/sh
# Written by `rules-lsp hook install cline`, which replaces it; `rules-lsp hook uninstall cline` removes it.
answer=$('/opt/rules lsp/bin/python' -P -m rules_lsp hook cline)
case $?:$answer in
0:) ;;
2:?*) printf '%s\n' "$answer" ;;
*) printf '%s\n' '{"cancel":true,"errorMessage":"policy engine failed: the hook of rules-lsp gave no answer"}' ;;
esac
