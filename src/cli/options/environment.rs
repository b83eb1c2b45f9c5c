//! Options from environment variables. The name of the variable is derived from the name of the option:
//! `--memory-limit` is `PIPELINE_MEMORY_LIMIT`.

use std::env;
use std::ffi::OsStr;

use clap::builder::{BoolishValueParser, Resettable};
use clap::{Arg, ArgAction};

/// Environment variables that were renamed: the present name, and the former name, which still works.
const RENAMED_VARIABLES: [(&str, &str); 1] = [("PIPELINE_FORMAT", "PIPELINE_OUTPUT_FORMAT")];

/// Commands whose output is for people. They ignore the variables of [`PER_CALL_OPTIONS`], which are meant for
/// scheduled jobs.
const FOR_PEOPLE: [&str; 5] = ["explain", "inspect", "schema", "completions", "man"];

const PER_CALL_OPTIONS: [&str; 5] = ["format", "output", "technique", "se", "rating"];

/// The environment variable of an option; `None` if it has none. Hidden options have none, because they are aliases of
/// other options.
pub(crate) fn variable(command: &str, argument: &Arg) -> Option<String> {
    let long_name = argument.get_long()?;
    let is_per_call = FOR_PEOPLE.contains(&command) && PER_CALL_OPTIONS.contains(&long_name);
    let has_value = matches!(
        argument.get_action(),
        ArgAction::Set | ArgAction::Append | ArgAction::SetTrue
    );
    (has_value && !is_per_call && !argument.is_hide_set())
        .then(|| format!("PIPELINE_{}", long_name.to_uppercase().replace('-', "_")))
}

/// Lets an argument of a command read its environment variable. An empty variable counts as unset, and so
/// does a switch that is off, such as `PIPELINE_RESUME=0`. A switch is on with 1, true, yes or on.
pub(crate) fn in_variable(command: &str, argument: Arg) -> Arg {
    let is_switch = matches!(argument.get_action(), ArgAction::SetTrue);
    let argument = if is_switch {
        argument.value_parser(BoolishValueParser::new())
    } else {
        argument
    };
    let Some(name) = variable(command, &argument) else {
        return argument;
    };
    let renamed_from = RENAMED_VARIABLES
        .iter()
        .find(|(present_name, _)| *present_name == name);
    let renamed_from = renamed_from.map(|(_, renamed_from)| (*renamed_from).to_owned());
    let nonempty_value = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let name = renamed_from
        .filter(|renamed_from| {
            nonempty_value(&name).is_none() && nonempty_value(renamed_from).is_some()
        })
        .unwrap_or(name);
    let is_unset =
        env::var_os(&name).is_some_and(|value| value.is_empty() || is_switch && is_off(&value));
    if is_unset {
        // A switch that is off must not conflict with other options, so its variable is ignored.
        argument.env(Resettable::Reset)
    } else {
        // The memory of the name is never freed. This happens once, because a process parses one command line.
        argument.env(&*name.leak())
    }
}

/// Whether [`BoolishValueParser`] parses the value as false.
fn is_off(value: &OsStr) -> bool {
    let off_values = ["0", "false", "no", "n", "off", "f"];
    off_values.iter().any(|off| value.eq_ignore_ascii_case(off))
}
