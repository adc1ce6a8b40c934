--- How the server is started, and the plugin's own options.
local M = {}

M.NAME = 'rules_lsp'
M.FILETYPES = { 'yaml', 'markdown', 'json', 'jsonc', 'toml' }

--- The groups in the order in which they count; within a group the nearest counts.
M.ROOT_MARKERS = { '.git', { '.coding-agent-rules.yaml', '.coding-agent-rules.md', '.github', '.auto-prompter.yaml' } }

local DEFAULTS = { list = 'loclist', code_lens = true, timeout = 5000 }

--- What `vim.g.rules_lsp` says over the defaults: `list` is 'loclist' or 'quickfix', `timeout` is in milliseconds.
--- @return { list: string, code_lens: boolean, timeout: integer }
function M.options()
  return vim.tbl_extend('force', DEFAULTS, vim.g.rules_lsp or {})
end

local function take_notice(_, notice, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  require('rules_lsp.activity').take(notice, client and (client.root_dir or client.config.root_dir))
end

local function run_lens(command, context)
  require('rules_lsp.lenses').run(command, context)
end

local function show_persona(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  local asked = { command = command.command, arguments = command.arguments }
  require('rules_lsp.client').call(client, 'request', 'workspace/executeCommand', asked, function(failure, answer)
    if failure or not answer or type(answer.text) ~= 'string' then
      vim.notify('rules-lsp: ' .. (failure and failure.message or 'the persona cannot be rendered'), vim.log.levels.ERROR)
    else
      require('rules_lsp.pages').open('rules-lsp://persona', answer.text)
    end
  end, context.bufnr)
end

--- The client's configuration, without a root.
--- @return table
function M.client()
  local client = {
    cmd = { 'rules-lsp', 'serve', '--stdio' },
    filetypes = M.FILETYPES,
    root_markers = M.ROOT_MARKERS,
    commands = {
      ['rulesLsp.showFiles'] = run_lens,
      ['rulesLsp.showTools'] = run_lens,
      ['rulesLsp.previewPersona'] = show_persona,
    },
    handlers = { ['rulesLsp/policyAction'] = take_notice },
  }
  -- Where Neovim keeps lenses current by itself it also answers the server's word that they have changed.
  if not vim.lsp.codelens.enable then
    client.capabilities = { workspace = { codeLens = { refreshSupport = true } } }
    client.handlers['workspace/codeLens/refresh'] = function(_, _, context)
      require('rules_lsp.lenses').refresh_client(context.client_id)
      return vim.NIL
    end
  end
  return client
end

--- The root of a path: a directory, or nil where no marker stands above it.
--- @param path string
--- @return string?
function M.root_of(path)
  for _, group in ipairs(M.ROOT_MARKERS) do
    local found = vim.fs.find(group, { upward = true, path = vim.fn.fnamemodify(path, ':p:h') })[1]
    if found then
      return vim.fs.dirname(found)
    end
  end
end

local adjusted = {}

--- Change the client's configuration; before Neovim 0.11 this is where the changes are kept.
--- @param changes table
function M.adjust(changes)
  if vim.lsp.config then
    vim.lsp.config(M.NAME, changes)
  else
    adjusted = vim.tbl_deep_extend('force', adjusted, changes)
  end
end

--- The client's configuration as the user has changed it.
--- @return table
function M.resolved()
  if vim.lsp.config then
    return vim.deepcopy(vim.lsp.config[M.NAME])
  end
  local base = { name = M.NAME, capabilities = vim.lsp.protocol.make_client_capabilities() }
  return vim.tbl_deep_extend('force', base, M.client(), adjusted)
end

return M
