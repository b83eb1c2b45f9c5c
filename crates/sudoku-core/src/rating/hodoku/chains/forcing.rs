//! Forcing chains: a conclusion follows from a candidate whether it is true or false, from every candidate of a cell,
//! or from every place of a digit in a house. Also contradictions.

use std::borrow::Cow;
use std::ops::Deref;

use crate::bit_rows::{Closure, add, count, has, insert, members};
use crate::board::{Cell, Digit, House};
use crate::rating::hodoku::implications::links::{EVEN, Links, Premise, premise};
use crate::rating::hodoku::implications::table::{MOST_ENTRIES, Table};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// Finds a forcing chain, which uses only the links between candidates.
pub(crate) fn find(search: &mut Search) -> Option<Step> {
    // The search for grouped loops, earlier in the table of techniques, has stored the links of this board.
    let (links, closure) = search.implications.as_ref()?;
    let tables: Vec<Cow<'_, [u64]>> = links
        .candidate_premises()
        .map(|start| table(&search.state, links, closure, start))
        .collect();
    // Links go both ways. So if a premise makes all candidates of a cell false, or all places of a digit in a house,
    // each of them makes the premise false. Only incomplete tables can lack that.
    let is_whole = |table: &Cow<'_, [u64]>| matches!(table, Cow::Borrowed(_));
    let impossible = if tables.iter().all(is_whole) {
        Vec::new()
    } else {
        impossible_sets(&search.state, links)
    };
    step(&search.state, links, &tables, &impossible, "Forcing Chain")
}

/// A forcing step: the placement in the lowest cell, or, if there is none, the removal with the lowest cell and digit;
/// `None` if there is neither.
///
/// Each step is one placement or one removal, so HoDoKu's choice never depends on the kind or length of a chain.
pub(crate) fn step(
    state: &State,
    links: &Links,
    tables: &[impl Deref<Target = [u64]>],
    impossible: &[Vec<Premise>],
    name: &'static str,
) -> Option<Step> {
    let on = |cell: Cell, digit: Digit| premise(links.node(cell, digit), true);
    let mut results = vec![0; links.direct.words()];
    let mut common = Vec::new();
    for node in links.candidate_nodes() {
        let cases = [premise(node, true), premise(node, false)];
        keep_common(tables, cases, &mut common);
        let (cell, _) = links.candidate(node);
        members(common.iter().copied())
            .filter(|next| links.node_of(Premise::new(*next)).first != cell)
            .for_each(|next| insert(&mut results, next));
    }
    for cell in state.empty() {
        let cases = state.digits(cell).map(|digit| on(cell, digit));
        keep_common(tables, cases, &mut common);
        add(&mut results, &common);
    }
    for house in House::ALL {
        for digit in Digit::ALL {
            let cases = (house.cells() & state.places(digit)).map(|cell| on(cell, digit));
            keep_common(tables, cases, &mut common);
            add(&mut results, &common);
        }
    }
    [true, false].into_iter().find_map(|is_on| {
        // Contradictions and conclusions from all cases are found in one search; the first one is taken.
        let mut nodes = links.candidate_nodes();
        let node = nodes.find(|node| {
            let opposite = tables[premise(*node, !is_on).index()].deref();
            has(&results, premise(*node, is_on).index()) || contradicts(links, opposite, impossible)
        })?;
        if is_on {
            Some(Step::placing(name, links.candidate(node)))
        } else {
            Step::removing(name, vec![links.candidate(node)])
        }
    })
}

/// Sets `common` to the premises that follow from every one of `cases`; to the empty set if there are none.
fn keep_common(
    tables: &[impl Deref<Target = [u64]>],
    cases: impl IntoIterator<Item = Premise>,
    common: &mut Vec<u64>,
) {
    common.clear();
    for case in cases.into_iter().map(Premise::index) {
        if common.is_empty() {
            common.extend_from_slice(&tables[case]);
        }
        for (word, other) in common.iter_mut().zip(tables[case].iter()) {
            *word &= other;
        }
    }
}

/// The premises that follow from the premise `start`. Of more than [`MOST_ENTRIES`], only those found first.
fn table<'a>(state: &State, links: &Links, closure: &'a Closure, start: Premise) -> Cow<'a, [u64]> {
    let set = closure.set(start.index());
    if count(set) <= MOST_ENTRIES {
        return Cow::Borrowed(set);
    }
    let mut table = Table::default();
    table.fill(state, links, start);
    Cow::Owned(table.set)
}

/// Sets of premises that cannot all hold, because all candidates of a cell, or all places of a digit in a house, would
/// be false. As in HoDoKu, a house from which a step has removed the digit is left out.
pub(crate) fn impossible_sets(state: &State, links: &Links) -> Vec<Vec<Premise>> {
    let off = |cell: Cell, digit: Digit| premise(links.node(cell, digit), false);
    let cells = state.empty();
    let mut sets: Vec<Vec<Premise>> = cells
        .map(|cell| state.digits(cell).map(|digit| off(cell, digit)).collect())
        .collect();
    for digit in Digit::ALL {
        let (allowed, places) = (state.allowed(digit), state.places(digit));
        for house in House::ALL {
            let cells = house.cells() & allowed;
            if !cells.is_empty() && cells.is_subset(places) {
                sets.push(cells.map(|cell| off(cell, digit)).collect());
            }
        }
    }
    sets
}

/// Whether the premises in `table`, all of which follow from one premise, contradict each other.
fn contradicts(links: &Links, table: &[u64], impossible: &[Vec<Premise>]) -> bool {
    // A candidate that is both true and false. Two digits in a cell or a digit twice in a house are found too: if two
    // candidates cannot both be true, each makes the other one false by a link.
    let both = members(table.iter().map(|word| word & word >> 1 & EVEN));
    { both }
        .next()
        .is_some_and(|first| links.is_candidate(Premise::new(first)))
        || impossible
            .iter()
            .any(|set| set.iter().all(|premise| has(table, premise.index())))
}
