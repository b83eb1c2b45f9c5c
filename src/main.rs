//! The entry point of the command-line program `pipeline`.

use std::process::ExitCode;

/// Notes whether standard output is closed. This runs before `main`, and before the standard library opens `/dev/null`
/// in place of a closed output. After that, it looks the same as if the user had redirected the output to `/dev/null`.
#[cfg(target_os = "linux")]
#[used]
#[expect(
    unsafe_code,
    reason = "only an initialiser sees standard output as it was"
)]
#[unsafe(link_section = ".init_array")]
static NOTE_CLOSED_STDOUT: extern "C" fn() = {
    extern "C" fn note_closed_stdout() {
        if nix::sys::stat::fstat(std::io::stdout()).is_err() {
            sudoku_pipeline::write::stdout_is_closed();
        }
    }
    note_closed_stdout
};

fn main() -> ExitCode {
    ExitCode::from(sudoku_pipeline::cli::main(std::env::args_os()))
}
