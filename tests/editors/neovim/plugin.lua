-- What the plugin adds, one JSON object a line; any failure ends the editor with exit code 1.
local function say(key, value)
  io.stdout:write(vim.json.encode({ [key] = value }) .. '\n')
end

local function wait_for(what, condition)
  if not vim.wait(30000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

local function outcome(allowed, answer)
  return { allowed = allowed, code = answer.code }
end

local function buffer_text(buffer)
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

local PARTS = {}

function PARTS.questions()
  local rules = require('rules_lsp')
  say('src/a.py', outcome(rules.is_file_allowed('src/a.py')))
  say('k.pem', outcome(rules.is_file_allowed('k.pem', 'read')))
  say('rename', outcome(rules.is_file_allowed({ path = 'src/a.py', operation = 'rename', newPath = 'src/a.pem' })))
  say('below', outcome(rules.is_file_allowed('src/nested/locked/x', 'write')))
  say('below too', outcome(rules.is_file_allowed('src/nested/open/x', 'write')))
  local move = { path = 'src/a.py', operation = 'rename', newPath = 'src/nested/open/x' }
  say('moved below', outcome(rules.is_file_allowed(move)))
  move.newPath = 'src/nested/locked/x'
  say('moved to what is locked', outcome(rules.is_file_allowed(move)))
  say('other project', outcome(rules.is_file_allowed('../other/x')))
  say('github/x', outcome(rules.is_tool_allowed('github/x')))
  say('Write', outcome(rules.is_tool_allowed('Write', { file_path = 'k.pem' })))
  say('Read', outcome(rules.is_tool_allowed('Read', { file_path = 'src/a.py' })))
  say('nonsense', outcome(rules.is_file_allowed(42)))
  local roots = vim.tbl_map(function(client)
    return vim.fs.basename(client.root_dir)
  end, vim.lsp.get_clients({ name = 'rules_lsp' }))
  table.sort(roots)
  say('servers', roots)
end

function PARTS.explanation()
  local answer = require('rules_lsp').explain('k.pem')
  say('answer', { code = answer.code, steps = #answer.weighed })
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      say('float', buffer_text(vim.api.nvim_win_get_buf(window))[1])
    end
  end
  vim.cmd('RulesLsp policy')
  say('policy', { buffer_text(0)[1], vim.bo.filetype, vim.bo.modifiable })
  vim.cmd('RulesLsp policy')
  say('windows', #vim.fn.win_findbuf(vim.api.nvim_get_current_buf()))
  vim.cmd('RulesLsp prompt src/a.py')
  say('prompt', buffer_text(0)[1])
  say('completion', vim.fn.getcompletion('RulesLsp ', 'cmdline'))
end

local function lens_texts()
  local texts = {}
  for _, lens in ipairs(vim.lsp.codelens.get(0)) do
    if lens.command then
      local title = lens.command.title:gsub('%d+ of %d+ tools', 'tools')
      table.insert(texts, ('%d %s'):format(lens.range.start.line, title))
    end
  end
  table.sort(texts)
  return texts
end

function PARTS.lenses()
  vim.cmd.edit('.coding-agent-rules.yaml')
  wait_for('the lenses', function()
    return #lens_texts() == 6
  end)
  say('lenses', lens_texts())
  vim.fn.writefile({}, 'src/new.py')
  vim.cmd('silent write')
  wait_for('the lenses of what has changed', function()
    return vim.tbl_contains(lens_texts(), '4 4 files · net +4')
  end)
  vim.api.nvim_win_set_cursor(0, { 5, 0 })
  local from = vim.api.nvim_get_current_win()
  vim.lsp.codelens.run()
  wait_for('the list', function()
    return #vim.fn.getloclist(from) > 0
  end)
  local list = vim.fn.getloclist(from, { items = 1, title = 1 })
  say('list', {
    list.title,
    vim.tbl_map(function(item)
      return vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ':.')
    end, list.items),
  })
  vim.g.rules_lsp = { list = 'quickfix' }
  vim.api.nvim_set_current_win(from)
  vim.api.nvim_win_set_cursor(0, { 7, 0 })
  wait_for('the lens to come back', function()
    return #lens_texts() == 6
  end)
  vim.lsp.codelens.run()
  wait_for('the quickfix list', function()
    return #vim.fn.getqflist() > 0
  end)
  say('quickfix', vim.fn.getqflist({ title = 1 }).title)
  vim.api.nvim_set_current_win(from)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  wait_for('the lenses to come back', function()
    return #lens_texts() == 6
  end)
  vim.ui.select = function(lenses, _, take)
    take(vim.tbl_filter(function(each)
      return each.lens.command.command == 'rulesLsp.showTools'
    end, lenses)[1])
  end
  vim.lsp.codelens.run()
  wait_for('the tools', function()
    return vim.fn.getqflist({ title = 1 }).title:find('tools') ~= nil
  end)
  say('tools', vim.fn.getqflist()[1].text)
end

function PARTS.persona()
  vim.fn.mkdir('.shaft/templates', 'p')
  vim.fn.writefile({ '{"user_content": ["It is {{ target_contents | length }} files."]}' }, '.shaft/templates/plan.json')
  vim.cmd.edit('.shaft/templates/plan.json')
  wait_for('the lens', function()
    return #lens_texts() == 1
  end)
  say('lenses', lens_texts())
  vim.lsp.codelens.run()
  wait_for('the page', function()
    return vim.api.nvim_buf_get_name(0):find('rules%-lsp://persona') ~= nil
  end)
  say('page', buffer_text(0))
end

function PARTS.approvals()
  local notify = vim.notify
  vim.notify = function(text)
    say('nothing', text)
  end
  vim.cmd('RulesLsp activity')
  vim.notify = notify
  local asking = require('rules_lsp.asking')
  local function gate(name, argument)
    local answer, problem = asking.execute(asking.here(), 'rulesLsp.gate.' .. name, argument)
    return answer or error(problem)
  end
  local clicks = { 1, 2, nil }
  local asked = 0
  vim.ui.select = function(actions, options, take)
    asked = asked + 1
    say('asked', { options.prompt, (options.format_item(actions[1])), (options.format_item(actions[2])) })
    take(actions[clicks[asked]])
  end
  local claimed = gate('claimJob', { task = 't', piece = 'p', movement = 'm', job = 'j' })
  say('claimed', claimed.activeRules)
  for _, command in ipairs({ 'rm a', 'rm b', 'rm c' }) do
    local call = { id = command, tool = 'Bash', arguments = { command = command } }
    local held = gate('beforeTools', { job = 'j', calls = { call } })
    local state
    wait_for('the decision', function()
      for _, each in ipairs(gate('approvals', vim.empty_dict())) do
        state = each.requestId == held.approval.requestId and each.state or state
      end
      return state ~= 'pending'
    end)
    local after = gate('beforeTools', { job = 'j', calls = { call } }).calls[1]
    say('decided', { state, after.effect })
    for _, approval in ipairs(after.consume or {}) do
      say('consumed', { gate('consume', approval).consumed, gate('consume', approval).consumed })
    end
  end
  local from = vim.api.nvim_get_current_win()
  vim.cmd('RulesLsp activity')
  say('activity', vim.tbl_map(function(item)
    return (item.text:gsub('^%d+%-%d+%-%d+T%d+:%d+:%d+Z  ', ''))
  end, vim.fn.getloclist(from)))
  vim.cmd('ll 1')
  say('rule', { vim.fs.basename(vim.api.nvim_buf_get_name(0)), vim.api.nvim_get_current_line() })
end

function PARTS.action()
  vim.cmd.edit('.coding-agent-rules.yaml')
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { 'deny_tools:' })
  wait_for('the diagnostic', function()
    return #vim.diagnostic.get(0) > 0
  end)
  vim.api.nvim_win_set_cursor(0, { 1, 2 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.isPreferred
    end,
  })
  wait_for('the repair', function()
    return buffer_text(0)[1] == 'denied_tools:'
  end)
  say('repaired', true)
end

function PARTS.help()
  vim.cmd('helptags ALL')
  vim.cmd('help rules-lsp')
  say('help', vim.fs.basename(vim.api.nvim_buf_get_name(0)))
  for _, tag in ipairs({ ':RulesLsp', 'g:rules_lsp', 'rules_lsp.explain()', 'rules-lsp-older' }) do
    vim.cmd('help ' .. tag)
  end
  say('types', {
    vim.filetype.match({ filename = '.coding-agent-rules.yaml' }),
    vim.filetype.match({ filename = '.github/AGENTS.md' }),
    vim.filetype.match({ filename = '.mcp.json' }),
    vim.filetype.match({ filename = '.codex/config.toml' }),
  })
end

function PARTS.health()
  require('rules_lsp').is_file_allowed('src/a.py')
  vim.cmd('silent checkhealth rules_lsp')
  say('health', vim.tbl_filter(function(line)
    return vim.startswith(line, '-')
  end, buffer_text(0)))
end

function PARTS.no_server()
  local rules = require('rules_lsp')
  vim.notify = function() end
  for _, command in ipairs({ { '/nowhere/rules-lsp' }, { 'false' }, { 'sleep', '60' } }) do
    vim.g.rules_lsp = { timeout = 300 }
    rules.setup({ cmd = command })
    say(command[1], outcome(rules.is_file_allowed('src/a.py')))
  end
  say('tool', outcome(rules.is_tool_allowed('Read')))
  say('explained', rules.explain('src/a.py').code)
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop(true)
  end
end

function PARTS.codecompanion()
  local companion = require('codecompanion')
  say('guarded', companion.names())
  say('denied', companion.call('create_file', { filepath = 'k2.pem', content = 'x' }))
  say('written', vim.fn.filereadable('k2.pem'))
  say('allowed', companion.call('create_file', { filepath = 'src/new.py', content = 'x' }))
  say('written', vim.fn.filereadable('src/new.py'))
  say('nameless', companion.call('create_file', { content = 'x' }).status)
end

local ok, problem = pcall(PARTS[vim.env.TEST_PART])
if not ok then
  io.stderr:write(tostring(problem) .. '\n')
  vim.cmd('cquit 1')
end
vim.cmd('qall!')
