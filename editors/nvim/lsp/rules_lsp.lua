-- Neovim 0.11: what `vim.lsp.enable('rules_lsp')` starts.
return require('rules_lsp.config').client()
