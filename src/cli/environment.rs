//! Options from environment variables.

use std::env;
use std::ffi::OsStr;

use clap::builder::{BoolishValueParser, Resettable};
use clap::{Arg, ArgAction, Command};

/// Changes how the arguments of a command read their variables. An empty variable counts as unset, and
/// so does a switch that is off, such as `PIPELINE_RESUME=0`. A switch is on with 1, true, yes or on.
pub(super) fn in_variables(command: Command) -> Command {
    command.mut_args(argument).mut_subcommands(in_variables)
}

fn argument(argument: Arg) -> Arg {
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let value = argument.get_env().and_then(env::var_os);
    let is_unset = value.is_some_and(|value| value.is_empty() || is_switch && is_off(&value));
    let argument = match is_switch {
        true => argument.value_parser(BoolishValueParser::new()),
        false => argument,
    };
    match is_unset {
        // A switch that is off must not conflict with other options.
        true => argument.env(Resettable::Reset),
        false => argument,
    }
}

/// Whether [`BoolishValueParser`] parses this as false.
fn is_off(value: &OsStr) -> bool {
    let off = ["0", "false", "no", "n", "off", "f"];
    off.iter().any(|off| value.eq_ignore_ascii_case(off))
}
