//! The solving technique "Dynamic forcing chains": its manual, the search for its steps, and its tests.

use super::branch_caches::WithBasics;
use super::{find_common_removals, list_refuted, remove_refuted};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Propagation, Steps};

technique! {
    /// Nishio, and cell and region forcing chains, with more techniques: each assumption is
    /// followed by all techniques from full house to jellyfish, not by singles alone.
    ///
    /// # Why it is sound
    ///
    /// Each of these techniques is sound, so their deductions follow from the assumption.
    DynamicForcing {
        name: "Dynamic forcing chains",
        level: Level::Extreme,
        effort: 700,
        hodoku_codes: &["1303", "1304"],
        hodoku_order: None,
        explainer: "8.5–9.6",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: "98.7..64.7..6.......6.4....6...3..5..9.8..2....8.....427......5..92..4......17.2.",
            removed: "",
            effect: "r7c3<>4",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let branches = &board.derived::<WithBasics>().0;
    remove_refuted(board, &branches.refuted(), found);
    find_common_removals(board, branches, Propagation::Basics, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let branches = &board.derived::<WithBasics>().0;
    list_refuted(board, &branches.refuted(), Propagation::Basics, found);
    find_common_removals(board, branches, Propagation::Basics, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &DynamicForcing,
    &[
        // Singles are enough to remove the candidate.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // If one of the digits were elsewhere in the row, a naked pair would leave a cell
        // without candidates.
        ("r1c159=123", "r1c234678<>123"),
        // The assumptions are the places of 5 in row 2.
        ("5@r2=37 5@r6=38", "r13c8<>5, r45c7<>5"),
    ],
    &[
        // Finds nothing: r1c9 has a fourth digit, so the cells are not a naked triple.
        "r1c15=123 r1c9=1234",
        // Finds nothing: r1c5 and r5c1 have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
    ],
);
