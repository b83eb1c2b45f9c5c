//! The solving technique "XY-chain": its manual, the search for its steps, and its tests.

use super::aic::AicRemovals;
use super::links;
use super::quick::colours;
use crate::board::{CandidateSet, Cell, CellSet, Digit};
use crate::grade::order::TechniqueName;
use crate::grade::technique::{Example, Level, technique};
use crate::grade::techniques::chains;
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// A chain of cells with two candidates. Each cell sees the next one and shares a digit
    /// with it. If both ends can hold the same digit, which is not the one that they share with
    /// their neighbours in the chain, it is removed from all cells that see both ends. Chains
    /// can have any length, and loops are included.
    ///
    /// # Why it is sound
    ///
    /// If the first cell does not hold this digit, it holds its other one. Then the second cell
    /// does not hold that one, and so on up to the last cell, which holds the digit. So one of
    /// the ends holds it.
    XyChain {
        name: "XY-chain",
        level: Level::Unfair,
        effort: 260,
        hodoku_codes: &["0702"],
        hodoku_order: Some(410),
        explainer: "6.6–7.0",
        hodoku_names: &["XY-Chain"],
        explainer_names: &[],
        example: Example {
            grid: "9347516..7689231545126847..489167...173245..6256398417695412.7.321876.4.847539261",
            removed: "",
            effect: "r5c8<>8",
        },
    }
    union: find_union,
    list: list_steps,
}

fn find_union(board: &Position, found: &mut Steps) {
    // Cells only lose candidates. So each chain that is new since the technique last found nothing contains a cell that
    // has changed since then and now has two candidates.
    let changed = board.changes(TechniqueName::XyChain, found).cells();
    let bivalue = bivalue_cells(board);
    if !(bivalue & changed).is_empty() {
        // These chains are also alternating inference chains (AIC), whose removals are kept for the technique AIC. So
        // only what AIC remove has to be tested, and on most boards that is nothing.
        if let Some(removals) = board.derived::<AicRemovals>().0
            && removals.len() <= FEW
        {
            for (digit, cells) in removals.by_digit() {
                let removed = cells.filter(|cell| excludes_itself(board, bivalue, digit, *cell));
                found.eliminate(board, [(digit, removed.collect())], Pattern::default);
            }
            board.record_miss(TechniqueName::XyChain, found);
            return;
        }
        chains::find_union(board, &bivalue_graph(board), colours::eliminations, found);
        board.record_miss(TechniqueName::XyChain, found);
    }
}

fn list_steps(board: &Position, found: &mut Steps) {
    if !bivalue_cells(board).is_empty() {
        chains::list_steps(board, &bivalue_graph(board).build(board, true), found);
        board.record_miss(TechniqueName::XyChain, found);
    }
}

/// The cells without a digit that have at most two candidates.
fn bivalue_cells(board: &Position) -> CellSet {
    let [_, _, three] = board.at_least();
    board.unsolved().without(three)
}

/// The links between the candidates of cells with two candidates.
fn bivalue_graph(board: &Position) -> GraphBuilder {
    let mut graph = GraphBuilder::default();
    links::bivalue(board, &mut graph);
    graph
}

/// Up to this number of candidates, it is quicker to look for a chain from each than to close the graph of all chains.
const FEW: usize = 12;

/// Whether a candidate is false because of an XY-chain. If it were true, cells in `bivalue`, the cells with two
/// candidates, would lose one of these one after the other, until one of them would hold a digit that excludes it.
fn excludes_itself(board: &Position, bivalue: CellSet, digit: Digit, cell: Cell) -> bool {
    let (mut lost, mut next) = (CandidateSet::EMPTY, vec![(digit, cell)]);
    while let Some((placed, at)) = next.pop() {
        let peers = at.peers() & board.open_places(placed) & bivalue;
        let losing = peers.without(lost.cells(placed));
        lost.insert(placed, losing);
        for peer in losing {
            let mut left = board.by_cell()[peer.index()];
            left.remove(placed);
            for other in left {
                let sees_candidate = if other == digit {
                    cell.peers().contains(peer)
                } else {
                    peer == cell
                };
                if sees_candidate {
                    return true;
                }
                next.push((other, peer));
            }
        }
    }
    false
}

#[cfg(test)]
crate::grade::techniques::testing::check_technique!(
    &XyChain,
    &[
        // The chain has three cells, so it is also an XY-wing.
        ("r1c1=12 r1c5=13 r5c1=23", "r5c5<>3"),
        // The chain has four cells.
        ("r1c1=12 r1c5=23 r5c5=34 r5c9=14", "r1c9<>1, r5c1<>1"),
        // The loop is also a naked triple.
        ("r1c1=12 r1c5=23 r1c9=13", "r1c234678<>123"),
    ],
    &[
        // Finds nothing: the end cells r1c5 and r5c1 have no digit in common.
        "r1c1=12 r1c5=13 r5c1=24",
        // Finds nothing: the chain has four cells, and its end cells have no digit in common.
        "r1c1=12 r1c5=23 r5c5=34 r5c9=15",
        // Finds nothing: one cell has three candidates.
        "r1c1=12 r1c5=23 r5c5=345 r5c9=14",
    ],
);
