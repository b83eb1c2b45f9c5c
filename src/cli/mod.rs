//! The command line: arguments become a plan before any work starts; no option is read after that.

mod args;
mod explain;
mod generate;
mod inspect;
mod plan;
mod progress;
mod run;
mod schema;
mod shell;

use clap::{Parser, Subcommand};
use sudoku_pipeline::error::Error;

use args::{ConvertArgs, GradeArgs, SolveArgs, ValidateArgs};

const EXIT_CODES: &str = "\
Exit codes:
  0    done; rejected rows are reported, and are in the rejects table
  1    failed and worth a retry: reading or writing was refused
  2    the command line cannot be used
  3    the data is bad: a truncated or corrupt input, no puzzle column, failed validation
  4    the output exists, and --overwrite was not given
  130  stopped by SIGINT
  143  stopped by SIGTERM

Every option of a command that works on datasets can be set by its environment variable too; a flag
is stronger.";

/// Streams Sudoku datasets of any size: normalises, validates, solves and grades every puzzle, and
/// writes columnar tables.
#[derive(Parser)]
#[command(name = "pipeline", version, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve every puzzle and grade it by the hardest technique it needs
    #[command(after_help = args::GRADE_EXAMPLES)]
    Grade(GradeArgs),
    /// Solve every puzzle and count its solutions
    #[command(after_help = args::SOLVE_EXAMPLES)]
    Solve(SolveArgs),
    /// Bring a dataset into canonical form and another format
    #[command(after_help = args::CONVERT_EXAMPLES)]
    Convert(ConvertArgs),
    /// Check that every record is a puzzle with exactly one solution
    #[command(after_help = args::VALIDATE_EXAMPLES)]
    Validate(ValidateArgs),
    /// Say what a file is and what would be made of it
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(inspect::InspectArgs),
    /// Make random puzzles with exactly one solution
    #[command(after_help = generate::EXAMPLES)]
    Generate(generate::GenerateArgs),
    /// Show a puzzle's grade step by step, or a technique's manual page
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::ExplainArgs),
    /// Print the output columns: name, type, documentation
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::SchemaArgs),
    /// Print a completion script for a shell
    #[command(after_help = shell::COMPLETIONS_EXAMPLES)]
    Completions(shell::CompletionsArgs),
    /// Print a manual page
    #[command(after_help = shell::MAN_EXAMPLES)]
    Man(shell::ManArgs),
}

/// Does what the command line says.
pub(crate) fn run(cli: Cli) -> Result<(), Error> {
    match cli.command {
        Command::Grade(args) => run::run(plan::grade(args)?),
        Command::Solve(args) => run::run(plan::solve(args)?),
        Command::Convert(args) => run::run(plan::convert(args)?),
        Command::Validate(args) => run::run(plan::validate(args)?),
        Command::Inspect(args) => inspect::run(&args),
        Command::Generate(args) => generate::run(args),
        Command::Explain(args) => explain::run(args),
        Command::Schema(args) => schema::run(&args),
        Command::Completions(args) => shell::completions(&args),
        Command::Man(args) => shell::man(&args),
    }
}

/// Writes text to standard output.
fn print(text: &[u8]) -> Result<(), Error> {
    use std::io::Write;
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::BrokenPipe => Error::BrokenPipe,
        _ => Error::Write {
            path: "standard output".into(),
            error,
        },
    })
}
