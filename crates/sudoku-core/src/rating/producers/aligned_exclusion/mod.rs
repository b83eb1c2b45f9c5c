//! Producers 22 and 24 of Sudoku Explainer: aligned pair exclusion (6.2) and aligned triplet exclusion (7.5).
//!
//! A base set is two or three cells. Of all combinations of their candidates, some are excluded: those in which cells
//! that see each other have the same digit, and those that contain all candidates of an excluder (a cell that sees the
//! whole base set). A candidate that is only in excluded combinations is removed. The first base set that removes
//! anything gives the hint.

mod combinations;
mod screen;
#[cfg(test)]
mod twin;

use crate::board::{CandidateSet, Cell, CellSet, DigitSet};
use crate::rating::board::{Board, peer_groups};
use crate::rating::hint::{Hint, remove_digits};
use crate::rating::values::names;
use crate::vectors::{PlainWork, Vectors};
use combinations::ExcludedCombinations;
use screen::ThirdCells;

pub(in crate::rating) fn first_pair(
    board: &Board,
    exhausted: &mut ExhaustedBaseSets,
) -> Option<Hint> {
    let base_sets = BaseSets::from_board(board, 2, exhausted);
    let found = base_sets.find(|pair| pair_hint(board, pair.cells, pair.excluders));
    exhausted.update(board, found.as_ref());
    found
}

pub(in crate::rating) fn first_triplet(
    board: &Board,
    vectors: Vectors,
    exhausted: &mut ExhaustedBaseSets,
) -> Option<Hint> {
    let base_sets = BaseSets::from_board(board, 3, exhausted);
    let found = vectors.run_plain(TripletWork { board, base_sets });
    exhausted.update(board, found.as_ref());
    found
}

/// The search for aligned triplets. It is compiled once for AVX2 machines and once for all others, as every
/// [`PlainWork`].
struct TripletWork<'a> {
    board: &'a Board,
    base_sets: BaseSets,
}

impl PlainWork for TripletWork<'_> {
    type Output = Option<Hint>;

    #[inline(always)]
    fn run(self) -> Option<Hint> {
        let TripletWork { board, base_sets } = self;
        base_sets.find(|pair| {
            let thirds = base_sets.thirds(pair);
            if thirds.is_empty() {
                return None;
            }
            // These are loops because the compiler would not inline the closure of `find_map`.
            let screened = pair.screened(board, thirds);
            for group in pair.groups_in_order(screened) {
                for third in group {
                    let hint = triplet_hint(board, pair.cells, third, pair.excluders);
                    if hint.is_some() {
                        return hint;
                    }
                }
            }
            None
        })
    }
}

/// The candidates of each cell at the last search that found nothing. If neither the cells of a base set nor its
/// excluders have changed since then, the base set still removes nothing.
pub(in crate::rating) struct ExhaustedBaseSets([DigitSet; 81]);

impl ExhaustedBaseSets {
    /// The state before the first search, in which every base set must be searched.
    pub(in crate::rating) const NOTHING: ExhaustedBaseSets =
        ExhaustedBaseSets([DigitSet::EMPTY; 81]);

    /// The empty cells whose candidates have changed since the last search that found nothing. A cell that has been
    /// filled since does not count, because it can no longer be an excluder.
    fn changed(&self, board: &Board) -> CellSet {
        let is_changed = |cell: &Cell| board.digits(*cell) != self.0[cell.index()];
        board.empty().filter(is_changed).collect()
    }

    fn update(&mut self, board: &Board, found: Option<&Hint>) {
        if found.is_none() {
            self.0 = std::array::from_fn(|n| board.digits(Cell::new(n)));
        }
    }
}

/// The cells that can be in a base set, the cells that can be its excluders, and the cells that have changed since the
/// last search that found nothing.
struct BaseSets {
    base_cells: CellSet,
    excluders: CellSet,
    changed: CellSet,
    /// The changed cells that can be the third cell of a base set; none for base sets of two cells.
    changed_thirds: CellSet,
}

impl BaseSets {
    fn from_board(board: &Board, size: usize, exhausted: &ExhaustedBaseSets) -> BaseSets {
        let excluders: CellSet =
            (2..=size).fold(CellSet::EMPTY, |all, count| all | board.cells_with(count));
        let single = board.cells_with(1);
        let is_base = |cell: &Cell| {
            board.digits(*cell).len() >= 2
                && !(cell.peers() & excluders).is_empty()
                && (cell.peers() & single).is_empty()
        };
        let base_cells = board.empty().filter(is_base).collect();
        let changed = exhausted.changed(board);
        let changed_thirds = match size {
            3 => base_cells & excluders & changed,
            _ => CellSet::EMPTY,
        };
        BaseSets {
            base_cells,
            excluders,
            changed,
            changed_thirds,
        }
    }

    /// Calls `visit` with each pair of base cells that has at least two common excluders and can give a new hint, until
    /// `visit` returns a hint. The second cell of a pair comes after the first.
    #[inline(always)]
    fn find(&self, mut visit: impl FnMut(&BasePair) -> Option<Hint>) -> Option<Hint> {
        for second in self.base_cells {
            let seen = self.excluders & second.peers();
            let firsts = seen_twice(seen) & self.base_cells & self.firsts(second, seen);
            for first in firsts.take_while(|first| *first < second) {
                let excluders = seen & first.peers();
                let pair = CellSet::of(first) | CellSet::of(second);
                let hint = visit(&BasePair {
                    cells: [first, second],
                    excluders,
                    is_changed: !(pair & self.changed).is_empty(),
                    changed: excluders & self.changed,
                });
                if hint.is_some() {
                    return hint;
                }
            }
        }
        None
    }

    /// The cells that can give a new hint together with `second`, whose excluders are `seen`. A new hint needs a
    /// change: in one of the two cells, in an excluder of both, or in a third cell that sees at least two of these
    /// excluders.
    #[inline(always)]
    fn firsts(&self, second: Cell, seen: CellSet) -> CellSet {
        if self.changed.contains(second) {
            return CellSet::FULL;
        }
        let mut firsts = self.changed | (seen & self.changed).all_peers();
        for third in self.changed_thirds {
            let mut with_third = seen_twice(seen & third.peers());
            if !third.peers().contains(second) {
                with_third &= third.peers();
            }
            firsts |= with_third;
        }
        firsts
    }

    /// The third cells that can give a new hint together with a pair. A third cell must see at least two excluders of
    /// the pair. A new hint needs a change: in the pair, in the third cell, or in one of the excluders.
    #[inline(always)]
    fn thirds(&self, pair: &BasePair) -> CellSet {
        let [first, second] = pair.cells;
        let both = CellSet::of(first) | CellSet::of(second);
        let seen = first.peers() | second.peers();
        let mut thirds = (self.base_cells & self.excluders & seen).without(both);
        if !pair.is_changed {
            thirds &= self.changed | pair.changed.all_peers();
        }
        if thirds.is_empty() {
            return thirds;
        }
        thirds & seen_twice(pair.excluders)
    }
}

/// The first two cells of a base set, and the excluders that see both.
struct BasePair {
    cells: [Cell; 2],
    /// The excluders that see both cells.
    excluders: CellSet,
    /// Whether one of the two cells has changed since the last search that found nothing.
    is_changed: bool,
    /// The excluders that have changed since the last search that found nothing.
    changed: CellSet,
}

impl BasePair {
    /// Splits these third cells into groups in the order of Sudoku Explainer: first the peers of the first cell, then
    /// the other peers of the second cell.
    #[inline(always)]
    fn groups_in_order(&self, thirds: CellSet) -> [CellSet; 6] {
        let [first, second] = self.cells;
        let [a, b, c] = peer_groups(first).map(|group| group & thirds);
        let other_thirds = thirds.without(first.peers());
        let [d, e, f] = peer_groups(second).map(|group| group & other_thirds);
        [a, b, c, d, e, f]
    }

    /// The third cells that may lead to a removal, by a fast test. If there is only one third cell, it is returned
    /// without the test, because the complete test takes less time.
    #[inline(always)]
    fn screened(&self, board: &Board, thirds: CellSet) -> CellSet {
        if !has_two(thirds) {
            return thirds;
        }
        let digits = self.cells.map(|cell| board.digits(cell));
        let sees = self.cells[0].peers().contains(self.cells[1]);
        let fitting = ThirdCells::new(board, digits, sees, self.excluders);
        let mut screened = CellSet::EMPTY;
        for third in thirds {
            if fitting.contains(board.digits(third)) {
                screened.insert(third);
            }
        }
        screened
    }
}

#[inline(always)]
fn has_two(cells: CellSet) -> bool {
    let bits = cells.bits();
    bits & bits.wrapping_sub(1) != 0
}

/// The cells that see two or more cells of this set.
#[inline(always)]
fn seen_twice(cells: CellSet) -> CellSet {
    let [mut once, mut twice] = [CellSet::EMPTY; 2];
    for cell in cells {
        twice |= once & cell.peers();
        once |= cell.peers();
    }
    twice
}

fn pair_hint(board: &Board, cells: [Cell; 2], common: CellSet) -> Option<Hint> {
    let digits = cells.map(|cell| board.digits(cell));
    let sees = cells[0].peers().contains(cells[1]);
    // A candidate is removed if no candidate of the other cell can be combined with it: either both are the same digit,
    // or an excluder forbids them, a different one for each.
    let fewest = digits[0].len().min(digits[1].len());
    if common.len() + usize::from(sees) < fewest {
        return None;
    }
    let excluded = ExcludedCombinations::new(board, common);
    let allowed = excluded.allowed_pair(digits, sees);
    let removed = candidates_not_allowed(board, &cells, &allowed)?;
    Hint::removing(names::ALIGNED_PAIR, 6.2, removed)
}

#[inline(always)]
fn triplet_hint(board: &Board, [a, b]: [Cell; 2], third: Cell, common: CellSet) -> Option<Hint> {
    let excluded = ExcludedCombinations::new(board, common & third.peers());
    let cells = [a, b, third];
    let digits = cells.map(|cell| board.digits(cell));
    let sees = [
        a.peers().contains(b),
        a.peers().contains(third),
        b.peers().contains(third),
    ];
    let allowed = excluded.allowed_triplet(digits, sees);
    let removed = candidates_not_allowed(board, &cells, &allowed)?;
    Hint::removing(names::ALIGNED_TRIPLET, 7.5, removed)
}

/// The candidates of the cells that occur in no allowed combination; `None` if every candidate occurs in an
/// allowed combination.
fn candidates_not_allowed(
    board: &Board,
    cells: &[Cell],
    allowed: &[DigitSet],
) -> Option<CandidateSet> {
    let mut allowed_by_cell = cells.iter().zip(allowed);
    if allowed_by_cell.all(|(cell, allowed)| board.digits(*cell) == *allowed) {
        return None;
    }
    let mut removed = CandidateSet::EMPTY;
    for (cell, allowed) in cells.iter().zip(allowed) {
        remove_digits(board, &mut removed, *cell, allowed.complement());
    }
    Some(removed)
}
