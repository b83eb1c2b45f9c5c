//! The solving technique "ALS chain": its manual, the search for its steps, and its tests.

use super::graphs::GroupGraph;
use super::quick::set_chains;
use super::{links, listed};
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::chains;
use crate::grade::techniques::link_graph::Graph;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Alternating inference chains whose strong links can also be in almost locked sets: N
    /// cells of a house with N + 1 digits, of which at most one is missing. For two of its
    /// digits x and y, "x is in the set" or "y is in the set" is true. If all candidates of a
    /// cell but one are digits of the set, and the cell sees all their places there, then for
    /// each digit x of the set that is no candidate of the cell, "x is in the set" or "the cell
    /// holds that one candidate" is true. If that one candidate is a digit of the set too, the
    /// same holds for it, but this technique does not use it. Chains that consist of almost
    /// locked sets only are included.
    ///
    /// # Why it is sound
    ///
    /// If x is missing in the set, each of its other digits is in it, and so is not in a cell
    /// that sees all its places there. So these links are strong, and the argument of the
    /// alternating inference chain holds.
    AlsChain {
        name: "ALS chain",
        level: Level::Unfair,
        effort: 340,
        hodoku_codes: &["0903", "0709-2", "0710-3", "0710-4", "0711-3", "0711-4"],
        hodoku_order: Some(460),
        explainer: "~7.5",
        hodoku_names: &["Almost Locked Set Chain"],
        explainer_names: &[],
        example: Example {
            grid: ".78.2.6436...7.2182416837953...68.27.26.3798..8729..368..7.9.62.6.3.287.712846359",
            removed: "524",
            effect: "r5c4<>4",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let graph = &board.derived::<GroupGraph>().0;
    let eliminations = set_chains::eliminations(board, graph)
        .unwrap_or_else(|| listed::removals::eliminations(&graph_of_sets(board)));
    found.eliminate(board, eliminations.by_digit(), Pattern::default);
}

fn list_steps(board: &Position, found: &mut Steps) {
    chains::list_steps(board, &graph_of_sets(board), found);
}

/// The graph of the links of cells, houses and almost locked sets.
fn graph_of_sets(board: &Position) -> Graph {
    let mut graph = board.derived::<GroupGraph>().0.clone();
    links::almost_locked(board, &mut graph);
    graph.build(board, true)
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &AlsChain,
    &[
        // Each set is a single cell, so this is also an XY-wing.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // There are two sets of two cells, so this is also ALS-XZ.
        ("r1c1=13 r1c2=23 r5c1=14 r5c3=24", "r123c3<>2, r456c2<>2"),
        // The chain has a group in row 8, and two sets of one cell.
        ("r9c3=12 r5c9=12 1@r8=129", "r5c3<>2, r9c9<>2"),
    ],
    &[
        // Finds nothing: r5c1 and r5c3 have together four digits, so they are not an almost locked set.
        "r1c1=13 r1c2=23 r5c1=14 r5c3=25",
        // Finds nothing: each set is a single cell, and the end cells r1c5 and r5c1 have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
    ],
);
