//! The `pipeline` command: parse → plan → run → exit code.

mod cli;

use std::process::ExitCode;

use sudoku_pipeline::error::Error;

fn main() -> ExitCode {
    let cli = cli::parse();
    match cli::caught(|| cli::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !matches!(error, Error::BrokenPipe) {
                cli::failed(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}
