//! The solving technique "Alternating inference chain": its manual, the search for its steps, and its tests.

use super::graphs::CellGraph;
use super::quick::colours;
use crate::board::CandidateSet;
use crate::grade::position::Derived;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::chains;
use crate::grade::{Position, Steps};

technique! {
    /// A chain of candidates whose links are strong and weak in turn, and which begins and ends
    /// with a strong link. A strong link joins the two candidates of a cell, or the two places
    /// of a digit in a house. A weak link joins two candidates of a cell, or two places of a
    /// digit that see each other. Every candidate that has a weak link to both ends is removed.
    /// Nice loops are included: chains whose ends have a weak link to each other, or are the
    /// same candidate.
    ///
    /// # Why it is sound
    ///
    /// If the first end is false, the links make the last end true. So one of the two ends is
    /// true, and a candidate with weak links to both is false.
    Aic {
        name: "Alternating inference chain",
        level: Level::Unfair,
        effort: 280,
        hodoku_codes: &["0706", "0707", "0708"],
        hodoku_order: Some(420),
        explainer: "7.0–7.5",
        hodoku_names: &["Discontinuous Nice Loop", "Continuous Nice Loop", "AIC"],
        explainer_names: &[],
        example: Example {
            grid: "146853297.25749....9721654.23.687...56.1.2...7185.4.62972465831651378429483921...",
            removed: "",
            effect: "r4c8<>1",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let graph = &board.derived::<CellGraph>().0;
    let removals = |board: &Position, _: &_| board.derived::<AicRemovals>().0;
    chains::find_union(board, graph, removals, found);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let graph = board.derived::<CellGraph>().0.clone();
    chains::list_steps(board, &graph.build(board, true), found);
}

/// The candidates that alternating inference chains remove; `None` if the graph is too large for the module `colours`.
pub(super) struct AicRemovals(pub(super) Option<CandidateSet>);

impl Derived for AicRemovals {
    fn from_position(board: &Position) -> AicRemovals {
        let graph = &board.derived::<CellGraph>().0;
        AicRemovals(colours::eliminations(board, graph))
    }
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &Aic,
    &[
        // The strong links are two cells and a row, so this is also a W-wing.
        ("r1c1=12 r5c9=12 1@r8=19", "r1c9<>2, r5c1<>2"),
        // The ends of the chain are 1 in r1c1 and 3 in r1c9.
        ("1@c1=17 r7c5=13 3@r1=59", "r1c9<>1"),
        // The loop is a naked pair.
        ("r1c15=12", "r1c2346789<>12"),
    ],
    &[
        // Finds nothing: row 1 has a third place for 3.
        "1@c1=17 r7c5=13 3@r1=569",
        // Finds nothing: one end of the link in row 8 is a group, which this technique lacks.
        "r9c3=12 r5c9=12 1@r8=129",
    ],
);
