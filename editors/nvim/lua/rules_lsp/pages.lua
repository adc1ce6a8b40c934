--- Markdown of the server, in a window.
local M = {}

--- Show Markdown at the cursor.
--- @param markdown string
function M.float(markdown)
  local lines = vim.split(vim.trim(markdown), '\n')
  vim.lsp.util.open_floating_preview(lines, 'markdown', { focus_id = 'rules_lsp', border = 'rounded', wrap = true })
end

--- Show Markdown in a window of its own; one that shows the same page is used again.
--- @param name string
--- @param markdown string
function M.open(name, markdown)
  local buffer = vim.fn.bufnr('^' .. vim.fn.escape(name, '[]*?\\^$.~') .. '$')
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, name)
    vim.bo[buffer].filetype = 'markdown'
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(markdown), '\n'))
  vim.bo[buffer].modifiable = false
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    vim.cmd.split()
    vim.api.nvim_win_set_buf(0, buffer)
  else
    vim.api.nvim_set_current_win(window)
  end
end

return M
