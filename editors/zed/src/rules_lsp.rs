//! Starts `rules-lsp` for the YAML and Markdown files of a project.

use zed_extension_api::{
    self as zed, settings::LspSettings, Command, LanguageServerId, Result, Worktree,
};

const PROGRAM: &str = "rules-lsp";
const ARGUMENTS: [&str; 2] = ["serve", "--stdio"];

struct RulesLsp;

impl zed::Extension for RulesLsp {
    fn new() -> Self {
        RulesLsp
    }

    /// The command of the settings (`lsp.rules-lsp.binary`), else the program on the PATH of the project's shell.
    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |told| (told.path, told.arguments));
        let command = path.or_else(|| worktree.which(PROGRAM)).ok_or_else(|| {
            format!(
                "`{PROGRAM}` is not on the PATH: install it, or set `lsp.rules-lsp.binary.path`"
            )
        })?;
        let args = arguments.unwrap_or_else(|| ARGUMENTS.map(String::from).to_vec());
        Ok(Command {
            command,
            args,
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(RulesLsp);
