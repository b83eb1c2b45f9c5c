//! Finds all consequences of one assumption. Such a run stops as soon as all further nodes would have too many
//! ancestors.
//!
//! When a node is found, the set of its ancestors is computed, so the length of its chain is known at once. As soon as
//! the chains of all nodes still to be followed are too long, the rest of the run cannot be part of a better hint.
//! Until then, the run finds the same nodes as the slower version in [`super::super::run`].

use super::net::{LinkNet, MOST_OFF, RunGrid, is_at_most_single};
use super::reached::{NodeNote, NodeSets, OFF, ON, Progress, RunResult};
use crate::bit_rows::BitSet;
use crate::rating::board::Board;
use crate::rating::chains::numbering::CandidateNumbering;
use crate::rating::chains::run::RunMode;
use crate::vectors::{PlainWork, Vectors};

/// The data that all runs (searches from one assumption) share.
pub(super) struct SharedData<'a, const W: usize> {
    pub(super) board: &'a Board,
    pub(super) numbering: &'a CandidateNumbering,
    pub(super) net: &'a LinkNet<W>,
    pub(super) mode: RunMode,
}

/// The working memory for following one assumption (a run).
pub(super) struct BoundedRun<const W: usize> {
    vectors: Vectors,
    /// The grid of candidates. A dynamic run removes candidates from it.
    grid: RunGrid,
    /// All nodes that follow from the assumption.
    pub(super) sets: NodeSets<W>,
    /// The nodes with too many ancestors to be part of a hint within the limit.
    too_long: NodeSets<W>,
    /// Sets of nodes with their ancestors. An on-node has its own set. An off-node usually shares the set of its
    /// parent, which then does not contain the off-node itself.
    pub(super) ancestors: Vec<NodeSets<W>>,
    progress: Progress,
    limit: u32,
    /// For simple techniques, the board without off-nodes of the run, and the number of off-nodes removed from it so
    /// far.
    pub(super) left: Option<(Board, usize)>,
}

impl<const W: usize> Default for BoundedRun<W> {
    fn default() -> BoundedRun<W> {
        BoundedRun {
            vectors: Vectors::default(),
            grid: RunGrid::EMPTY,
            sets: [BitSet::EMPTY; 2],
            too_long: [BitSet::EMPTY; 2],
            ancestors: Vec::new(),
            progress: Progress::default(),
            limit: 0,
            left: None,
        }
    }
}

/// A call of [`BoundedRun::follow_all`]. It is compiled once for AVX2 machines and once for all others, as every
/// [`PlainWork`].
struct RunWork<'a, 'b, const W: usize> {
    run: &'a mut BoundedRun<W>,
    shared: &'a SharedData<'b, W>,
    reached: &'a mut RunResult<W>,
}

impl<const W: usize> PlainWork for RunWork<'_, '_, W> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run(self) -> Option<u32> {
        if self.shared.mode.dynamic {
            self.run.follow_all::<true>(self.shared, self.reached)
        } else {
            self.run.follow_all::<false>(self.shared, self.reached)
        }
    }
}

impl<const W: usize> BoundedRun<W> {
    /// Finds the nodes that follow from an assumption, given as its state and the number of its candidate. Finds all
    /// nodes that can be part of a hint with at most `limit` nodes. Returns the number of nodes found.
    pub(super) fn fill(
        &mut self,
        shared: &SharedData<'_, W>,
        start: (usize, usize),
        limit: u32,
        reached: &mut RunResult<W>,
    ) -> u64 {
        self.begin(shared, start, limit, reached);
        reached.contradiction = self.vectors.run_plain(RunWork {
            run: self,
            shared,
            reached,
        });
        reached.node_count()
    }

    fn begin(
        &mut self,
        shared: &SharedData<'_, W>,
        (state, start): (usize, usize),
        limit: u32,
        reached: &mut RunResult<W>,
    ) {
        if shared.mode.dynamic {
            self.grid.clone_from(&shared.net.grid);
        }
        reached.limit = limit;
        self.sets = [BitSet::EMPTY; 2];
        self.too_long = [BitSet::EMPTY; 2];
        self.ancestors.clear();
        self.progress = Progress::default();
        self.limit = limit;
        self.left = None;
        reached.is_cut = false;
        let mut alone = [BitSet::EMPTY; 2];
        if state == ON {
            alone[ON].insert(start);
            if shared.mode.dynamic {
                self.grid
                    .satisfy(&shared.net.candidate_slots[start], &mut reached.grid);
            }
        }
        self.ancestors.push(alone);
        self.add_node(shared, (state, start), 0, 1, reached);
    }

    /// Follows all nodes, on-nodes first. If they lead to a contradiction, returns its length in nodes; otherwise
    /// `None`.
    #[inline(always)]
    fn follow_all<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        let found = self.follow::<DYNAMIC>(shared, reached);
        if DYNAMIC {
            reached.grid.add_unsatisfied(&self.grid);
        }
        reached.ends = self.progress.ends;
        reached.sets = self.sets;
        for (set, too_long) in reached.sets.iter_mut().zip(&self.too_long) {
            set.subtract(too_long);
        }
        found
    }

    #[inline(always)]
    fn follow<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        loop {
            while self.progress.heads[ON] < self.progress.ends[ON] {
                let head = self.progress.heads[ON];
                let Progress {
                    heads, live_ends, ..
                } = self.progress;
                if head >= live_ends[ON] && heads[OFF] >= live_ends[OFF] {
                    reached.is_cut = true;
                    return None;
                }
                self.progress.heads[ON] += 1;
                let on = usize::from(reached.orders[ON][head]);
                let found = self.follow_on(shared, on, reached);
                if found.is_some() {
                    return found;
                }
            }
            let Progress {
                heads,
                ends,
                live_ends,
            } = self.progress;
            if heads[OFF] < live_ends[OFF] {
                let found = self.follow_offs::<DYNAMIC>(shared, reached);
                if found.is_some() {
                    return found;
                }
            } else if heads[OFF] < ends[OFF] {
                reached.is_cut = true;
                return None;
            } else if shared.mode.level == 0 || !self.apply_rules(shared, reached) {
                return None;
            }
        }
    }

    /// The off-nodes found so far, in the order of their discovery.
    pub(super) fn off_nodes<'a>(&self, reached: &'a RunResult<W>) -> &'a [u16] {
        &reached.orders[OFF][..self.progress.ends[OFF]]
    }

    /// Whether a node whose chain has `count` nodes can have a child within the limit. The child, and another end of
    /// the hint, add at least one node each.
    #[inline(always)]
    fn is_live(&self, count: u32) -> bool {
        count + 2 <= self.limit
    }

    #[inline(always)]
    pub(super) fn add_node(
        &mut self,
        shared: &SharedData<'_, W>,
        (state, n): (usize, usize),
        place: usize,
        count: u32,
        reached: &mut RunResult<W>,
    ) {
        let alone = &shared.net.alone[n];
        self.sets[state].add(alone);
        let end = &mut self.progress.ends[state];
        reached.orders[state][*end] = n as u16;
        *end += 1;
        reached.notes[state][n] = NodeNote::new(place, count);
        if self.is_live(count) {
            self.progress.live_ends[state] = self.progress.ends[state];
        }
        if count >= self.limit {
            self.too_long[state].add(alone);
            reached.is_cut = true;
        }
    }

    #[inline(always)]
    fn follow_on(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        let mut new_off = *shared.net.off(shared.mode.links(), on);
        new_off.subtract(&self.sets[OFF]);
        if new_off.is_empty() {
            return None;
        }
        let (place, count) = (reached.ancestors_index(ON, on), reached.count(ON, on) + 1);
        if new_off.meets(&self.sets[ON]) {
            return self.contradict(shared, on, &new_off, reached);
        }
        let first_index = self.progress.ends[OFF];
        let RunResult { orders, notes, .. } = reached;
        let order = &mut orders[OFF][first_index..first_index + MOST_OFF];
        let mut added = 0;
        for &off in shared.net.off_in_order(shared.mode.links(), on) {
            order[added % MOST_OFF] = off;
            added += usize::from(new_off.contains(usize::from(off)));
        }
        let note = NodeNote::new(place, count);
        let notes = &mut notes[OFF][..];
        for &off in &order[..added] {
            notes[usize::from(off)] = note;
        }
        let end_index = first_index + added;
        self.progress.ends[OFF] = end_index;
        self.sets[OFF].add(&new_off);
        if self.is_live(count) {
            self.progress.live_ends[OFF] = end_index;
        }
        if count >= self.limit {
            self.too_long[OFF].add(&new_off);
            reached.is_cut = true;
        }
        None
    }

    /// Handles an on-node that contradicts an earlier one: a candidate that it sets off is already on. Adds the
    /// off-nodes before the contradiction.
    #[inline(never)]
    fn contradict(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        new: &BitSet<W>,
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        let (place, count) = (reached.ancestors_index(ON, on), reached.count(ON, on) + 1);
        for &off in shared.net.off_in_order(shared.mode.links(), on) {
            let off = usize::from(off);
            if self.sets[ON].contains(off) {
                return Some(count + reached.count(ON, off));
            }
            if new.contains(off) {
                self.add_node(shared, (OFF, off), place, count, reached);
            }
        }
        None
    }

    /// Follows off-nodes in order. Stops after the first one that leaves only one candidate in a cell, or one place in
    /// a house.
    #[inline(always)]
    fn follow_offs<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        let (head, end) = (self.progress.heads[OFF], self.progress.live_ends[OFF]);
        let candidate_slots = &shared.net.candidate_slots[..];
        let mut offs = reached.orders[OFF][head..end].iter();
        let mut with_single = None;
        for &off in offs.by_ref() {
            let off = usize::from(off);
            let left_in_slots = if DYNAMIC {
                self.grid.remove(&candidate_slots[off])
            } else {
                shared.net.grid.without(&candidate_slots[off])
            };
            // Tests each slot, because few slots have only one candidate left. That is faster than to compute a mask of
            // such slots.
            let has_single = is_at_most_single(left_in_slots[0])
                || is_at_most_single(left_in_slots[1])
                || is_at_most_single(left_in_slots[2])
                || is_at_most_single(left_in_slots[3]);
            if has_single {
                with_single = Some((off, left_in_slots));
                break;
            }
        }
        self.progress.heads[OFF] = end - offs.len();
        let (off, left_in_slots) = with_single?;
        self.add_singles::<DYNAMIC>(shared, off, left_in_slots, reached)
    }

    /// For each slot of an off-node (its cell, and its digit in three houses) that has only one candidate left, adds
    /// that candidate as an on-node.
    #[inline(always)]
    fn add_singles<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        off: usize,
        left: [u16; 4],
        reached: &mut RunResult<W>,
    ) -> Option<u32> {
        let net = shared.net;
        let spot = &net.candidate_slots[off];
        let mut singles = 0u32;
        for (k, left) in left.into_iter().enumerate() {
            singles |= u32::from(left.is_power_of_two()) << k;
        }
        if !shared.mode.cells {
            singles &= !1;
        }
        while singles != 0 {
            let k = singles.trailing_zeros() as usize % 4;
            singles &= singles - 1;
            let left = left[k];
            let slot = spot.slots[k];
            let on = net.numbers.first(slot, left);
            let contradicts = self.sets[OFF].contains(on);
            if !contradicts && self.sets[ON].contains(on) {
                continue;
            }
            let count = if DYNAMIC {
                let gone = net.grid.slot(slot) & !left & spot.others[k];
                self.add_ancestors(shared, on, (slot, gone), off, reached)
            } else {
                reached.count(OFF, off) + 1
            };
            if contradicts {
                return Some(count + reached.count(OFF, on));
            }
            if DYNAMIC {
                self.grid
                    .satisfy(&net.candidate_slots[on], &mut reached.grid);
            }
            self.add_node(shared, (ON, on), self.ancestors.len() - 1, count, reached);
        }
        None
    }
}
