//! The closure of each candidate: everything that follows from it by any number of static links. A run stops at a
//! contradiction, so it finds a subset of the closure. If the closures of several candidates have no node in
//! common, their runs have none either.

use crate::rating::chains::bits::Bits;
use crate::rating::chains::reach::Reach;

/// Two sets for each candidate: the candidates that are on if it is on, and the candidates that are off if it is
/// on.
pub(super) struct Closures<const W: usize> {
    sets: Vec<[Bits<W>; 2]>,
}

impl<const W: usize> Default for Closures<W> {
    fn default() -> Closures<W> {
        Closures { sets: Vec::new() }
    }
}

impl<const W: usize> Closures<W> {
    /// Computes the closures from complete layers, without the candidates that are no longer on the board.
    pub(super) fn fill(&mut self, layers: &Reach<W>, on_board: &Bits<W>) {
        self.sets.clear();
        let reached_by_start = layers.reached.iter().enumerate();
        self.sets.extend(reached_by_start.map(|(start, on)| {
            let mut sets = [*on, layers.reached_off(start)];
            sets.iter_mut().for_each(|set| set.keep(on_board));
            sets
        }));
    }

    /// Whether the closures of all these candidates have a node in common.
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
