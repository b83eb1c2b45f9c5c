//! The command line. The arguments are converted to a plan before any work starts, and no option is read
//! later.

mod batch_options;
mod call;
mod call_words;
mod commands;
mod described;
mod error;
mod host;
mod options;
#[cfg(test)]
mod pages;
mod run;
mod spelling;
mod stack;
mod terminal;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};

use commands::Command;
use error::CommandError;
use options::hints::with_hint;
use options::{first_tries, help};
use sudoku_pipeline::error::{Error, exit_code};
use sudoku_pipeline::open_files;
use sudoku_pipeline::options::spell_as;
use sudoku_pipeline::write::{Target, capture, remove_temporary_files};
use terminal::{bug_report, log};

const EXIT_CODES: &str = "\
Exit codes:
  0    done; rejected rows are reported, and are in the rejects table
  1    failed and worth a retry: reading or writing was refused
  2    the command line cannot be used, or a file or folder that it names does not exist
  3    the data is bad: a damaged input, no puzzle at all, failed validation; or puzzles were not found
  4    the output exists, and --overwrite was not given
  5    done, but inputs are damaged (--keep-going), and more of them than --max-damaged tolerates
  101  a bug of pipeline: standard error says what to report
  129  stopped by SIGHUP
  130  stopped by SIGINT
  143  stopped by SIGTERM

Every option of a command that works on datasets has a variable: that of --memory-limit is
PIPELINE_MEMORY_LIMIT. An option of the command line is stronger. An empty variable counts as unset; a
switch is on with 1, true, yes or on.

PIPELINE_KERNEL=avx512, avx2, portable or scalar names the solver; without it, it is the fastest that
the machine has. The output is the same, except that scalar may return a different first solution of a
puzzle with several, and different node counts.

";

/// The paragraph of the help about object stores.
const HELP_ON_STORES: &str = if cfg!(feature = "cloud") {
    "\
Inputs and outputs in object stores:
  s3://BUCKET/KEY
      AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION,
      AWS_ENDPOINT_URL (another server than Amazon's), AWS_SKIP_SIGNATURE=true
      (public buckets); roles of EC2, ECS and EKS are found
  gs://BUCKET/KEY
      GOOGLE_APPLICATION_CREDENTIALS, GOOGLE_SERVICE_ACCOUNT
  az://CONTAINER/KEY, abfss://CONTAINER@ACCOUNT.dfs.core.windows.net/KEY
      AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY, or
      AZURE_STORAGE_SAS_KEY, or AZURE_STORAGE_CONNECTION_STRING, or
      AZURE_CLIENT_ID, AZURE_TENANT_ID and AZURE_CLIENT_SECRET
  https://HOST/PATH
      inputs only, signed addresses too

A request that fails is tried again for PIPELINE_STORE_TIMEOUT seconds (60). An object is there when its
upload is complete, and not before."
} else {
    "Inputs and outputs in object stores need the feature cloud, which this build does not have."
};

/// The text of `--version`. It also names the features that the binary was built with.
const LONG_VERSION: &str = if cfg!(feature = "cloud") {
    concat!(
        env!("CARGO_PKG_VERSION"),
        "\ncloud: s3://, gs:// and az:// are read and written, https:// is read"
    )
} else {
    concat!(
        env!("CARGO_PKG_VERSION"),
        "\ncloud: not built in (s3://, gs://, az://, https://)"
    )
};

fn footer() -> String {
    EXIT_CODES.to_owned() + HELP_ON_STORES
}

/// Processes Sudoku datasets of any size: normalises, validates, solves and grades every puzzle, and
/// writes tables.
#[derive(Parser)]
#[command(name = "pipeline", version, long_version = LONG_VERSION, after_help = footer(), max_term_width = help::MAX_HELP_WIDTH)]
struct Cli {
    #[command(flatten)]
    log: log::LogArgs,
    #[command(subcommand)]
    command: Command,
}

pub use batch_options::batch_options;
pub use call::{Call, Said, call};
pub use call_words::CallError;
pub use described::{DescribedCommand, DescribedOption, described, output_table};
pub use host::Printed;
pub use run::CalledAudit;

/// Runs the command `pipeline` with these arguments, the first of which is its name, and returns its
/// exit code. If the arguments are wrong, the process ends.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    stack::with_room(|| parse_and_run(&arguments))
}

fn parse_and_run(arguments: &[OsString]) -> u8 {
    spell_as(spelling::flag);
    let cli = match parse(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let error = with_hint(error, arguments);
            if error.use_stderr() && log::is_json(arguments) {
                log::start_json();
                log::usage_failed(&error);
                return u8::try_from(error.exit_code()).unwrap_or(exit_code::USAGE);
            }
            exit_with_message(&error)
        }
    };
    run_and_report(cli)
}

/// Runs the command, reports its error if it fails, and returns the exit code.
fn run_and_report(cli: Cli) -> u8 {
    match bug_report::caught(|| run(cli)) {
        Ok(()) => 0,
        Err(error) => {
            // Another thread, such as the solvers of `compare`, may still own temporary files.
            remove_temporary_files();
            if !error.is_broken_pipe() {
                log::failed(&error);
            }
            error.exit_code()
        }
    }
}

/// The command line as clap describes it.
fn command() -> clap::Command {
    options::completed(options::with_all_arguments(Cli::command()))
}

/// Parses the command line and the environment variables.
fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let arguments = first_tries::with_known_options(arguments);
    // Clap would make the whole help, which is then made again with all texts.
    if arguments.iter().any(|word| may_ask_for_help(word)) {
        return parse_with_texts(&arguments);
    }
    match options::without_texts(Cli::command()).try_get_matches_from(&arguments) {
        Ok(matches) => Cli::from_arg_matches(&matches),
        Err(version) if version.kind() == ErrorKind::DisplayVersion => Err(version),
        Err(_) => parse_with_texts(&arguments),
    }
}

/// Whether the word may be `help`, `--help`, or a group of short options with `-h`.
fn may_ask_for_help(word: &OsStr) -> bool {
    match word.as_encoded_bytes() {
        b"help" | b"--help" => true,
        [b'-', b'-', ..] => false,
        [b'-', letters @ ..] => letters.contains(&b'h'),
        _ => false,
    }
}

/// Parses a command line that asks for help or has an error. The message needs the texts of the options.
fn parse_with_texts(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let command = options::with_all_arguments(Cli::command());
    let mut command = options::completed_when_used(command);
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    if let Some(subcommand) = words.find(|word| !word.starts_with('-'))
        && words.any(|word| word == "-h")
        && command.find_subcommand(subcommand).is_some()
    {
        command = options::help::with_short_help_on_a_screen(command, subcommand);
    }
    let matches = command.clone().try_get_matches_from(arguments);
    let matches = matches.or_else(|error| match first_tries::as_filter(&error, arguments) {
        Some(arguments) => command.try_get_matches_from(arguments),
        None => Err(error),
    })?;
    Cli::from_arg_matches(&matches)
}

/// Ends the process. Prints the message of a wrong command line, or the requested help or version.
fn exit_with_message(error: &clap::Error) -> ! {
    let text = error.render().to_string();
    let printable_lines: Vec<String> = text.lines().map(log::printable).collect();
    if error.use_stderr() && printable_lines.iter().map(String::as_str).ne(text.lines()) {
        // An argument may contain characters that would change the terminal. They are escaped, and the message has no
        // colours.
        let _ = writeln!(std::io::stderr(), "{}", printable_lines.join("\n"));
        std::process::exit(error.exit_code());
    }
    error.exit()
}

/// Runs the command.
fn run(cli: Cli) -> Result<(), CommandError> {
    log::start(&cli.log);
    bug_report::start();
    outlive_file_size_limits();
    open_files::raise_limit();
    cli.command.run()
}

/// Installs a handler for SIGXFSZ, the signal for a file larger than `ulimit -f`. Without a handler, the
/// signal ends the process without a message and without removing temporary files. With one, the write
/// fails with "File too large".
fn outlive_file_size_limits() {
    let was_raised = Arc::new(AtomicBool::new(false));
    // If the handler cannot be installed, the run continues without it.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, was_raised);
}

/// Writes text to standard output, or gives it to the program that has called the command.
fn print(text: &[u8]) -> Result<(), CommandError> {
    if capture(text) {
        return Ok(());
    }
    Ok(print_text(text)?)
}

/// Writes text to standard output. If another program has called the command, the text is made when that program wants it.
fn print_made(make: impl Fn() -> String + Send + Sync + 'static) -> Result<(), CommandError> {
    match host::keep_text(Box::new(make)) {
        None => Ok(()),
        Some(make) => print(make().as_bytes()),
    }
}

/// Writes text to standard output. Like `print`, but with the error type of the library.
fn print_text(text: &[u8]) -> Result<(), Error> {
    let mut stdout = Target::stdout()?;
    stdout.write(text)?;
    stdout.commit()
}

#[cfg(test)]
mod tests {
    use clap::builder::PossibleValue;

    use super::options::environment;
    use super::*;

    /// The options of all commands as pairs: the name of the command, and the option.
    fn every_option() -> Vec<(String, clap::Arg)> {
        let mut cli = command();
        cli.build();
        let mut all_options = Vec::new();
        for command in cli.get_subcommands() {
            let options = command
                .get_arguments()
                .filter(|argument| argument.get_long().is_some());
            all_options
                .extend(options.map(|option| (command.get_name().to_owned(), option.clone())));
        }
        all_options
    }

    /// What parsing depends on: the properties of all arguments, by command and name.
    fn parsed_properties(mut cli: clap::Command) -> Vec<String> {
        cli.build();
        let mut properties = Vec::new();
        for command in cli.get_subcommands() {
            properties.extend(command.get_arguments().map(|argument| {
                let values = argument.get_possible_values();
                let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
                format!(
                    "{} {} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {}",
                    command.get_name(),
                    argument.get_id(),
                    argument.get_long(),
                    argument.get_short(),
                    argument.get_env(),
                    argument.get_default_values(),
                    argument.get_action(),
                    argument.get_num_args(),
                    values,
                    argument.is_required_set(),
                    argument.is_ignore_case_set(),
                    argument.is_allow_hyphen_values_set(),
                )
            }));
        }
        properties.sort();
        properties
    }

    #[test]
    fn the_command_without_texts_is_parsed_like_that_with_texts() {
        let without_texts = parsed_properties(options::without_texts(Cli::command()));
        assert_eq!(without_texts, parsed_properties(command()));
        assert!(without_texts.len() > 500, "{}", without_texts.len());
    }

    #[test]
    fn an_option_is_the_same_in_every_command() {
        let mut seen_options = std::collections::HashMap::new();
        for (command, option) in every_option() {
            let long_name = option.get_long().unwrap_or_default().to_owned();
            let variable = environment::variable(&command, &option);
            if let Some(variable) = &variable {
                let expected_variable =
                    format!("PIPELINE_{}", long_name.to_uppercase().replace('-', "_"));
                assert_eq!(*variable, expected_variable, "{command} --{long_name}");
            }
            let takes_value = option.get_action().takes_values();
            let short_and_value = (option.get_short(), takes_value);
            let (first, known) = seen_options
                .entry(long_name.clone())
                .or_insert((command.clone(), short_and_value));
            // `--se` takes a value in `generate` but none in `explain`. This is allowed, because both are about Sudoku
            // Explainer's ratings.
            let is_same = *known == short_and_value || long_name == "se";
            assert!(is_same, "--{long_name} of {command} and of {first}");
        }
    }

    #[test]
    fn only_format_names_the_format_of_an_output() {
        for (command, option) in every_option() {
            let long_name = option.get_long().unwrap_or_default();
            let is_exception = ["output-format", "json", "html"].contains(&long_name);
            assert!(
                !is_exception || option.is_hide_set(),
                "{command} --{long_name}"
            );
        }
    }

    #[test]
    fn a_letter_stands_for_one_option() {
        let mut letters = std::collections::HashMap::new();
        for (command, option) in every_option() {
            let long_name = option.get_long().unwrap_or_default().to_owned();
            if let Some(letter) = option.get_short() {
                let first_long_name = letters.entry(letter).or_insert(long_name.clone());
                assert_eq!(*first_long_name, long_name, "-{letter} of {command}");
            }
        }
        for (letter, long_name) in [
            ('q', "quiet"),
            ('v', "verbose"),
            ('f', "overwrite"),
            ('n', "limit"),
            ('j', "threads"),
            ('s', "select"),
            ('o', "output"),
        ] {
            assert_eq!(
                letters.get(&letter).map(String::as_str),
                Some(long_name),
                "-{letter}"
            );
        }
    }
}
