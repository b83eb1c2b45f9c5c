//! What each candidate can reach: everything that follows from assuming it, by any number of links that do not depend
//! on earlier steps of the chain. A search with a bound finds a part of that, because it stops at a contradiction. So if
//! several candidates reach no node in common, their searches have none in common either.

use crate::bit_rows::BitSet;
use crate::rating::chains::reach::ReachSearch;

/// For each candidate, the candidates that are true if it is true, and the candidates that are false if it is true.
pub(super) struct Reachable<const W: usize> {
    sets: Vec<[BitSet<W>; 2]>,
}

impl<const W: usize> Default for Reachable<W> {
    fn default() -> Reachable<W> {
        Reachable { sets: Vec::new() }
    }
}

impl<const W: usize> Reachable<W> {
    /// Takes the nodes from a complete search for forcing chains. Candidates that are no longer on the board are
    /// left out.
    pub(super) fn fill(&mut self, layers: &ReachSearch<W>, on_board: &BitSet<W>) {
        self.sets.clear();
        let reached_by_start = layers.reached.iter().enumerate();
        self.sets.extend(reached_by_start.map(|(start, on)| {
            let mut sets = [*on, layers.reached_off(start)];
            sets.iter_mut().for_each(|set| set.keep(on_board));
            sets
        }));
    }

    /// Whether all these candidates reach a common node.
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
