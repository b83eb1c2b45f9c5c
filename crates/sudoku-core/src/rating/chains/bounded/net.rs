//! The links between the numbered candidates of a board, and a grid of candidates, of which each dynamic run gets a
//! copy.

use crate::bit_rows::BitSet;
use crate::board::{Cell, Digit, DigitSet, House};
use crate::rating::board::{Board, houses_of, peer_groups};
use crate::rating::chains::node::LinkKinds;
use crate::rating::chains::numbering::CandidateNumbering;

/// The number of slots (see [`RunGrid`]): one for each of 81 cells, and one for each digit in each of 27 houses.
const SLOTS: usize = 81 + 243;

/// The candidates of each slot, as bits. A slot is a cell, or a digit in a house. Exactly one of its candidates is
/// true.
///
/// ```text
/// slot   0 .. 81                   the cell; bit d is the digit d
///        81 + 9 · house + digit    bit n is place n of the house
/// ```
///
/// The array is longer than the number of slots, so that an index can be masked instead of tested.
#[derive(Clone)]
pub(super) struct RunGrid([u16; ARRAY_SIZE]);

/// The length of the array of slots: a power of two, so that an index can be masked instead of checked.
const ARRAY_SIZE: usize = SLOTS.next_power_of_two();

/// A candidate, with the four slots of [`RunGrid`] that contain it.
#[derive(Clone, Copy)]
pub(super) struct CandidateSlots {
    pub(super) cell: Cell,
    pub(super) digit: Digit,
    /// The slots that contain the candidate: its cell, and its digit in its box, row and column.
    pub(super) slots: [u16; 4],
    /// For each slot in `slots`, a mask without the candidate's bit.
    pub(super) others: [u16; 4],
}

/// The links between the candidates of a board, before any run (search from one assumption) has removed candidates.
pub(super) struct LinkNet<const W: usize> {
    /// Gives each candidate its index, which nodes and links use. Some candidates may no longer be on the board.
    numbering: CandidateNumbering,
    /// The candidates of each cell of the board.
    cells: [DigitSet; 81],
    pub(super) candidate_slots: Vec<CandidateSlots>,
    /// For each candidate, the set with only this candidate. Adding this set as a vector is faster than setting a bit,
    /// which would wait for the word that was just stored.
    pub(super) alone: Vec<BitSet<W>>,
    /// For each candidate, the candidates that are off if it is on, as two sets. The first set has the other candidates
    /// of its cell, and its digit in the peers; the second set has only its digit in the peers.
    off: Vec<[BitSet<W>; 2]>,
    orders: Vec<OffOrder>,
    /// The candidates that are still on the board.
    pub(super) on_board: BitSet<W>,
    pub(super) grid: RunGrid,
    pub(super) numbers: CandidateNumbers,
}

/// For each slot (a cell, or a digit in a house), the number of the candidate that each bit stands for.
pub(super) struct CandidateNumbers([[u16; 9]; SLOTS]);

/// The space for the candidates that are off because one candidate is on: at most 28, rounded up to a power of two.
pub(super) const MOST_OFF: usize = 32;

/// The candidates that are off if one candidate is on, in the order of Sudoku Explainer: first at most 8 of its cell,
/// then at most 20 of its digit in the peers.
#[derive(Clone, Copy)]
struct OffOrder {
    to: [u16; 28],
    of_cell: u8,
    count: u8,
}

impl OffOrder {
    const EMPTY: OffOrder = OffOrder {
        to: [0; 28],
        of_cell: 0,
        count: 0,
    };

    fn push(&mut self, to: usize) {
        self.to[usize::from(self.count)] = to as u16;
        self.count += 1;
    }

    fn remove(&mut self, out: usize) {
        let all = &self.to[..usize::from(self.count)];
        if let Some(at) = all.iter().position(|to| usize::from(*to) == out) {
            self.to.copy_within(at + 1..usize::from(self.count), at);
            self.count -= 1;
            self.of_cell -= u8::from(at < usize::from(self.of_cell));
        }
    }
}

impl<const W: usize> Default for LinkNet<W> {
    fn default() -> LinkNet<W> {
        LinkNet {
            numbering: CandidateNumbering::default(),
            cells: [DigitSet::EMPTY; 81],
            candidate_slots: Vec::new(),
            alone: Vec::new(),
            off: Vec::new(),
            orders: Vec::new(),
            on_board: BitSet::EMPTY,
            grid: RunGrid::EMPTY,
            numbers: CandidateNumbers([[0; 9]; SLOTS]),
        }
    }
}

impl<const W: usize> LinkNet<W> {
    /// Computes the links of a board. If the board has the same numbering as the last one, and has only lost candidates
    /// since, only the links of these candidates are removed. Returns whether that was so.
    pub(super) fn update(&mut self, board: &Board, numbering: &CandidateNumbering) -> bool {
        let is_less = *numbering == self.numbering && self.remove_gone(board);
        if !is_less {
            self.numbering.clone_from(numbering);
            self.fill(board);
        }
        is_less
    }

    /// Removes the links of candidates that are no longer on the board. Returns false if the board has a candidate that
    /// the last board lacks.
    fn remove_gone(&mut self, board: &Board) -> bool {
        for cell in Cell::all() {
            let (old, new) = (self.cells[cell.index()], board.digits(cell));
            if old == new {
                continue;
            }
            if old.intersection(new) != new {
                return false;
            }
            for digit in old.intersection(new.complement()) {
                self.remove(self.numbering.number(cell, digit));
            }
            self.cells[cell.index()] = new;
        }
        true
    }

    fn remove(&mut self, n: usize) {
        self.on_board.remove(n);
        self.grid.remove(&self.candidate_slots[n]);
        let order = std::mem::replace(&mut self.orders[n], OffOrder::EMPTY);
        for &mate in &order.to[..usize::from(order.count)] {
            let mate = usize::from(mate);
            self.orders[mate].remove(n);
            self.off[mate].iter_mut().for_each(|off| off.remove(n));
        }
        self.off[n] = [BitSet::EMPTY; 2];
    }

    fn fill(&mut self, board: &Board) {
        self.candidate_slots.clear();
        self.alone.clear();
        self.off.clear();
        self.orders.clear();
        self.on_board = BitSet::EMPTY;
        self.cells = std::array::from_fn(|n| board.digits(Cell::new(n)));
        for cell in Cell::all() {
            self.grid.0[cell.index()] = board.digits(cell).bits();
        }
        for house in House::ALL {
            for digit in Digit::ALL {
                self.grid.0[slot(house, digit)] = board.places(house, digit);
            }
        }
        for &(cell, digit) in self.numbering.candidates() {
            let candidate_number = self.candidate_slots.len() as u16;
            let mut alone = BitSet::EMPTY;
            alone.insert(usize::from(candidate_number));
            self.alone.push(alone);
            let mut slots = [cell.index() as u16; 4];
            let mut bits = [1u16 << digit.index(); 4];
            for ((slot_of, bit), (house, place)) in
                { slots[1..].iter_mut().zip(&mut bits[1..]) }.zip(houses_of(cell))
            {
                *slot_of = slot(*house, digit) as u16;
                *bit = 1 << place;
            }
            for (slot, bit) in slots.into_iter().zip(bits) {
                self.numbers.0[usize::from(slot)][bit.trailing_zeros() as usize] = candidate_number;
            }
            self.candidate_slots.push(CandidateSlots {
                cell,
                digit,
                slots,
                others: bits.map(|bit| !bit),
            });
            let mut off = [BitSet::EMPTY; 2];
            let mut order = OffOrder::EMPTY;
            if board.digits(cell).contains(digit) {
                self.on_board.insert(usize::from(candidate_number));
                let mut other_digits = board.digits(cell);
                other_digits.remove(digit);
                for other in other_digits {
                    let other_number = self.numbering.number(cell, other);
                    off[0].insert(other_number);
                    order.push(other_number);
                }
                order.of_cell = order.count;
                for group in peer_groups(cell) {
                    for peer in board.cells(digit) & group {
                        let other_number = self.numbering.number(peer, digit);
                        off[1].insert(other_number);
                        order.push(other_number);
                    }
                }
                let peers_off = off[1];
                off[0].add(&peers_off);
            }
            self.off.push(off);
            self.orders.push(order);
        }
    }

    /// The set of candidates that are off if candidate number `on` is on.
    #[inline(always)]
    pub(super) fn off(&self, links: LinkKinds, on: usize) -> &BitSet<W> {
        &self.off[on][usize::from(!links.cells)]
    }

    /// The candidates that are off if candidate number `on` is on, in the order of Sudoku Explainer.
    #[inline(always)]
    pub(super) fn off_in_order(&self, links: LinkKinds, on: usize) -> &[u16] {
        let order = &self.orders[on];
        let first = if links.cells { 0 } else { order.of_cell };
        &order.to[usize::from(first)..usize::from(order.count)]
    }
}

fn slot(house: House, digit: Digit) -> usize {
    81 + 9 * house.index() + digit.index()
}

/// The value of a slot (a cell, or a digit in a house) in which a candidate is on. All bits are set, so the slot never
/// seems to have only one candidate left.
const SATISFIED: u16 = u16::MAX;

/// Whether a candidate of the slot is on. This also works after bits of the slot have been removed.
#[inline(always)]
fn is_satisfied(slot: u16) -> bool {
    slot & 1 << 15 != 0
}

impl RunGrid {
    pub(super) const EMPTY: RunGrid = RunGrid([0; ARRAY_SIZE]);

    /// For each slot (cell or digit in a house) of the candidate, the other candidates in the slot. The grid is not
    /// changed.
    #[inline(always)]
    pub(super) fn without(&self, spot: &CandidateSlots) -> [u16; 4] {
        std::array::from_fn(|k| self.slot(spot.slots[k]) & spot.others[k])
    }

    /// Removes a candidate from its slots (its cell, and its digit in three houses). Returns, for each slot, the
    /// candidates that are left.
    #[inline(always)]
    pub(super) fn remove(&mut self, spot: &CandidateSlots) -> [u16; 4] {
        let mut left_in_slots = [0; 4];
        for (k, left) in left_in_slots.iter_mut().enumerate() {
            let slot = self.slot_mut(spot.slots[k]);
            *slot &= spot.others[k];
            *left = *slot;
        }
        left_in_slots
    }

    /// Marks the slots of a candidate that is on: further removals from these slots have no consequences. `saved` gets
    /// the candidates that each slot had before any of its candidates was on.
    #[inline(always)]
    pub(super) fn satisfy(&mut self, spot: &CandidateSlots, saved: &mut RunGrid) {
        for slot in spot.slots {
            let left = std::mem::replace(self.slot_mut(slot), SATISFIED);
            if !is_satisfied(left) {
                *saved.slot_mut(slot) = left;
            }
        }
    }

    /// Copies the slots of `now` in which no candidate is on.
    #[inline(always)]
    pub(super) fn add_unsatisfied(&mut self, now: &RunGrid) {
        for (slot, now) in self.0[..SLOTS].iter_mut().zip(&now.0[..SLOTS]) {
            *slot = if is_satisfied(*now) { *slot } else { *now };
        }
    }

    /// The candidates of a slot, as bits.
    #[inline(always)]
    pub(super) fn slot(&self, slot: u16) -> u16 {
        self.0[usize::from(slot) % ARRAY_SIZE]
    }

    #[inline(always)]
    fn slot_mut(&mut self, slot: u16) -> &mut u16 {
        &mut self.0[usize::from(slot) % ARRAY_SIZE]
    }
}

impl CandidateNumbers {
    /// The number of the candidate that the lowest of these bits of a slot stands for.
    #[inline(always)]
    pub(super) fn first(&self, slot: u16, bits: u16) -> usize {
        usize::from(self.0[usize::from(slot)][bits.trailing_zeros() as usize])
    }

    /// Calls `visit` with the numbers of the candidates that these bits of a slot stand for.
    #[inline(always)]
    pub(super) fn for_each(&self, slot: u16, mut bits: u16, mut visit: impl FnMut(usize)) {
        while bits != 0 {
            visit(self.first(slot, bits));
            bits &= bits - 1;
        }
    }
}

/// Whether at most one bit is set, so that at most one candidate is left in the slot.
#[inline(always)]
pub(super) fn is_at_most_single(bits: u16) -> bool {
    bits & bits.wrapping_sub(1) == 0
}
