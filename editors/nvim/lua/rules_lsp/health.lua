--- `:checkhealth rules_lsp`
local config = require('rules_lsp.config')

local M = {}

local function check_editor()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.10') == 1 then
    vim.health.ok('Neovim ' .. version)
    return true
  end
  local advice = 'use Neovim 0.10 or newer, or the lines for older ones in `:help rules-lsp-older`'
  vim.health.error('Neovim ' .. version .. ' is too old', advice)
  return false
end

local function check_program(command)
  if type(command) ~= 'table' then
    vim.health.info('`cmd` is a function: the program is not looked for')
    return
  end
  local program = command[1]
  if vim.fn.executable(program) == 0 then
    vim.health.error(
      ('`%s` is not on the PATH of Neovim'):format(program),
      "install rules-lsp, or say where it is: vim.lsp.config('rules_lsp', { cmd = { '/path/to/rules-lsp', 'serve', '--stdio' } })"
    )
    return
  end
  local words = { program }
  for index = 2, #command do
    if command[index] == 'serve' then
      break
    end
    table.insert(words, command[index])
  end
  table.insert(words, '--version')
  local ran, process = pcall(vim.system, words, { text = true })
  local done = ran and process:wait(config.options().timeout) or { code = 1, stderr = tostring(process) }
  if done.code == 0 then
    vim.health.ok(('%s (%s)'):format(vim.trim(done.stdout), vim.fn.exepath(program)))
  else
    vim.health.error(('`%s` fails: %s'):format(table.concat(words, ' '), vim.trim(done.stderr or '')))
  end
end

local function check_enabled()
  if vim.lsp.is_enabled and not vim.lsp.is_enabled(config.NAME) then
    vim.health.warn('the server is not enabled', "vim.lsp.enable('rules_lsp')")
  end
end

local function check_projects()
  local clients = vim.lsp.get_clients({ name = config.NAME })
  if #clients == 0 then
    vim.health.info('no server is running: it starts with the first file of ' .. table.concat(config.FILETYPES, ', '))
  end
  local asking = require('rules_lsp.asking')
  for _, client in ipairs(clients) do
    local root = client.root_dir or client.config.root_dir
    local state, reason
    if root then
      state, reason = asking.execute(root, 'rulesLsp.serverState', vim.empty_dict())
    end
    local folder = state and state.folders[1]
    if not folder then
      vim.health.warn(('the server of %s: %s'):format(root or 'no folder', reason or 'it has no folder'))
    elseif folder.ruleFile == vim.NIL then
      vim.health.info(('%s: no rule file is in force'):format(root))
    elseif folder.degraded then
      vim.health.warn(('%s: `%s` cannot be read and is not in force'):format(root, folder.ruleFile))
    else
      vim.health.ok(('%s: `%s` is in force'):format(root, folder.ruleFile))
    end
  end
end

function M.check()
  vim.health.start('rules_lsp')
  if check_editor() then
    check_program(config.resolved().cmd)
    check_enabled()
    check_projects()
  end
end

return M
