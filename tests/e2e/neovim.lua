-- Opens a rule file, types a fault, waits for its diagnostic, hovers, asks, repairs the fault, and leaves in good order.
-- Prints one JSON object a line; any failure ends the editor with exit code 1.
local function say(key, value)
  io.stdout:write(vim.json.encode({ [key] = value }) .. "\n")
end

local function fail(message)
  io.stderr:write("FAIL " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function wait_for(what, condition)
  if not vim.wait(20000, condition, 20) then
    error("waited in vain for " .. what)
  end
end

local function request(method, params)
  local answers, problem = vim.lsp.buf_request_sync(0, method, params, 20000)
  if not answers then
    error(method .. ": " .. tostring(problem))
  end
  local _, answer = next(answers)
  if not answer or answer.err or answer.error then
    error(method .. ": " .. vim.inspect(answer))
  end
  return answer.result
end

local function run()
  local exited
  vim.cmd.edit(vim.env.TEST_FILE)
  local id = vim.lsp.start({
    name = "rules-lsp",
    cmd = { vim.env.TEST_PYTHON, "-m", "rules_lsp", "--stdio" },
    root_dir = vim.env.TEST_ROOT,
    on_exit = function(code, signal)
      exited = { code = code, signal = signal }
    end,
  })
  vim.api.nvim_buf_set_lines(0, 4, 5, false, { "    - *.pem # 😀" })
  wait_for("the diagnostic", function()
    return #vim.diagnostic.get(0) > 0
  end)
  for _, found in ipairs(vim.diagnostic.get(0)) do
    say("diagnostic", {
      code = found.code,
      source = found.source,
      line = found.lnum,
      from = found.col,
      to = found.end_col,
    })
  end
  local client = vim.lsp.get_client_by_id(id)
  say("encoding", client.offset_encoding)
  local document = { uri = vim.uri_from_bufnr(0) }
  local hover = request("textDocument/hover", { textDocument = document, position = { line = 1, character = 4 } })
  say("hover", hover.contents.value)
  local command = "rulesLsp.isToolAllowed"
  local answer = request("workspace/executeCommand", { command = command, arguments = { { tool = "github/x" } } })
  say("answer", { allowed = answer.allowed, code = answer.code, pattern = answer.rule.pattern })
  local actions = request("textDocument/codeAction", {
    textDocument = document,
    range = { start = { line = 4, character = 6 }, ["end"] = { line = 4, character = 6 } },
    context = { diagnostics = {} },
  })
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  say("repaired", vim.api.nvim_buf_get_lines(0, 4, 5, false)[1])
  wait_for("the diagnostic to go", function()
    return #vim.diagnostic.get(0) == 0
  end)
  client:stop()
  wait_for("the server to end", function()
    return exited ~= nil
  end)
  say("exit", exited)
end

local ok, problem = pcall(run)
if not ok then
  fail(tostring(problem))
end
vim.cmd("qall!")
