--- What coding agents may do, asked of the language server rules-lsp.
local asking = require('rules_lsp.asking')
local config = require('rules_lsp.config')

local M = {}

--- Start the server for the files that it knows. Neovim 0.11 needs no more than `vim.lsp.enable('rules_lsp')`.
--- @param changes table?  of the client's configuration: `cmd`, `settings` …
function M.setup(changes)
  if changes then
    config.adjust(changes)
  end
  if vim.lsp.enable then
    vim.lsp.enable(config.NAME)
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('rules_lsp.start', {}),
    pattern = config.FILETYPES,
    callback = function(event)
      local name = vim.api.nvim_buf_get_name(event.buf)
      local root = name ~= '' and vim.bo[event.buf].buftype == '' and config.root_of(name)
      if root then
        local settings = config.resolved()
        settings.root_dir = root
        vim.lsp.start(settings, { bufnr = event.buf })
      end
    end,
  })
end

--- May an agent change a file? Where nobody answers, it may not.
--- @param path string|table  a path, relative to the working directory, or a whole query
--- @param operation string?  'write' (the default), 'read', 'create', 'delete'
--- @return boolean allowed
--- @return table answer  `code`, `reason`, `rule` …: schemas/decision.schema.json
function M.is_file_allowed(path, operation)
  local query = type(path) == 'table' and path or { path = path, operation = operation }
  local answer = asking.about_file('rulesLsp.isFileAllowed', query)
  return answer.allowed, answer
end

--- May an agent call a tool? Where nobody answers, it may not.
--- @param name string|table  `server/tool`, the name of a built-in tool, or a whole query
--- @param arguments table?  of the call: the paths in them are asked about too
--- @return boolean allowed
--- @return table answer
function M.is_tool_allowed(name, arguments)
  local query = type(name) == 'table' and name or { tool = name, arguments = arguments }
  local answer = asking.about_tool('rulesLsp.isToolAllowed', query)
  return answer.allowed, answer
end

--- Show why a file or a tool is allowed or denied.
--- @param what string|table  a path, or `{ path =, operation = }`, or `{ tool =, arguments = }`
--- @return table answer  with `weighed`, the steps, and `markdown`
function M.explain(what)
  local query = type(what) == 'table' and what or { path = what }
  local answer
  if query.tool then
    answer = asking.about_tool('rulesLsp.explainTool', query)
  else
    answer = asking.about_file('rulesLsp.explainFile', query)
  end
  require('rules_lsp.pages').float(answer.markdown or ('**denied**: ' .. answer.reason))
  return answer
end

return M
