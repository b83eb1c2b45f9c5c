use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sudoku_pipeline::job::Progress;

use super::args::ProgressWhen;

/// The progress bar on standard error.
pub(super) struct Bar {
    bar: ProgressBar,
    start: Instant,
    shown: Option<Instant>,
}

const REDRAW: Duration = Duration::from_millis(100);

impl Bar {
    /// A bar over the bytes of an input, or a counter where their number is not known.
    pub(super) fn new(when: ProgressWhen, bytes: Option<u64>) -> Bar {
        let show = match when {
            ProgressWhen::Auto => std::io::stderr().is_terminal(),
            ProgressWhen::Always => true,
            ProgressWhen::Never => false,
        };
        let bar = ProgressBar::with_draw_target(bytes, draw_target(show, when));
        let template = match bytes {
            Some(_) => "{bar:30} {percent:>3} % of {total_bytes}, {msg}, {eta} left",
            None => "{spinner} {bytes} read, {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Bar {
            bar,
            start: Instant::now(),
            shown: None,
        }
    }

    /// A bar over the rows to be made.
    pub(super) fn over_rows(when: ProgressWhen, rows: u64) -> Bar {
        let bar = Bar::new(when, Some(rows));
        if let Ok(style) =
            ProgressStyle::with_template("{bar:30} {percent:>3} %, {msg}, {eta} left")
        {
            bar.bar.set_style(style);
        }
        bar
    }

    /// Shows how far the run is, now and then.
    pub(super) fn show(&mut self, progress: Progress) {
        if self.bar.is_hidden() || self.shown.is_some_and(|shown| shown.elapsed() < REDRAW) {
            return;
        }
        self.shown = Some(Instant::now());
        let rate = progress.rows as f64 / self.start.elapsed().as_secs_f64().max(1e-3);
        self.bar.set_message(format!(
            "{} rows, {} rows/s, {} rejects",
            thousands(progress.rows),
            thousands(rate as u64),
            thousands(progress.rejects)
        ));
        self.bar.set_position(progress.bytes_read);
    }

    /// Takes the bar away.
    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// `always` draws where there is no terminal too, for instance into a log.
fn draw_target(show: bool, when: ProgressWhen) -> ProgressDrawTarget {
    match (show, when) {
        (false, _) => ProgressDrawTarget::hidden(),
        (true, ProgressWhen::Always) if !std::io::stderr().is_terminal() => {
            ProgressDrawTarget::term_like(Box::new(LogLines))
        }
        (true, _) => ProgressDrawTarget::stderr(),
    }
}

/// `1234567` → `1,234,567`.
pub(super) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Standard error that is no terminal: a line each time, nothing is overdrawn.
#[derive(Debug)]
struct LogLines;

impl indicatif::TermLike for LogLines {
    fn width(&self) -> u16 {
        100
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
            eprintln!("{text}");
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
    use super::thousands;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
    }
}
