//! The transitive closure of a relation between small numbers, such as "candidate a implies candidate b".

use super::rows::{BitRows, add, has, insert, members};

/// The transitive closure of a relation: for each number, all numbers that any number of steps leads to, and
/// the number itself.
///
/// Numbers that lead to each other share one set, so each step is followed only once.
pub(crate) struct Closure {
    /// For each number, the index of its set in `sets`.
    set_of: Vec<u16>,
    sets: BitRows,
}

/// Tarjan's search (1972) for strongly connected components: groups of numbers that lead to each other. It
/// completes a group after all groups that it leads to.
struct ComponentSearch<'a> {
    /// The relation: for each number, the numbers that one step leads to.
    steps: &'a BitRows,
    closure: Closure,
    /// For each number, its position in the order of first visits.
    order: Vec<u16>,
    visits: u16,
    unvisited: Vec<u64>,
    /// The numbers without a step to another number, as bits. Each of their sets is the number alone, and is made
    /// before the search, so that the search does not visit them.
    without_steps: Vec<u64>,
    /// The stack of the numbers that were visited but have no set yet. `is_open` has the same numbers as
    /// bits.
    open: Vec<u16>,
    is_open: Vec<u64>,
}

/// A number on the path that the search has taken to the current number.
struct Visit {
    number: usize,
    /// Where the search for unvisited numbers continues, as the index of a word of the number's row: the words
    /// before it have none.
    word: usize,
    /// Of all open numbers that this number is known to lead to, the one visited first: its position in the
    /// order of first visits.
    earliest: u16,
}

impl Closure {
    /// The closure of a relation, given for each number as the set of numbers that one step leads to. There
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
            without_steps: vec![0; words],
            open: Vec::with_capacity(count),
            is_open: vec![0; words],
        };
        for number in 0..count {
            if steps.row(number).iter().all(|word| *word == 0) {
                search.unvisited[number / 64] ^= 1 << (number % 64);
                insert(&mut search.without_steps, number);
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

    /// All numbers that this number leads to, and the number itself.
    pub(crate) fn set(&self, number: usize) -> &[u64] {
        self.sets.row(self.set_index(number))
    }

    /// The index of the number's set among all sets. Numbers that lead to each other have the same index.
    pub(crate) fn set_index(&self, number: usize) -> usize {
        usize::from(self.set_of[number])
    }

    /// The number of different sets.
    pub(crate) fn len(&self) -> usize {
        self.sets.len()
    }
}

impl ComponentSearch<'_> {
    /// Visits a number and all unvisited numbers that it leads to, depth first.
    fn visit_from(&mut self, start: usize) {
        let mut path = vec![self.enter(start)];
        while let Some(visit) = path.last_mut() {
            let row = self.steps.row(visit.number);
            let mut remaining_words = row[visit.word..].iter().zip(&self.unvisited[visit.word..]);
            if let Some(ahead) = remaining_words.position(|(row, unvisited)| row & unvisited != 0) {
                visit.word += ahead;
                let new_numbers = row[visit.word] & self.unvisited[visit.word];
                let next = 64 * visit.word + new_numbers.trailing_zeros() as usize;
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

    /// Completes a group: makes the set for this number and for all numbers visited after it that have no set
    /// yet.
    fn close(&mut self, number: usize) {
        let first_visit = self.order[number];
        let start = self
            .open
            .partition_point(|open| self.order[usize::from(*open)] < first_visit);
        let (words, index) = (self.steps.words(), self.closure.len() as u16);
        let (complete, new) = self.closure.sets.push_empty();
        for member in self.open[start..].iter().map(|member| usize::from(*member)) {
            insert(new, member);
            for (at, word) in self.steps.row(member).iter().enumerate() {
                new[at] |= word & self.without_steps[at];
                // After `next` is added to the set, everything that it leads to is added too. So numbers that
                // are already in the set are not followed again.
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
