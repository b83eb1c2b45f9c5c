//! Heat maps: where clues stand, and which digits they are.

use super::chart::{HeatMap, SIDES};
use super::html::figure;
use super::percent::percent;
use super::side::Side;
use crate::error::Error;

/// Heat maps of cells and of digits, for each side.
pub(super) fn section(sides: &[Side]) -> Result<Option<String>, Error> {
    let mut html = String::new();
    for (side, colour) in sides.iter().zip(SIDES) {
        let cells = &side.statistics.cells;
        if cells.puzzles == 0 {
            continue;
        }
        let of = if sides.len() > 1 {
            format!("{}: ", side.name)
        } else {
            String::new()
        };
        let shares: Vec<f64> = cells
            .by_cell()
            .map(|count| percent(count, cells.puzzles))
            .collect();
        let numbers = || (1..=9).map(|n: usize| n.to_string()).collect::<Vec<_>>();
        let (range, words) = range(&shares);
        let caption = format!("{of}How often each cell has a clue: {words}.");
        let positions = HeatMap {
            size: (380.0, 380.0),
            title: "Clues by cell",
            description: caption.clone(),
            columns: numbers(),
            rows: numbers(),
            values: shares.chunks(9).map(<[f64]>::to_vec).collect(),
            column_title: "column",
            row_title: "row",
            range,
            colour,
        };
        html += &figure(&positions.heat_map()?, &caption, "");
        let by_box = cells.by_box_and_digit();
        let values: Vec<Vec<f64>> = (0..9)
            .map(|digit| {
                by_box
                    .iter()
                    .map(|counts| percent(counts[digit], cells.puzzles))
                    .collect()
            })
            .collect();
        let flat: Vec<f64> = values.iter().flatten().copied().collect();
        let (range, words) = self::range(&flat);
        let caption = format!("{of}How often each box has each digit as a clue: {words}.");
        let digits = HeatMap {
            size: (380.0, 380.0),
            title: "Clues by digit and box",
            description: caption.clone(),
            columns: numbers(),
            rows: numbers(),
            values,
            column_title: "box, in row order",
            row_title: "digit",
            range,
            colour,
        };
        html += &figure(&digits.heat_map()?, &caption, "");
    }
    Ok((!html.is_empty()).then(|| format!("<div class=\"pair\">\n{html}</div>\n")))
}

/// The range of colours, and what it is in words. Where all values are nearly the same, the colours
/// begin at 0, so that chance does not look like a pattern.
fn range(values: &[f64]) -> ((f64, f64), String) {
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = values.iter().copied().fold(0.0, f64::max);
    let words = format!("from {least} % (light) to {most} % (dark) of the puzzles");
    match most - least < 0.1 * most {
        true => ((0.0, most), format!("{words}: nearly even")),
        false => ((least, most), words),
    }
}
