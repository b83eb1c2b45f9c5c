//! The exit codes of the process.

/// The run is complete. Rejected records are reported, but do not change the exit code.
pub const DONE: u8 = 0;
/// The run failed, and a retry can help: reading or writing failed. Also if `generate` did not find
/// all puzzles.
pub const FAILED: u8 = 1;
/// The options are wrong or contradict each other.
pub const USAGE: u8 = 2;
/// The data is bad: an input is truncated or corrupt, has no puzzle column or no puzzle, or fails
/// validation.
pub const DATA: u8 = 3;
/// The output exists, and `--overwrite` was not given.
pub const OUTPUT_EXISTS: u8 = 4;
/// The program has a bug. It has printed what to report.
pub const BUG: u8 = 101;
/// This plus the signal's number: 130 after SIGINT, 143 after SIGTERM.
pub const SIGNAL: u8 = 128;
