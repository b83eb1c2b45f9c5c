use super::common;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::watch::Watch;
use crate::grade::{Position, Steps};

technique! {
    /// Assume in turn each candidate of a cell, or each place of a digit in a house, and fill in
    /// naked and hidden singles: a candidate that is gone in every case goes out.
    ///
    /// # Why it is sound
    ///
    /// One of the cases is true, and in each of them the candidate is false.
    CellRegionForcing {
        id: "cell_region_forcing",
        name: "Cell and region forcing chains",
        level: Level::Extreme,
        effort: 500,
        hodoku: &["1302"],
        hodoku_place: None,
        explainer: "8.0–8.7",
        watch: Watch::Board,
        example: Example {
            grid: "98.76....5.....8....7....6..4...3.2...95.........4...1..86..7......17.4......2..3",
            removed: "116 426 517",
            effect: "r9c3<>5",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    common(board, board.filled_with_singles(), "singles", found);
}
