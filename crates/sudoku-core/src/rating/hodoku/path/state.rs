//! The state of the board on HoDoKu's solving path: its candidates, counts of them, and two queues of singles.

use std::collections::VecDeque;

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, Grid, House};
use crate::rating::hodoku::sets::masked::MaskedItems;

/// A candidate, as its cell and its digit.
pub(crate) type Candidate = (Cell, Digit);

/// A part of the board whose candidates are counted: one digit in all cells, or all digits in a house.
pub(crate) trait BoardPart: Copy {
    /// The index of the part of the board, less than [`PARTS`].
    fn number(self) -> usize;
}

pub(crate) const PARTS: usize = 9 + 27;

impl BoardPart for Digit {
    fn number(self) -> usize {
        self.index()
    }
}

impl BoardPart for House {
    fn number(self) -> usize {
        9 + self.index()
    }
}

/// The state of the board between two steps.
///
/// When a removal leaves a single, HoDoKu appends it to one of two queues. The order in the queues decides which
/// single comes next, and depends on all steps from the first clue on.
///
/// ```text
/// digits[cell]             candidates of a cell; none if it has a value
/// board                    the same facts by digit, and the values
/// positions[house][digit]  the same facts by house
/// free[house][digit]       how many such cells a house has
/// left[part]               how many candidates a digit or a house has
///
/// remove(cell, digit)      1 candidate left in the cell    → back of `naked`
///                          1 place left in a house         → back of `hidden`
///                          no place left in a house        → its first entry leaves `hidden`
/// place(cell, digit)       removes the digit from the peers, then counts the cell's other candidates
///
/// naked    front → (cell, digit) (cell, digit) …   looked through for full houses, taken for naked singles
/// hidden   front → (cell, digit) (cell, digit) …   taken for hidden singles
/// ```
///
/// An entry whose cell has been filled stays in its queue until it reaches the front.
#[derive(Clone)]
pub(crate) struct State {
    digits: [DigitSet; 81],
    board: Candidates,
    /// For each digit, the empty cells that see no cell with this value, even if a step has removed the digit there.
    allowed: [CellSet; 9],
    free: [[u8; 9]; 27],
    positions: [[u16; 9]; 27],
    left: [u8; PARTS],
    clues: CellSet,
    naked: VecDeque<Candidate>,
    hidden: VecDeque<Candidate>,
}

impl State {
    /// Creates the state of a puzzle by placing its clues in the order of the cells.
    pub(crate) fn new(puzzle: &Grid) -> State {
        let mut state = State {
            digits: [DigitSet::FULL; 81],
            board: Candidates::FULL,
            allowed: [CellSet::FULL; 9],
            free: [[9; 9]; 27],
            positions: [[0x1ff; 9]; 27],
            left: [81; PARTS],
            clues: CellSet::EMPTY,
            naked: VecDeque::new(),
            hidden: VecDeque::new(),
        };
        for (cell, digit) in puzzle.clues() {
            state.place(cell, digit);
            state.clues.insert(cell);
        }
        state
    }

    /// The candidates of a cell; empty if the cell has a value.
    pub(crate) fn digits(&self, cell: Cell) -> DigitSet {
        self.digits[cell.index()]
    }

    /// The empty cells that have this candidate.
    pub(crate) fn places(&self, digit: Digit) -> CellSet {
        self.board.open_places(digit)
    }

    /// The candidates of these cells whose digit is one of these digits, cell by cell.
    pub(crate) fn candidates_in(
        &self,
        cells: impl IntoIterator<Item = Cell>,
        digits: DigitSet,
    ) -> impl Iterator<Item = Candidate> {
        cells.into_iter().flat_map(move |cell| {
            let digits = self.digits(cell).intersection(digits);
            digits.map(move |digit| (cell, digit))
        })
    }

    /// The first nine of these cells, each with its candidates as a mask.
    pub(crate) fn masked(&self, cells: impl IntoIterator<Item = Cell>) -> MaskedItems<Cell> {
        let cells = cells.into_iter();
        cells.map(|cell| (cell, self.digits(cell).bits())).collect()
    }

    /// The empty cells that see no cell with this value.
    pub(crate) fn allowed(&self, digit: Digit) -> CellSet {
        self.allowed[digit.index()]
    }

    /// The number of places of the digit in the house.
    pub(crate) fn free(&self, house: House, digit: Digit) -> u8 {
        self.free[house.index()][digit.index()]
    }

    /// The places of the digit in the house: bit n for [`House::cell`] n.
    pub(crate) fn positions(&self, house: House, digit: Digit) -> u16 {
        self.positions[house.index()][digit.index()]
    }

    /// If the digit has exactly two places in the house, the place other than `cell`; otherwise `None`.
    pub(crate) fn other_end(&self, house: House, digit: Digit, cell: Cell) -> Option<Cell> {
        let places = (house.cells() & self.places(digit)).without(CellSet::of(cell));
        places.first().filter(|_| self.free(house, digit) == 2)
    }

    /// The number of candidates in this part of the board (a digit or a house).
    pub(crate) fn left(&self, part: impl BoardPart) -> u8 {
        self.left[part.number()]
    }

    /// The value of a cell; `None` if the cell is empty.
    pub(crate) fn value(&self, cell: Cell) -> Option<Digit> {
        let has_value = !self.empty().contains(cell);
        has_value.then(|| self.board.digits(cell).single())?
    }

    /// The cells in which no digit is placed.
    pub(crate) fn empty(&self) -> CellSet {
        self.board.unsolved()
    }

    /// The cells of the puzzle's clues.
    pub(crate) fn clues(&self) -> CellSet {
        self.clues
    }

    /// The cells with exactly two candidates.
    pub(crate) fn bivalue(&self) -> CellSet {
        let [_, two, three] = self.board.at_least();
        two.without(three)
    }

    /// The board as [`Candidates`], the type that the rest of the crate uses.
    pub(crate) fn candidates(&self) -> &Candidates {
        &self.board
    }

    /// Removes a candidate; does nothing if the cell does not have it.
    pub(crate) fn remove(&mut self, cell: Cell, digit: Digit) {
        if !self.digits(cell).contains(digit) {
            return;
        }
        self.digits[cell.index()].remove(digit);
        self.board.eliminate(digit, CellSet::of(cell));
        self.take_position(cell, digit);
        let digits_left = self.digits(cell);
        if digits_left.is_empty() {
            return;
        }
        if let Some(single) = digits_left.single() {
            self.naked.push_back((cell, single));
        }
        for house in cell.houses() {
            match self.count_down(house, digit) {
                0 => {
                    let gone = |(cell, d): &Candidate| *d == digit && house.cells().contains(*cell);
                    if let Some(at) = self.hidden.iter().position(gone) {
                        self.hidden.remove(at);
                    }
                }
                1 => self.queue_hidden(house, digit),
                _ => {}
            }
        }
    }

    /// Sets the value of a cell.
    pub(crate) fn place(&mut self, cell: Cell, digit: Digit) {
        let had = std::mem::take(&mut self.digits[cell.index()]);
        let seen = cell.peers() & self.places(digit);
        self.board.place(cell, digit);
        for allowed in &mut self.allowed {
            allowed.remove(cell);
        }
        let allowed = &mut self.allowed[digit.index()];
        *allowed = allowed.without(cell.peers());
        for other in had {
            self.take_position(cell, other);
        }
        for peer in seen {
            self.remove(peer, digit);
        }
        for other in had {
            for house in cell.houses() {
                if self.count_down(house, other) == 1 && other != digit {
                    self.queue_hidden(house, other);
                }
            }
        }
    }

    /// The first entry in the queue of naked singles whose cell is the last empty cell of a house.
    pub(crate) fn full_house(&mut self) -> Option<Candidate> {
        let is_last = |house: House, digit: Digit| {
            let mut others = Digit::ALL.into_iter().filter(|other| *other != digit);
            others.all(|other| self.free(house, other) == 0)
        };
        let mut entries = self.naked.iter().copied();
        entries.find(|(cell, digit)| {
            self.empty().contains(*cell)
                && cell.houses().iter().any(|house| is_last(*house, *digit))
        })
    }

    /// Takes the next naked single from the queue; `None` if there is none.
    pub(crate) fn next_naked(&mut self) -> Option<Candidate> {
        let empty = self.empty();
        std::iter::from_fn(|| self.naked.pop_front()).find(|(cell, _)| empty.contains(*cell))
    }

    /// Takes the next hidden single from the queue. If the first entry with an empty cell is no longer a single,
    /// returns `None`, even if a later entry is a single.
    pub(crate) fn next_hidden(&mut self) -> Option<Candidate> {
        let empty = self.empty();
        let next = std::iter::from_fn(|| self.hidden.pop_front());
        let next = { next }.find(|(cell, _)| empty.contains(*cell))?;
        self.is_hidden(&next).then_some(next)
    }

    fn is_hidden(&self, (cell, digit): &Candidate) -> bool {
        let mut houses = cell.houses().into_iter();
        houses.any(|house| self.free(house, *digit) == 1)
    }

    /// The singles in both queues, naked singles first, even if their candidate has been removed since.
    pub(crate) fn queued(&self) -> Vec<Candidate> {
        let hidden = self.hidden.iter().filter(|entry| self.is_hidden(entry));
        let queued = self.naked.iter().chain(hidden).copied();
        queued
            .filter(|(cell, _)| self.empty().contains(*cell))
            .collect()
    }

    fn take_position(&mut self, cell: Cell, digit: Digit) {
        let (row, column) = (cell.row(), cell.column());
        let positions = [column, row, 3 * (row % 3) + column % 3];
        self.left[digit.number()] -= 1;
        for (house, at) in cell.houses().into_iter().zip(positions) {
            self.positions[house.index()][digit.index()] &= !(1 << at);
            self.left[house.number()] -= 1;
        }
    }

    fn count_down(&mut self, house: House, digit: Digit) -> u8 {
        let free = &mut self.free[house.index()][digit.index()];
        // In forcing nets, the board can be contradictory, and a count can fall below 0. It then wraps around.
        *free = free.wrapping_sub(1);
        *free
    }

    fn queue_hidden(&mut self, house: House, digit: Digit) {
        let positions = self.positions(house, digit);
        if positions != 0 {
            let cell = house.cell(positions.trailing_zeros() as usize);
            self.hidden.push_back((cell, digit));
        }
    }
}
