--- Lenses: kept current, and what one of them counts in a list.
local call = require('rules_lsp.client').call
local config = require('rules_lsp.config')
local lists = require('rules_lsp.lists')

local M = {}

-- `vim.lsp.codelens.refresh` passes over a request that comes while another one is on its way, and with it the server's
-- word that the files are known by now.
local function refresh(buffer)
  if vim.lsp.codelens.enable or not config.options().code_lens or not vim.api.nvim_buf_is_loaded(buffer) then
    return
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(buffer) }
  for _, client in ipairs(vim.lsp.get_clients({ name = config.NAME, bufnr = buffer })) do
    call(client, 'request', 'textDocument/codeLens', params, vim.lsp.codelens.on_codelens, buffer)
  end
end

--- Show the lenses of a buffer, now and whenever it has changed.
--- @param buffer integer
function M.attach(buffer)
  if not config.options().code_lens then
    return
  end
  if vim.lsp.codelens.enable then
    vim.lsp.codelens.enable(true, { bufnr = buffer })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('rules_lsp.lenses.' .. buffer, {}),
    buffer = buffer,
    callback = function()
      refresh(buffer)
    end,
  })
  refresh(buffer)
end

--- Ask again for the lenses of all buffers of a client.
--- @param client_id integer
function M.refresh_client(client_id)
  for _, buffer in ipairs(vim.lsp.get_buffers_by_client_id(client_id)) do
    refresh(buffer)
  end
end

--- What a lens lists, as items of a list of Neovim.
local ITEMS = {
  ['rulesLsp.showFiles'] = function(location)
    return { filename = vim.uri_to_fname(location.uri), lnum = 1, col = 1, text = '' }
  end,
  ['rulesLsp.showTools'] = function(each)
    return { text = ('%s  %s'):format(each.allowed and 'allowed' or 'denied', each.tool), valid = 0 }
  end,
}

local function show(command, found)
  lists.show(command.title, vim.tbl_map(ITEMS[command.command], found))
end

--- List what a lens counts, in the location list or the quickfix list.
--- @param command { title: string, command: string, arguments: any[]? }
--- @param context { client_id: integer, bufnr: integer? }
function M.run(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  local params = { command = command.command, arguments = command.arguments }
  local function take(problem, found)
    if problem then
      vim.notify('rules-lsp: ' .. problem.message, vim.log.levels.ERROR)
    elseif not found or #found == 0 then
      vim.notify('rules-lsp: nothing is there any more')
    else
      show(command, found)
    end
    -- Neovim takes the lens away that it has run.
    if context.bufnr then
      refresh(context.bufnr)
    end
  end
  call(client, 'request', 'workspace/executeCommand', params, take)
end

return M
