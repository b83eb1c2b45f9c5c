//! Tracks how a board has changed since a technique last found nothing on it. The technique can only find
//! something new among these changes.

use std::cell::RefCell;

use crate::board::{Candidates, CellSet, Digit, DigitSet, House};
use crate::grade::order::TechniqueName;

/// For each technique, the last board on which the technique found nothing. If a technique's patterns lie within one
/// digit or one house, it only needs to search the digits and houses that have changed since that board.
#[derive(Clone, Debug, Default)]
pub(crate) struct LastMisses {
    /// For each technique, the possible cells of each digit on the last board on which the technique found nothing;
    /// `None` if there is no such board.
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

    /// The digits that have lost a possible cell since the earlier board.
    pub(crate) fn digits(self) -> DigitSet {
        self.digits
    }

    /// The cells that have lost a candidate since the earlier board.
    pub(crate) fn cells(self) -> CellSet {
        self.cells
    }

    /// The houses in `among` that have lost a candidate in some cell. `among` is a mask with bit [`House::index`] for
    /// each house.
    pub(crate) fn houses(self, among: u32) -> impl Iterator<Item = House> {
        let has_changed = move |house: &House| !(house.cells() & self.cells).is_empty();
        House::from_bits(among).filter(has_changed)
    }
}

impl LastMisses {
    /// Forgets the boards of all techniques. Must be called before a new puzzle.
    pub(crate) fn clear(&mut self) {
        self.boards.get_mut().fill(None);
    }

    /// The cells and digits that have changed since the technique last found nothing; [`ChangedPlaces::ALL`] if no
    /// board is known on which it found nothing.
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
