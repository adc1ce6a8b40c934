--- Lenses: kept current, and the files behind one of them in a list.
local config = require('rules_lsp.config')

local M = {}

local function refresh(buffer)
  if not vim.lsp.codelens.enable and config.options().code_lens and vim.api.nvim_buf_is_loaded(buffer) then
    vim.lsp.codelens.refresh({ bufnr = buffer })
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

local function show(title, files)
  local items = vim.tbl_map(function(location)
    return { filename = vim.uri_to_fname(location.uri), lnum = 1, col = 1, text = '' }
  end, files)
  local list = { title = title, items = items }
  if config.options().list == 'quickfix' then
    vim.fn.setqflist({}, ' ', list)
    vim.cmd('botright copen')
  else
    vim.fn.setloclist(0, {}, ' ', list)
    vim.cmd('lopen')
  end
end

--- The files that a lens counts, in the location list or the quickfix list.
--- @param command { title: string, command: string, arguments: any[]? }
--- @param context { client_id: integer, bufnr: integer? }
function M.show_files(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  local params = { command = command.command, arguments = command.arguments }
  local function take(problem, files)
    if problem then
      vim.notify('rules-lsp: ' .. problem.message, vim.log.levels.ERROR)
    elseif not files or #files == 0 then
      vim.notify('rules-lsp: no files')
    else
      show(command.title, files)
    end
    -- Neovim takes the lens away that it has run.
    if context.bufnr then
      refresh(context.bufnr)
    end
  end
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, take)
  else
    client.request('workspace/executeCommand', params, take)
  end
end

return M
