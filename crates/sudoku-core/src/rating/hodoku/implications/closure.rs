//! What follows from each premise by any number of links.

use super::links::MOST_WORDS;
use crate::rating::hodoku::sets::bit_rows::{BitRows, add, has, insert, members};

/// What follows from each premise, as sets of premises: the transitive closure of the links.
///
/// Premises that follow from each other share one set, so each link is followed once. Most questions
/// only need these sets, and [`Table::fill`](super::table::Table::fill) is left to the few premises whose chains
/// are wanted.
pub(crate) struct Closure {
    /// For each premise the index of its set.
    set_of: Vec<u16>,
    sets: BitRows,
}

/// Tarjan's search for the sets of premises that follow from each other.
struct Components<'a> {
    /// For each premise what follows from it by one link.
    links: &'a BitRows,
    closure: Closure,
    /// For each premise the order of its visit.
    order: Vec<u16>,
    visits: u16,
    unvisited: Vec<u64>,
    /// The premises from which nothing follows. They have their sets from the start.
    ends: Vec<u64>,
    /// The premises that were visited and have no set yet, as a stack and as bits.
    open: Vec<u16>,
    is_open: Vec<u64>,
}

impl Closure {
    /// The closure of links, given as the set of premises that follow from each premise by one link.
    pub(crate) fn new(links: &BitRows) -> Closure {
        let (count, words) = (links.len(), links.words());
        let mut components = Components {
            links,
            closure: Closure {
                set_of: vec![0; count],
                sets: BitRows::with_capacity(count, words),
            },
            order: vec![0; count],
            visits: 0,
            unvisited: vec![u64::MAX; words],
            ends: vec![0; words],
            open: Vec::with_capacity(count),
            is_open: vec![0; words],
        };
        for premise in 0..count {
            if links.row(premise).iter().all(|word| *word == 0) {
                components.unvisited[premise / 64] ^= 1 << (premise % 64);
                insert(&mut components.ends, premise);
                let mut set = [0; MOST_WORDS];
                insert(&mut set, premise);
                components.closure.set_of[premise] = components.closure.sets.push(&set[..words]);
            }
        }
        for premise in 0..count {
            if has(&components.unvisited, premise) {
                components.visit(premise);
            }
        }
        components.closure
    }

    /// What follows from a premise, and the premise itself.
    pub(crate) fn set(&self, premise: usize) -> &[u64] {
        self.sets.row(usize::from(self.set_of[premise]))
    }
}

impl Components<'_> {
    /// Visits a premise and what follows from it. Returns the earliest visit of an open premise that
    /// was reached.
    fn visit(&mut self, premise: usize) -> u16 {
        let visit = self.visits;
        self.visits += 1;
        self.order[premise] = visit;
        self.unvisited[premise / 64] ^= 1 << (premise % 64);
        self.open.push(premise as u16);
        self.is_open[premise / 64] ^= 1 << (premise % 64);
        let mut earliest = visit;
        let row = self.links.row(premise);
        for (at, word) in row.iter().enumerate() {
            // Each visit can visit others of this word.
            while let new @ 1.. = word & self.unvisited[at] {
                earliest = earliest.min(self.visit(64 * at + new.trailing_zeros() as usize));
            }
        }
        let open = row.iter().zip(&self.is_open).map(|(row, open)| row & open);
        let open = members(open).map(|next| self.order[next]);
        earliest = open.fold(earliest, u16::min);
        if earliest == visit {
            self.close(premise);
        }
        earliest
    }

    /// Makes the set of the premises that were visited since this one.
    fn close(&mut self, premise: usize) {
        let words = self.links.words();
        let new = &mut [0; MOST_WORDS][..words];
        let first = self.order[premise];
        let start = self
            .open
            .partition_point(|open| self.order[usize::from(*open)] < first);
        for member in self.open[start..].iter().map(|member| usize::from(*member)) {
            insert(new, member);
            for (at, word) in self.links.row(member).iter().enumerate() {
                new[at] |= word & self.ends[at];
                // What follows from a premise of the new set has come with it, or comes with a later member.
                while let next @ 1.. = word & !new[at] {
                    let next = next & next.wrapping_neg();
                    if self.is_open[at] & next != 0 {
                        new[at] |= next;
                    } else {
                        let next = 64 * at + next.trailing_zeros() as usize;
                        add(new, self.closure.set(next));
                    }
                }
            }
        }
        let set = self.closure.sets.push(new);
        for member in self.open.drain(start..).map(usize::from) {
            self.is_open[member / 64] ^= 1 << (member % 64);
            self.closure.set_of[member] = set;
        }
    }
}
