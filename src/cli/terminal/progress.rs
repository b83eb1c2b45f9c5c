//! The progress line on standard error: a bar or a counter, the rate, and the remaining time.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudoku_pipeline::job::Progress;
use sudoku_pipeline::numbers::counted;

use crate::cli::host;
use crate::cli::terminal::error_width;
use crate::cli::terminal::rate::{Rate, rate_text};

/// When the progress line is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ProgressWhen {
    /// If standard error is a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// The progress line of a run on standard error.
pub(crate) struct ProgressLine {
    bar: ProgressBar,
    expected_end: ExpectedEnd,
    start: Instant,
    /// The line is first shown when the run has taken this long.
    delay: Duration,
    shown: Option<Instant>,
    rows: Rate,
    bytes: Rate,
}

/// The progress line that is on the terminal at the moment; `None` if there is none. Messages of the log must be
/// written above it.
static ACTIVE_LINE: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Whether the progress line may be shown on standard error, beside the log.
static HAS_ROOM: AtomicBool = AtomicBool::new(true);

/// Sets whether the progress line may be shown beside the log. It may not with `--quiet`, or if the log is JSON.
pub(crate) fn set_room(has_room: bool) {
    HAS_ROOM.store(has_room, Ordering::Relaxed);
}

/// Whether the progress line may be shown beside the log.
pub(crate) fn has_room() -> bool {
    HAS_ROOM.load(Ordering::Relaxed)
}

/// Removes the progress line from the terminal while `write` writes to standard error.
pub(crate) fn with_line_hidden<R>(write: impl FnOnce() -> R) -> R {
    let bar = ACTIVE_LINE
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

/// The expected end of a run: the first of these limits that is reached. A limit is `None` if it is unknown.
#[derive(Clone, Copy, Default)]
pub(crate) struct ExpectedEnd {
    /// The total size of the inputs in bytes; `None` if unknown.
    pub(crate) bytes: Option<u64>,
    /// The number of rows that `--limit` allows or that are generated; `None` if there is no limit.
    pub(crate) rows: Option<u64>,
}

const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

/// A shorter run shows no progress line, which would only flash.
const DELAY: Duration = Duration::from_millis(300);

impl ProgressLine {
    /// A progress line: a bar, or a counter if the end of the run is unknown. If rows go to standard output, the
    /// line is only shown with `always`, because the rows may appear on the same terminal.
    pub(crate) fn new(when: ProgressWhen, end: ExpectedEnd, rows_to_stdout: bool) -> ProgressLine {
        let show = match when {
            ProgressWhen::Auto => {
                !rows_to_stdout
                    && !host::is_called()
                    && has_room()
                    && std::io::stderr().is_terminal()
            }
            ProgressWhen::Always => true,
            ProgressWhen::Never => false,
        };
        let bar = ProgressBar::with_draw_target(None, draw_target(show, when));
        // The whole line is a single message. It is cut at the width of the terminal, so that it does not wrap.
        if show && let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        if show && std::io::stderr().is_terminal() {
            *ACTIVE_LINE.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.clone());
        }
        ProgressLine {
            bar,
            expected_end: end,
            start: Instant::now(),
            delay: match when {
                ProgressWhen::Auto => DELAY,
                ProgressWhen::Always | ProgressWhen::Never => Duration::ZERO,
            },
            shown: None,
            rows: Rate::default(),
            bytes: Rate::default(),
        }
    }

    /// Redraws the line, at most once per [`REDRAW_INTERVAL`].
    pub(crate) fn show(&mut self, progress: Progress) {
        if self.bar.is_hidden()
            || self.start.elapsed() < self.delay
            || self
                .shown
                .is_some_and(|shown| shown.elapsed() < REDRAW_INTERVAL)
        {
            return;
        }
        self.shown = Some(Instant::now());
        let elapsed = self.start.elapsed();
        self.rows.add(elapsed, progress.rows as f64);
        self.bytes.add(elapsed, progress.bytes_done as f64);
        let line = LineContents {
            expected_end: self.expected_end,
            progress,
            rows_per_second: self.rows.per_second(),
            remaining: self.time_left(),
        };
        self.bar
            .set_message(line.text(error_width().unwrap_or(LOG_WIDTH)));
    }

    /// The estimated time until the run ends; `None` if it cannot be estimated yet.
    fn time_left(&self) -> Option<Duration> {
        let estimate_by_bytes = self
            .expected_end
            .bytes
            .map(|end| self.bytes.time_left(end as f64));
        let estimate_by_rows = self
            .expected_end
            .rows
            .map(|end| self.rows.time_left(end as f64));
        estimate_by_bytes
            .into_iter()
            .chain(estimate_by_rows)
            .flatten()
            .min()
    }

    /// Removes the line from the terminal.
    pub(crate) fn clear(&self) {
        *ACTIVE_LINE.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.bar.finish_and_clear();
    }
}

/// The values that the line shows.
struct LineContents {
    expected_end: ExpectedEnd,
    progress: Progress,
    rows_per_second: Option<f64>,
    remaining: Option<Duration>,
}

/// The length of the longest bar in characters.
const LONGEST_BAR: usize = 30;

/// The length of the shortest bar in characters.
const SHORTEST_BAR: usize = 5;

impl LineContents {
    /// The text of the line, with at most `width` columns. If it is too long, first the bar is shortened, and
    /// then parts are left out from the end.
    fn text(&self, width: usize) -> String {
        let Progress {
            rows,
            rejects,
            bytes_done,
        } = self.progress;
        let mut line_parts = Vec::new();
        let estimate_by_bytes = self.expected_end.bytes.map(|end| share(bytes_done, end));
        let estimate_by_rows = self.expected_end.rows.map(|end| share(rows, end));
        let done_share = [estimate_by_bytes, estimate_by_rows]
            .into_iter()
            .flatten()
            .max_by(f64::total_cmp);
        line_parts.push(
            match (
                done_share,
                self.expected_end
                    .bytes
                    .filter(|_| estimate_by_rows.is_none()),
            ) {
                (Some(done), Some(bytes)) => {
                    format!("{:>3.0} % of {}", percent(done), ByteSize(bytes))
                }
                (Some(done), None) => format!("{:>3.0} %", percent(done)),
                (None, _) => format!("{} read", ByteSize(bytes_done)),
            },
        );
        line_parts.push(counted(rows, "row"));
        if let Some(rate) = self.rows_per_second {
            line_parts.push(format!("{} rows/s", rate_text(rate)));
        }
        line_parts.extend(
            self.remaining
                .map(|remaining| format!("{} left", duration(remaining))),
        );
        if rejects > 0 {
            line_parts.push(counted(rejects, "reject"));
        }
        // The last column stays empty, because some terminals wrap after it.
        let free_columns = width.saturating_sub(1);
        let mut text = line_parts.join(", ");
        // A number is not cut: what does not fit is left out from the end.
        while text.len() > free_columns && line_parts.len() > 1 {
            line_parts.pop();
            text = line_parts.join(", ");
        }
        let bar = free_columns.saturating_sub(text.len() + 1).min(LONGEST_BAR);
        let mut line = match done_share.filter(|_| bar >= SHORTEST_BAR) {
            Some(done) => format!("{} {text}", progress_bar(done, bar)),
            None => text,
        };
        if let Some((cut, _)) = line.char_indices().nth(free_columns) {
            line.truncate(cut);
        }
        line
    }
}

/// The completed fraction, from 0 to 1.
fn share(done: u64, whole: u64) -> f64 {
    (done as f64 / whole.max(1) as f64).min(1.0)
}

/// A fraction as a whole percentage. It is rounded so that only a fraction of 1 becomes 100.
fn percent(share: f64) -> f64 {
    (share * 100.0).floor()
}

/// A bar such as `███░░░`.
fn progress_bar(share: f64, width: usize) -> String {
    let filled_columns = ((share * width as f64) as usize).min(width);
    "█".repeat(filled_columns) + &"░".repeat(width - filled_columns)
}

/// A duration as text: `2 h 5 min`, `7 min`, `40 s`.
fn duration(remaining: Duration) -> String {
    match remaining.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds.div_ceil(60)),
        seconds @ 3600..172_800 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// The destination of the progress line. With `always`, standard error may also be a file.
fn draw_target(show: bool, when: ProgressWhen) -> ProgressDrawTarget {
    match (show, when) {
        (false, _) => ProgressDrawTarget::hidden(),
        (true, ProgressWhen::Always) if !std::io::stderr().is_terminal() => {
            ProgressDrawTarget::term_like(Box::new(LogLines))
        }
        (true, _) => ProgressDrawTarget::stderr(),
    }
}

/// The width of the line in characters if standard error is not a terminal.
const LOG_WIDTH: usize = 100;

/// Standard error that is not a terminal. Each update of the progress is written as a new line.
#[derive(Debug)]
struct LogLines;

impl indicatif::TermLike for LogLines {
    fn width(&self) -> u16 {
        LOG_WIDTH as u16
    }
    fn move_cursor_up(&self, _: usize) -> std::io::Result<()> {
        Ok(())
    }
    fn move_cursor_down(&self, _: usize) -> std::io::Result<()> {
        Ok(())
    }
    fn move_cursor_right(&self, _: usize) -> std::io::Result<()> {
        Ok(())
    }
    fn move_cursor_left(&self, _: usize) -> std::io::Result<()> {
        Ok(())
    }
    fn write_line(&self, line: &str) -> std::io::Result<()> {
        self.write_str(line)
    }
    fn write_str(&self, text: &str) -> std::io::Result<()> {
        let text = text.trim();
        if !text.is_empty() {
            return writeln!(std::io::stderr(), "{text}");
        }
        Ok(())
    }
    fn clear_line(&self) -> std::io::Result<()> {
        Ok(())
    }
    fn flush(&self) -> std::io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rows: u64, done: u64, remaining: Option<u64>) -> LineContents {
        LineContents {
            expected_end: ExpectedEnd {
                bytes: Some(1 << 20),
                rows: None,
            },
            progress: Progress {
                rows,
                rejects: 12,
                bytes_done: done,
            },
            rows_per_second: remaining.map(|_| 4.5),
            remaining: remaining.map(Duration::from_secs),
        }
    }

    #[test]
    fn a_progress_line_fits_the_terminal_and_omits_unknown_figures() {
        let early_line = line(0, 0, None).text(80);
        assert_eq!(
            early_line,
            format!("{}   0 % of 1.0 MiB, 0 rows, 12 rejects", "░".repeat(30))
        );
        let later_text = line(1234, 1 << 19, Some(5400)).text(100);
        let expected_text = " 50 % of 1.0 MiB, 1,234 rows, 4.5 rows/s, 1 h 30 min left, 12 rejects";
        assert!(
            later_text.ends_with(expected_text) && later_text.starts_with('█'),
            "{later_text}"
        );
        for width in 0..200 {
            let text = line(987_654_321, 1 << 20, Some(123_456_789)).text(width);
            assert!(text.chars().count() < width.max(1), "{width}: {text}");
        }
    }

    /// Regression test: with `--limit`, the remaining time was estimated for the whole input, although the run
    /// ended earlier.
    #[test]
    fn a_limit_of_rows_is_an_end_too() {
        let mut line = ProgressLine::new(
            ProgressWhen::Never,
            ExpectedEnd {
                bytes: Some(1_000_000),
                rows: Some(1_000),
            },
            false,
        );
        for second in 0..5 {
            let elapsed = Duration::from_secs(second);
            line.rows.add(elapsed, second as f64 * 100.0);
            line.bytes.add(elapsed, second as f64 * 1_000.0);
        }
        assert_eq!(line.time_left(), Some(Duration::from_secs(6)));
        line.expected_end.rows = None;
        assert_eq!(line.time_left(), Some(Duration::from_secs(996)));
        let contents = LineContents {
            expected_end: ExpectedEnd {
                bytes: Some(1_000_000),
                rows: Some(1_000),
            },
            progress: Progress {
                rows: 400,
                rejects: 0,
                bytes_done: 4_000,
            },
            rows_per_second: None,
            remaining: None,
        };
        assert!(
            contents.text(80).ends_with(" 40 %, 400 rows"),
            "{}",
            contents.text(80)
        );
    }
}
