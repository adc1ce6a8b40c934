--- Lists of places and of things without one: the location list, or the quickfix list where its user wants that.
local config = require('rules_lsp.config')

local M = {}

--- @param title string
--- @param items table[]  as `setqflist` takes them
function M.show(title, items)
  local list = { title = title, items = items }
  if config.options().list == 'quickfix' then
    vim.fn.setqflist({}, ' ', list)
    vim.cmd('botright copen')
  else
    vim.fn.setloclist(0, {}, ' ', list)
    vim.cmd('lopen')
  end
end

return M
