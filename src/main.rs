//! The `pipeline` command: parse → plan → run → exit code.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::parse();
    match cli::caught(|| cli::run(cli)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is_broken_pipe() {
                cli::failed(&error);
            }
            ExitCode::from(error.exit_code())
        }
    }
}
