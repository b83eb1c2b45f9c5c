//! HoDoKu's implication tables: the premises that follow from one premise by chains of links.

use super::links::{Links, Premise};
use crate::bit_rows::{has, insert};
use crate::rating::hodoku::path::state::State;

/// The largest number of entries in a [`Table`], the same as in HoDoKu.
pub(crate) const MOST_ENTRIES: usize = 1000;

/// The premises that follow from one premise, found breadth first.
#[derive(Default)]
pub(crate) struct Table {
    /// The premises that follow, in the order in which they were found. The first entry is the start premise.
    pub(crate) entries: Vec<Premise>,
    /// For each entry, the index of the entry that it follows from by one link.
    from: Vec<u16>,
    /// For each entry, the number of links from the start premise to it.
    pub(crate) links: Vec<u16>,
    /// The entries as a bit set of premises.
    pub(crate) set: Vec<u64>,
}

impl Table {
    /// Fills the table with the premises that follow from `start`.
    pub(crate) fn fill(&mut self, state: &State, links: &Links, start: Premise) {
        self.entries.clear();
        self.from.clear();
        self.links.clear();
        self.set.clear();
        self.set.resize(links.direct.words(), 0);
        self.push(start, 0, 0);
        let mut at = 0;
        while at < self.entries.len() {
            let premise = self.entries[at];
            let is_new = |(new, old): (&u64, &u64)| new & !old != 0;
            if links
                .direct
                .row(premise.index())
                .iter()
                .zip(&self.set)
                .any(is_new)
            {
                let distance = self.links[at] + 1;
                links.each_direct(state, premise, &mut |next| {
                    if !has(&self.set, next.index()) && self.entries.len() < MOST_ENTRIES {
                        self.push(next, at as u16, distance);
                    }
                });
            }
            at += 1;
        }
    }

    fn push(&mut self, premise: Premise, from: u16, links: u16) {
        insert(&mut self.set, premise.index());
        self.entries.push(premise);
        self.from.push(from);
        self.links.push(links);
    }

    /// The premises on the path from an entry back to the start premise.
    pub(crate) fn back(&self, entry: usize) -> impl Iterator<Item = Premise> {
        let mut at = Some(entry);
        std::iter::from_fn(move || {
            let entry = at?;
            at = (entry > 0).then(|| usize::from(self.from[entry]));
            Some(self.entries[entry])
        })
    }
}
