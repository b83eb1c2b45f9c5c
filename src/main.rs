//! The `pipeline` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(sudoku_pipeline::cli::main(std::env::args_os()))
}
