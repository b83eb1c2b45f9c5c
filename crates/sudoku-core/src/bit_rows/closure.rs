//! The transitive closure of a relation between numbers.

use super::rows::{BitRows, add, has, insert, members};

/// For each number, the numbers that follow from it by any number of steps, and the number itself.
///
/// Numbers that follow from each other share one set, so each step is followed once.
pub(crate) struct Closure {
    /// For each number the index of its set.
    set_of: Vec<u16>,
    sets: BitRows,
}

/// Tarjan's search (1972) for the sets of numbers that follow from each other. It finds each of them after all
/// that follow from it.
struct ComponentSearch<'a> {
    /// For each number what follows from it by one step.
    steps: &'a BitRows,
    closure: Closure,
    /// For each number, its position in the order of visits.
    order: Vec<u16>,
    visits: u16,
    unvisited: Vec<u64>,
    /// The numbers without edges to other numbers. Their sets are complete from the start.
    ends: Vec<u64>,
    /// The numbers that were visited and have no set yet, as a stack and as bits.
    open: Vec<u16>,
    is_open: Vec<u64>,
}

/// A number on the path from the start of the search to the current number.
struct Visit {
    number: usize,
    /// The words of its row before this one have no unvisited number.
    word: usize,
    /// The earliest visit of an open number to which it is known to lead.
    earliest: u16,
}

impl Closure {
    /// The closure of the relation that has, for each number, the set of numbers that follow by one step. There
    /// must be fewer than 65,536 numbers.
    pub(crate) fn new(steps: &BitRows) -> Closure {
        let (count, words) = (steps.len(), steps.words());
        let mut search = ComponentSearch {
            steps,
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
        for number in 0..count {
            if steps.row(number).iter().all(|word| *word == 0) {
                search.unvisited[number / 64] ^= 1 << (number % 64);
                insert(&mut search.ends, number);
                search.closure.set_of[number] = search.closure.sets.len() as u16;
                insert(search.closure.sets.push_empty().1, number);
            }
        }
        for number in 0..count {
            if has(&search.unvisited, number) {
                search.visit_from(number);
            }
        }
        search.closure
    }

    /// What follows from a number, and the number itself.
    pub(crate) fn set(&self, number: usize) -> &[u64] {
        self.sets.row(self.set_index(number))
    }

    /// The index of this set among all sets.
    pub(crate) fn set_index(&self, number: usize) -> usize {
        usize::from(self.set_of[number])
    }

    /// The number of sets.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }
}

impl ComponentSearch<'_> {
    /// Visits a number and what follows from it.
    fn visit_from(&mut self, start: usize) {
        let mut path = vec![self.enter(start)];
        while let Some(visit) = path.last_mut() {
            let row = self.steps.row(visit.number);
            let mut left = row[visit.word..].iter().zip(&self.unvisited[visit.word..]);
            if let Some(ahead) = left.position(|(row, unvisited)| row & unvisited != 0) {
                visit.word += ahead;
                let new = row[visit.word] & self.unvisited[visit.word];
                let next = 64 * visit.word + new.trailing_zeros() as usize;
                path.push(self.enter(next));
                continue;
            }
            let open = row.iter().zip(&self.is_open).map(|(row, open)| row & open);
            let open = members(open).map(|next| self.order[next]);
            let (number, earliest) = (visit.number, open.fold(visit.earliest, u16::min));
            if earliest == self.order[number] {
                self.close(number);
            }
            path.pop();
            if let Some(before) = path.last_mut() {
                before.earliest = before.earliest.min(earliest);
            }
        }
    }

    fn enter(&mut self, number: usize) -> Visit {
        let visit = Visit {
            number,
            word: 0,
            earliest: self.visits,
        };
        self.order[number] = self.visits;
        self.visits += 1;
        self.unvisited[number / 64] ^= 1 << (number % 64);
        self.open.push(number as u16);
        self.is_open[number / 64] ^= 1 << (number % 64);
        visit
    }

    /// Makes the set of the numbers that were visited since this one.
    fn close(&mut self, number: usize) {
        let first = self.order[number];
        let start = self
            .open
            .partition_point(|open| self.order[usize::from(*open)] < first);
        let (words, index) = (self.steps.words(), self.closure.len() as u16);
        let (complete, new) = self.closure.sets.push_empty();
        for member in self.open[start..].iter().map(|member| usize::from(*member)) {
            insert(new, member);
            for (at, word) in self.steps.row(member).iter().enumerate() {
                new[at] |= word & self.ends[at];
                // What follows from a number of the new set has come with it, or comes with a later member.
                while let next @ 1.. = word & !new[at] {
                    let next = next & next.wrapping_neg();
                    if self.is_open[at] & next != 0 {
                        new[at] |= next;
                    } else {
                        let next = 64 * at + next.trailing_zeros() as usize;
                        let set = usize::from(self.closure.set_of[next]);
                        add(new, &complete[set * words..][..words]);
                    }
                }
            }
        }
        for member in self.open.drain(start..).map(usize::from) {
            self.is_open[member / 64] ^= 1 << (member % 64);
            self.closure.set_of[member] = index;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Rng;

    #[test]
    fn closures_have_what_repeated_steps_reach() {
        let seed = 39;
        let mut rng = Rng::new(seed);
        for count in [1, 2, 30, 64, 65, 200] {
            let mut steps = BitRows::new(count, count);
            for _ in 0..rng.below(3 * count) {
                steps.insert(rng.below(count), rng.below(count));
            }
            let closure = Closure::new(&steps);
            for number in 0..count {
                let (mut reached, mut left) = (vec![0; steps.words()], vec![number]);
                while let Some(next) = left.pop() {
                    if !has(&reached, next) {
                        insert(&mut reached, next);
                        left.extend(members(steps.row(next).iter().copied()));
                    }
                }
                assert_eq!(
                    closure.set(number),
                    reached,
                    "seed {seed}: {number} of {count}"
                );
            }
        }
    }
}
