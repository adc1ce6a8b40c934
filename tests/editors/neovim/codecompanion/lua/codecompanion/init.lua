-- A stand-in for the plugin: it takes the configuration, resolves a tool and runs its functions as the plugin does.
local M = {}
local tools

function M.setup(options)
  tools = options.interactions.chat.tools
end

function M.call(name, arguments)
  local callback = tools[name].callback
  local tool = vim.deepcopy(type(callback) == 'function' and callback() or callback)
  tool.name = name
  local runner = { chat = { prefix = 'created ' }, tool = tool }
  local output
  for _, command in ipairs(tool.cmds) do
    output = command(runner, arguments, { suffix = '!' })
    if output.status == 'error' then
      break
    end
  end
  return output
end

function M.names()
  local names = vim.tbl_keys(tools)
  table.sort(names)
  return names
end

return M
