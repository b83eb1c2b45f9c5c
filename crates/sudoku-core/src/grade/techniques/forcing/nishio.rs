//! The solving technique "Nishio": its manual, the search for its steps, and its tests.

use super::branch_caches::WithSingles;
use super::{lanes, list_refuted, remove_refuted};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::{Position, Propagation, Steps};

technique! {
    /// A candidate is assumed, and the naked and hidden singles that follow are filled in. If
    /// this ends with a cell without candidates, a house without a place for a digit, or a
    /// digit twice in a house, the candidate is removed.
    ///
    /// # Why it is sound
    ///
    /// All these singles follow from the assumption, so a contradiction disproves it.
    Nishio {
        name: "Nishio",
        level: Level::Extreme,
        effort: 500,
        hodoku_codes: &["1301"],
        hodoku_order: None,
        explainer: "7.5–8.1",
        hodoku_names: &[],
        explainer_names: &[],
        example: Example {
            grid: ".5..138..8.4.7531.3.148.5.718254..3.5.3.2.1..47..312.564.15.923.3..6.451215394..8",
            removed: "",
            effect: "r1c8<>6",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let refuted_candidates = match board.vectors() {
        Some(vectors) => lanes::refuted(vectors, board),
        None => board.derived::<WithSingles>().0.refuted(),
    };
    remove_refuted(board, &refuted_candidates, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let refuted_candidates = board.derived::<WithSingles>().0.refuted();
    list_refuted(board, &refuted_candidates, Propagation::Singles, found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &Nishio,
    &[
        // If 1 were elsewhere in the row, the last of the three cells would have no
        // candidate.
        ("r1c1=12 r1c5=23 r1c9=13", "r1c234678<>123"),
        // If 3 were in r5c5, r1c1 would have no candidate.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // The contradictions follow from the assumptions by hidden singles.
        ("5@r2=37 5@r6=38", "r45c7<>5, r13c8<>5"),
    ],
    &[
        // Finds nothing: no single follows from any candidate.
        "r1c159=123",
        // Finds nothing: r1c5 and r5c1 have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
    ],
);
