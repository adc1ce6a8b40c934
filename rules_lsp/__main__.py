"""`python -m rules_lsp`: the same as the command `rules-lsp`."""

from rules_lsp.cli.entry import main

raise SystemExit(main())
