//! `completions` and `man`: print completion scripts and manual pages.

use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};
use clap_complete::{Generator, Shell};
use clap_complete_nushell::Nushell;
use sudoku_pipeline::error::Error;

use crate::cli::error::{CommandError, UsageError};
use crate::nearest::did_you_mean;

pub(crate) const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  pipeline completions bash > /etc/bash_completion.d/pipeline
  pipeline completions zsh > ~/.zfunc/_pipeline
  pipeline completions nushell > ~/.config/nushell/autoload/pipeline.nu";

pub(crate) const MAN_EXAMPLES: &str = "\
Examples:
  pipeline man grade
  pipeline man grade > pipeline-grade.1";

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: ShellName,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ShellName {
    Bash,
    Elvish,
    Fish,
    Nushell,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

#[derive(Args)]
pub(crate) struct ManArgs {
    /// The command [default: pipeline itself]
    command: Option<String>,
}

pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), CommandError> {
    let script = match args.shell {
        ShellName::Bash => completing_lists(&script(Shell::Bash)),
        ShellName::Elvish => script(Shell::Elvish),
        ShellName::Fish => script(Shell::Fish),
        ShellName::Nushell => script(Nushell),
        ShellName::PowerShell => script(Shell::PowerShell),
        ShellName::Zsh => script(Shell::Zsh),
    };
    crate::cli::print(&script)
}

/// The completion script of a shell.
fn script(shell: impl Generator) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut crate::cli::command(), "pipeline", &mut script);
    script
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
    let usage = command.clone().render_usage().to_string();
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| Error::Write {
            path: "standard output".into(),
            error,
        })?;
    let page = with_usage(&page, &usage);
    if std::io::stdout().is_terminal() && show(&page) {
        return Ok(());
    }
    crate::cli::print(&page)
}

/// A manual page whose synopsis is the usage line of the help. The generated synopsis lists all options, in no order
/// that a reader knows, and the options follow below.
fn with_usage(page: &[u8], usage: &str) -> Vec<u8> {
    const HEADING: &str = "\n.SH SYNOPSIS\n";
    let page = String::from_utf8_lossy(page);
    let Some((before, rest)) = page.split_once(HEADING) else {
        return page.into_owned().into_bytes();
    };
    let usage = usage.trim_start_matches("Usage: ").trim();
    let usage = usage.replace('\\', "\\e").replace('-', "\\-");
    let after = rest.find("\n.SH ").map_or("", |end| &rest[end..]);
    format!("{before}{HEADING}{usage}{after}").into_bytes()
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
