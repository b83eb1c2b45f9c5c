//! The digits that each cell has in the solutions of a puzzle, with one puzzle in each lane. The module
//! [`ambiguity`](crate::solve::ambiguity) has the algorithm; [`probe_cells`](crate::solve::probe_cells) is the
//! readable twin.

use super::board::LaneBoard;
use super::search::{SLOTS, SearchFeed};
use crate::board::Candidates;
use crate::board::bands::WORDS;
use crate::solve::SolutionDigits;

/// Boards whose cells are probed one after the other, and the results.
pub(super) struct Probes<'a> {
    boards: &'a [Candidates],
    /// The index of the first board that no slot has taken yet.
    next_board: usize,
    /// The limit of the nodes of all searches for one board.
    nodes: u64,
    results: &'a mut [Option<SolutionDigits>],
    slots: Box<[Slot; SLOTS]>,
}

/// The board whose cells a slot probes. All words are in the layout of a [`LaneBoard`].
#[derive(Clone, Copy)]
struct Slot {
    /// The index of the board.
    board: usize,
    state: SlotState,
    /// The candidates that are not yet known to be in no solution.
    possible: [u32; WORDS],
    /// The digits that the cells have in the solutions found so far.
    seen: [u32; WORDS],
    /// The cell that the current search probes, as its band and its bit.
    cell: (usize, u32),
    nodes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum SlotState {
    /// The slot needs the next board.
    Free,
    /// The search runs, or has ended without a solution.
    Probing,
    /// The search has found a solution.
    Found,
    /// The search has reached the limit of nodes.
    GaveUp,
}

impl Slot {
    const FREE: Slot = Slot {
        board: 0,
        state: SlotState::Free,
        possible: [0; WORDS],
        seen: [0; WORDS],
        cell: (0, 0),
        nodes: 0,
    };

    /// A cell that has candidates which no solution so far has, as its band and its bit; `None` if there is none.
    #[inline(always)]
    fn unsettled_cell(&self) -> Option<(usize, u32)> {
        (0..3).find_map(|band| {
            let unseen = (0..9).map(|digit| 3 * digit + band);
            let unseen = unseen.fold(0, |cells, word| {
                cells | self.possible[word] & !self.seen[word]
            });
            (unseen != 0).then_some((band, unseen & unseen.wrapping_neg()))
        })
    }

    /// The board on which the current cell can only have digits that it has in no solution so far.
    #[inline(always)]
    fn restricted_board(&self) -> LaneBoard {
        let (band, bit) = self.cell;
        let mut places = self.possible;
        for digit in 0..9 {
            places[3 * digit + band] &= !(self.seen[3 * digit + band] & bit);
        }
        LaneBoard::with_places(&places, [0; 3])
    }

    /// Removes the candidates of the current cell that are in no solution.
    #[inline(always)]
    fn settle_cell(&mut self) {
        let (band, bit) = self.cell;
        for digit in 0..9 {
            let word = 3 * digit + band;
            self.possible[word] &= !bit | self.seen[word];
        }
    }

    fn solution_digits(&self) -> SolutionDigits {
        let mut masks = vec![0; 81];
        for (word, seen) in self.seen.iter().enumerate() {
            let (digit, band) = (word / 3, word % 3);
            let mut cells = *seen;
            while cells != 0 {
                let at = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                masks[27 * band + 9 * (at / 10) + at % 10] |= 1 << digit;
            }
        }
        SolutionDigits::from_masks(9, masks)
    }
}

impl<'a> Probes<'a> {
    /// The probes of all cells of these boards. `results` must have an element for each board, which is `None`.
    pub(super) fn new(
        boards: &'a [Candidates],
        nodes: u64,
        results: &'a mut [Option<SolutionDigits>],
    ) -> Probes<'a> {
        Probes {
            boards,
            next_board: 0,
            nodes,
            results,
            slots: Box::new([Slot::FREE; SLOTS]),
        }
    }
}

impl SearchFeed for Probes<'_> {
    const IS_HOPEFUL: bool = true;

    #[inline(always)]
    fn next(&mut self, slot: usize, board: &mut LaneBoard) -> bool {
        let slot = &mut self.slots[slot % SLOTS];
        loop {
            if slot.state == SlotState::Free {
                let Some(candidates) = self.boards.get(self.next_board) else {
                    return false;
                };
                *slot = Slot {
                    board: self.next_board,
                    state: SlotState::Probing,
                    possible: *LaneBoard::new(candidates).places(),
                    ..Slot::FREE
                };
                self.next_board += 1;
            }
            if let Some(cell) = slot.unsettled_cell() {
                slot.cell = cell;
                slot.state = SlotState::Probing;
                *board = slot.restricted_board();
                return true;
            }
            self.results[slot.board] = Some(slot.solution_digits());
            slot.state = SlotState::Free;
        }
    }

    #[inline(always)]
    fn solved(&mut self, slot: usize, places: impl FnOnce() -> [u32; WORDS]) -> bool {
        let slot = &mut self.slots[slot % SLOTS];
        slot.state = SlotState::Found;
        for (seen, places) in slot.seen.iter_mut().zip(places()) {
            *seen |= places;
        }
        false
    }

    #[inline(always)]
    fn may_guess(&mut self, slot: usize) -> bool {
        let slot = &mut self.slots[slot % SLOTS];
        if slot.nodes == self.nodes {
            slot.state = SlotState::GaveUp;
            return false;
        }
        slot.nodes += 1;
        true
    }

    #[inline(always)]
    fn ended(&mut self, slot: usize, _open: usize) {
        let slot = &mut self.slots[slot % SLOTS];
        match slot.state {
            SlotState::Found | SlotState::Free => {}
            SlotState::GaveUp => slot.state = SlotState::Free,
            SlotState::Probing => {
                slot.settle_cell();
                let (band, bit) = slot.cell;
                if (0..9).all(|digit| slot.seen[3 * digit + band] & bit == 0) {
                    // Not even the first search found a solution.
                    self.results[slot.board] = Some(slot.solution_digits());
                    slot.state = SlotState::Free;
                }
            }
        }
    }
}
