//! The solving technique "X-chain": its manual, the search for its steps, and its tests.

use super::links;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::chains;
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::techniques::single_digit::XChains;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A chain of places of one digit, whose links are strong and weak in turn, and which
    /// begins and ends with a strong link. A strong link joins the two places of the digit in a
    /// house, a weak link two places that see each other. The digit is removed from all cells
    /// that see both ends. Chains can have any length, and loops are included.
    ///
    /// # Why it is sound
    ///
    /// If the first end is false, the links make the last end true. So one of the two ends
    /// holds the digit, and a cell that sees both cannot hold it.
    XChain {
        name: "X-chain",
        level: Level::Unfair,
        effort: 260,
        hodoku_codes: &["0701"],
        hodoku_order: Some(400),
        explainer: "6.5–6.9",
        hodoku_names: &["X-Chain"],
        explainer_names: &[],
        example: Example {
            grid: "3897142.....5683191..23947869387.1.48..64....54.39.68....9875.1..8.56...9...238..",
            removed: "",
            effect: "r2c3<>7",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    let removed = &board.derived::<XChains>().removed;
    found.eliminate(board, removed.by_digit(), Pattern::default);
}

fn list_steps(board: &Position, found: &mut Steps) {
    let mut graph = GraphBuilder::default();
    links::bilocal(board, &mut graph);
    chains::list_steps(board, &graph.build(board, false), found);
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &XChain,
    &[
        // The chain has three strong links.
        ("5@r1=15 5@r6=58 5@r9=28", "r78c1<>5, r23c2<>5"),
        // The loop is also an X-wing.
        ("5@r2=37 5@r6=37", "r1345789c37<>5"),
        // The chain has two strong links, so it is also a turbot fish.
        ("5@b1=18 5@r7=19", "r3c9<>5"),
    ],
    &[
        // Finds nothing: row 9 has three places, so the last link is not strong.
        "5@r1=15 5@r6=58 5@r9=278",
        // Finds nothing: no place in row 6 shares a column with row 1, so the first weak link is missing.
        "5@r1=15 5@r6=68 5@r9=28",
    ],
);
