//! HoDoKu's forcing nets: forcing chains that also use the consequences of singles. Also brute force.

use super::forcing;
use crate::bit_rows::{Closure, count, insert};
use crate::board::{CellSet, Digit};
use crate::rating::hodoku::implications::links::{Links, Premise, premise};
use crate::rating::hodoku::implications::table::MOST_ENTRIES;
use crate::rating::hodoku::path::state::{Candidate, State};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::solve::{Backtracker, Limits, Solution, Solver};

/// The number of rounds after a premise. Each round places all singles in the queues.
const ROUNDS: usize = 4;

/// Finds a forcing net: the placement in the lowest cell, or else the removal with the lowest cell and digit.
///
/// ```text
/// for each candidate, true and false:
///     set it on a copy of the state, with its queues
///     ROUNDS times: all entries of both queues as they are now; set those whose cell is still empty
///     rows[premise] = its links, and all that was placed and removed
/// table[premise] = the closure of the rows
/// ```
///
/// A queued single is placed even if its candidate has been removed since. This only happens after a wrong premise;
/// HoDoKu uses the consequences of such states too.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let (links, _) = search.implications.as_ref()?;
    let premises = links.candidate_premises();
    let mut rows = links.direct.clone();
    let has_singles = !state.queued().is_empty();
    for premise in premises.clone() {
        if has_singles || leaves_single(state, links, premise) {
            follow_singles(state, links, premise, rows.row_mut(premise.index()));
        }
    }
    let closure = Closure::new(&rows);
    let tables: Vec<&[u64]> = premises
        .map(|premise| closure.set(premise.index()))
        .collect();
    if tables.iter().any(|table| count(table) > MOST_ENTRIES) {
        // If a table is full, it is not known which entries HoDoKu leaves out.
        search.is_full = true;
        return None;
    }
    let impossible = forcing::impossible_sets(state, links);
    forcing::step(state, links, &tables, &impossible, "Forcing Net")
}

/// Whether a premise (a candidate being true or false) can lead to new singles. A false candidate cannot if its cell
/// keeps two other candidates, and each of its houses keeps two other places of the digit.
fn leaves_single(state: &State, links: &Links, premise: Premise) -> bool {
    let (cell, digit) = links.candidate(premise.node());
    let mut houses = cell.houses().into_iter();
    premise.is_on()
        || state.digits(cell).len() < 3
        || houses.any(|house| state.free(house, digit) < 3)
}

/// Adds to `set` the premises that follow from `start`, because singles place or remove candidates.
fn follow_singles(state: &State, links: &Links, start: Premise, set: &mut [u64]) {
    let mut add = |(cell, digit): Candidate, is_on: bool| {
        if state.places(digit).contains(cell) {
            insert(set, premise(links.node(cell, digit), is_on).index());
        }
    };
    let mut trial = state.clone();
    // For each digit, the cells that still had it as a candidate when it was placed there.
    let mut kept_places = [CellSet::EMPTY; 9];
    let mut place = |trial: &mut State, (cell, digit): Candidate| {
        if trial.digits(cell).contains(digit) {
            kept_places[digit.index()].insert(cell);
        }
        add((cell, digit), true);
        trial.place(cell, digit);
    };
    let (cell, digit) = links.candidate(start.node());
    if start.is_on() {
        place(&mut trial, (cell, digit));
    } else {
        trial.remove(cell, digit);
    }
    for _ in 0..ROUNDS {
        let queued = trial.queued();
        if queued.is_empty() {
            break;
        }
        for single in queued {
            if trial.empty().contains(single.0) {
                place(&mut trial, single);
            }
        }
    }
    for digit in Digit::ALL {
        let removed_places = state.places(digit).without(trial.places(digit));
        for cell in removed_places.without(kept_places[digit.index()]) {
            add((cell, digit), false);
        }
    }
}

/// Brute force: in the middle one of the empty cells, places the digit of the solution.
pub(crate) fn brute_force(search: &mut Search) -> Option<Step> {
    if search.is_full {
        return None;
    }
    let mut solutions: Vec<Solution> = Vec::new();
    let board = search.state.candidates().clone();
    Backtracker.solve(&[board], Limits::default(), &mut solutions);
    let solution = solutions.pop()?.first?;
    let mut cells = search.state.empty();
    let cell = cells.nth(cells.len() / 2)?;
    Some(Step::placing("Brute Force", (cell, solution.get(cell)?)))
}
