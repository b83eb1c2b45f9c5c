//! Forcing nets: forcing chains over tables with all that singles set; and brute force.

use super::forcing;
use super::search::Search;
use super::state::State;
use super::step::{Candidate, Step};
use super::tables::{Closure, Links, MOST_ENTRIES, count, premise};
use crate::board::{CellSet, Digit};
use crate::solve::{Backtracker, Limits, Solution, Solver};

/// So many rounds of singles follow a premise.
const ROUNDS: usize = 4;

/// The placement with the lowest cell; if there is none, the removal with the lowest cell and digit.
///
/// ```text
/// for each candidate, true and false:
///     set it on a copy of the state, with its queues
///     ROUNDS times: all entries of both queues as they are now; set those whose cell is still empty
///     direct[premise] = all that was placed and removed
/// table[premise] = the closure of the links and of `direct`
/// ```
///
/// An entry is set even if its candidate has been removed since it was queued. This only happens after a
/// false premise, and the reference takes what follows from such states too.
pub(super) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let (links, _) = search.implications.as_ref()?;
    let premises = 0..2 * links.candidates;
    let direct: Vec<Vec<u64>> = (premises.clone())
        .map(|premise| follow(state, links, premise))
        .collect();
    let closure = Closure::new(links, &direct);
    let tables: Vec<&[u64]> = premises.map(|premise| closure.set(premise)).collect();
    if tables.iter().any(|table| count(table) > MOST_ENTRIES) {
        // Which entries the reference then leaves out is not known.
        search.is_full = true;
        return None;
    }
    let impossible = forcing::impossible(state, links);
    forcing::step(state, links, &tables, &impossible, "Forcing Net")
}

/// What singles place and remove after a premise, as bits.
fn follow(state: &State, links: &Links, start: usize) -> Vec<u64> {
    let mut set = vec![0; links.candidates.div_ceil(32)];
    let mut add = |(cell, digit): Candidate, is_on: bool| {
        if state.places(digit).contains(cell) {
            let premise = premise(links.node(cell, digit), is_on);
            set[premise / 64] |= 1 << (premise % 64);
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
    let node = &links.nodes[start / 2];
    if start.is_multiple_of(2) {
        place(&mut trial, (node.first, node.digit));
    } else {
        trial.remove(node.first, node.digit);
    }
    for _ in 0..ROUNDS {
        for single in trial.queued() {
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
    set
}

/// Sets the middle one of the empty cells.
pub(super) fn brute_force(search: &mut Search) -> Option<Step> {
    if search.is_full {
        return None;
    }
    let mut solutions: Vec<Solution> = Vec::new();
    let board = search.state.candidates();
    Backtracker.solve(&[board], Limits::default(), &mut solutions);
    let solution = solutions.pop()?.first?;
    let mut empty = search.state.empty();
    let cell = empty.nth(empty.len() / 2)?;
    Some(Step::placing("Brute Force", (cell, solution.get(cell)?)))
}
