//! The `pipeline` command: parse → plan → run → exit code.

mod cli;

use std::process::ExitCode;

use clap::Parser;
use sudoku_pipeline::error::Error;

fn main() -> ExitCode {
    sudoku_pipeline::read::quiet_guarded_panics();
    match cli::run(cli::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, Error::BrokenPipe) {
                cli::failed(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}
