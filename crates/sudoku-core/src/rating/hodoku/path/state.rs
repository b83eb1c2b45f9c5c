//! The state of a path: candidates, counts, and two queues of singles.

use std::collections::VecDeque;

use crate::board::{Candidates, Cell, CellSet, Digit, DigitSet, Grid, House};

/// The state between two steps.
///
/// The reference appends each single to one of two queues when a removal leaves it. The order in the queues
/// decides which single comes next, and depends on all steps from the first clue on.
///
/// ```text
/// digits[cell]       candidates of a cell; none if it has a value
/// places[digit]      cells with this candidate: the same facts by digit
/// positions[house][digit]  the same facts by house
/// free[house][digit] how many such cells a house has
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
/// Entries whose cell has been filled stay in the queues until they reach the front.
#[derive(Clone)]
pub(crate) struct State {
    digits: [DigitSet; 81],
    places: [CellSet; 9],
    /// By digit, the empty cells that see no cell with this value: `places`, and the cells from which a step
    /// has removed the digit.
    allowed: [CellSet; 9],
    free: [[u8; 9]; 27],
    positions: [[u16; 9]; 27],
    values: [Option<Digit>; 81],
    empty: CellSet,
    clues: CellSet,
    naked: VecDeque<(Cell, Digit)>,
    hidden: VecDeque<(Cell, Digit)>,
}

impl State {
    /// Places the clues of a puzzle, in the order of the cells.
    pub(crate) fn new(puzzle: &Grid) -> State {
        let mut state = State {
            digits: [DigitSet::FULL; 81],
            places: [CellSet::FULL; 9],
            allowed: [CellSet::FULL; 9],
            free: [[9; 9]; 27],
            positions: [[0x1ff; 9]; 27],
            values: [None; 81],
            empty: CellSet::FULL,
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

    /// The candidates of a cell; none if it has a value.
    pub(crate) fn digits(&self, cell: Cell) -> DigitSet {
        self.digits[cell.index()]
    }

    /// The cells with this candidate.
    pub(crate) fn places(&self, digit: Digit) -> CellSet {
        self.places[digit.index()]
    }

    /// The empty cells that see no cell with this value.
    pub(crate) fn allowed(&self, digit: Digit) -> CellSet {
        self.allowed[digit.index()]
    }

    /// The number of cells of the house with this candidate.
    pub(crate) fn free(&self, house: House, digit: Digit) -> u8 {
        self.free[house.index()][digit.index()]
    }

    /// The cells of the house with this candidate: bit n for [`House::cell`] n.
    pub(crate) fn positions(&self, house: House, digit: Digit) -> u16 {
        self.positions[house.index()][digit.index()]
    }

    /// [`State::positions`] of all digits in all houses. They determine the candidates of each cell.
    pub(crate) fn all_positions(&self) -> &[[u16; 9]; 27] {
        &self.positions
    }

    /// The value of a cell.
    pub(crate) fn value(&self, cell: Cell) -> Option<Digit> {
        self.values[cell.index()]
    }

    /// The cells without a value.
    pub(crate) fn empty(&self) -> CellSet {
        self.empty
    }

    /// The cells that had a value from the start.
    pub(crate) fn clues(&self) -> CellSet {
        self.clues
    }

    /// The cells with exactly two candidates.
    pub(crate) fn bivalue(&self) -> CellSet {
        self.with_count(2)
    }

    /// The cells with this many candidates, which is 1, 2 or 3.
    pub(crate) fn with_count(&self, count: usize) -> CellSet {
        // Cells with at least one candidate, at least two, …
        let mut at_least = [CellSet::EMPTY; 4];
        for places in self.places {
            for more in (1..4).rev() {
                at_least[more] |= at_least[more - 1] & places;
            }
            at_least[0] |= places;
        }
        at_least[count - 1].without(at_least[count])
    }

    /// The candidates as the rest of the crate has them.
    pub(crate) fn candidates(&self) -> Candidates {
        let mut places = self.places;
        for cell in !self.empty {
            if let Some(digit) = self.value(cell) {
                places[digit.index()].insert(cell);
            }
        }
        Candidates::from_parts(places, self.empty)
    }

    /// Removes a candidate; does nothing if the cell does not have it.
    pub(crate) fn remove(&mut self, cell: Cell, digit: Digit) {
        if !self.digits(cell).contains(digit) {
            return;
        }
        self.digits[cell.index()].remove(digit);
        self.take_place(cell, digit);
        let left = self.digits(cell);
        if left.is_empty() {
            return;
        }
        if let Some(single) = left.single() {
            self.naked.push_back((cell, single));
        }
        for house in cell.houses() {
            match self.count_down(house, digit) {
                0 => {
                    let gone =
                        |(cell, d): &(Cell, Digit)| *d == digit && house.cells().contains(*cell);
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
        self.values[cell.index()] = Some(digit);
        self.empty.remove(cell);
        for other in Digit::ALL {
            self.allowed[other.index()].remove(cell);
        }
        for other in had {
            self.take_place(cell, other);
        }
        let allowed = &mut self.allowed[digit.index()];
        *allowed = allowed.without(cell.peers());
        for peer in cell.peers() & self.places(digit) {
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

    /// The first entry of the queue of naked singles that is the last empty cell of a house.
    pub(crate) fn full_house(&self) -> Option<(Cell, Digit)> {
        let is_last = |house: House, digit: Digit| {
            let mut others = Digit::ALL.into_iter().filter(|other| *other != digit);
            others.all(|other| self.free(house, other) == 0)
        };
        let mut entries = self.naked.iter().copied();
        entries.find(|(cell, digit)| {
            self.empty.contains(*cell) && cell.houses().iter().any(|house| is_last(*house, *digit))
        })
    }

    /// Takes the next naked single from its queue.
    pub(crate) fn next_naked(&mut self) -> Option<(Cell, Digit)> {
        State::next_empty(&mut self.naked, self.empty)
    }

    /// Takes the next hidden single from its queue. If the first entry with an empty cell is no longer a
    /// single, there is none this time, even if later entries are.
    pub(crate) fn next_hidden(&mut self) -> Option<(Cell, Digit)> {
        let (cell, digit) = State::next_empty(&mut self.hidden, self.empty)?;
        let mut houses = cell.houses().into_iter();
        (houses.any(|house| self.free(house, digit) == 1)).then_some((cell, digit))
    }

    /// The singles in the queues, naked ones first. Naked ones count even if their candidate has gone since.
    pub(crate) fn queued(&self) -> Vec<(Cell, Digit)> {
        let is_hidden = |(cell, digit): &&(Cell, Digit)| {
            let mut houses = cell.houses().into_iter();
            houses.any(|house| self.free(house, *digit) == 1)
        };
        let hidden = self.hidden.iter().filter(is_hidden);
        let queued = self.naked.iter().chain(hidden).copied();
        queued
            .filter(|(cell, _)| self.empty.contains(*cell))
            .collect()
    }

    fn next_empty(queue: &mut VecDeque<(Cell, Digit)>, empty: CellSet) -> Option<(Cell, Digit)> {
        loop {
            let entry = queue.pop_front()?;
            if empty.contains(entry.0) {
                return Some(entry);
            }
        }
    }

    fn take_place(&mut self, cell: Cell, digit: Digit) {
        self.places[digit.index()].remove(cell);
        let [row, column, block] = cell.houses();
        let in_block = 3 * (cell.row() % 3) + cell.column() % 3;
        for (house, at) in [
            (row, cell.column()),
            (column, cell.row()),
            (block, in_block),
        ] {
            self.positions[house.index()][digit.index()] &= !(1 << at);
        }
    }

    fn count_down(&mut self, house: House, digit: Digit) -> u8 {
        let free = &mut self.free[house.index()][digit.index()];
        // Forcing nets make states with contradictions. There a count can go below 0, and wraps.
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
