//! Finds the strong links of a board, by kind, and adds them to a graph.

use crate::board::{Digit, House, HouseKind};
use crate::grade::Position;
use crate::grade::techniques::als::AlsLinks;
use crate::grade::techniques::link_graph::GraphBuilder;
use crate::grade::techniques::single_digit::conjugate::conjugate_pairs;

/// Links the two candidates of each bivalue cell.
pub(super) fn bivalue(board: &Position, graph: &mut GraphBuilder) {
    let [_, two, three] = board.at_least();
    for cell in board.unsolved() & two.without(three) {
        let mut digits = board.by_cell()[cell.index()];
        if let (Some(x), Some(y)) = (digits.next(), digits.next()) {
            let x = graph.node_of_cell(x, cell);
            let y = graph.node_of_cell(y, cell);
            graph.link(x, y);
        }
    }
}

/// Links the two places of a digit in each house in which the digit has exactly two places.
pub(super) fn bilocal(board: &Position, graph: &mut GraphBuilder) {
    for digit in Digit::ALL {
        for pair in conjugate_pairs(board, digit) {
            let [a, b] = pair.ends.map(|end| graph.node_of_cell(digit, end));
            graph.link(a, b);
        }
    }
}

/// Links two groups that together contain all places of a digit in a house. A group is a single cell, or two or three
/// cells that a box and a line share.
pub(super) fn grouped(board: &Position, graph: &mut GraphBuilder) {
    for digit in Digit::ALL {
        for house in House::from_bits(board.by_house().with_more_than(2, digit)) {
            let places = board.open_in(house, digit);
            let splits = match house.kind() {
                HouseKind::Box => &SPLITS_OF_BOX,
                _ => &SPLITS_OF_LINE,
            };
            for part in splits[usize::from(places)] {
                if part != 0 {
                    let a = graph.node(digit, house.unproject(part));
                    let b = graph.node(digit, house.unproject(places & !part));
                    graph.link(a, b);
                }
            }
        }
    }
}

/// Adds the links of almost locked sets: between their digits, and to cells outside (see [`AlsLinks::link`]).
pub(super) fn almost_locked(board: &Position, graph: &mut GraphBuilder) {
    board.derived::<AlsLinks>().link(board, graph);
}

/// For each set of at least three places in a line, all ways to split it into two groups. An entry is the group without
/// the lowest place; unused entries are 0.
static SPLITS_OF_LINE: [[u16; 3]; 512] = splits(false);
static SPLITS_OF_BOX: [[u16; 3]; 512] = splits(true);

const fn splits(of_box: bool) -> [[u16; 3]; 512] {
    let mut splits = [[0; 3]; 512];
    let mut places = 1u16;
    while places < 512 {
        let rest = places & (places - 1);
        let mut count = 0;
        let mut part = if places.count_ones() > 2 { rest } else { 0 };
        while part != 0 {
            if is_group(of_box, part) && is_group(of_box, places & !part) {
                splits[places as usize][count] = part;
                count += 1;
            }
            part = (part - 1) & rest;
        }
        places += 1;
    }
    splits
}

/// Whether these places of a house form a group: they lie where a box and a line cross.
const fn is_group(of_box: bool, places: u16) -> bool {
    let lines: [u16; 6] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444];
    let count = if of_box { 6 } else { 3 };
    let mut n = 0;
    while n < count {
        if places & !lines[n] == 0 {
            return true;
        }
        n += 1;
    }
    false
}
