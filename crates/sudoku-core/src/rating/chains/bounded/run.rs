//! A run that ends as soon as all further nodes have too many ancestors.
//!
//! When a node is found, the set that contains it and all its ancestors is computed, so the size of this
//! set is known at once. When all waiting nodes have too many ancestors, the rest of the run cannot be
//! part of a better hint. Until then, the run finds the same nodes as its readable twin in
//! [`super::super::run`].

use super::net::Net;
use super::reached::{NodeSets, OFF, ON, Reached};
use crate::rating::board::Board;
use crate::rating::chains::bits::{Bits, Numbering};
use crate::rating::chains::run::Mode;
use crate::vectors::{LaneWork, Lanes, Vectors};

/// The data that all runs of a search share.
pub(super) struct SharedData<'a, const W: usize> {
    pub(super) board: &'a Board,
    pub(super) numbering: &'a Numbering,
    pub(super) net: &'a Net<W>,
    pub(super) mode: Mode,
}

/// The working memory of a run.
pub(super) struct BoundedRun<const W: usize> {
    vectors: Vectors,
    /// What was left of the slots that have got a node that is on.
    satisfied: Vec<(u16, u16)>,
    /// For each node the place of its set of ancestors.
    places: [Vec<u16>; 2],
    pub(super) sets: NodeSets<W>,
    /// Sets of nodes with their ancestors. An on-node has its own set. An off-node usually shares the
    /// set of its parent, which does not contain the off-node itself.
    pub(super) ancestors: Vec<NodeSets<W>>,
    /// The number of nodes of each state that have been followed.
    heads: [usize; 2],
    /// The end of the nodes of each state that have few enough ancestors to be followed: behind it are only
    /// nodes with more.
    live_ends: [usize; 2],
    limit: u32,
    /// The grid on which rules are applied, and the number of off-nodes that have been removed from it.
    pub(super) left: Option<(Board, usize)>,
}

impl<const W: usize> Default for BoundedRun<W> {
    fn default() -> BoundedRun<W> {
        BoundedRun {
            vectors: Vectors::default(),
            satisfied: Vec::new(),
            places: [vec![0; 64 * W], vec![0; 64 * W]],
            sets: [Bits::EMPTY; 2],
            ancestors: Vec::new(),
            heads: [0; 2],
            live_ends: [0; 2],
            limit: 0,
            left: None,
        }
    }
}

/// A run, compiled for the instruction set of the machine.
struct RunWork<'a, 'b, const W: usize> {
    run: &'a mut BoundedRun<W>,
    shared: &'a SharedData<'b, W>,
    reached: &'a mut Reached<W>,
}

impl<const W: usize> LaneWork for RunWork<'_, '_, W> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run<V: Lanes<N>, const N: usize>(self, _: V::Proof) -> Option<u32> {
        match self.shared.mode.dynamic {
            true => self.run.follow_all::<true>(self.shared, self.reached),
            false => self.run.follow_all::<false>(self.shared, self.reached),
        }
    }
}

impl<const W: usize> BoundedRun<W> {
    /// Finds the nodes that follow from a start (a candidate on or off) and can be part of a hint with
    /// at most `limit` nodes. Returns their number.
    pub(super) fn fill(
        &mut self,
        shared: &SharedData<'_, W>,
        start: (usize, usize),
        limit: u32,
        reached: &mut Reached<W>,
    ) -> u64 {
        self.begin(shared, start, limit, reached);
        reached.contradiction = self.vectors.run(RunWork {
            run: self,
            shared,
            reached,
        });
        // The first mark of a slot comes last.
        for (slot, left) in self.satisfied.drain(..).rev() {
            reached.grid.restore(slot, left);
        }
        reached.node_count()
    }

    fn begin(
        &mut self,
        shared: &SharedData<'_, W>,
        (state, start): (usize, usize),
        limit: u32,
        reached: &mut Reached<W>,
    ) {
        if shared.mode.dynamic {
            reached.grid.clone_from(&shared.net.grid);
        }
        reached.limit = limit;
        self.sets = [Bits::EMPTY; 2];
        self.ancestors.clear();
        self.heads = [0; 2];
        self.live_ends = [0; 2];
        self.limit = limit;
        self.left = None;
        reached.sets = [Bits::EMPTY; 2];
        reached.ends = [0; 2];
        reached.is_cut = false;
        let mut alone = [Bits::EMPTY; 2];
        if state == ON {
            alone[ON].insert(start);
            if shared.mode.dynamic {
                (reached.grid).satisfy(&shared.net.spots[start], &mut self.satisfied);
            }
        }
        self.ancestors.push(alone);
        self.enter(state, start, 0, 1, reached);
    }

    /// Follows all nodes, on-nodes first. Returns the number of nodes of a contradiction.
    #[inline(always)]
    fn follow_all<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        reached: &mut Reached<W>,
    ) -> Option<u32> {
        loop {
            let head = self.heads[ON];
            if head < reached.ends[ON] {
                if head >= self.live_ends[ON] && self.heads[OFF] >= self.live_ends[OFF] {
                    reached.is_cut = true;
                    return None;
                }
                self.heads[ON] += 1;
                let on = usize::from(reached.orders[ON][head]);
                let found = self.follow_on(shared, on, reached);
                if found.is_some() {
                    return found;
                }
                continue;
            }
            let head = self.heads[OFF];
            if head < self.live_ends[OFF] {
                let found = self.follow_offs::<DYNAMIC>(shared, head, reached);
                if found.is_some() {
                    return found;
                }
            } else if head < reached.ends[OFF] {
                reached.is_cut = true;
                return None;
            } else if shared.mode.level == 0 || !self.ask_rules(shared, reached) {
                return None;
            }
        }
    }

    #[inline(always)]
    fn place(&self, state: usize, n: usize) -> usize {
        usize::from(self.places[state][n])
    }

    /// Whether a node with so many ancestors can have a child that is an end of a hint, which has
    /// another end.
    #[inline(always)]
    fn is_live(&self, count: u32) -> bool {
        count + 2 <= self.limit
    }

    #[inline(always)]
    pub(super) fn enter(
        &mut self,
        state: usize,
        n: usize,
        place: usize,
        count: u32,
        reached: &mut Reached<W>,
    ) {
        self.sets[state].insert(n);
        reached.orders[state][reached.ends[state]] = n as u16;
        reached.ends[state] += 1;
        reached.counts[state][n] = count as u16;
        self.places[state][n] = place as u16;
        if self.is_live(count) {
            self.live_ends[state] = reached.ends[state];
        }
        if count < self.limit {
            reached.sets[state].insert(n);
        } else {
            reached.is_cut = true;
        }
    }

    #[inline(always)]
    fn follow_on(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        reached: &mut Reached<W>,
    ) -> Option<u32> {
        let mut new = *shared.net.off(shared.mode.links(), on);
        new.remove(&self.sets[OFF]);
        if new.is_empty() {
            return None;
        }
        let (place, count) = (self.places[ON][on], reached.count(ON, on) + 1);
        if new.meets(&self.sets[ON]) {
            return self.contradict(shared, on, &new, reached);
        }
        let start = reached.ends[OFF];
        let order = &mut reached.orders[OFF];
        let mut end = start;
        for &off in shared.net.off_in_order(shared.mode.links(), on) {
            order[end] = off;
            end += usize::from(new.contains(usize::from(off)));
        }
        for &off in &order[start..end] {
            reached.counts[OFF][usize::from(off)] = count as u16;
            self.places[OFF][usize::from(off)] = place;
        }
        reached.ends[OFF] = end;
        self.sets[OFF].add(&new);
        if self.is_live(count) {
            self.live_ends[OFF] = end;
        }
        if count < self.limit {
            reached.sets[OFF].add(&new);
        } else {
            reached.is_cut = true;
        }
        None
    }

    /// Follows an on-node one of whose off-nodes is on. Those before it are added.
    #[inline(never)]
    fn contradict(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        new: &Bits<W>,
        reached: &mut Reached<W>,
    ) -> Option<u32> {
        let (place, count) = (self.place(ON, on), reached.count(ON, on) + 1);
        for &off in shared.net.off_in_order(shared.mode.links(), on) {
            let off = usize::from(off);
            if self.sets[ON].contains(off) {
                return Some(count + reached.count(ON, off));
            }
            if new.contains(off) {
                self.enter(OFF, off, place, count, reached);
            }
        }
        None
    }

    /// Follows off-nodes, until one of them gives an on-node.
    #[inline(always)]
    fn follow_offs<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        mut head: usize,
        reached: &mut Reached<W>,
    ) -> Option<u32> {
        let of_links = if shared.mode.cells { 0b1111 } else { 0b1110 };
        while head < self.live_ends[OFF] {
            let off = usize::from(reached.orders[OFF][head]);
            head += 1;
            let spot = &shared.net.spots[off];
            let (left, singles) = if DYNAMIC {
                reached.grid.remove(spot)
            } else {
                shared.net.grid.without(spot)
            };
            if singles & of_links == 0 {
                continue;
            }
            self.heads[OFF] = head;
            let ends = reached.ends[ON];
            let found =
                self.enter_singles::<DYNAMIC>(shared, off, (left, singles & of_links), reached);
            if found.is_some() || reached.ends[ON] > ends {
                return found;
            }
        }
        self.heads[OFF] = head;
        None
    }

    /// Adds the on-nodes that are the only candidates left in the slots of an off-node.
    #[inline(always)]
    fn enter_singles<const DYNAMIC: bool>(
        &mut self,
        shared: &SharedData<'_, W>,
        off: usize,
        (left, singles): ([u16; 4], u32),
        reached: &mut Reached<W>,
    ) -> Option<u32> {
        let net = shared.net;
        let spot = &net.spots[off];
        for (k, left) in left.into_iter().enumerate() {
            if singles >> k & 1 == 0 || left == 0 {
                continue;
            }
            let slot = spot.slots[k];
            let on = net.numbers.first(slot, left);
            let contradicts = self.sets[OFF].contains(on);
            if !contradicts && self.sets[ON].contains(on) {
                continue;
            }
            let count = if DYNAMIC {
                let gone = net.grid.slot(slot) & !left & !spot.bits[k];
                self.add_ancestors(shared, on, (slot, gone), off)
            } else {
                reached.count(OFF, off) + 1
            };
            if contradicts {
                return Some(count + reached.count(OFF, on));
            }
            if DYNAMIC {
                (reached.grid).satisfy(&net.spots[on], &mut self.satisfied);
            }
            self.enter(ON, on, self.ancestors.len() - 1, count, reached);
        }
        None
    }

    /// Adds an off-node and its ancestors.
    #[inline(always)]
    pub(super) fn add_with_ancestors(&self, all: &mut NodeSets<W>, off: usize) {
        let own = &self.ancestors[self.place(OFF, off)];
        all[ON].add(&own[ON]);
        all[OFF].add(&own[OFF]);
        all[OFF].insert(off);
    }

    /// Computes the set of an on-node and its ancestors. `gone` are the candidates that had to leave the slot
    /// before the last one, `off`. Returns its size.
    #[inline(always)]
    fn add_ancestors(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        (slot, gone): (u16, u16),
        off: usize,
    ) -> u32 {
        let mut all = self.ancestors[self.place(OFF, off)];
        all[OFF].insert(off);
        shared.net.numbers.for_each(slot, gone, |hidden| {
            self.add_with_ancestors(&mut all, hidden);
        });
        all[ON].insert(on);
        self.ancestors.push(all);
        all[ON].len() + all[OFF].len()
    }
}
