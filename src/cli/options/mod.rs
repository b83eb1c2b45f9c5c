//! Properties that options have in all commands: short forms, environment variables and help texts.

pub(crate) mod choose;
pub(crate) mod dataset;
pub(crate) mod environment;
pub(crate) mod first_tries;
pub(crate) mod help;
pub(crate) mod hints;
pub(crate) mod ids;
pub(crate) mod input;
mod mistaken;
pub(crate) mod names;
pub(crate) mod numbers;
pub(crate) mod one_table;
pub(crate) mod output;
pub(crate) mod running;
pub(crate) mod solving;

use clap::{Arg, Command};

use crate::cli::commands::with_arguments;

/// The options with a one-letter form, which is the same in every command.
const SHORT_FORMS: [(&str, char); 5] = [
    ("overwrite", 'f'),
    ("limit", 'n'),
    ("threads", 'j'),
    ("select", 's'),
    ("output", 'o'),
];

/// The command `pipeline` with all subcommands and their arguments, without the help texts of this module. The
/// subcommands of `command` get their arguments only when they are used.
pub(crate) fn with_all_arguments(command: Command) -> Command {
    // The arguments are added here, so nothing is left to add when the subcommand is used.
    command.mut_subcommands(|subcommand| with_arguments(subcommand).defer(|subcommand| subcommand))
}

/// Adds the short forms, environment variables and help texts to the options of a command and its
/// subcommands.
pub(crate) fn completed(command: Command) -> Command {
    help::with_footer(with_completed_options(command).mut_subcommands(completed))
}

/// The command `pipeline` as [`completed`] returns it, but each subcommand is only completed when it is
/// used, which takes more than a quarter off the time of a start.
pub(crate) fn completed_when_used(command: Command) -> Command {
    let command = with_completed_options(command);
    help::with_footer(command.mut_subcommands(|subcommand| subcommand.defer(completed)))
}

/// The command `pipeline` for command lines without errors: a subcommand gets its arguments when it is used, and no
/// option has a help text. Parsing takes less than half as long as with [`completed_when_used`].
pub(crate) fn without_texts(command: Command) -> Command {
    let command = with_options(command, &|_, option| option);
    command.mut_subcommands(|subcommand| {
        subcommand.defer(|subcommand| with_options(with_arguments(subcommand), &|_, option| option))
    })
}

fn with_completed_options(command: Command) -> Command {
    help::with_short_facts(with_options(command, &help::with_help_texts))
}

/// Adds the short forms and environment variables to the options of a command. `with_texts` adds the help texts to an
/// option of the command with this name.
fn with_options(command: Command, with_texts: &dyn Fn(&str, Arg) -> Arg) -> Command {
    let name = command.get_name().to_owned();
    // When a subcommand is used, it also has the global options of `pipeline`, which are complete by then.
    let is_complete = |argument: &Arg| argument.is_global_set() && name != "pipeline";
    command.mut_args(|argument| {
        if is_complete(&argument) {
            return argument;
        }
        let argument = environment::in_variable(&name, with_texts(&name, argument));
        // The values of this program are in lower case: `--with SE` can mean only one thing.
        let takes_value = argument.get_action().takes_values();
        with_short(argument.ignore_case(takes_value))
    })
}

fn with_short(argument: Arg) -> Arg {
    let short_letter = SHORT_FORMS
        .iter()
        .find(|(long, _)| argument.get_long() == Some(long));
    match short_letter {
        Some((_, short_letter)) => argument.short(*short_letter),
        None => argument,
    }
}
