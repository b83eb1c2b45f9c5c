//! Chains of one digit or of cells with two candidates: turbot fish, X-chains, XY-chains, remote pairs.
//!
//! All chains without a repeated cell are enumerated, depth first, from every cell. The links of a place
//! go to the other places of its row, then of its column, then to those of its block that are in
//! neither, in the order of the cells.

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::rating::hodoku::path::best::Best;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::version::HodokuVersion;

/// The most links of a chain.
pub(crate) const MOST_LINKS: usize = 20;

/// Turbot fish and X-chains: links of one digit, alternately strong and any, from a strong one to a strong
/// one. A turbot fish has three links.
pub(crate) fn of_one_digit(search: &mut Search, most: usize) -> Option<Step> {
    let state = &search.state;
    let mut best = Best::new(search.version);
    let asked: DigitSet = (Digit::ALL.into_iter())
        .filter(|digit| !search.is_quiet(*digit))
        .collect();
    let mut found = DigitSet::EMPTY;
    // By digit, the places with a strong link.
    let starts = Digit::ALL.map(|digit| {
        let houses = House::ALL.iter();
        let strong = houses.filter(|house| state.free(**house, digit) == 2);
        let cells = strong.fold(CellSet::EMPTY, |all, house| all | house.cells());
        cells & state.places(digit)
    });
    for start in state.empty() {
        for digit in state.digits(start).intersection(asked) {
            if !starts[digit.index()].contains(start) {
                continue;
            }
            let mut walk = DigitWalk {
                state,
                name: search.name,
                most,
                digit,
                start,
                best: &mut best,
                has_removal: false,
            };
            walk.from(start, CellSet::of(start), 0);
            if walk.has_removal {
                found.insert(digit);
            }
        }
    }
    for digit in asked.intersection(found.complement()) {
        search.set_quiet(digit);
    }
    best.step()
}

struct DigitWalk<'a> {
    state: &'a State,
    name: &'static str,
    most: usize,
    digit: Digit,
    start: Cell,
    best: &'a mut Best,
    /// Whether any chain removes something.
    has_removal: bool,
}

impl DigitWalk<'_> {
    fn from(&mut self, cell: Cell, met: CellSet, links: usize) {
        let strong = links.is_multiple_of(2);
        let places = self.state.places(self.digit);
        for (house, cells) in neighbours(cell) {
            if strong && self.state.free(house, self.digit) != 2 {
                continue;
            }
            for next in cells & places {
                let is_start = next == self.start;
                if met.contains(next) && !is_start {
                    continue;
                }
                if strong && links >= 2 {
                    let removed = seen_by_both(self.start, next) & places;
                    if !removed.is_empty() {
                        self.has_removal = true;
                        let removed = CandidateSet::with_digit(self.digit, removed);
                        self.best.offer(self.name, removed, links + 1);
                    }
                }
                if !is_start && links + 1 < self.most {
                    self.from(next, met | CellSet::of(next), links + 1);
                }
            }
        }
    }
}

/// The peers of a cell by house, in the order of its links.
fn neighbours(cell: Cell) -> [(House, CellSet); 3] {
    let [row, column, block] = cell.houses();
    let own = CellSet::of(cell);
    let lines = row.cells() | column.cells();
    [
        (row, row.cells().without(own)),
        (column, column.cells().without(own)),
        (block, block.cells().without(lines)),
    ]
}

/// A chain of cells with two candidates; one of the two candidates at its ends is true.
pub(crate) fn xy_chain(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    let mut best = Best::new(search.version);
    for start in cells {
        for digit in state.digits(start) {
            // Most starts lead to no end with a removal, even if cells may be met twice.
            let places = state.places(digit);
            let ends = ends_of_walks(state, cells, start, digit);
            let is_wanted = |end: Cell| {
                let removed = CandidateSet::with_digit(digit, seen_by_both(start, end) & places);
                best.wants(&removed, 0)
            };
            let mut wanted: CellSet = ends.filter(|end| is_wanted(*end)).collect();
            if wanted.is_empty() {
                continue;
            }
            let mut path = vec![start];
            let mut walk = CellWalk {
                state,
                cells,
                digit,
                visit: &mut |path: &[Cell], links| {
                    let end = path[path.len() - 1];
                    if wanted.contains(end) {
                        let seen = seen_by_both(start, end) & places;
                        best.offer("XY-Chain", CandidateSet::with_digit(digit, seen), links);
                        // Where the length does not matter, one chain to an end is enough.
                        if search.version == HodokuVersion::V2_2 {
                            wanted.remove(end);
                        }
                    }
                    wanted.is_empty()
                },
            };
            walk.from(&mut path, digit, 1);
        }
    }
    best.step()
}

/// The cells where a chain from this cell can end, if it may meet cells twice.
fn ends_of_walks(state: &State, cells: CellSet, start: Cell, digit: Digit) -> CellSet {
    // By digit, the cells that are entered at it.
    let mut entered = [CellSet::EMPTY; 9];
    entered[digit.index()].insert(start);
    let mut ends = CellSet::EMPTY;
    let mut open = [(start, digit); 2 * 81];
    let mut count = 1;
    while count > 0 {
        count -= 1;
        let (cell, at) = open[count];
        let Some(left) = state.digits(cell).find(|digit| *digit != at) else {
            continue;
        };
        let known = &mut entered[left.index()];
        let new = (cell.peers() & cells & state.places(left)).without(*known);
        *known |= new;
        for next in new {
            open[count] = (next, left);
            count += 1;
        }
        if left != digit {
            ends |= new & state.places(digit);
        }
    }
    ends
}

/// A chain of cells with the same two candidates: cells an odd number of links apart have different values.
/// The two cells at its ends must remove something.
pub(crate) fn remote_pair(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let all = state.bivalue();
    let mut best = Best::new(search.version);
    for start in all {
        let digits = state.digits(start);
        let cells: CellSet = all.filter(|cell| state.digits(*cell) == digits).collect();
        if cells.len() < 4 {
            continue;
        }
        for digit in digits {
            let mut path = vec![start];
            let mut walk = CellWalk {
                state,
                cells,
                digit,
                visit: &mut |path: &[Cell], links| {
                    if path.len() < 4 {
                        return false;
                    }
                    let removals =
                        |(a, b): (Cell, Cell), digit| seen_by_both(a, b) & state.places(digit);
                    let ends = (path[0], path[path.len() - 1]);
                    if digits
                        .into_iter()
                        .all(|digit| removals(ends, digit).is_empty())
                    {
                        return false;
                    }
                    let mut removed = CandidateSet::EMPTY;
                    for (i, a) in path.iter().enumerate() {
                        for b in path[i..].iter().skip(3).step_by(2) {
                            for digit in digits {
                                removed.insert(digit, removals((*a, *b), digit));
                            }
                        }
                    }
                    best.offer("Remote Pair", removed, links);
                    false
                },
            };
            walk.from(&mut path, digit, 1);
        }
    }
    best.step()
}

/// Enumerates the chains of cells that begin and end with a digit, until the visitor returns true.
struct CellWalk<'a, V> {
    state: &'a State,
    cells: CellSet,
    digit: Digit,
    visit: &'a mut V,
}

impl<V: FnMut(&[Cell], usize) -> bool> CellWalk<'_, V> {
    /// Goes on from the last cell of the path, which was entered at a digit and left at the other one.
    /// Returns whether the visitor has ended the walk.
    fn from(&mut self, path: &mut Vec<Cell>, entered: Digit, links: usize) -> bool {
        let cell = path[path.len() - 1];
        let Some(left) = self.state.digits(cell).find(|digit| *digit != entered) else {
            return false;
        };
        if links + 2 > MOST_LINKS {
            return false;
        }
        for (_, peers) in neighbours(cell) {
            for next in peers & self.cells & self.state.places(left) {
                if path.contains(&next) {
                    continue;
                }
                path.push(next);
                let is_end = self.state.digits(next).contains(self.digit) && left != self.digit;
                let ends = is_end && (self.visit)(path, links + 2);
                let ends = ends || self.from(path, left, links + 2);
                path.pop();
                if ends {
                    return true;
                }
            }
        }
        false
    }
}
