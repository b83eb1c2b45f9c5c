//! Forcing nets, which are forcing chains over what follows by links and by singles; and brute force.

use super::forcing;
use crate::bit_rows::{Closure, count, insert};
use crate::board::{CellSet, Digit};
use crate::rating::hodoku::implications::links::{Links, premise};
use crate::rating::hodoku::implications::table::MOST_ENTRIES;
use crate::rating::hodoku::path::state::{Candidate, State};
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;
use crate::solve::{Backtracker, Limits, Solution, Solver};

/// The number of rounds of singles after a premise.
const ROUNDS: usize = 4;

/// The placement with the lowest cell; if there is none, the removal with the lowest cell and digit.
///
/// ```text
/// for each candidate, true and false:
///     set it on a copy of the state, with its queues
///     ROUNDS times: all entries of both queues as they are now; set those whose cell is still empty
///     rows[premise] = its links, and all that was placed and removed
/// table[premise] = the closure of the rows
/// ```
///
/// A single is set even if its candidate has been removed since it was queued. This only happens after a
/// premise that is wrong, and the reference uses the consequences of such states too.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let (links, _) = search.implications.as_ref()?;
    let premises = 0..2 * links.candidates;
    let mut rows = links.direct.clone();
    let has_singles = !state.queued().is_empty();
    for premise in premises.clone() {
        if has_singles || leaves_single(state, links, premise) {
            follow(state, links, premise, rows.row_mut(premise));
        }
    }
    let closure = Closure::new(&rows);
    let tables: Vec<&[u64]> = premises.map(|premise| closure.set(premise)).collect();
    if tables.iter().any(|table| count(table) > MOST_ENTRIES) {
        // Which entries the reference then leaves out is not known.
        search.is_full = true;
        return None;
    }
    let impossible = forcing::impossible(state, links);
    forcing::step(state, links, &tables, &impossible, "Forcing Net")
}

/// Whether a premise can leave a single. A candidate that is false leaves none where its cell and its houses
/// still have two others.
fn leaves_single(state: &State, links: &Links, premise: usize) -> bool {
    let (cell, digit) = links.candidate(premise / 2);
    let mut houses = cell.houses().into_iter();
    premise.is_multiple_of(2)
        || state.digits(cell).len() < 3
        || houses.any(|house| state.free(house, digit) < 3)
}

/// Adds the candidates that singles place and remove after a premise to the set of what follows from it.
fn follow(state: &State, links: &Links, start: usize, set: &mut [u64]) {
    let mut add = |(cell, digit): Candidate, is_on: bool| {
        if state.places(digit).contains(cell) {
            insert(set, premise(links.node(cell, digit), is_on));
        }
    };
    let mut trial = state.clone();
    // Candidates that were still there when they were placed.
    let mut kept = [CellSet::EMPTY; 9];
    let mut place = |trial: &mut State, (cell, digit): Candidate| {
        if trial.digits(cell).contains(digit) {
            kept[digit.index()].insert(cell);
        }
        add((cell, digit), true);
        trial.place(cell, digit);
    };
    let (cell, digit) = links.candidate(start / 2);
    if start.is_multiple_of(2) {
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
        let gone = state.places(digit).without(trial.places(digit));
        for cell in gone.without(kept[digit.index()]) {
            add((cell, digit), false);
        }
    }
}

/// Sets the cell in the middle of the list of empty cells to its value in the solution.
pub(crate) fn brute_force(search: &mut Search) -> Option<Step> {
    if search.is_full {
        return None;
    }
    let mut solutions: Vec<Solution> = Vec::new();
    let board = search.state.candidates().clone();
    Backtracker.solve(&[board], Limits::default(), &mut solutions);
    let solution = solutions.pop()?.first?;
    let mut empty = search.state.empty();
    let cell = empty.nth(empty.len() / 2)?;
    Some(Step::placing("Brute Force", (cell, solution.get(cell)?)))
}
