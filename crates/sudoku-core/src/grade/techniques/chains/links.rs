//! Adds the strong links of a board to a graph.

use crate::board::{CellSet, Digit, House, HouseKind, count_nine};
use crate::grade::Position;
use crate::grade::techniques::als::{AlsLinks, link_quickly};
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::techniques::single_digit::conjugate::conjugate_pairs;

/// Links the two candidates of each cell that has exactly two.
pub(super) fn bivalue(board: &Position, graph: &mut GraphBuilder) {
    let [_, two, three] = board.at_least();
    for cell in board.unsolved() & two.without(three) {
        let mut digits = board.by_cell()[cell.index()];
        if let (Some(x), Some(y)) = (digits.next(), digits.next()) {
            let x = graph.node(x, CellSet::of(cell));
            let y = graph.node(y, CellSet::of(cell));
            graph.link(x, y);
        }
    }
}

/// Links the two places of each digit in each house in which it has exactly two.
pub(super) fn bilocal(board: &Position, graph: &mut GraphBuilder) {
    for digit in Digit::ALL {
        for pair in conjugate_pairs(board, digit) {
            let [a, b] = pair.ends.map(|end| graph.node(digit, CellSet::of(end)));
            graph.link(a, b);
        }
    }
}

/// Links the places of a digit in each house in which they form two groups. A group is either a
/// single cell, or two or three cells in which a box and a line cross.
pub(super) fn grouped(board: &Position, graph: &mut GraphBuilder) {
    for digit in Digit::ALL {
        for house in House::ALL {
            let places = board.open_in(house, digit);
            if !(3..=6).contains(&count_nine(places)) {
                continue;
            }
            // Each split into two parts, of which the first contains the lowest place.
            let rest = places & (places - 1);
            let mut part = rest;
            while part != 0 {
                let others = places & !part;
                if is_group(house, part) && is_group(house, others) {
                    let a = graph.node(digit, house.unproject(part));
                    let b = graph.node(digit, house.unproject(others));
                    graph.link(a, b);
                }
                part = (part - 1) & rest;
            }
        }
    }
}

/// Links the digits of almost locked sets, and cells beside them, by [`AlsLinks::link`].
pub(super) fn almost_locked(board: &Position, graph: &mut GraphBuilder) {
    board.derived::<AlsLinks>().link(board, graph);
}

/// Adds those links of [`almost_locked`] that chains need, by [`link_quickly`].
pub(super) fn needed_almost_locked(board: &Position, graph: &mut GraphBuilder) {
    link_quickly(board, graph);
}

/// Whether a box and a line cross in all these places of a house.
fn is_group(house: House, places: u16) -> bool {
    const THIRDS: [u16; 3] = [0o007, 0o070, 0o700];
    const COLUMNS_OF_BOX: [u16; 3] = [0o111, 0o222, 0o444];
    let within = |all: &u16| places & !all == 0;
    THIRDS.iter().any(within) || house.kind() == HouseKind::Box && COLUMNS_OF_BOX.iter().any(within)
}
