//! A run that ends as soon as all further nodes have too many ancestors.
//!
//! When a node is found, the set that contains it and all its ancestors is computed, so the size of this
//! set is known at once. When all waiting nodes have too many ancestors, the rest of the run cannot be
//! part of a better hint. Until then, the run finds the same nodes as its readable twin in
//! [`super::super::run`].

use super::net::{Net, Only, RunGrid};
use crate::board::{CandidateSet, CellSet};
use crate::rating::board::Board;
use crate::rating::chains::bits::{Bits, Numbering};
use crate::rating::chains::rules;
use crate::rating::chains::run::Mode;

/// A set of nodes: the candidates that are on, and the candidates that are off.
type NodeSets<const W: usize> = [Bits<W>; 2];

const ON: usize = 0;
const OFF: usize = 1;

/// The result of a run: the nodes whose number of ancestors is within the bound.
pub(super) struct Reached<const W: usize> {
    /// The candidates that are on, and those that are off, as sets.
    pub(super) sets: NodeSets<W>,
    /// The candidates of `sets`, in the order in which they were found.
    pub(super) orders: [Vec<u16>; 2],
    /// For each node, the number of nodes in the set of it and its ancestors.
    counts: [Vec<u16>; 2],
    /// If the run is contradictory, the number of nodes of both ends with their ancestors.
    pub(super) contradiction: Option<u32>,
    /// Whether the run ended early or omitted nodes because of the bound.
    pub(super) is_cut: bool,
}

impl<const W: usize> Default for Reached<W> {
    fn default() -> Reached<W> {
        Reached {
            sets: [Bits::EMPTY; 2],
            orders: Default::default(),
            counts: [vec![0; 64 * W], vec![0; 64 * W]],
            contradiction: None,
            is_cut: false,
        }
    }
}

impl<const W: usize> Reached<W> {
    /// The number of nodes in the set of this node and its ancestors. `state` is [`ON`] or [`OFF`].
    pub(super) fn count(&self, state: usize, n: usize) -> u32 {
        u32::from(self.counts[state][n])
    }
}

/// The data that all runs of a search share.
pub(super) struct SharedData<'a, const W: usize> {
    pub(super) board: &'a Board,
    pub(super) numbering: &'a Numbering,
    pub(super) net: &'a Net<W>,
    pub(super) mode: Mode,
}

/// The working memory of a run.
pub(super) struct BoundedRun<const W: usize> {
    grid: RunGrid,
    sets: NodeSets<W>,
    /// Sets of nodes with their ancestors. An on-node has its own set. An off-node usually shares the
    /// set of its parent, which does not contain the off-node itself.
    ancestors: Vec<NodeSets<W>>,
    /// For each node, the index of its set in `ancestors`.
    places: [Vec<u16>; 2],
    /// For each node, the number of nodes in the set of it and its ancestors.
    counts: [Vec<u16>; 2],
    queues: [Vec<u16>; 2],
    heads: [usize; 2],
    /// The number of waiting nodes whose number of ancestors is within the bound.
    live: usize,
    limit: u32,
    /// The grid on which rules are applied, and the number of off-nodes that have been removed from it.
    left: Option<(Board, usize)>,
}

impl<const W: usize> Default for BoundedRun<W> {
    fn default() -> BoundedRun<W> {
        BoundedRun {
            grid: Net::<W>::default().grid,
            sets: [Bits::EMPTY; 2],
            ancestors: Vec::new(),
            places: [vec![0; 64 * W], vec![0; 64 * W]],
            counts: [vec![0; 64 * W], vec![0; 64 * W]],
            queues: Default::default(),
            heads: [0; 2],
            live: 0,
            limit: 0,
            left: None,
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
        self.begin(shared, start, limit);
        reached.is_cut = false;
        reached.contradiction = loop {
            let waits = [ON, OFF].map(|state| self.queues[state].len() > self.heads[state]);
            if self.live == 0 && (waits[ON] || waits[OFF]) {
                reached.is_cut = true;
                break None;
            }
            let found = if waits[ON] {
                let on = self.pop(ON);
                self.follow_on(shared, on)
            } else if waits[OFF] {
                let off = self.pop(OFF);
                self.follow_off(shared, off)
            } else if shared.mode.level > 0 && self.ask_rules(shared) {
                continue;
            } else {
                break None;
            };
            if found.is_some() {
                break found;
            }
        };
        self.report(reached);
        (self.queues[ON].len() + self.queues[OFF].len()) as u64
    }

    fn begin(&mut self, shared: &SharedData<'_, W>, (state, start): (usize, usize), limit: u32) {
        if shared.mode.dynamic {
            self.grid.clone_from(&shared.net.grid);
        }
        self.sets = [Bits::EMPTY; 2];
        self.ancestors.clear();
        self.queues.iter_mut().for_each(Vec::clear);
        self.heads = [0; 2];
        self.live = 0;
        self.limit = limit;
        self.left = None;
        let mut alone = [Bits::EMPTY; 2];
        if state == ON {
            alone[ON].insert(start);
        }
        self.ancestors.push(alone);
        self.enter(state, start, 0, 1);
    }

    fn report(&self, reached: &mut Reached<W>) {
        reached.sets = [Bits::EMPTY; 2];
        for state in [ON, OFF] {
            reached.orders[state].clear();
            for &n in &self.queues[state] {
                let count = self.counts[state][usize::from(n)];
                if u32::from(count) < self.limit {
                    reached.sets[state].insert(usize::from(n));
                    reached.orders[state].push(n);
                    reached.counts[state][usize::from(n)] = count;
                } else {
                    reached.is_cut = true;
                }
            }
        }
    }

    /// Whether a node with this many ancestors can have a child that is one of the two ends of a hint
    /// within the bound.
    fn is_live(&self, count: u32) -> bool {
        count + 2 <= self.limit
    }

    fn enter(&mut self, state: usize, n: usize, place: usize, count: u32) {
        self.sets[state].insert(n);
        self.places[state][n] = place as u16;
        self.counts[state][n] = count as u16;
        self.queues[state].push(n as u16);
        self.live += usize::from(self.is_live(count));
    }

    fn pop(&mut self, state: usize) -> usize {
        let n = usize::from(self.queues[state][self.heads[state]]);
        self.heads[state] += 1;
        self.live -= usize::from(self.is_live(u32::from(self.counts[state][n])));
        n
    }

    fn follow_on(&mut self, shared: &SharedData<'_, W>, on: usize) -> Option<u32> {
        let mut new = shared.net.off[on];
        new.remove(&self.sets[OFF]);
        if new.is_empty() {
            return None;
        }
        let contradicts = new.meets(&self.sets[ON]);
        let (place, count) = (self.places[ON][on], self.counts[ON][on]);
        for &off in shared.net.off_in_order(on) {
            let off = usize::from(off);
            if contradicts && self.sets[ON].contains(off) {
                return Some(u32::from(count) + 1 + u32::from(self.counts[ON][off]));
            }
            if new.contains(off) {
                self.enter(OFF, off, usize::from(place), u32::from(count) + 1);
            }
        }
        None
    }

    fn follow_off(&mut self, shared: &SharedData<'_, W>, off: usize) -> Option<u32> {
        let SharedData { net, mode, .. } = shared;
        let from = &net.spots[off];
        let grid = if mode.dynamic { &self.grid } else { &net.grid };
        let (ends, count) = grid.on_from(from, mode.links(), &net.numbers);
        if mode.dynamic {
            self.grid.remove(from);
        }
        for (on, only) in &ends[..count] {
            let contradicts = self.sets[OFF].contains(*on);
            if !contradicts && self.sets[ON].contains(*on) {
                continue;
            }
            let count = if mode.dynamic {
                self.add_ancestors(shared, *on, *only, off)
            } else {
                u32::from(self.counts[OFF][off]) + 1
            };
            if contradicts {
                return Some(count + u32::from(self.counts[OFF][*on]));
            }
            self.enter(ON, *on, self.ancestors.len() - 1, count);
        }
        None
    }

    /// Computes the set of an on-node and its ancestors. Returns the size of the set.
    fn add_ancestors(
        &mut self,
        shared: &SharedData<'_, W>,
        on: usize,
        only: Only,
        off: usize,
    ) -> u32 {
        let mut all = self.ancestors[usize::from(self.places[OFF][off])];
        all[OFF].insert(off);
        let Net {
            grid,
            spots,
            numbers,
            ..
        } = shared.net;
        grid.others(only, &spots[on], &spots[off], numbers, |hidden| {
            let theirs = &self.ancestors[usize::from(self.places[OFF][hidden])];
            all[ON].add(&theirs[ON]);
            all[OFF].add(&theirs[OFF]);
            all[OFF].insert(hidden);
        });
        all[ON].insert(on);
        self.ancestors.push(all);
        all[ON].len() + all[OFF].len()
    }

    /// Applies the rules to the current grid. Returns whether they gave a new off-node.
    fn ask_rules(&mut self, shared: &SharedData<'_, W>) -> bool {
        let (mut left, removed) = self.left.take().unwrap_or((shared.board.clone(), 0));
        for off in &self.queues[OFF][removed..] {
            let spot = &shared.net.spots[usize::from(*off)];
            left.remove(spot.cell, spot.digit);
        }
        let removed = self.queues[OFF].len();
        let any = rules::simple(shared.board, &left, &mut |removed, parents| {
            self.enter_by_rule(shared, removed, parents)
        });
        self.left = Some((left, removed));
        any
    }

    fn enter_by_rule(
        &mut self,
        shared: &SharedData<'_, W>,
        removed: &CandidateSet,
        parents: CandidateSet,
    ) -> bool {
        let mut all = [Bits::EMPTY; 2];
        let place = self.ancestors.len();
        let mut any = false;
        let cells = removed
            .by_digit()
            .fold(CellSet::EMPTY, |all, (_, cells)| all | cells);
        for cell in cells {
            for (digit, _) in removed.by_digit().filter(|(_, cells)| cells.contains(cell)) {
                let off = shared.numbering.number(cell, digit);
                if self.sets[OFF].contains(off) {
                    continue;
                }
                if !any {
                    any = true;
                    for (digit, cells) in parents.by_digit() {
                        for cell in cells {
                            let parent = shared.numbering.number(cell, digit);
                            let theirs = &self.ancestors[usize::from(self.places[OFF][parent])];
                            all[ON].add(&theirs[ON]);
                            all[OFF].add(&theirs[OFF]);
                            all[OFF].insert(parent);
                        }
                    }
                    self.ancestors.push(all);
                }
                self.enter(OFF, off, place, all[ON].len() + all[OFF].len() + 1);
            }
        }
        any
    }
}
