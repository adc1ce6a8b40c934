-- What a person does in one rule file, in every Neovim since 0.7: whoever loads it has opened the file and said how the
-- server is started. Prints one JSON object a line; any failure ends the editor with exit code 1.
local function say(key, value)
  io.stdout:write(vim.json.encode({ [key] = value }) .. '\n')
end

local function wait_for(what, condition)
  if not vim.wait(30000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

local function request(method, params)
  local answers, problem = vim.lsp.buf_request_sync(0, method, params, 20000)
  local _, answer = next(answers or {})
  if not answer or answer.err or answer.error then
    error(method .. ': ' .. vim.inspect(problem or answer))
  end
  return answer.result
end

local function execute(command, argument)
  return request('workspace/executeCommand', { command = command, arguments = { argument } })
end

local function show_diagnostics(client)
  wait_for('the diagnostics', function()
    return #vim.diagnostic.get(0) > 0
  end)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    say('diagnostic', { code = found.code, line = found.lnum, from = found.col, to = found.end_col })
  end
  say('encoding', client.offset_encoding)
end

local function repair(client, document, line, character)
  local place = { line = line, character = character }
  local actions = request('textDocument/codeAction', {
    textDocument = document,
    range = { start = place, ['end'] = place },
    context = { diagnostics = {} },
  })
  say('action', actions[1].title)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  wait_for('the diagnostics to go', function()
    return #vim.diagnostic.get(0) == 0
  end)
end

local function show_lenses(document)
  execute('rulesLsp.serverState', { settled = true })
  for _, lens in ipairs(request('textDocument/codeLens', { textDocument = document })) do
    local resolved = request('codeLens/resolve', lens)
    say('lens', { line = resolved.range.start.line, title = resolved.command.title })
  end
end

local function run()
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  wait_for('the server', function()
    return clients()[1] ~= nil
  end)
  local client = clients()[1]
  local document = { uri = vim.uri_from_bufnr(0) }
  show_diagnostics(client)
  local hover = request('textDocument/hover', { textDocument = document, position = { line = 1, character = 4 } })
  say('hover', hover.contents.value)
  local answer = execute('rulesLsp.isToolAllowed', { tool = 'github/x' })
  say('answer', { allowed = answer.allowed, code = answer.code, pattern = answer.rule.pattern })
  repair(client, document, 2, tonumber(vim.env.TEST_CHARACTER))
  say('repaired', vim.api.nvim_buf_get_lines(0, 2, 3, false)[1])
  vim.api.nvim_buf_set_lines(0, 3, 3, false, { 'fi' })
  local completion = request('textDocument/completion', { textDocument = document, position = { line = 3, character = 0 } })
  say('completion', vim.tbl_map(function(item)
    return item.label
  end, completion.items or completion))
  wait_for('the diagnostic of what was typed', function()
    return #vim.diagnostic.get(0) > 0
  end)
  vim.api.nvim_buf_set_lines(0, 3, 4, false, {})
  wait_for('the diagnostics to go', function()
    return #vim.diagnostic.get(0) == 0
  end)
  say('cleared', true)
  show_lenses(document)
  vim.lsp.stop_client(client.id)
  wait_for('the server to end', function()
    return vim.fn.filereadable(vim.env.TEST_EXIT_CODE) == 1 and #vim.fn.readfile(vim.env.TEST_EXIT_CODE) > 0
  end)
  say('exit', tonumber(vim.fn.readfile(vim.env.TEST_EXIT_CODE)[1]))
end

local ok, problem = pcall(run)
if not ok then
  io.stderr:write(tostring(problem) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
