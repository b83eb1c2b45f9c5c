//! The second assumptions that nested forcing chains test after a first one, and sets of them.

use super::super::branches::Branches;
use super::cells::BLOCK;
use super::queue::Block;
use crate::board::{Cell, CellSet, Digit};

/// A set of second assumptions: one bit for each index in [`Others::list`], in words of [`BLOCK`] bits.
#[derive(Clone, Debug)]
pub(super) struct OtherSet(pub(super) Vec<u32>);

impl OtherSet {
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|block| *block == 0)
    }

    pub(super) fn insert(&mut self, other: u16) {
        self.0[usize::from(other) / BLOCK] |= 1 << (usize::from(other) % BLOCK);
    }

    pub(super) fn remove(&mut self, other: u16) {
        self.0[usize::from(other) / BLOCK] &= !(1 << (usize::from(other) % BLOCK));
    }

    pub(super) fn contains(&self, other: u16) -> bool {
        self.0[usize::from(other) / BLOCK] >> (usize::from(other) % BLOCK) & 1 == 1
    }

    /// Removes and returns the next block with any assumption in the set: its index, and the mask of its
    /// assumptions. The search starts at the block `next`, and wraps around.
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

/// All second assumptions: the candidates of the board that singles alone do not refute.
pub(super) struct Others {
    /// The second assumptions, ordered by the number of candidates that are left after assuming them, fewest first.
    /// These tests fail most often.
    pub(super) list: Vec<(Digit, Cell)>,
    /// By digit and cell, the index in `list`; [`NONE`] for candidates that are not in it.
    pub(super) index: Box<[[u16; 81]; 9]>,
    /// For each index in `list`, the board after singles on the branch of this candidate, in blocks.
    pub(super) blocks: Vec<Block>,
    /// For each index in `list`, the other second assumptions that this one implies: those placed on its board.
    pub(super) implied: Vec<OtherSet>,
}

/// The value in [`Others::index`] of candidates that are not second assumptions.
pub(super) const NONE: u16 = u16::MAX;

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
            others.index[digit.index()][cell.index()] = at as u16;
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

    /// Those of the candidates `places` (cells by digit) that are second assumptions, as a set.
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
