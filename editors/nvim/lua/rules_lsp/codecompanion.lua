--- Tools of codecompanion.nvim that ask before they touch a file.
--- Written against the call shape that the plugin documents, and not run against the plugin.
local M = {}

local MODULES = 'codecompanion.interactions.chat.tools.builtin.'

--- The built-in tools that touch one file, `filepath` in their arguments, and what each does with it.
M.OPERATIONS = {
  create_file = 'create',
  delete_file = 'delete',
  edit_file = 'write',
  insert_edit_into_file = 'write',
  read_file = 'read',
}

local function refusal(tool, operation, arguments)
  local rules = require('rules_lsp')
  local allowed, answer = rules.is_tool_allowed(tool)
  if allowed then
    local path = type(arguments) == 'table' and arguments.filepath or nil
    if type(path) ~= 'string' then
      return 'the call names no file'
    end
    allowed, answer = rules.is_file_allowed(path, operation)
  end
  return not allowed and answer.reason or nil
end

--- A tool that asks before each of its functions runs; what is denied ends as an error that tells the model the reason.
--- @param tool table  `name`, `cmds` …
--- @param operation string  what it does with the file
--- @return table  a new tool
function M.guarded(tool, operation)
  local commands = {}
  for index, command in ipairs(tool.cmds) do
    assert(type(command) == 'function', 'only tools that are functions can be guarded')
    commands[index] = function(tools, arguments, ...)
      local reason = refusal(tool.name, operation, arguments)
      if reason then
        return { status = 'error', data = 'denied by the rules of this project: ' .. reason }
      end
      return command(tools, arguments, ...)
    end
  end
  return vim.tbl_extend('force', tool, { cmds = commands })
end

local function is_there(name)
  local file = 'lua/' .. (MODULES .. name):gsub('%.', '/')
  return #vim.api.nvim_get_runtime_file(file .. '.lua', false) > 0
    or #vim.api.nvim_get_runtime_file(file .. '/init.lua', false) > 0
end

--- What to give `codecompanion.setup` as `interactions.chat.tools`: every tool of `OPERATIONS` that the plugin has.
--- Raises where it has none: it would go on unguarded.
--- @return table<string, { callback: fun(): table }>
function M.tools()
  local tools = {}
  for name, operation in pairs(M.OPERATIONS) do
    if is_there(name) then
      tools[name] = {
        callback = function()
          return M.guarded(require(MODULES .. name), operation)
        end,
      }
    end
  end
  assert(next(tools), 'rules_lsp: no tool of codecompanion.nvim is found: nothing is guarded')
  return tools
end

return M
