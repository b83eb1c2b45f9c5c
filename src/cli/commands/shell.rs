//! `completions` and `man`: print completion scripts and manual pages.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

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
  pipeline man grade
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
    if args.shell == Shell::Bash {
        script = completing_lists(&script);
    }
    crate::cli::print(&script)
}

/// A script for bash in which the values of an option are also completed after a comma: `--with se,h`.
fn completing_lists(script: &[u8]) -> Vec<u8> {
    let script = String::from_utf8_lossy(script);
    let prefix = r#"compgen -P "${cur%"${cur##*,}"}" -W"#;
    let script = script.replace("compgen -W", prefix);
    script
        .replace(r#"-- "${cur}""#, r#"-- "${cur##*,}""#)
        .into_bytes()
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
    if std::io::stdout().is_terminal() && show(&page) {
        return Ok(());
    }
    crate::cli::print(&page)
}

/// Shows a manual page with the program `man`. Returns false if there is no such program.
fn show(page: &[u8]) -> bool {
    let Ok(mut viewer) = Command::new("man")
        .args(["-l", "-"])
        .stdin(Stdio::piped())
        .spawn()
    else {
        return false;
    };
    if let Some(mut input) = viewer.stdin.take() {
        // A reader who quits before the end closes the pipe.
        let _ = input.write_all(page);
    }
    viewer.wait().is_ok_and(|status| status.success())
}
