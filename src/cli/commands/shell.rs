//! `completions` and `man`: print completion scripts and manual pages.

use clap::Args;
use clap_complete::Shell;
use sudoku_pipeline::error::Error;

use crate::cli::error::{CommandError, UsageError};
use crate::nearest::did_you_mean;

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pipeline completions bash > /etc/bash_completion.d/pipeline
  pipeline completions zsh > ~/.zfunc/_pipeline";

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  pipeline man | man -l -
  pipeline man grade > pipeline-grade.1";

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// The command [default: pipeline itself]
    command: Option<String>,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), CommandError> {
    let mut script = Vec::new();
    clap_complete::generate(
        args.shell,
        &mut crate::cli::command(),
        "pipeline",
        &mut script,
    );
    crate::cli::print(&script)
}

pub(crate) fn man(args: &ManArgs) -> Result<(), CommandError> {
    let mut cli = crate::cli::command();
    cli.build();
    let command = match &args.command {
        None => cli,
        Some(name) => {
            let found_command = cli.find_subcommand(name).cloned();
            found_command.ok_or_else(|| {
                let command_names = cli.get_subcommands().map(clap::Command::get_name);
                UsageError::UnknownCommand(name.clone(), did_you_mean(name, command_names))
            })?
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Error::Write {
            path: "standard output".into(),
            error,
        })?;
    crate::cli::print(&page)
}
