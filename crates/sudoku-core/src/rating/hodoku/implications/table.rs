//! Tables of implications: what follows from a premise by chains of links, with the chains.

use super::links::Links;
use crate::bit_rows::{has, insert};
use crate::rating::hodoku::path::state::State;

/// The most entries of a table.
pub(crate) const MOST_ENTRIES: usize = 1000;

/// What follows from one premise, in the order of finding: breadth first.
#[derive(Default)]
pub(crate) struct Table {
    /// The premises that follow; the first one is the premise of the table.
    pub(crate) entries: Vec<u16>,
    /// For each entry the entry from which it follows by one link.
    from: Vec<u16>,
    /// The number of links to each entry.
    pub(crate) links: Vec<u16>,
    /// The entries as bits.
    pub(crate) set: Vec<u64>,
}

impl Table {
    /// Follows the links from a premise.
    pub(crate) fn fill(&mut self, state: &State, links: &Links, start: usize) {
        self.entries.clear();
        self.from.clear();
        self.links.clear();
        self.set.clear();
        self.set.resize(links.direct.words(), 0);
        self.push(start, 0, 0);
        let mut at = 0;
        while at < self.entries.len() {
            let premise = usize::from(self.entries[at]);
            let is_new = |(new, old): (&u64, &u64)| new & !old != 0;
            if links.direct.row(premise).iter().zip(&self.set).any(is_new) {
                let distance = self.links[at] + 1;
                links.each_direct(state, premise, &mut |next| {
                    if !has(&self.set, next) && self.entries.len() < MOST_ENTRIES {
                        self.push(next, at as u16, distance);
                    }
                });
            }
            at += 1;
        }
    }

    fn push(&mut self, premise: usize, from: u16, links: u16) {
        insert(&mut self.set, premise);
        self.entries.push(premise as u16);
        self.from.push(from);
        self.links.push(links);
    }

    /// The premises from an entry back to the start.
    pub(crate) fn back(&self, entry: usize) -> impl Iterator<Item = usize> {
        let mut at = Some(entry);
        std::iter::from_fn(move || {
            let entry = at?;
            at = (entry > 0).then(|| usize::from(self.from[entry]));
            Some(usize::from(self.entries[entry]))
        })
    }
}
