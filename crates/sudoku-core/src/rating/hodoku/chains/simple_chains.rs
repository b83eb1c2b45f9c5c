//! HoDoKu's chains of one digit and of bivalue cells: turbot fish, X-chains, XY-chains, remote pairs.
//!
//! All chains without a repeated cell are tried depth first, from every cell. From a place, they go first to the other
//! places in its row, then to those in its column, then to those in its block that are in neither, each in the order of
//! the cells.

use crate::board::{CandidateSet, Cell, CellSet, Digit, DigitSet, House};
use crate::rating::hodoku::path::best::BestStep;
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::{Step, seen_by_both};
use crate::rating::hodoku::search::Search;
use crate::rating::hodoku::version::HodokuVersion;

/// The largest number of links in a chain, the same as in HoDoKu.
pub(crate) const MOST_LINKS: usize = 20;

/// Visits all chains that begin with `path`, depth first, until `visit` returns true. Returns whether it did.
///
/// `next` gets the path and the digit by which its last cell was entered. It returns the digit of the next link,
/// and the cells to which this link can lead, by house. `visit` gets each new path and the digit of its last link.
/// No cell occurs twice in a chain, except that the chain can end at its start if `next` allows it.
fn walk(
    path: &mut Vec<Cell>,
    entered: Digit,
    next: &impl Fn(&[Cell], Digit) -> Option<(Digit, [CellSet; 3])>,
    visit: &mut impl FnMut(&[Cell], Digit) -> bool,
) -> bool {
    let Some((digit, by_house)) = next(path, entered) else {
        return false;
    };
    by_house.into_iter().flatten().any(|cell| {
        if path[1..].contains(&cell) {
            return false;
        }
        let is_start = cell == path[0];
        path.push(cell);
        let ends = visit(path, digit) || (!is_start && walk(path, digit, next, visit));
        path.pop();
        ends
    })
}

/// The peers of a cell by house, in the order in which chains try them.
fn neighbours(cell: Cell) -> [(House, CellSet); 3] {
    let [row, column, block] = cell.houses();
    let own_cell = CellSet::of(cell);
    let lines = row.cells() | column.cells();
    [
        (row, row.cells().without(own_cell)),
        (column, column.cells().without(own_cell)),
        (block, block.cells().without(lines)),
    ]
}

/// Finds turbot fish and X-chains: chains of one digit. Strong and weak links alternate, and the first and the last
/// link are strong. A turbot fish has three links.
pub(crate) fn one_digit_chain(search: &mut Search, most: usize) -> Option<Step> {
    let state = &search.state;
    let mut best = BestStep::new(search.version);
    let asked = Digit::ALL.into_iter();
    let asked: DigitSet = asked.filter(|digit| !search.is_quiet(*digit)).collect();
    let mut found = DigitSet::EMPTY;
    for start in state.empty() {
        for digit in state.digits(start).intersection(asked) {
            let places = state.places(digit);
            let next = |path: &[Cell], _| {
                let is_strong = path.len() % 2 == 1;
                let cell = path[path.len() - 1];
                let by_house = neighbours(cell).map(|(house, cells)| {
                    if is_strong && state.free(house, digit) != 2 {
                        CellSet::EMPTY
                    } else {
                        cells & places
                    }
                });
                (path.len() <= most).then_some((digit, by_house))
            };
            walk(&mut vec![start], digit, &next, &mut |path, _| {
                if path.len() >= 4 && path.len().is_multiple_of(2) {
                    let removed = seen_by_both(start, path[path.len() - 1]) & places;
                    if !removed.is_empty() {
                        found.insert(digit);
                        let removed = CandidateSet::with_digit(digit, removed);
                        best.offer(search.name, removed, path.len() - 1);
                    }
                }
                false
            });
        }
    }
    for digit in asked.intersection(found.complement()) {
        search.set_quiet(digit);
    }
    best.step()
}

/// Visits chains of these bivalue cells, until `visit` returns true. Both ends of a chain are candidates `digit`.
fn walk_cells(
    state: &State,
    cells: CellSet,
    (start, digit): (Cell, Digit),
    mut visit: impl FnMut(&[Cell]) -> bool,
) {
    let cells = cells.without(CellSet::of(start));
    let next = |path: &[Cell], entered| {
        let cell = path[path.len() - 1];
        let other = state.digits(cell).find(|digit| *digit != entered)?;
        let places = cells & state.places(other);
        let by_house = neighbours(cell).map(|(_, peers)| peers & places);
        (links(path) + 2 <= MOST_LINKS).then_some((other, by_house))
    };
    walk(&mut vec![start], digit, &next, &mut |path, other| {
        let end = path[path.len() - 1];
        other != digit && state.digits(end).contains(digit) && visit(path)
    });
}

/// The number of links of a chain of bivalue cells: one inside each cell, and one between each two cells.
fn links(path: &[Cell]) -> usize {
    2 * path.len() - 1
}

/// Finds an XY-chain: a chain of bivalue cells, in which at least one of the two end candidates is true.
pub(crate) fn xy_chain(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let cells = state.bivalue();
    let mut best = BestStep::new(search.version);
    for start in cells {
        for digit in state.digits(start) {
            let removed = |end: Cell| {
                let seen = seen_by_both(start, end) & state.places(digit);
                CandidateSet::with_digit(digit, seen)
            };
            // Skip a start if none of its possible ends can remove a candidate. That skips most starts.
            let ends = ends_of_walks(state, cells, start, digit);
            let wanted = ends.filter(|end| best.wants(&removed(*end), 0));
            let mut wanted: CellSet = wanted.collect();
            if wanted.is_empty() {
                continue;
            }
            walk_cells(state, cells, (start, digit), |path| {
                let end = path[path.len() - 1];
                if wanted.contains(end) {
                    best.offer("XY-Chain", removed(end), links(path));
                    // Version 2.2 ignores the length of the chain, so one chain to each end is enough.
                    if search.version == HodokuVersion::V2_2 {
                        wanted.remove(end);
                    }
                }
                wanted.is_empty()
            });
        }
    }
    best.step()
}

/// The cells in which chains from `start` could end if they could visit cells repeatedly.
fn ends_of_walks(state: &State, cells: CellSet, start: Cell, digit: Digit) -> CellSet {
    // For each digit, the cells that a link of that digit has entered.
    let mut entered = [CellSet::EMPTY; 9];
    entered[digit.index()].insert(start);
    let mut ends = CellSet::EMPTY;
    let mut open = vec![(start, digit)];
    while let Some((cell, at)) = open.pop() {
        let Some(other) = state.digits(cell).find(|digit| *digit != at) else {
            continue;
        };
        let known_cells = &mut entered[other.index()];
        let new = (cell.peers() & cells & state.places(other)).without(*known_cells);
        *known_cells |= new;
        open.extend(new.map(|next| (next, other)));
        if other != digit {
            ends |= new & state.places(digit);
        }
    }
    ends
}

/// Finds a remote pair: a chain of cells with the same two candidates. Cells of the chain at an odd distance have
/// different values. The two end cells must remove a candidate.
pub(crate) fn remote_pair(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let all = state.bivalue();
    let mut best = BestStep::new(search.version);
    for start in all {
        let digits = state.digits(start);
        let cells: CellSet = all.filter(|cell| state.digits(*cell) == digits).collect();
        if cells.len() < 4 {
            continue;
        }
        let add_removals = |a: Cell, b: Cell, removed: &mut CandidateSet| {
            for digit in digits {
                removed.insert(digit, seen_by_both(a, b) & state.places(digit));
            }
        };
        for digit in digits {
            walk_cells(state, cells, (start, digit), |path| {
                let mut removed = CandidateSet::EMPTY;
                add_removals(start, path[path.len() - 1], &mut removed);
                if path.len() >= 4 && !removed.is_empty() {
                    for (i, a) in path.iter().enumerate() {
                        for b in path[i..].iter().skip(3).step_by(2) {
                            add_removals(*a, *b, &mut removed);
                        }
                    }
                    best.offer("Remote Pair", removed, links(path));
                }
                false
            });
        }
    }
    best.step()
}
