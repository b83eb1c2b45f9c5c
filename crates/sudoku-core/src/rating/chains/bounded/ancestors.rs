//! The sets of ancestors of the nodes of a run.
//!
//! The length of the chain that ends at a node is the number of its ancestors, with the node itself. It has to be known
//! when the node is found, so a dynamic run keeps the ancestors as sets. An on-node that follows from several off-nodes
//! gets a set of its own: the union of theirs. An off-node follows from one on-node, and shares its set, which does not
//! contain the off-node:
//!
//! ```text
//! nodes      A on ──► b off ─┐
//!               └───► c off ─┴─► D on ──► e off
//!
//! ancestors  0 { A }              of A, b and c; their chains have 1, 2 and 2 nodes
//!            1 { A, b, c, D }     of D and e; their chains have 4 and 5 nodes
//! ```

use super::reached::{NodeSets, OFF, ON, RunResult};
use super::run::{BoundedRun, SharedData};

impl<const W: usize> BoundedRun<W> {
    /// Adds an off-node and all nodes from which it follows to the set `all`.
    #[inline(always)]
    pub(super) fn add_with_ancestors(
        &self,
        shared: &SharedData<'_, W>,
        all: &mut NodeSets<W>,
        off: usize,
        reached: &RunResult<W>,
    ) {
        let off_ancestors = &self.ancestors[reached.ancestors_index(OFF, off)];
        all[ON].add(&off_ancestors[ON]);
        all[OFF].add(&off_ancestors[OFF]);
        all[OFF].add(&shared.net.alone[off]);
    }

    /// Computes the set of an on-node's ancestors, with the node itself, and returns its size. The node is on because
    /// all other candidates of the slot are off: `off` was the last of them, and `gone` are the candidates removed
    /// before.
    #[inline(always)]
    pub(super) fn add_ancestors(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        (slot, gone): (u16, u16),
        off: usize,
        reached: &RunResult<W>,
    ) -> u32 {
        let mut all_ancestors = self.ancestors[reached.ancestors_index(OFF, off)];
        all_ancestors[OFF].add(&shared.net.alone[off]);
        shared.net.numbers.for_each(slot, gone, |hidden| {
            self.add_with_ancestors(shared, &mut all_ancestors, hidden, reached);
        });
        all_ancestors[ON].add(&shared.net.alone[on]);
        self.ancestors.push(all_ancestors);
        if gone == 0 {
            // All ancestors are ancestors of `off`, and are already counted there.
            return reached.count(OFF, off) + 1;
        }
        all_ancestors[ON].len() + all_ancestors[OFF].len()
    }
}
