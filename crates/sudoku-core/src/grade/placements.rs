//! Placements of a digit: nine of its places, one in each house.
//!
//! What a technique concludes from the places of one digit holds in every placement of that digit. So
//! it removes only places that are in no placement, of which most boards have few. That is a quick
//! test whether the techniques of one digit can find anything.

use crate::board::{Candidates, Cell, CellSet, Digit, count_nine};

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

/// The places of a row, a bit for each column.
#[derive(Clone, Copy)]
struct Row {
    index: usize,
    places: u32,
}

/// The most places that are tried in the search for one placement.
const MOST_TRIED: u32 = 2000;

impl Rows {
    fn of(places: CellSet) -> Rows {
        let mut rows = by_row(places);
        // Insertion sort: of nine rows it is the quickest.
        for at in 1..9 {
            let mut to = at;
            while to > 0 && count_nine(rows[to - 1].bits()) > count_nine(rows[to].bits()) {
                rows.swap(to - 1, to);
                to -= 1;
            }
        }
        Rows(rows)
    }

    /// A placement with this place, which also has some of the `wanted` places if it can be chosen;
    /// `None` if there is none, or none was found soon.
    fn placement_with(&self, cell: Cell, wanted: CellSet) -> Option<CellSet> {
        let mut search = Search {
            rows: &self.0,
            wanted: by_row(wanted).map(|row| row.places),
            start: cell.row(),
            chosen: [0; 9],
            tried: 0,
        };
        let column = 1 << cell.column();
        search.chosen[cell.row()] = column;
        let boxes = box_of(column) << (9 * (cell.row() / 3));
        search.extend(0, column, boxes).then(|| {
            let bits = (0..9).map(|row| u128::from(search.chosen[row]) << (9 * row));
            CellSet::from_bits(bits.fold(0, |all, row| all | row))
        })
    }
}

impl Row {
    fn bits(self) -> u16 {
        self.places as u16
    }
}

/// The search for a placement.
struct Search<'a> {
    rows: &'a [Row; 9],
    /// By row, as are `chosen`.
    wanted: [u32; 9],
    /// The row whose place is chosen from the start.
    start: usize,
    chosen: [u32; 9],
    tried: u32,
}

impl Search<'_> {
    /// Chooses a place in each row from the `at`-th on. `columns` have a place, and so have the boxes
    /// whose columns are in `boxes`, nine bits for each band.
    fn extend(&mut self, at: usize, columns: u32, boxes: u32) -> bool {
        let Some(&Row { index, places }) = self.rows.get(at) else {
            return true;
        };
        if index == self.start {
            return self.extend(at + 1, columns, boxes);
        }
        let shift = 9 * (index as u32 / 3);
        let free = places & !(columns | boxes >> shift);
        let wanted = free & self.wanted[index];
        for mut left in [wanted, free & !wanted] {
            while left != 0 {
                let column = left & left.wrapping_neg();
                left ^= column;
                self.tried += 1;
                if self.tried > MOST_TRIED {
                    return false;
                }
                if self.extend(at + 1, columns | column, boxes | box_of(column) << shift) {
                    self.chosen[index] = column;
                    return true;
                }
            }
        }
        false
    }
}

/// The three columns of the box that has this column.
fn box_of(column: u32) -> u32 {
    match column {
        0..0o10 => 0o7,
        0o10..0o100 => 0o70,
        _ => 0o700,
    }
}

fn by_row(cells: CellSet) -> [Row; 9] {
    let bits = cells.bits();
    let bands = [bits as u32, (bits >> 27) as u32, (bits >> 54) as u32];
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|index| Row {
        index,
        places: bands[index / 3] >> (9 * (index % 3)) & 0x1ff,
    })
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
