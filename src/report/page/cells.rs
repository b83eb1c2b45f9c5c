//! Heat maps of the clues: their cells, and their digits.

use super::drawing::chart::{HeatMap, SIDES, WIDTH};
use super::drawing::html::figure;
use crate::error::Error;
use crate::report::sheets::Side;
use crate::report::sheets::percent::percent;
use crate::report::statistics::CellCounts;

/// The number of clues in each cell, for each dataset.
pub(super) fn positions(sides: &[Side]) -> Result<Option<String>, Error> {
    let shares = |cells: &CellCounts| -> Vec<f64> {
        let counts = cells.by_cell();
        counts.map(|count| percent(count, cells.puzzles)).collect()
    };
    let words = HeatMapText {
        title: "Clues by cell",
        caption: "How often each cell has a clue",
        column: "column",
        row: "row",
    };
    maps(sides, &words, shares)
}

/// The number of clues with each digit in each box, for each dataset.
pub(super) fn digits(sides: &[Side]) -> Result<Option<String>, Error> {
    let shares = |cells: &CellCounts| -> Vec<f64> {
        let by_box = cells.by_box_and_digit();
        let of_digit = (0..9).flat_map(|digit| by_box.iter().map(move |counts| counts[digit]));
        of_digit
            .map(|count| percent(count, cells.puzzles))
            .collect()
    };
    let words = HeatMapText {
        title: "Clues by digit and box",
        caption: "How often each box has each digit as a clue",
        column: "box, in row order",
        row: "digit",
    };
    maps(sides, &words, shares)
}

struct HeatMapText {
    title: &'static str,
    caption: &'static str,
    column: &'static str,
    row: &'static str,
}

/// A heat map for each dataset, all with the same scale of colours.
fn maps(
    sides: &[Side],
    words: &HeatMapText,
    shares: impl Fn(&CellCounts) -> Vec<f64>,
) -> Result<Option<String>, Error> {
    let known = |side: &Side| {
        let cells = &side.statistics.cells;
        (cells.puzzles > 0).then(|| shares(cells))
    };
    let shares: Vec<Option<Vec<f64>>> = sides.iter().map(known).collect();
    let all: Vec<f64> = shares.iter().flatten().flatten().copied().collect();
    if all.is_empty() {
        return Ok(None);
    }
    let (range, scale) = range(&all);
    let mut html = String::new();
    for ((side, colour), shares) in sides.iter().zip(SIDES).zip(&shares) {
        let Some(shares) = shares else { continue };
        let of = match sides.len() {
            1 => String::new(),
            _ => format!("{}: ", side.name),
        };
        let numbers = || (1..=9).map(|n: usize| n.to_string()).collect::<Vec<_>>();
        let caption = format!("{of}{}: {scale}.", words.caption);
        let map = HeatMap {
            size: (WIDTH, WIDTH),
            title: words.title,
            description: caption.clone(),
            columns: numbers(),
            rows: numbers(),
            values: shares.chunks(9).map(<[f64]>::to_vec).collect(),
            column_title: words.column,
            row_title: words.row,
            range,
            colour,
        };
        html += &figure(&map.heat_map()?, &caption, "");
    }
    Ok(Some(html))
}

/// The range of values that the colours show, and its description. If all values are nearly the same, the
/// range starts at 0, so that chance does not look like a pattern.
fn range(values: &[f64]) -> ((f64, f64), String) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let words = format!("from {least} % (light) to {most} % (dark) of the puzzles");
    match most - least < 0.1 * most {
        true => ((0.0, most), format!("{words}: nearly even")),
        false => ((least, most), words),
    }
}
