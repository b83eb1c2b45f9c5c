//! The closure of each candidate: everything that follows from it by static links, in any number. A
//! closure contains all nodes of the run, which ends at a contradiction. So if the closures of several
//! candidates have nothing in common, neither have their runs.

use crate::rating::chains::bits::Bits;
use crate::rating::chains::reach::Reach;

/// For each candidate: the candidates that are on, and those that are off, if it is on.
pub(super) struct Closures<const W: usize> {
    sets: Vec<[Bits<W>; 2]>,
}

impl<const W: usize> Default for Closures<W> {
    fn default() -> Closures<W> {
        Closures { sets: Vec::new() }
    }
}

impl<const W: usize> Closures<W> {
    /// Takes the closures from the complete layers, in which candidates may be that have left the board.
    pub(super) fn fill(&mut self, layers: &Reach<W>, on_board: &Bits<W>) {
        self.sets.clear();
        let all = layers.reached.iter().enumerate();
        self.sets.extend(all.map(|(start, on)| {
            let mut sets = [*on, layers.reached_off(start)];
            sets.iter_mut().for_each(|set| set.keep(on_board));
            sets
        }));
    }

    /// Whether all of these candidates have a consequence in common.
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
