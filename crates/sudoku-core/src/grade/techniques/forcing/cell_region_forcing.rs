//! The solving technique "Cell and region forcing chains": its manual, the search for its steps, and its tests.

use super::branch_caches::WithSingles;
use super::find_common_removals;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Propagation, Steps};

technique! {
    /// Each candidate of a cell, or each place of a digit in a house, is assumed in turn, and
    /// the naked and hidden singles that follow are filled in. A candidate that is gone in
    /// every case is removed.
    ///
    /// # Why it is sound
    ///
    /// One of the cases is true, and the candidate is false in each of them.
    CellRegionForcing {
        name: "Cell and region forcing chains",
        level: Level::Extreme,
        effort: 500,
        hodoku_codes: &["1302"],
        hodoku_order: None,
        explainer: "8.0–8.7",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: "98.76....5.....8....7....6..4...3.2...95.........4...1..86..7......17.4......2..3",
            removed: "116 426 517",
            effect: "r9c3<>5",
        },
    }
}

fn find_all(board: &Position, found: &mut Steps) {
    find_common_removals(
        board,
        &board.derived::<WithSingles>().0,
        Propagation::Singles,
        found,
    );
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &CellRegionForcing,
    &[
        // The assumptions are the candidates of r1c1.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // The assumptions are the places of 5 in row 2.
        ("5@r2=37 5@r6=38", "r45c7<>5, r13c8<>5"),
        // Whichever digit one of the cells holds, the two cells hold 1 and 2.
        ("r1c15=12", "r1c2346789<>12"),
    ],
    &[
        // Finds nothing: no assumption leads to a single.
        "r1c159=123",
        // Finds nothing: r1c5 and r5c1 have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
    ],
);
