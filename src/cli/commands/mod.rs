//! The commands. Each has a file with its arguments, the examples of its help, and the function that plans
//! or runs it.

mod analytics;
mod augment;
mod compare;
pub(crate) mod convert;
mod evaluate;
mod explain;
mod generate;
pub(crate) mod grade;
mod inspect;
pub(crate) mod schema;
mod sets;
mod shell;
pub(crate) mod solve;
mod trace;
pub(crate) mod validate;

use clap::builder::{Resettable, StyledStr};
use clap::{Args, Subcommand};
use sudoku_pipeline::error::exit_code;

use crate::cli::call_words::{CallError, parse};
use crate::cli::error::CommandError;
use crate::cli::run::run;
use sets::{audit, dedup, overlap, split};

/// Declares the commands. Clap adds no arguments to them: with 20 commands, that takes most of the time of a start.
/// `with_arguments` adds those of one command.
macro_rules! commands {
    ($($(#[$attribute:meta])* $name:ident($arguments:ty) = $id:literal,)*) => {
        #[derive(Subcommand)]
        #[command(defer = true)]
        pub(crate) enum Command {
            $($(#[$attribute])* $name($arguments),)*
        }

        /// Adds the arguments of the command that has the name of `command`.
        pub(crate) fn with_arguments(command: clap::Command) -> clap::Command {
            // The documentation of the arguments is not that of the command.
            let about = command.get_about().cloned();
            let long_about = command.get_long_about().cloned();
            let command = match command.get_name() {
                $($id => <$arguments>::augment_args(command),)*
                _ => command,
            };
            let set = |text: Option<StyledStr>| text.map_or(Resettable::Reset, Resettable::Value);
            command.about(set(about)).long_about(set(long_about))
        }
    };
}

commands! {
    /// Solve every puzzle and grade it by the hardest technique it needs
    #[command(after_help = grade::EXAMPLES)]
    Grade(grade::GradeArgs) = "grade",
    /// Solve every puzzle and count its solutions
    #[command(after_help = solve::EXAMPLES)]
    Solve(solve::SolveArgs) = "solve",
    /// Convert a dataset to another file format
    ///
    /// All puzzles of the output are in the same text format.
    #[command(after_help = convert::EXAMPLES)]
    Convert(convert::ConvertArgs) = "convert",
    /// Check that every record is a puzzle with exactly one solution
    #[command(after_help = validate::EXAMPLES)]
    Validate(validate::ValidateArgs) = "validate",
    /// Remove duplicate puzzles, and list them
    ///
    /// The first puzzle of each class is written.
    #[command(after_help = dedup::EXAMPLES)]
    Dedup(dedup::DedupArgs) = "dedup",
    /// Split a dataset into parts that share no puzzles
    #[command(after_help = split::EXAMPLES)]
    Split(split::SplitArgs) = "split",
    /// Find the puzzles that two datasets have in common
    #[command(after_help = overlap::EXAMPLES)]
    Overlap(overlap::OverlapArgs) = "overlap",
    /// Clean datasets: find invalid, repeated and shared rows, and write the datasets without them
    ///
    /// One pass over training and test files: cleaned datasets, the removed rows with the reason, a dataset
    /// card and a page with charts.
    #[command(after_help = audit::EXAMPLES)]
    Audit(audit::AuditArgs) = "audit",
    /// Write isomorphs of every puzzle, with the transformation
    #[command(after_help = augment::EXAMPLES)]
    Augment(augment::AugmentArgs) = "augment",
    /// Write the verified steps that solve each puzzle
    ///
    /// They are nested columns, or messages for training with --format chat.
    #[command(after_help = trace::EXAMPLES)]
    Trace(trace::TraceArgs) = "trace",
    /// Judge the predictions of a model, and count them by level and technique
    #[command(after_help = evaluate::EXAMPLES)]
    Evaluate(evaluate::EvaluateArgs) = "evaluate",
    /// Show the format, the columns and the first records of a file
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(inspect::InspectArgs) = "inspect",
    /// Compare the guesses and times of several solvers
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::CompareArgs) = "compare",
    /// Compute statistics of tables
    ///
    /// Levels, techniques, clues, effort, duplicates, rejects, labels, and any other column.
    #[command(after_help = analytics::STATS_EXAMPLES)]
    Stats(analytics::StatsArgs) = "stats",
    /// Draw a page with charts of tables
    #[command(after_help = analytics::REPORT_EXAMPLES)]
    Report(analytics::ReportArgs) = "report",
    /// Generate random puzzles
    #[command(after_help = generate::EXAMPLES)]
    Generate(generate::GenerateArgs) = "generate",
    /// Show the steps that solve a puzzle, or explain a technique
    #[command(after_help = explain::EXAMPLES)]
    Explain(explain::ExplainArgs) = "explain",
    /// Print the output columns: name, type, documentation
    #[command(after_help = schema::EXAMPLES)]
    Schema(schema::SchemaArgs) = "schema",
    /// Print a completion script for a shell
    #[command(after_help = shell::COMPLETIONS_EXAMPLES)]
    Completions(shell::CompletionsArgs) = "completions",
    /// Print a manual page
    #[command(after_help = shell::MAN_EXAMPLES)]
    Man(shell::ManArgs) = "man",
}

impl Command {
    /// Parses the options and inputs of a command over datasets, for a program that calls it.
    pub(crate) fn from_words(command: &str, words: &[String]) -> Result<Command, CallError> {
        let words = words.iter().cloned();
        Ok(match command {
            "convert" => Command::Convert(parse("convert", words)?),
            "dedup" => Command::Dedup(parse("dedup", words)?),
            "split" => Command::Split(parse("split", words)?),
            "overlap" => Command::Overlap(parse("overlap", words)?),
            "audit" => Command::Audit(parse("audit", words)?),
            "augment" => Command::Augment(parse("augment", words)?),
            "trace" => Command::Trace(parse("trace", words)?),
            "evaluate" => Command::Evaluate(parse("evaluate", words)?),
            "inspect" => Command::Inspect(parse("inspect", words)?),
            "compare" => Command::Compare(parse("compare", words)?),
            "stats" => Command::Stats(parse("stats", words)?),
            "report" => Command::Report(parse("report", words)?),
            "generate" => Command::Generate(parse("generate", words)?),
            other => {
                return Err(CallError {
                    message: format!("{other} is no command over datasets"),
                    exit_code: exit_code::USAGE,
                });
            }
        })
    }

    /// Runs the command.
    pub(crate) fn run(self) -> Result<(), CommandError> {
        match self {
            Command::Grade(args) => run(&grade::plan(args)?),
            Command::Solve(args) => run(&solve::plan(args)?),
            Command::Convert(args) => run(&convert::plan(args)?),
            Command::Validate(args) => run(&validate::plan(args)?),
            Command::Dedup(args) => run(&dedup::plan(args)?),
            Command::Augment(args) => run(&augment::plan(args)?),
            Command::Trace(args) => run(&trace::plan(args)?),
            Command::Split(args) => run(&split::plan(args)?),
            Command::Overlap(args) => run(&overlap::plan(args)?),
            Command::Audit(args) => run(&audit::plan(args)?),
            Command::Evaluate(args) => run(&evaluate::plan(args)?),
            Command::Compare(args) => run(&compare::plan(args)?),
            Command::Inspect(args) => inspect::run(&args),
            Command::Stats(args) => analytics::stats(args),
            Command::Report(args) => analytics::report(args),
            Command::Generate(args) => generate::run(&args),
            Command::Explain(args) => explain::run(args),
            Command::Schema(args) => schema::run(&args),
            Command::Completions(args) => shell::completions(&args),
            Command::Man(args) => shell::man(&args),
        }
    }
}
