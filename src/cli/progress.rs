//! The progress line on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudoku_pipeline::job::Progress;
use sudoku_pipeline::numbers::thousands;

use super::args::ProgressWhen;
use super::log;
use super::rate::Rate;

/// The progress line on standard error.
pub(super) struct ProgressLine {
    bar: ProgressBar,
    whole: Total,
    start: Instant,
    shown: Option<Instant>,
    rows: Rate,
    position: Rate,
}

/// The total that the progress bar measures.
#[derive(Clone, Copy)]
enum Total {
    /// The bytes of the inputs.
    Bytes(u64),
    /// The rows to be generated.
    Rows(u64),
    /// The total is not known.
    Unknown,
}

const REDRAW: Duration = Duration::from_millis(100);

impl ProgressLine {
    /// A bar over the bytes of the inputs, or a counter if their number is not known.
    pub(super) fn new(when: ProgressWhen, bytes: Option<u64>) -> ProgressLine {
        ProgressLine::over(when, bytes.map_or(Total::Unknown, Total::Bytes))
    }

    /// A bar over the rows to be generated.
    pub(super) fn over_rows(when: ProgressWhen, rows: u64) -> ProgressLine {
        ProgressLine::over(when, Total::Rows(rows))
    }

    fn over(when: ProgressWhen, whole: Total) -> ProgressLine {
        let show = match when {
            ProgressWhen::Auto => log::has_room_for_progress() && std::io::stderr().is_terminal(),
            ProgressWhen::Always => true,
            ProgressWhen::Never => false,
        };
        let bar = ProgressBar::with_draw_target(None, draw_target(show, when));
        // The template is a single message that is cut at the width of the terminal, so that the line
        // does not wrap.
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        ProgressLine {
            bar,
            whole,
            start: Instant::now(),
            shown: None,
            rows: Rate::default(),
            position: Rate::default(),
        }
    }

    /// Redraws the line, at most every [`REDRAW`].
    pub(super) fn show(&mut self, progress: Progress) {
        if self.bar.is_hidden() || self.shown.is_some_and(|shown| shown.elapsed() < REDRAW) {
            return;
        }
        self.shown = Some(Instant::now());
        let at = self.start.elapsed();
        self.rows.add(at, progress.rows as f64);
        self.position.add(at, progress.bytes_done as f64);
        let end = match self.whole {
            Total::Bytes(end) | Total::Rows(end) => Some(end),
            Total::Unknown => None,
        };
        let line = LineContents {
            whole: self.whole,
            progress,
            rows_per_second: self.rows.per_second(),
            left: end.and_then(|end| self.position.time_left(end as f64)),
        };
        self.bar.set_message(line.text(width()));
    }

    /// Removes the line.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// The width of the terminal.
fn width() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    size.map_or(LOG_WIDTH, |(width, _)| usize::from(width.0))
}

/// The contents of the line.
struct LineContents {
    whole: Total,
    progress: Progress,
    rows_per_second: Option<f64>,
    left: Option<Duration>,
}

/// The longest bar.
const LONGEST_BAR: usize = 30;

/// The shortest bar.
const SHORTEST_BAR: usize = 5;

impl LineContents {
    /// The line in at most `width` columns. If it is too long, the bar is shortened first, then the end
    /// is cut.
    fn text(&self, width: usize) -> String {
        let Progress {
            rows,
            rejects,
            bytes_done,
        } = self.progress;
        let mut parts = Vec::new();
        let end = match self.whole {
            Total::Bytes(end) => {
                parts.push(format!(
                    "{:>3} % of {}",
                    percent(bytes_done, end),
                    ByteSize(end)
                ));
                Some(end)
            }
            Total::Rows(end) => {
                parts.push(format!("{:>3} %", percent(bytes_done, end)));
                Some(end)
            }
            Total::Unknown => {
                parts.push(format!("{} read", ByteSize(bytes_done)));
                None
            }
        };
        parts.push(format!("{} rows", thousands(rows)));
        if let Some(rate) = self.rows_per_second {
            parts.push(format!("{} rows/s", rate_text(rate)));
        }
        parts.extend(self.left.map(|left| format!("{} left", duration(left))));
        if rejects > 0 {
            parts.push(format!("{} rejects", thousands(rejects)));
        }
        let text = parts.join(", ");
        // The last column stays empty, because some terminals wrap after it.
        let room = width.saturating_sub(1);
        let bar = room.saturating_sub(text.len() + 1).min(LONGEST_BAR);
        let mut line = match end.filter(|_| bar >= SHORTEST_BAR) {
            Some(end) => format!("{} {text}", bar_of(bytes_done, end, bar)),
            None => text,
        };
        if let Some((cut, _)) = line.char_indices().nth(room) {
            line.truncate(cut);
        }
        line
    }
}

fn percent(done: u64, whole: u64) -> u64 {
    (u128::from(done) * 100 / u128::from(whole.max(1))).min(100) as u64
}

/// A bar such as `███░░░`.
fn bar_of(done: u64, whole: u64, width: usize) -> String {
    let share = done as f64 / whole.max(1) as f64;
    let filled = ((share * width as f64) as usize).min(width);
    "█".repeat(filled) + &"░".repeat(width - filled)
}

/// The rate as text. Slow rates have a digit after the point.
pub(super) fn rate_text(rate: f64) -> String {
    match rate < 10.0 {
        true => format!("{rate:.1}"),
        false => thousands(rate as u64),
    }
}

/// A duration as text: `2 h 5 min`, `7 min`, `40 s`.
fn duration(left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min", seconds.div_ceil(60)),
        seconds @ 3600..172_800 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        seconds => format!("{} days", seconds / 86_400),
    }
}

/// The target of the progress line. With `always` that can be a file, for instance a log.
fn draw_target(show: bool, when: ProgressWhen) -> ProgressDrawTarget {
    match (show, when) {
        (false, _) => ProgressDrawTarget::hidden(),
        (true, ProgressWhen::Always) if !std::io::stderr().is_terminal() => {
            ProgressDrawTarget::term_like(Box::new(LogLines))
        }
        (true, _) => ProgressDrawTarget::stderr(),
    }
}

/// The width of a line without a terminal.
const LOG_WIDTH: usize = 100;

/// Standard error that is not a terminal. Each redraw writes a new line.
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

    fn line(rows: u64, done: u64, left: Option<u64>) -> LineContents {
        LineContents {
            whole: Total::Bytes(1 << 20),
            progress: Progress {
                rows,
                rejects: 12,
                bytes_done: done,
            },
            rows_per_second: left.map(|_| 4.5),
            left: left.map(Duration::from_secs),
        }
    }

    #[test]
    fn a_line_fits_its_terminal_and_says_only_what_is_known() {
        let early = line(0, 0, None).text(80);
        assert_eq!(
            early,
            format!("{}   0 % of 1.0 MiB, 0 rows, 12 rejects", "░".repeat(30))
        );
        let later = line(1234, 1 << 19, Some(5400)).text(100);
        let said = " 50 % of 1.0 MiB, 1,234 rows, 4.5 rows/s, 1 h 30 min left, 12 rejects";
        assert!(later.ends_with(said) && later.starts_with('█'), "{later}");
        for width in 0..200 {
            let text = line(987_654_321, 1 << 20, Some(123_456_789)).text(width);
            assert!(text.chars().count() < width.max(1), "{width}: {text}");
        }
    }
}
