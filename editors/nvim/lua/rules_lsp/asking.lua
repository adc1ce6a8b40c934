--- Questions to the server. An answer that does not come is a denial.
local call = require('rules_lsp.client').call
local config = require('rules_lsp.config')

local M = {}

local function no_answer(reason)
  return { allowed = false, code = 'no-answer', reason = reason }
end

local function start(root)
  local settings = config.resolved()
  settings.name, settings.root_dir = config.NAME, root
  settings.workspace_folders = { { uri = vim.uri_from_fname(root), name = root } }
  local id
  if vim.lsp.config then
    id = vim.lsp.start(settings, { attach = false })
  else
    id = vim.lsp.start_client(settings)
  end
  return id and vim.lsp.get_client_by_id(id)
end

local function is_running(client)
  return not call(client, 'is_stopped')
end

--- The client of a root: one that is running, or a new one that no buffer needs. Nil where the server cannot be started.
--- @param root string
--- @return vim.lsp.Client?
function M.client_of(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = config.NAME })) do
    local own = client.root_dir or (client.config or {}).root_dir
    if own and vim.fs.normalize(own) == vim.fs.normalize(root) and is_running(client) then
      return client
    end
  end
  return start(root)
end

--- What the server of a root says to a command; nil and the reason where it says nothing.
--- @param root string
--- @param command string
--- @param argument table
--- @return any, string?
function M.execute(root, command, argument)
  local timeout = config.options().timeout
  local client = M.client_of(root)
  if not client then
    return nil, 'the server `rules-lsp` cannot be started'
  end
  local ready = vim.wait(timeout, function()
    return client.initialized or not is_running(client)
  end, 10)
  if not ready or not client.initialized or not is_running(client) then
    return nil, 'the server `rules-lsp` has not started'
  end
  local params = { command = command, arguments = { argument } }
  local answer, problem = call(client, 'request_sync', 'workspace/executeCommand', params, timeout, 0)
  if not answer or answer.err then
    return nil, answer and answer.err.message or problem or 'the server `rules-lsp` gives no answer'
  end
  return answer.result
end

local function decision(root, command, query)
  -- `vim.wait` raises where Neovim may not wait: that is no answer either.
  local ok, result, reason = pcall(M.execute, root, command, query)
  if not ok then
    return no_answer(tostring(result))
  elseif type(result) ~= 'table' or type(result.allowed) ~= 'boolean' then
    return no_answer(reason or 'the server `rules-lsp` gives no decision')
  end
  return result
end

--- The project of the working directory.
--- @return string
function M.here()
  local directory = vim.fn.getcwd()
  return config.root_of(directory) or directory
end

--- What happens at each of the places that a query names, for the project that holds it.
local function ends(query)
  local path = query.uri and vim.uri_to_fname(query.uri) or query.path
  if query.operation ~= 'rename' then
    return { { path = path, operation = query.operation } }
  end
  return { { path = path, operation = 'delete' }, { path = query.newPath, operation = 'create' } }
end

local function own_project(path, directory)
  local is_absolute = path:sub(1, 1) == '/' or path:match('^%a:[/\\]')
  return config.root_of(is_absolute and path or vim.fs.joinpath(directory, path))
end

--- Ask about a file. The project of the working directory is asked, so that what lies outside of it is denied, and the
--- project that the file lies in, so that its rules hold wherever Neovim was started. One denial is enough.
--- @param command string
--- @param query table  `path` or `uri`, perhaps `operation` and `newPath`
--- @return table  the answer
function M.about_file(command, query)
  local here = M.here()
  query = vim.tbl_extend('keep', query, { cwd = vim.fn.getcwd() })
  local answer = decision(here, command, query)
  for _, place in ipairs(answer.allowed and ends(query) or {}) do
    local own = type(place.path) == 'string' and own_project(place.path, query.cwd)
    if own and vim.fs.normalize(own) ~= vim.fs.normalize(here) then
      place.cwd = query.cwd
      answer = decision(own, command, place)
      if not answer.allowed then
        break
      end
    end
  end
  return answer
end

--- Ask about a tool of the project of the working directory.
--- @param command string
--- @param query table  `tool`, perhaps `arguments`
--- @return table  the answer
function M.about_tool(command, query)
  return decision(M.here(), command, vim.tbl_extend('keep', query, { cwd = vim.fn.getcwd() }))
end

return M
