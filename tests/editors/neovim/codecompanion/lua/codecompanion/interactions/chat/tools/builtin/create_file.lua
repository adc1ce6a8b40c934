-- A stand-in with the call shape of the plugin's tool: it writes a file.
return {
  name = 'create_file',
  cmds = {
    function(tools, arguments, options)
      local path = vim.fs.joinpath(vim.fn.getcwd(), arguments.filepath)
      vim.fn.writefile({ arguments.content }, path)
      return { status = 'success', data = tools.chat.prefix .. arguments.filepath .. options.suffix }
    end,
  },
  schema = { type = 'function', ['function'] = { name = 'create_file' } },
}
