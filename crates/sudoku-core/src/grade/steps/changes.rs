//! Tracks how a board has changed since a technique last found nothing on it. The technique can only find
//! something new among these changes.

use std::cell::RefCell;

use crate::board::{Candidates, CellSet, Digit, DigitSet, House};
use crate::grade::order::TechniqueName;

/// For each technique, the last board on which it found nothing. A technique whose patterns lie within one digit or one
/// house only needs to search the digits and houses that have changed since then.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastMisses {
    /// By technique, the open places of each digit on the last board on which it found nothing; `None` if there is no
    /// such board.
    boards: RefCell<Vec<Option<[CellSet; 9]>>>,
}

/// The cells and digits that have lost candidates since an earlier board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedPlaces {
    cells: CellSet,
    digits: DigitSet,
}

impl ChangedPlaces {
    /// Marks all cells and digits as changed, because nothing is known about an earlier board.
    pub(crate) const ALL: ChangedPlaces = ChangedPlaces {
        cells: CellSet::FULL,
        digits: DigitSet::FULL,
    };

    /// The digits that have lost a possible cell since then.
    pub(crate) fn digits(self) -> DigitSet {
        self.digits
    }

    /// The cells that have lost a candidate since then.
    pub(crate) fn cells(self) -> CellSet {
        self.cells
    }

    /// The houses of the mask `among`, with bits by [`House::index`], in which a cell has lost a candidate.
    pub(crate) fn houses(self, among: u32) -> impl Iterator<Item = House> {
        let has_changed = move |house: &House| !(house.cells() & self.cells).is_empty();
        House::from_bits(among).filter(has_changed)
    }
}

impl LastMisses {
    /// Forgets all boards. Must be called before a new puzzle.
    pub(crate) fn clear(&mut self) {
        self.boards.get_mut().fill(None);
    }

    /// The cells and digits that have changed since the technique last found nothing; [`ChangedPlaces::ALL`] if it has
    /// found something whenever it was tried.
    pub(crate) fn changes(&self, board: &Candidates, technique: TechniqueName) -> ChangedPlaces {
        let boards = self.boards.borrow();
        let Some(Some(before)) = boards.get(technique as usize) else {
            return ChangedPlaces::ALL;
        };
        let mut changes = ChangedPlaces {
            cells: CellSet::EMPTY,
            digits: DigitSet::EMPTY,
        };
        for (digit, before) in Digit::ALL.iter().zip(before) {
            let changed_places = board.open_places(*digit) ^ *before;
            changes.cells |= changed_places;
            if !changed_places.is_empty() {
                changes.digits.insert(*digit);
            }
        }
        changes
    }

    /// Whether the technique is known to find nothing on this board.
    pub(crate) fn has(&self, board: &Candidates, technique: TechniqueName) -> bool {
        let boards = self.boards.borrow();
        let board_before = boards.get(technique as usize).and_then(Option::as_ref);
        board_before == Some(&board.all_open_places())
    }

    /// Stores that the technique finds nothing on this board.
    pub(crate) fn record(&self, board: &Candidates, technique: TechniqueName) {
        let mut boards = self.boards.borrow_mut();
        let technique_index = technique as usize;
        if boards.len() <= technique_index {
            boards.resize(technique_index + 1, None);
        }
        boards[technique_index] = Some(board.all_open_places());
    }
}
