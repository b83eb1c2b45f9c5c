//! Prints the results of `grade` below the log: a bar for each level, and the most frequent hardest techniques.

use std::io::IsTerminal;

use sudoku_core::grade::{HardestTechnique, Level, Rank};
use sudoku_pipeline::counts::Tally;
use sudoku_pipeline::numbers::thousands;
use sudoku_pipeline::wrap::fit_list;

use crate::cli::terminal::{error_width, progress};

/// The number of techniques that are printed, the most frequent first.
const SHOWN_TECHNIQUES: usize = 3;

/// The width of the lines if standard error is not a terminal, in characters.
const WIDTH_OF_LOG: usize = 120;

/// The maximum length of a bar, and the number of columns beside it, in characters.
const LONGEST_BAR: usize = 30;
const BESIDE_BAR: usize = 32;

/// Logs the levels of the rows, if standard error is a terminal or with `--verbose`. Otherwise they are not
/// logged, because the summary has the counts.
pub(crate) fn log(tally: &Tally) {
    let on_terminal = progress::has_room() && std::io::stderr().is_terminal();
    for line in lines(tally, error_width().unwrap_or(WIDTH_OF_LOG)) {
        if on_terminal {
            tracing::info!("{line}");
        } else {
            tracing::debug!("{line}");
        }
    }
}

/// A line for each level and for the puzzles that no technique solves, and a line for the techniques, with at most
/// `width` columns. Empty if the levels of some rows are unknown because an earlier version has counted them.
fn lines(tally: &Tally, width: usize) -> Vec<String> {
    let graded = tally.graded();
    let beyond_ladder = (HardestTechnique::BEYOND.id, tally.beyond());
    let levels = Level::ALL.map(|level| (level.id(), tally.level(level)));
    let levels = levels.into_iter().chain([beyond_ladder]);
    let known_count: u64 = levels.clone().map(|(_, count)| count).sum();
    if graded == 0 || known_count != graded {
        return Vec::new();
    }
    let percentage = |count: u64| 100.0 * count as f64 / graded as f64;
    // The last column stays empty, because some terminals wrap after it.
    let longest = width.saturating_sub(BESIDE_BAR + 1).min(LONGEST_BAR);
    let mut lines: Vec<String> = levels
        .filter(|(id, count)| *count > 0 || *id != HardestTechnique::BEYOND.id)
        .map(|(id, count)| {
            let bar = bar(count as f64 / graded as f64, longest);
            let (percent, rows) = (percentage(count), thousands(count));
            format!("  {id:<8}{bar:<longest$} {percent:>5.1} % {rows:>12}")
        })
        .collect();
    let techniques = Rank::all().map(|rank| (rank.id(), tally.rank(rank)));
    let mut techniques: Vec<(&str, u64)> = techniques.chain([beyond_ladder]).collect();
    techniques.retain(|(_, count)| *count > 0);
    // The sort is stable. Of techniques with equal counts, the easiest thus comes first.
    techniques.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let techniques = techniques.into_iter().take(SHOWN_TECHNIQUES);
    let techniques = techniques.map(|(id, count)| format!("{id} {:.1} %", percentage(count)));
    let techniques: Vec<String> = techniques.collect();
    let width = width.saturating_sub(1);
    let start = "  hardest technique: ";
    if (techniques.first()).is_some_and(|first| start.len() + first.len() > width) {
        lines.push(start.trim_end().to_owned());
        lines.push(fit_list("    ", &techniques, width));
    } else {
        lines.push(fit_list(start, &techniques, width));
    }
    lines
}

/// A bar with a resolution of an eighth of a column. For a share of 1, it has `longest` columns.
fn bar(share: f64, longest: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share * longest as f64 * 8.0).round() as usize;
    // A level with rows always gets a visible bar.
    let eighths = if share > 0.0 && longest > 0 {
        eighths.max(1)
    } else {
        eighths
    };
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_the_shares() {
        assert_eq!(bar(1.0, 4), "████");
        assert_eq!(bar(0.5, 3), "█▌");
        assert_eq!(bar(0.000_1, 30), "▏");
        assert_eq!(bar(0.0, 30), "");
        assert_eq!(lines(&Tally::default(), 80), Vec::<String>::new());
    }
}
