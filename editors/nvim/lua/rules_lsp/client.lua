--- Clients of Neovim 0.10, whose functions are no methods, and of later ones.
local M = {}

local has_methods = vim.fn.has('nvim-0.11') == 1

--- Call a function of a client.
--- @param client vim.lsp.Client
--- @param name string  `request`, `request_sync`, `is_stopped` …
function M.call(client, name, ...)
  if has_methods then
    return client[name](client, ...)
  end
  return client[name](...)
end

return M
