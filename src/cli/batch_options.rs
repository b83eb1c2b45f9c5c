//! The options of Python functions and streams that process record batches, parsed like the options of the commands.

use sudoku_pipeline::batches::BatchOptions;
use sudoku_pipeline::job::memory::MemoryPlan;
use sudoku_pipeline::job::{RunOptions, Stages, Task};

use super::call_words::parse;
use super::commands::convert::ConvertArgs;
use super::commands::grade::GradeArgs;
use super::commands::solve::SolveArgs;
use super::commands::validate::ValidateArgs;
use super::error::UsageError;
use super::options::input::ReadArgs;
use super::options::running::ReportArgs;
use super::options::solving::SolverArgs;
use super::run::memory::worker_threads;

/// Parses the options of a command for record batches, such as `--solution-limit=3`. Environment variables are
/// ignored.
///
/// # Errors
///
/// The message for an unknown command, or for an option that cannot be used.
pub fn batch_options(command: &str, options: &[String]) -> Result<BatchOptions, String> {
    // The parser requires inputs and an output. These placeholders are not used.
    let words = ["--output=-", "-"].map(str::to_owned);
    let words = words.into_iter().chain(options.iter().cloned());
    let as_text = |error: UsageError| error.to_string();
    Ok(match command {
        "grade" => {
            let args: GradeArgs = parse("grade", words).map_err(|error| error.message)?;
            with_solver(args.task(), args.solve).map_err(as_text)?
        }
        "solve" => {
            let args: SolveArgs = parse("solve", words).map_err(|error| error.message)?;
            with_solver(args.task().map_err(as_text)?, args.solve).map_err(as_text)?
        }
        "convert" => {
            let args: ConvertArgs = parse("convert", words).map_err(|error| error.message)?;
            let options = BatchOptions {
                dataset: args.dataset.options(),
                view: args.write.view.view(),
                ..BatchOptions::new(Task::Convert)
            };
            with_reading(options, &args.read, &args.report)
        }
        "validate" => {
            let args: ValidateArgs = parse("validate", words).map_err(|error| error.message)?;
            with_reading(BatchOptions::new(args.task()), &args.read, &args.report)
        }
        other => return Err(format!("{other} is no command for record batches")),
    })
}

/// The options of a task that solves puzzles.
fn with_solver(task: Task, args: SolverArgs) -> Result<BatchOptions, UsageError> {
    let mut stages = Stages::default();
    args.rating.apply(&args.limits.with, &mut stages)?;
    let options = BatchOptions {
        with: args.limits.with,
        rating: stages.rating,
        hodoku: stages.hodoku,
        view: args.write.view.view(),
        ..BatchOptions::new(task)
    };
    Ok(with_reading(options, &args.read, &args.report))
}

/// Adds the options that all commands share.
fn with_reading(options: BatchOptions, read: &ReadArgs, report: &ReportArgs) -> BatchOptions {
    let run = RunOptions {
        memory: MemoryPlan::without_limit(worker_threads(report.run.threads)),
        max_rejects: report.max_rejects,
        max_wrong: report.max_wrong,
        ..read.run_options()
    };
    BatchOptions { run, ..options }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_parsed_as_the_command_line_does() {
        let parse = |command: &str, option: &str| batch_options(command, &[option.to_owned()]);
        let options = parse("solve", "--delimiter=;").unwrap();
        assert_eq!(options.run.read.delimiter, Some(b';'));
        let options = parse("validate", "--threads=3").unwrap();
        assert_eq!(options.run.memory.threads, 3);
        for (command, option, expected) in [
            ("grade", "--input-format=papyrus", ["papyrus", "parquet"]),
            ("grade", "--se-max=3", ["limits of ratings", "se too"]),
            ("convert", "--blank=a", ["`blank`", "one of ."]),
            (
                "validate",
                "--threads=0",
                ["'0' for `threads`", "whole number from 1 to 1024"],
            ),
            ("augment", "--seed=3", ["augment", "record batches"]),
            ("help", "--seed=3", ["help", "record batches"]),
            ("grade", "--help", ["help", "unexpected argument"]),
        ] {
            let message = parse(command, option).err().unwrap();
            assert!(
                expected.iter().all(|text| message.contains(text)),
                "{message}"
            );
        }
    }
}
