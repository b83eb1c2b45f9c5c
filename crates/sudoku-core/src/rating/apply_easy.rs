//! Applies all techniques that Sudoku Explainer rates up to 4.4, in any order, until none of them finds a step.
//!
//! All orders lead to the same board (see [`bulk`](super::bulk)). So if only the board matters, and not the ratings of
//! the steps, the steps are applied in the order that takes the least time:
//!
//! ```text
//! singles, locked candidates   for all digits at the same time
//! sets                         naked and hidden pairs and triplets, X-wings and swordfish: two or three of nine
//!                              sets that have together two or three elements
//! wings                        XY-wings and XYZ-wings
//! ```

use crate::board::{
    Candidates, Cell, CellSet, Contradiction, Digit, DigitSet, DigitVectors, House, count_nine,
    fill_singles,
};

/// The highest rating of the steps that this module applies.
pub(super) const HIGHEST_RATING: f64 = 4.4;

/// A set of removed candidates: for each digit, the cells that lose it.
type RemovedCells = [CellSet; 9];

/// Applies all steps up to 4.4 until none is left. Fails if singles lead to a contradiction.
pub(super) fn apply_all(board: &mut Candidates) -> Result<(), Contradiction> {
    loop {
        fill_singles(board, |board, _| {
            let places = DigitVectors::open(board);
            let removed = places.pointing().or_else(|| places.claiming());
            removed.is_some_and(|removed| remove(board, &removed))
        })?;
        if board.is_solved() {
            return Ok(());
        }
        let by_cell = board.by_cell();
        let by_sets = removed_by_sets(board, &by_cell);
        if !remove(board, &by_sets) {
            let by_wings = removed_by_wings(board, &by_cell);
            if !remove(board, &by_wings) {
                return Ok(());
            }
        }
    }
}

/// Removes these candidates. Returns whether the board had any of them.
fn remove(board: &mut Candidates, removed: &RemovedCells) -> bool {
    let mut has_removed = false;
    for (digit, cells) in Digit::ALL.into_iter().zip(removed) {
        let cells = *cells & board.open_places(digit);
        if !cells.is_empty() {
            board.eliminate(digit, cells);
            has_removed = true;
        }
    }
    has_removed
}

/// The candidates that pairs, triplets, X-wings and swordfish remove. The board must have no singles left.
fn removed_by_sets(board: &Candidates, by_cell: &[DigitSet; 81]) -> RemovedCells {
    let mut removed = [CellSet::EMPTY; 9];
    let mut places = [[0; 9]; 27];
    for (d, open) in board.all_open_places().into_iter().enumerate() {
        let places_by_house = House::project_all(open);
        for (house_places, digit) in places.iter_mut().zip(places_by_house) {
            house_places[d] = digit;
        }
    }
    for (house, places) in House::ALL.into_iter().zip(&places) {
        let cells = std::array::from_fn(|n| by_cell[house.cell(n).index()].bits());
        for_each_locked_set(&cells, |cells, digits| {
            for digit in DigitSet::from_bits(digits) {
                let d = digit.index();
                removed[d] |= house.unproject(places[d] & !cells);
            }
        });
        for_each_locked_set(places, |digits, cells| {
            for digit in DigitSet::from_bits(digits).complement() {
                let d = digit.index();
                removed[d] |= house.unproject(places[d] & cells);
            }
        });
    }
    let [rows, columns] = [House::rows(), House::columns()];
    for (d, removed) in removed.iter_mut().enumerate() {
        for (bases, covers) in [(rows, columns), (columns, rows)] {
            let places = |lines: &[House]| -> [u16; 9] {
                std::array::from_fn(|n| places[lines[n].index()][d])
            };
            let cover_places = places(covers);
            for_each_locked_set(&places(bases), |lines, crossing| {
                for (n, cover) in covers.iter().enumerate() {
                    if crossing >> n & 1 == 1 {
                        *removed |= cover.unproject(cover_places[n] & !lines);
                    }
                }
            });
        }
    }
    removed
}

/// Calls `visit` for each two sets whose union has two elements, and each three sets whose union has three. The
/// arguments of `visit` are the indexes of the sets as a mask, and the union. Sets with fewer than two elements are
/// skipped.
fn for_each_locked_set(sets: &[u16; 9], mut visit: impl FnMut(u16, u16)) {
    let mut few = [(0, 0); 9];
    let mut count = 0;
    for (n, set) in sets.iter().enumerate() {
        if matches!(count_nine(*set), 2 | 3) {
            few[count] = (1 << n, *set);
            count += 1;
        }
    }
    let few = &few[..count];
    for (i, first) in few.iter().enumerate() {
        for (j, second) in few.iter().enumerate().skip(i + 1) {
            let union_of_two = first.1 | second.1;
            match count_nine(union_of_two) {
                2 => visit(first.0 | second.0, union_of_two),
                3 => {
                    for third in few[j + 1..]
                        .iter()
                        .filter(|third| third.1 & !union_of_two == 0)
                    {
                        visit(first.0 | second.0 | third.0, union_of_two);
                    }
                }
                _ => {}
            }
        }
    }
}

/// The candidates that XY-wings and XYZ-wings remove.
fn removed_by_wings(board: &Candidates, by_cell: &[DigitSet; 81]) -> RemovedCells {
    let mut removed = [CellSet::EMPTY; 9];
    let [_, two, three] = board.at_least();
    let bivalue = board.unsolved() & two.without(three);
    for middle in board.unsolved() {
        let around = bivalue & middle.peers();
        let mut digits = by_cell[middle.index()];
        match (digits.len(), digits.next(), digits.next(), digits.next()) {
            (2, Some(x), Some(y), _) => xy_wings(board, by_cell, around, [x, y], &mut removed),
            (3, Some(x), Some(y), Some(z)) => {
                let seen = middle.peers();
                xyz_wings(board, around, [x, y, z], seen, &mut removed);
                xyz_wings(board, around, [x, z, y], seen, &mut removed);
                xyz_wings(board, around, [y, z, x], seen, &mut removed);
            }
            _ => {}
        }
    }
    removed
}

/// XY-wings: a middle cell with the candidates x and y, and two bivalue cells that see it, one with x and z, the
/// other with y and z. One of these two cells is z, so z is removed from the cells that see both.
fn xy_wings(
    board: &Candidates,
    by_cell: &[DigitSet; 81],
    bivalue_peers: CellSet,
    [x, y]: [Digit; 2],
    removed: &mut RemovedCells,
) {
    let [with_x, with_y] = [board.places(x), board.places(y)];
    let seconds = bivalue_peers & with_y.without(with_x);
    if seconds.is_empty() {
        return;
    }
    for first in bivalue_peers & with_x.without(with_y) {
        let mut other_digit = by_cell[first.index()];
        other_digit.remove(x);
        for z in other_digit {
            let seconds = seconds & board.places(z);
            removed[z.index()] |= first.peers() & seen_by_any(seconds);
        }
    }
}

/// XYZ-wings: a middle cell with x, y and z, and two bivalue cells that see it, one with x and z, the other with y
/// and z. One of the three cells is z, so z is removed from the cells that see all three.
fn xyz_wings(
    board: &Candidates,
    bivalue_peers: CellSet,
    [x, y, z]: [Digit; 3],
    seen: CellSet,
    removed: &mut RemovedCells,
) {
    let bivalue_peers = bivalue_peers & board.places(z);
    let seconds = bivalue_peers & board.places(y);
    if seconds.is_empty() {
        return;
    }
    for first in bivalue_peers & board.places(x) {
        removed[z.index()] |= seen & first.peers() & seen_by_any(seconds);
    }
}

fn seen_by_any(cells: CellSet) -> CellSet {
    cells.fold(CellSet::EMPTY, |seen, cell: Cell| seen | cell.peers())
}
