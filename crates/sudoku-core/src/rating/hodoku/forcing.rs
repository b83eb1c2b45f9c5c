//! Forcing chains: what follows from a candidate and from its opposite, from all candidates of a cell,
//! or from all places of a digit in a house; and contradictions.

use super::search::Search;
use super::state::State;
use super::step::Step;
use super::tables::{Links, Table, premise};
use crate::board::{CellSet, Digit, House};

/// The placement with the lowest cell; if there is none, the removal with the lowest cell and digit.
///
/// Every result is one placement or one removal, and by the reference's comparison neither the kind of a
/// chain nor its length decides between two of them.
pub(super) fn find(search: &mut Search) -> Option<Step> {
    let state = &search.state;
    let links = Links::new(state, true);
    let mut tables = Vec::new();
    for start in 0..2 * links.candidates {
        let mut table = Table::default();
        table.fill(&links, start);
        tables.push(table.set);
    }
    let mut results = vec![false; 2 * links.candidates];
    let mut mark = |premise: usize| results[premise] = true;
    for (start, table) in tables.iter().enumerate() {
        if contradicts(state, &links, table) {
            mark(start ^ 1);
        }
    }
    let common = |sets: &[usize]| -> Vec<u64> {
        let mut words = tables[sets[0]].clone();
        for set in &sets[1..] {
            for (word, other) in words.iter_mut().zip(&tables[*set]) {
                *word &= other;
            }
        }
        words
    };
    for node in 0..links.candidates {
        let own = links.nodes[node].first;
        for premise in members(&common(&[premise(node, true), premise(node, false)])) {
            if premise < 2 * links.candidates && links.nodes[premise / 2].first != own {
                mark(premise);
            }
        }
    }
    let all_of = |sets: Vec<usize>| -> Vec<usize> {
        if sets.is_empty() {
            return Vec::new();
        }
        members(&common(&sets))
            .filter(|p| *p < 2 * links.candidates)
            .collect()
    };
    for cell in state.empty() {
        let digits = state.digits(cell);
        let sets = digits
            .map(|digit| premise(links.node(cell, digit), true))
            .collect();
        all_of(sets).into_iter().for_each(&mut mark);
    }
    for house in House::ALL {
        for digit in Digit::ALL {
            let cells = house.cells() & state.places(digit);
            let sets = cells
                .map(|cell| premise(links.node(cell, digit), true))
                .collect();
            all_of(sets).into_iter().for_each(&mut mark);
        }
    }
    let first = |is_on: bool| (0..links.candidates).find(|node| results[premise(*node, is_on)]);
    let candidate = |node: usize| (links.nodes[node].first, links.nodes[node].digit);
    if let Some(node) = first(true) {
        return Some(Step::placing("Forcing Chain", candidate(node)));
    }
    Step::removing("Forcing Chain", vec![candidate(first(false)?)])
}

/// The members of a set of premises.
fn members(words: &[u64]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().flat_map(|(at, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
            word &= word - 1;
            Some(64 * at + bit)
        })
    })
}

/// Whether what follows from a premise cannot be.
fn contradicts(state: &State, links: &Links, table: &[u64]) -> bool {
    let mut on = [CellSet::EMPTY; 9];
    let mut off = [CellSet::EMPTY; 9];
    for premise in members(table).take_while(|p| *p < 2 * links.candidates) {
        let node = links.nodes[premise / 2];
        let sets = if premise % 2 == 0 { &mut on } else { &mut off };
        sets[node.digit.index()] |= node.cells;
    }
    let mut taken = CellSet::EMPTY;
    for (of_on, of_off) in on.iter().zip(&off) {
        if !(*of_on & *of_off).is_empty() || !(taken & *of_on).is_empty() {
            return true;
        }
        taken |= *of_on;
        if House::ALL
            .iter()
            .any(|house| (house.cells() & *of_on).len() > 1)
        {
            return true;
        }
    }
    // A cell without candidates.
    let is_empty = |cell| {
        let mut digits = state.digits(cell);
        digits.all(|digit| off[digit.index()].contains(cell))
    };
    if state.empty().into_iter().any(is_empty) {
        return true;
    }
    Digit::ALL.into_iter().any(|digit| {
        let allowed = state.allowed(digit);
        let left = allowed.without(off[digit.index()]);
        House::ALL.iter().any(|house| {
            let cells = house.cells() & allowed;
            !cells.is_empty() && (cells & left).is_empty()
        })
    })
}
