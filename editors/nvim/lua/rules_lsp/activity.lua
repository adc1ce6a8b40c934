--- What the rules of Auto Prompter did: the notices of the servers, the newest first.
local lists = require('rules_lsp.lists')

local M = {}

local MOST = 100
local FILE = '.auto-prompter.yaml'
local WORDS = {
  denied = 'denied',
  tool_not_executed = 'not run: an instruction goes first',
  waiting_for_approval = 'asked for approval',
  approved_once = 'approved once',
  completion_not_accepted = 'completion not accepted',
}

local taken = {}

--- Take a notice. A server that was started anew may tell again what another has told.
--- @param notice table  `rulesLsp/policyAction`
--- @param root string?  the root of its client
function M.take(notice, root)
  for _, each in ipairs(taken) do
    if each.notice.eventId == notice.eventId then
      return
    end
  end
  table.insert(taken, 1, { notice = notice, root = root })
  taken[MOST + 1] = nil
end

--- The line of a rule in a file, or nil.
local function line_of(path, rule)
  for number, line in ipairs(vim.fn.filereadable(path) == 1 and vim.fn.readfile(path) or {}) do
    if line:match('%f[%w_-]id["\']?%s*:%s*["\']?([a-z0-9-]+)') == rule then
      return number
    end
  end
end

local function item_of(each)
  local notice = each.notice
  local outcome = WORDS[notice.outcome] or notice.outcome
  local text = ('%s  %s: %s · %s'):format(notice.createdAt, notice.ruleName, outcome, notice.targetLabel)
  local path = each.root and vim.fs.joinpath(each.root, FILE)
  local line = path and line_of(path, notice.ruleId)
  return line and { filename = path, lnum = line, col = 1, text = text } or { text = text, valid = 0 }
end

--- List what was done, each with its rule, in the location list or the quickfix list.
function M.show()
  if #taken == 0 then
    vim.notify('rules-lsp: no rule of Auto Prompter has done anything yet')
    return
  end
  lists.show('Activity of Auto Prompter', vim.tbl_map(item_of, taken))
end

return M
