-- Attaches Neovim to the server, and does what a user does. Works with Neovim 0.7 (start_client) and later.
-- The environment gives MINDPORT_COMMAND (a JSON list), MINDPORT_ROOT, and MINDPORT_RESULT: where to write what
-- was seen, as JSON; MINDPORT_SECONDS: how long to wait for each thing. Ends with 1 where something did not come.

local milliseconds = tonumber(os.getenv('MINDPORT_SECONDS')) * 1000
local seen = { version = tostring(vim.version().major) .. '.' .. tostring(vim.version().minor) }

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, condition)
  if not vim.wait(milliseconds, condition, 20) then
    fail('nothing came: ' .. what)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') .. '\n'
end

local function messages()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, { code = each.code, line = each.lnum, column = each.col, stop = each.end_col, severity = each.severity })
  end
  return found
end

local titles = {}
local wanted = nil
vim.ui.select = function(items, _, choose)
  titles = {}
  local chosen
  for _, item in ipairs(items) do
    local title = item.action and item.action.title or item[2].title
    table.insert(titles, title)
    if wanted and title:find(wanted, 1, true) then
      chosen = item
    end
  end
  if chosen then
    wanted = nil
    choose(chosen)
  end
end

local client = vim.lsp.start_client({
  name = 'mindport',
  cmd = vim.json.decode(os.getenv('MINDPORT_COMMAND')),
  root_dir = os.getenv('MINDPORT_ROOT'),
  settings = { mindport = vim.empty_dict() },
})
if not client then
  fail('the server did not start')
end
vim.lsp.buf_attach_client(0, client)
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
seen.before = messages()

vim.fn.cursor(vim.fn.search('torch.randn'), 1)
vim.fn.search('randn', 'c', vim.fn.line('.'))
local hover
vim.lsp.buf_request(0, 'textDocument/hover', vim.lsp.util.make_position_params(), function(_, result) hover = result end)
wait('hover', function() return hover ~= nil end)
seen.hover = hover.contents.value

wanted = 'mint.randn'
local before = text()
vim.lsp.buf.code_action()
wait('quick fix', function() return text() ~= before end)
seen.titles = titles
seen.fixed = text()

local count = #seen.before
wait('diagnostics after the fix', function() return #vim.diagnostic.get(0) < count end)
before = text()
titles = {}
vim.lsp.buf.code_action({ context = { only = { 'source.fixAll.mindport' }, diagnostics = {} }, apply = true })
wanted = 'Apply All Safe Fixes'
wait('fix-all', function() return text() ~= before end)
seen.all_fixed = text()
seen.asked = #titles > 0
wait('diagnostics after fix-all', function() return #vim.diagnostic.get(0) < #seen.before - 1 end)
seen.after = messages()

local file = assert(io.open(os.getenv('MINDPORT_RESULT'), 'w'))
file:write(vim.json.encode(seen))
file:close()
vim.lsp.stop_client(client)
vim.cmd('qall!')
