//! Placements of a digit. A placement is a set of nine possible cells of the digit, with exactly one in each house: a
//! possible solution for this digit alone.
//!
//! A technique that uses only one digit removes no cell that is in a placement of the digit. So it can only remove
//! cells that are in no placement. Most boards have few such cells, so this is a fast check of whether such techniques
//! can find anything.
//!
//! In each band, a placement has three places, one in each box. Their columns form one of 27 triples: a column of
//! the first box, one of the second and one of the third. A set of triples is stored in a word:
//!
//! ```text
//! bit a + 3·b + 9·c     the columns a, b and c (0 to 2) of the three boxes of a band
//! ```
//!
//! Three triples, one for each band, form a placement if they use different columns in every box. So in each box,
//! the column of the second triple is that of the first moved by one or by two, cyclically, and the column of the
//! third is that of the first moved by the other number.

use crate::board::{Candidates, CellSet, Digit};

/// Caches, for each digit, the possible cells that are in at least one placement.
#[derive(Clone, Debug)]
pub(super) struct Placements {
    /// For each digit, its possible cells when the result was computed, and the result: those cells that are in at
    /// least one placement.
    digits: [(CellSet, CellSet); 9],
}

/// Creates the cache for a board on which no digit has a possible cell.
impl Default for Placements {
    fn default() -> Placements {
        Placements {
            digits: [(CellSet::EMPTY, CellSet::EMPTY); 9],
        }
    }
}

impl Placements {
    /// The possible cells of a digit that are in no placement of the digit.
    pub(super) fn outside_all_placements(&mut self, board: &Candidates, digit: Digit) -> CellSet {
        let (known, in_any) = &mut self.digits[digit.index()];
        let places = board.places(digit);
        if *known != places {
            *known = places;
            *in_any = in_any_placement(places);
        }
        board.open_places(digit).without(*in_any)
    }
}

/// Returns the cells of `places` that are in at least one placement of the digit. `places` are its possible cells.
fn in_any_placement(places: CellSet) -> CellSet {
    let bits = places.bits();
    let bands = [0, 27, 54].map(|at| BandTriples::from_places((bits >> at) as u32));
    let triples = bands.each_ref().map(BandTriples::triples);
    let rotated = triples.map(rotations);
    let mut all_places = 0;
    for (at, band) in bands.iter().enumerate() {
        let [next, last] = [rotated[(at + 1) % 3], rotated[(at + 2) % 3]];
        let pairs = next.into_iter().zip(last.into_iter().rev());
        let in_other_bands = pairs.fold(0, |all, (next, last)| all | next & last);
        all_places |= u128::from(band.places_of(triples[at] & in_other_bands)) << (27 * at);
    }
    CellSet::from_bits(all_places)
}

/// For each box and each set of its columns (as bits), the triples whose column in that box is in the set.
const TRIPLES_WITH_COLUMNS: [[u32; 8]; 3] = {
    let mut table = [[0; 8]; 3];
    let mut triple = 0;
    while triple < 27 {
        let columns = [triple % 3, triple / 3 % 3, triple / 9];
        let mut set = 0;
        while set < 8 {
            let mut box_index = 0;
            while box_index < 3 {
                if set >> columns[box_index] & 1 == 1 {
                    table[box_index][set] |= 1 << triple;
                }
                box_index += 1;
            }
            set += 1;
        }
        triple += 1;
    }
    table
};

/// All six ways to use each row of a band once. Each has, for each of the three boxes, the row of the digit's cell.
const ROW_ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// For each order in [`ROW_ORDERS`], the triples whose three cells in these rows are all possible cells of the digit.
struct BandTriples([u32; 6]);

impl BandTriples {
    /// Finds the triples of a band. The low 27 bits of `places` are the possible cells of the digit, row by row.
    fn from_places(places: u32) -> BandTriples {
        let placements_with = |row: usize, box_index: usize| {
            TRIPLES_WITH_COLUMNS[box_index][(places >> (9 * row + 3 * box_index) & 7) as usize]
        };
        BandTriples(
            ROW_ORDERS.map(|[a, b, c]| {
                placements_with(a, 0) & placements_with(b, 1) & placements_with(c, 2)
            }),
        )
    }

    fn triples(&self) -> u32 {
        self.0.iter().fold(0, |all, triples| all | triples)
    }

    /// The cells of the band that belong to at least one triple of the set `triples`.
    fn places_of(&self, triples: u32) -> u32 {
        let mut placements_by_box = [[0; 3]; 3];
        for (rows, own) in ROW_ORDERS.iter().zip(&self.0) {
            for (box_index, row) in rows.iter().enumerate() {
                placements_by_box[*row][box_index] |= own & triples;
            }
        }
        let mut places = 0;
        for (row, boxes) in placements_by_box.iter().enumerate() {
            for (box_index, triples) in boxes.iter().enumerate() {
                for column in 0..3 {
                    let is_possible = triples & TRIPLES_WITH_COLUMNS[box_index][1 << column] != 0;
                    places |= u32::from(is_possible) << (9 * row + 3 * box_index + column);
                }
            }
        }
        places
    }
}

/// Returns the triples eight times. In each box, every column is moved cyclically by one or by two; the eight results
/// are all combinations. The results n and 7 − n move the column of each box by different numbers.
fn rotations(triples: u32) -> [u32; 8] {
    let mut rotated = [triples; 8];
    for (at, rotated) in rotated.iter_mut().enumerate() {
        for (box_index, with) in TRIPLES_WITH_COLUMNS.iter().enumerate() {
            // To move the column of this box by one moves the bit of the triple by this many positions.
            let step = 3u32.pow(box_index as u32);
            let [first, last] = [with[1], with[4]];
            let previous = *rotated;
            *rotated = if at >> box_index & 1 == 0 {
                (previous & !last) << step | (previous & last) >> (2 * step)
            } else {
                (previous & !first) >> step | (previous & first) << (2 * step)
            };
        }
    }
    rotated
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, House};
    use crate::random::Rng;

    /// A slower version for tests: finds the cells that are in any placement by trying each possible cell of each row.
    fn places_in_placements(places: CellSet, row: usize, chosen: CellSet) -> CellSet {
        if row == 9 {
            return chosen;
        }
        let own_places = places & House::row(row).cells();
        let free_places = own_places.filter(|cell| (chosen & cell.peers()).is_empty());
        free_places.fold(CellSet::EMPTY, |all, cell| {
            all | places_in_placements(places, row + 1, chosen | CellSet::of(cell))
        })
    }

    #[test]
    fn exactly_the_places_without_a_placement_are_found() {
        let seed = 27;
        let mut rng = Rng::new(seed);
        let mut placements = Placements::default();
        let (mut some, mut none) = (0, 0);
        for n in 0..300 {
            let mut board = Candidates::FULL;
            for step in 0..30 {
                for digit in Digit::ALL {
                    let removed_cells = (0..4).map(|_| Cell::new(rng.below(81))).collect();
                    board.eliminate(digit, removed_cells);
                }
                if step < 8 {
                    continue;
                }
                let digit = Digit::from_index(rng.below(9));
                let places = board.places(digit);
                let expected = places.without(places_in_placements(places, 0, CellSet::EMPTY));
                let outside = placements.outside_all_placements(&board, digit);
                assert_eq!(outside, expected, "seed {seed}, {n}: {digit} in {places:?}");
                some += usize::from(expected != places);
                none += usize::from(!expected.is_empty());
            }
        }
        assert!(some > 500 && none > 500, "{some}, {none}");
    }
}
