-- Waits until the server that the README's block starts has spoken, asks it about a file and a tool, and says so.
local function say(value) io.stdout:write(vim.json.encode(value) .. "\n") end
local function fail(message) io.stderr:write(message .. "\n"); vim.cmd("cquit 1") end

if not vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20) then fail("no diagnostic") end
local client = vim.lsp.get_clients({ name = "rules_lsp" })[1]
local function ask(command, query)
  local params = { command = command, arguments = { query } }
  local answer, problem = client:request_sync("workspace/executeCommand", params, 30000, 0)
  if not answer or answer.err then fail(vim.inspect(problem or answer)) end
  return answer.result.code
end
say({
  code = vim.diagnostic.get(0)[1].code,
  root = vim.fs.basename(client.root_dir),
  tool = ask("isToolAllowed", { tool = "github/x" }),
  file = ask("isFileAllowed", { path = "secrets/k" }),
  free = ask("isFileAllowed", { path = "src/k" }),
})
vim.cmd("qall!")
