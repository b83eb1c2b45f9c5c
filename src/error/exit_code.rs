//! The exit codes of the process, for schedulers.

/// Done; rejected rows are reported, and do not change this.
pub const DONE: u8 = 0;
/// Failed and worth a retry: reading or writing was refused. Or `generate` did not find all
/// puzzles.
pub const FAILED: u8 = 1;
/// The command line cannot be used.
pub const USAGE: u8 = 2;
/// The data is bad: a truncated or corrupt input, no puzzle column, no puzzle at all, failed
/// validation.
pub const DATA: u8 = 3;
/// The output exists, and `--overwrite` was not given.
pub const OUTPUT_EXISTS: u8 = 4;
/// A bug of this program: it stopped, and said what to report.
pub const BUG: u8 = 101;
/// Plus the signal's number: 130 after SIGINT, 143 after SIGTERM.
pub const SIGNAL: u8 = 128;
