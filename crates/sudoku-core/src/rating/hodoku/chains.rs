//! Chains of one digit or of cells with two candidates: turbot fish, X-chains, XY-chains, remote pairs.
//!
//! All chains without a repeated cell are enumerated, depth first, from every cell. The links of a place
//! go to the other places of its row, then of its column, then to those of its block that are in
//! neither, in the order of the cells.

use super::best::Best;
use super::search::Search;
use super::state::State;
use super::step::{Step, seen_by_both};
use crate::board::{CandidateSet, Cell, CellSet, Digit, House};

/// The most links of a chain.
const MOST_LINKS: usize = 20;

/// A chain of three links of one digit, of which the first and the last are strong.
pub(super) fn turbot_fish(search: &mut Search) -> Option<Step> {
    of_one_digit(search, "Turbot Fish", 3)
}

/// A chain of links of one digit, alternately strong and any, from a strong one to a strong one.
pub(super) fn x_chain(search: &mut Search) -> Option<Step> {
    of_one_digit(search, "X-Chain", MOST_LINKS)
}

fn of_one_digit(search: &mut Search, name: &'static str, most: usize) -> Option<Step> {
    let state = &search.state;
    let mut best = Best::new(search.version);
    for start in state.empty() {
        for digit in state.digits(start) {
            let mut walk = DigitWalk {
                state,
                name,
                most,
                digit,
                start,
                best: &mut best,
            };
            walk.from(start, CellSet::of(start), 0);
        }
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
                    let removed = CandidateSet::with_digit(self.digit, removed);
                    self.best.offer(self.name, removed, links + 1);
                }
                if !is_start && links + 1 < self.most {
                    self.from(next, met | CellSet::of(next), links + 1);
                }
            }
        }
    }
}

/// The peers of a cell in the order of its links, with their houses.
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
pub(super) fn xy_chain(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    let mut best = Best::new(search.version);
    for start in cells {
        for digit in state.digits(start) {
            let mut path = vec![start];
            let mut walk = CellWalk {
                state,
                cells,
                digit,
                visit: &mut |path: &[Cell], links| {
                    let (start, end) = (path[0], path[path.len() - 1]);
                    let seen = seen_by_both(start, end) & state.places(digit);
                    best.offer("XY-Chain", CandidateSet::with_digit(digit, seen), links);
                },
            };
            walk.from(&mut path, digit, 1);
        }
    }
    best.step()
}

/// A chain of cells with the same two candidates: cells an odd number of links apart have different values.
pub(super) fn remote_pair(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let all = state.bivalue();
    let mut best = Best::new(search.version);
    for start in all {
        let digits = state.digits(start);
        let cells = all.filter(|cell| state.digits(*cell) == digits).collect();
        for digit in digits {
            let mut path = vec![start];
            let mut walk = CellWalk {
                state,
                cells,
                digit,
                visit: &mut |path: &[Cell], links| {
                    if path.len() < 4 {
                        return;
                    }
                    let mut removed = CandidateSet::EMPTY;
                    for (i, a) in path.iter().enumerate() {
                        for b in path[i..].iter().skip(3).step_by(2) {
                            for digit in digits {
                                let seen = seen_by_both(*a, *b) & state.places(digit);
                                removed.insert(digit, seen);
                            }
                        }
                    }
                    best.offer("Remote Pair", removed, links);
                },
            };
            walk.from(&mut path, digit, 1);
        }
    }
    best.step()
}

/// Enumerates the chains of cells that begin and end with a digit.
struct CellWalk<'a, V> {
    state: &'a State,
    cells: CellSet,
    digit: Digit,
    visit: &'a mut V,
}

impl<V: FnMut(&[Cell], usize)> CellWalk<'_, V> {
    /// Goes on from the last cell of the path, which was entered at a digit and left at the other one.
    fn from(&mut self, path: &mut Vec<Cell>, entered: Digit, links: usize) {
        let cell = path[path.len() - 1];
        let Some(left) = self.state.digits(cell).find(|digit| *digit != entered) else {
            return;
        };
        for (_, peers) in neighbours(cell) {
            for next in peers & self.cells & self.state.places(left) {
                if path.contains(&next) || links + 2 > MOST_LINKS {
                    continue;
                }
                path.push(next);
                if self.state.digits(next).contains(self.digit) && left != self.digit {
                    (self.visit)(path, links + 2);
                }
                self.from(path, left, links + 2);
                path.pop();
            }
        }
    }
}
