//! The second assumptions of nested forcing chains, and sets of them. A nested chain assumes one candidate, and then a
//! second one on the board that follows from the first.

use super::super::branches::Branches;
use super::cells::BLOCK;
use super::queue::Block;
use crate::bit_rows::number_type;
use crate::board::{Cell, CellSet, Digit};

number_type! {
    /// The index of a second assumption in [`Others::list`].
    pub(super) OtherId
}

/// A set of second assumptions, with one bit for each index in [`Others::list`]. A word has [`BLOCK`] bits.
#[derive(Clone, Debug)]
pub(super) struct OtherSet(pub(super) Vec<u32>);

impl OtherSet {
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|block| *block == 0)
    }

    pub(super) fn insert(&mut self, other: OtherId) {
        self.0[other.index() / BLOCK] |= 1 << (other.index() % BLOCK);
    }

    pub(super) fn remove(&mut self, other: OtherId) {
        self.0[other.index() / BLOCK] &= !(1 << (other.index() % BLOCK));
    }

    pub(super) fn contains(&self, other: OtherId) -> bool {
        self.0[other.index() / BLOCK] >> (other.index() % BLOCK) & 1 == 1
    }

    /// Takes the next block that has assumptions in the set: removes them, and returns the index of the block and the
    /// mask of the assumptions. The search starts at the block `next`, and wraps around.
    pub(super) fn take_block(&mut self, next: &mut usize) -> Option<(usize, u32)> {
        for _ in 0..self.0.len() {
            let block = *next;
            *next = (block + 1) % self.0.len();
            if self.0[block] != 0 {
                return Some((block, std::mem::take(&mut self.0[block])));
            }
        }
        None
    }
}

/// All second assumptions: the candidates of the board, without those that singles alone refute.
pub(super) struct Others {
    /// The second assumptions. Those that leave the fewest candidates when they are assumed come first, because their
    /// tests fail most often.
    pub(super) list: Vec<(Digit, Cell)>,
    /// For each digit and cell, the index of the candidate in `list`; [`NONE`] if it is not in the list.
    pub(super) index: Box<[[OtherId; 81]; 9]>,
    /// For each index in `list`, the board that follows from the candidate by singles. The boards are grouped into
    /// blocks.
    pub(super) blocks: Vec<Block>,
    /// For each index in `list`, the other second assumptions that follow from this one by singles.
    pub(super) implied: Vec<OtherSet>,
}

/// The value in [`Others::index`] of candidates that are not second assumptions.
pub(super) const NONE: OtherId = OtherId(u16::MAX);

impl Others {
    pub(super) fn new(singles: &Branches) -> Others {
        let single_cases = singles.cases().iter();
        let alive =
            single_cases.filter_map(|(digit, cell, board)| Some((*digit, *cell, board.as_ref()?)));
        let mut alive: Vec<_> = alive
            .map(|(digit, cell, board)| {
                let candidates: usize = board.all_open_places().iter().map(|c| c.len()).sum();
                (candidates, digit, cell, board)
            })
            .collect();
        alive.sort_by_key(|(candidates, ..)| *candidates);
        let mut others = Others {
            list: Vec::new(),
            index: Box::new([[NONE; 81]; 9]),
            blocks: vec![[[0; BLOCK]; 81]; alive.len().div_ceil(BLOCK)],
            implied: Vec::new(),
        };
        for (at, (_, digit, cell, board)) in alive.iter().enumerate() {
            let (digit, cell) = (*digit, *cell);
            others.list.push((digit, cell));
            others.index[digit.index()][cell.index()] = OtherId::new(at);
            let block = &mut others.blocks[at / BLOCK];
            for (words, digits) in block.iter_mut().zip(board.by_cell()) {
                words[at % BLOCK] = digits.bits();
            }
        }
        others.implied = alive
            .iter()
            .map(|(.., board)| {
                let solved = !board.unsolved();
                others.among(&board.all_places().map(|places| places & solved))
            })
            .collect();
        others
    }

    pub(super) fn none(&self) -> OtherSet {
        OtherSet(vec![0; self.blocks.len()])
    }

    /// The set of those second assumptions that are among these candidates. `places` has the cells of each digit.
    pub(super) fn among(&self, places: &[CellSet; 9]) -> OtherSet {
        let mut set = self.none();
        for (index, cells) in self.index.iter().zip(places) {
            cells.for_each(|cell| {
                let at = index[cell.index()];
                if at != NONE {
                    set.insert(at);
                }
            });
        }
        set
    }
}
