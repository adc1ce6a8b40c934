if vim.g.loaded_rules_lsp or vim.fn.has('nvim-0.10') == 0 then
  return
end
vim.g.loaded_rules_lsp = true

vim.api.nvim_create_user_command('RulesLsp', function(call)
  require('rules_lsp.command').run(call.fargs)
end, {
  nargs = '+',
  desc = 'Ask what coding agents may do',
  complete = function(lead, line)
    return require('rules_lsp.command').complete(lead, line)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('rules_lsp', {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'rules_lsp' then
      require('rules_lsp.lenses').attach(event.buf)
    end
  end,
})
