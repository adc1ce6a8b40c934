--- `:RulesLsp`: one table of what it can do.
local M = {}

local function policy()
  local asking = require('rules_lsp.asking')
  local here = asking.here()
  local page, reason = asking.execute(here, 'rulesLsp.preview', { kind = 'policy', folder = here })
  if page then
    require('rules_lsp.pages').open('rules-lsp://policy', page.markdown)
  else
    vim.notify('rules-lsp: ' .. reason, vim.log.levels.ERROR)
  end
end

--- @param path string?  the file that an agent works on: the buffer's if none is given
local function prompt(path)
  local asking = require('rules_lsp.asking')
  local name = path and vim.fn.fnamemodify(path, ':p') or vim.api.nvim_buf_get_name(0)
  local page, reason = asking.execute(asking.here(), 'rulesLsp.preview', { kind = 'prompt', ['for'] = name ~= '' and name or nil })
  if page then
    require('rules_lsp.pages').open('rules-lsp://prompt', page.markdown)
  else
    vim.notify('rules-lsp: ' .. reason, vim.log.levels.ERROR)
  end
end

local SUBCOMMANDS = {
  explain = function(path, operation)
    require('rules_lsp').explain({ path = path or vim.api.nvim_buf_get_name(0), operation = operation })
  end,
  tool = function(name)
    require('rules_lsp').explain({ tool = name or '' })
  end,
  policy = policy,
  prompt = prompt,
  activity = function()
    require('rules_lsp.activity').show()
  end,
}

--- @param words string[]
function M.run(words)
  local subcommand = SUBCOMMANDS[words[1]]
  if subcommand then
    subcommand(words[2], words[3])
  else
    local names = table.concat(M.complete('', 'RulesLsp '), ', ')
    vim.notify(('rules-lsp: `%s` is none of %s'):format(words[1], names), vim.log.levels.ERROR)
  end
end

--- @param lead string
--- @param line string
--- @return string[]
function M.complete(lead, line)
  local before = vim.split(line:sub(1, #line - #lead), '%s+', { trimempty = true })
  if #before == 1 then
    local names = vim.tbl_filter(function(name)
      return vim.startswith(name, lead)
    end, vim.tbl_keys(SUBCOMMANDS))
    table.sort(names)
    return names
  end
  return (before[2] == 'explain' or before[2] == 'prompt') and #before == 2 and vim.fn.getcompletion(lead, 'file') or {}
end

return M
