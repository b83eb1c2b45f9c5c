//! Forcing nets: forcing chains over tables with all that singles set; and brute force.

use super::forcing;
use super::search::Search;
use super::state::State;
use super::step::{Candidate, Step};
use super::tables::{Closure, Links, MOST_ENTRIES, members, premise};
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
    let (links, closure) = search.implications.as_ref()?;
    let premises = 0..2 * links.candidates;
    let direct: Vec<Vec<u64>> = (premises.clone())
        .map(|premise| follow(state, links, closure.words(), premise))
        .collect();
    let tables: Vec<Vec<u64>> = premises
        .map(|premise| table(closure, &direct, premise))
        .collect();
    let count = |table: &Vec<u64>| table.iter().map(|word| word.count_ones()).sum::<u32>();
    if tables
        .iter()
        .any(|table| count(table) as usize > MOST_ENTRIES)
    {
        // Which entries the reference then leaves out is not known.
        search.is_full = true;
        return None;
    }
    forcing::step(state, links, &tables, "Forcing Net")
}

/// What singles place and remove after a premise, as bits.
fn follow(state: &State, links: &Links, words: usize, start: usize) -> Vec<u64> {
    let mut set = vec![0; words];
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

/// All that follows from a premise by links and by singles, as bits.
fn table(closure: &Closure, direct: &[Vec<u64>], start: usize) -> Vec<u64> {
    let mut table = vec![0; closure.words()];
    let mut open = vec![start];
    while let Some(premise) = open.pop() {
        let reached = closure.set(premise).iter().zip(&direct[premise]);
        for (at, (by_links, by_singles)) in reached.enumerate() {
            let new = (by_links | by_singles) & !table[at];
            table[at] |= new;
            let new = members([new].into_iter()).map(|bit| 64 * at + bit);
            // What follows from groups is in the closure of the candidates that lead to them.
            open.extend(new.filter(|premise| *premise < direct.len()));
        }
    }
    table
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
