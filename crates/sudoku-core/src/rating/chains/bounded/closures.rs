//! What follows from each candidate by static links in any number: more than what a run reaches, which
//! ends where it contradicts itself, and without the lengths. Where several candidates have nothing
//! in common here, their runs have not.

use crate::rating::chains::bits::Bits;
use crate::rating::chains::reach::Reach;

/// For each candidate those that are on because it is on, and those that are off.
pub(super) struct Closures<const W: usize> {
    sets: Vec<[Bits<W>; 2]>,
}

impl<const W: usize> Default for Closures<W> {
    fn default() -> Closures<W> {
        Closures { sets: Vec::new() }
    }
}

impl<const W: usize> Closures<W> {
    pub(super) fn fill(&mut self, layers: &Reach<W>) {
        self.sets.clear();
        let all = layers.reached.iter().enumerate();
        self.sets
            .extend(all.map(|(start, on)| [*on, layers.reached_off(start)]));
    }

    /// Whether these candidates have a common consequence.
    pub(super) fn meet(&self, starts: &[usize]) -> bool {
        let Some((first, others)) = starts.split_first() else {
            return false;
        };
        [0, 1].into_iter().any(|state| {
            let mut common = self.sets[*first][state];
            for other in others {
                common.keep(&self.sets[*other][state]);
            }
            !common.is_empty()
        })
    }
}
