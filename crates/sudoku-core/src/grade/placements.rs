//! Placements of a digit: nine of its places, one in each house.
//!
//! What a technique concludes from the places of one digit holds in every placement of that digit. So
//! it removes only places that are in no placement, of which most boards have few. That is a quick
//! test whether the techniques of one digit can find anything.

use crate::board::{Candidates, Cell, CellSet, Digit};

/// The open places of each digit that are in no placement of it.
///
/// Placements are kept from board to board: one whose places are all left is still one.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    digits: Vec<OfDigit>,
}

#[derive(Clone, Debug)]
struct OfDigit {
    /// The places for which `in_none` was computed.
    places: CellSet,
    in_none: CellSet,
    /// Some placements of the digit that together have all the places that any has.
    known: Vec<CellSet>,
}

/// At most this many placements of a digit are kept.
const MOST_KNOWN: usize = 24;

impl Placements {
    /// Forgets all placements. Called before another puzzle.
    pub(super) fn clear(&mut self) {
        for digit in &mut self.digits {
            digit.places = CellSet::EMPTY;
            digit.in_none = CellSet::EMPTY;
            digit.known.clear();
        }
    }

    /// The open places of a digit that are in no placement, and maybe some for which that would take
    /// long to tell.
    pub(super) fn in_none(&mut self, board: &Candidates, digit: Digit) -> CellSet {
        if self.digits.is_empty() {
            self.digits.resize_with(9, || OfDigit {
                places: CellSet::EMPTY,
                in_none: CellSet::EMPTY,
                known: Vec::with_capacity(MOST_KNOWN),
            });
        }
        let of_digit = &mut self.digits[digit.index()];
        of_digit.update(board.places(digit));
        of_digit.in_none & board.unsolved()
    }
}

impl OfDigit {
    fn update(&mut self, places: CellSet) {
        if self.places == places {
            return;
        }
        self.places = places;
        self.in_none = CellSet::EMPTY;
        self.known.retain(|placement| placement.is_subset(places));
        let known = self.known.iter();
        let mut left = known.fold(places, |left, placement| left.without(*placement));
        if left.is_empty() {
            return;
        }
        let rows = Rows::of(places);
        while let Some(cell) = left.first() {
            left.remove(cell);
            match rows.placement_with(cell, left) {
                Some(placement) => {
                    left = left.without(placement);
                    if self.known.len() == MOST_KNOWN {
                        self.known.remove(0);
                    }
                    self.known.push(placement);
                }
                None => self.in_none.insert(cell),
            }
        }
    }
}

/// The places of a digit by row, rows with few places first.
struct Rows([Row; 9]);

#[derive(Clone, Copy)]
struct Row {
    index: u32,
    /// A bit for each column.
    places: u32,
}

/// What the chosen places rule out.
#[derive(Clone, Copy)]
struct Taken {
    columns: u32,
    /// For each band, nine bits: the columns of the boxes that have a place.
    boxes: u32,
}

/// The most places that are tried in the search for one placement.
const MOST_TRIED: u32 = 2000;

impl Row {
    fn band(self) -> u32 {
        self.index / 3
    }
}

impl Taken {
    fn with(self, row: Row, column: u32) -> Taken {
        Taken {
            columns: self.columns | 1 << column,
            boxes: self.boxes | 7 << (9 * row.band() + column / 3 * 3),
        }
    }

    fn in_row(self, row: Row) -> u32 {
        self.columns | self.boxes >> (9 * row.band()) & 0x1ff
    }
}

impl Rows {
    fn of(places: CellSet) -> Rows {
        let mut rows = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|index| Row {
            index,
            places: row_of(places, index),
        });
        rows.sort_unstable_by_key(|row| row.places.count_ones());
        Rows(rows)
    }

    /// A placement with this place, which also has some of the `wanted` places if it can be chosen;
    /// `None` if there is none, or none was found soon.
    fn placement_with(&self, cell: Cell, wanted: CellSet) -> Option<CellSet> {
        let mut search = Search {
            rows: &self.0,
            wanted,
            start: cell.row() as u32,
            chosen: CellSet::of(cell),
            tried: 0,
        };
        let row = Row {
            index: search.start,
            places: 0,
        };
        let none = Taken {
            columns: 0,
            boxes: 0,
        };
        let taken = none.with(row, cell.column() as u32);
        search.extend(0, taken).then_some(search.chosen)
    }
}

/// The search for a placement.
struct Search<'a> {
    rows: &'a [Row; 9],
    wanted: CellSet,
    /// The row whose place is chosen from the start.
    start: u32,
    chosen: CellSet,
    tried: u32,
}

impl Search<'_> {
    /// Chooses a place in each row from the `at`-th on.
    fn extend(&mut self, at: usize, taken: Taken) -> bool {
        let Some(&row) = self.rows.get(at) else {
            return true;
        };
        if row.index == self.start {
            return self.extend(at + 1, taken);
        }
        let free = row.places & !taken.in_row(row);
        let wanted = free & row_of(self.wanted, row.index);
        for mut places in [wanted, free & !wanted] {
            while places != 0 {
                let column = places.trailing_zeros();
                places &= places - 1;
                self.tried += 1;
                if self.tried > MOST_TRIED {
                    return false;
                }
                if self.extend(at + 1, taken.with(row, column)) {
                    let cell = Cell::at(row.index as usize, column as usize);
                    self.chosen.insert(cell);
                    return true;
                }
            }
        }
        false
    }
}

fn row_of(cells: CellSet, row: u32) -> u32 {
    (cells.bits() >> (9 * row)) as u32 & 0x1ff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::House;
    use crate::random::Rng;

    /// The places of all placements, by trying each place of each row.
    fn in_any(places: CellSet, row: usize, chosen: CellSet) -> CellSet {
        if row == 9 {
            return chosen;
        }
        let own = places & House::row(row).cells();
        let free = own.filter(|cell| (chosen & cell.peers()).is_empty());
        free.fold(CellSet::EMPTY, |all, cell| {
            all | in_any(places, row + 1, chosen | CellSet::of(cell))
        })
    }

    #[test]
    fn exactly_the_places_without_a_placement_are_told() {
        let seed = 27;
        let mut rng = Rng::new(seed);
        let mut placements = Placements::default();
        let (mut some, mut none) = (0, 0);
        for n in 0..300 {
            placements.clear();
            let mut board = Candidates::FULL;
            for step in 0..30 {
                for digit in Digit::ALL {
                    let gone = (0..4).map(|_| Cell::new(rng.below(81))).collect();
                    board.eliminate(digit, gone);
                }
                if step < 8 {
                    continue;
                }
                let digit = Digit::from_index(rng.below(9));
                let places = board.places(digit);
                let expected = places.without(in_any(places, 0, CellSet::EMPTY));
                let told = placements.in_none(&board, digit);
                assert_eq!(told, expected, "seed {seed}, {n}: {digit} in {places:?}");
                some += usize::from(expected != places);
                none += usize::from(!expected.is_empty());
            }
        }
        assert!(some > 500 && none > 500, "{some}, {none}");
    }
}
