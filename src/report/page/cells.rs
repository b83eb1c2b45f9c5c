//! Heat maps of the clues in puzzles: in which cells they are, and which digits they have.

use super::drawing::chart::CHART_WIDTH;
use super::drawing::colours::DATASET_COLOURS;
use super::drawing::heat_map::HeatMap;
use super::drawing::html::Figure;
use crate::counts::statistics::CellCounts;
use crate::error::Error;
use crate::report::sheets::Side;
use crate::report::sheets::percent::{percent_texts, to_percent};

/// Heat maps with the number of clues in each cell, one for each dataset.
pub(super) fn clues_by_cell(sides: &[Side]) -> Result<Option<String>, Error> {
    let heat_map_texts = HeatMapTexts {
        title: "Clues by cell",
        caption: "How often each cell has a clue",
        column_title: "column",
        row_title: "row",
    };
    heat_maps(sides, &heat_map_texts, |cells| cells.by_cell().collect())
}

/// Heat maps with the number of clues for each digit and box, one for each dataset.
pub(super) fn clues_by_box_and_digit(sides: &[Side]) -> Result<Option<String>, Error> {
    let counts = |cells: &CellCounts| -> Vec<u64> {
        let by_box = cells.by_box_and_digit();
        let of_digit = (0..9).flat_map(|digit| by_box.iter().map(move |counts| counts[digit]));
        of_digit.collect()
    };
    let heat_map_texts = HeatMapTexts {
        title: "Clues by digit and box",
        caption: "How often each box has each digit as a clue",
        column_title: "box, in row order",
        row_title: "digit",
    };
    heat_maps(sides, &heat_map_texts, counts)
}

struct HeatMapTexts {
    title: &'static str,
    caption: &'static str,
    column_title: &'static str,
    row_title: &'static str,
}

/// A heat map for each dataset, all with the same scale of colours.
fn heat_maps(
    sides: &[Side],
    words: &HeatMapTexts,
    counts_of: impl Fn(&CellCounts) -> Vec<u64>,
) -> Result<Option<String>, Error> {
    let has_known_cells = |side: &Side| {
        let cells = &side.statistics.cells;
        let share = |count| to_percent(count, cells.puzzles);
        (cells.puzzles > 0).then(|| counts_of(cells).into_iter().map(share).collect())
    };
    let shares_by_side: Vec<Option<Vec<f64>>> = sides.iter().map(has_known_cells).collect();
    let all_shares: Vec<f64> = shares_by_side.iter().flatten().flatten().copied().collect();
    if all_shares.is_empty() {
        return Ok(None);
    }
    let (range, scale) = colour_range(&all_shares);
    let mut html = String::new();
    for ((side, colour), shares_by_side) in sides.iter().zip(DATASET_COLOURS).zip(&shares_by_side) {
        let Some(shares_by_side) = shares_by_side else {
            continue;
        };
        let name_prefix = match sides.len() {
            1 => String::new(),
            _ => format!("{}: ", side.name),
        };
        let one_to_nine = || (1..=9).map(|n: usize| n.to_string()).collect::<Vec<_>>();
        let map = HeatMap {
            width_and_height: (CHART_WIDTH, CHART_WIDTH),
            title: words.title,
            caption: format!("{name_prefix}{}: {scale}.", words.caption),
            column_names: one_to_nine(),
            row_names: one_to_nine(),
            values: shares_by_side.chunks(9).map(<[f64]>::to_vec).collect(),
            column_title: words.column_title,
            row_title: words.row_title,
            colour_range: range,
            full_colour: colour,
        };
        html += &map.to_html("")?;
    }
    Ok(Some(html))
}

/// The range of values that the colours of a heat map cover, and a description of the range. If all values are nearly
/// the same, the range starts at 0. Otherwise random differences would look like a pattern.
fn colour_range(values: &[f64]) -> ((f64, f64), String) {
    let least_share = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest_share = values.iter().copied().fold(0.0, f64::max);
    let ends = percent_texts(&[least_share, greatest_share]).join(" to ");
    let range_text = format!("the colours go from {ends} of the puzzles");
    if greatest_share - least_share < 0.1 * greatest_share {
        ((0.0, greatest_share), format!("{range_text}: nearly even"))
    } else {
        ((least_share, greatest_share), range_text)
    }
}
