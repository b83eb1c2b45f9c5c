//! Finds the shortest hint that follows from several assumptions. A search from one assumption is called a run. Each
//! run stops at a bound on the length of hints.
//!
//! The bound is small at first, and is doubled until a hint is found. Runs with a small bound are short, and still find
//! all hints within the bound. Dynamic runs, in which each removal can create later links, start without a bound if
//! they use the links of cells: a bound of 20 nodes would leave out only a tenth of their nodes, and half of these
//! searches would find nothing. Their bound is the length of the best hint found so far.
//!
//! ```text
//! net      the links and the grid of the board
//! run      what follows from a start, within a bound, on a copy of the grid
//! reached  the result of a run
//! kept     the runs that are the same as on the board before
//! ```

mod kept;
mod net;
mod nishio;
mod reachable;
mod reached;
mod rule_nodes;
mod run;

use super::bits::{BitSet, CandidateNumbering};
use super::chain_hint::{KEY_CELL, KEY_CONTRADICTION, KEY_DOUBLE, KEY_REGION, effect};
use super::forcing_cycle::{ChainLayers, SizedReach};
use super::kind::ChainKind;
use super::length::bonus;
use super::node::Node;
use crate::board::Digit;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use kept::{KeptRuns, LEAST_LIMIT_OF_KEPT_RUNS};
use net::LinkNet;
pub(super) use nishio::best as best_nishio;
use reachable::Reachable;
use reached::{OFF, ON, RunResult};
use run::{BoundedRun, SharedData};

/// The working memory of [`best`], reused from call to call.
#[derive(Default)]
pub(super) struct BoundedRuns {
    numbering: CandidateNumbering,
    small: SearchMemory<4>,
    middle: SearchMemory<6>,
    large: SearchMemory<12>,
    nishio: nishio::DigitResults,
}

/// The working memory for boards with at most `64 · W` candidates.
struct SearchMemory<const W: usize> {
    net: LinkNet<W>,
    run: BoundedRun<W>,
    /// The results of the runs, by the state (on or off) and the number of the assumed candidate.
    reached: [Vec<RunResult<W>>; 2],
    /// For both states (on and off), the assumed candidates whose runs have been computed.
    is_filled: [BitSet<W>; 2],
    reachable: Reachable<W>,
    kept: KeptRuns<W>,
}

impl<const W: usize> Default for SearchMemory<W> {
    fn default() -> SearchMemory<W> {
        SearchMemory {
            net: LinkNet::default(),
            run: BoundedRun::default(),
            reached: Default::default(),
            is_filled: [BitSet::EMPTY; 2],
            reachable: Reachable::default(),
            kept: KeptRuns::default(),
        }
    }
}

impl BoundedRuns {
    /// Forgets all results of the last puzzle. Must be called before a new puzzle.
    pub(super) fn forget(&mut self) {
        self.nishio = nishio::DigitResults::default();
        self.small.kept.forget();
        self.middle.kept.forget();
        self.large.kept.forget();
    }
}

/// The shortest hint with at most `longest` nodes; `None` if there is none. Of equally short hints, the one with the
/// lowest key, and of these the first one.
pub(super) fn best(
    board: &Board,
    kind: ChainKind,
    longest: u32,
    runs: &mut BoundedRuns,
    layers: &ChainLayers,
    budget: &mut Budget,
) -> Option<Hint> {
    let BoundedRuns { numbering, .. } = runs;
    let numbering = number_candidates(board, layers, numbering);
    let best = match numbering.len() {
        0..=256 => runs
            .small
            .best(board, kind, longest, numbering, layers, budget),
        257..=384 => runs
            .middle
            .best(board, kind, longest, numbering, layers, budget),
        _ => runs
            .large
            .best(board, kind, longest, numbering, layers, budget),
    };
    best.and_then(|best| hint(board, kind, best))
}

/// Numbers the candidates of the board. If the last search for forcing chains found no hint, uses its numbering, which
/// may also contain candidates that have been removed since.
fn number_candidates<'a>(
    board: &Board,
    layers: &'a ChainLayers,
    own: &'a mut CandidateNumbering,
) -> &'a CandidateNumbering {
    layers.complete(board).unwrap_or_else(|| {
        own.fill(board);
        own
    })
}

fn hint(board: &Board, kind: ChainKind, (length, _, node): BestEnd) -> Option<Hint> {
    let (removed, placed) = effect(board, node)?;
    Some(Hint {
        technique: kind.technique(),
        rating: kind.base() + bonus(length),
        removed,
        placed,
        length,
    })
}

/// The length bound of the first search, in nodes. Dynamic runs that use the links of cells start without a bound.
const FIRST_BOUND: u32 = 20;

/// The parameters of one search for the best hint of a board.
#[derive(Clone, Copy)]
struct SearchTask<'a> {
    board: &'a Board,
    numbering: &'a CandidateNumbering,
    kind: ChainKind,
    /// The largest allowed length of a hint, in nodes.
    longest: u32,
    only: Option<Digit>,
    /// Whether [`SearchMemory::reachable`] is computed for this board.
    knows_reachable: bool,
}

/// A hint: its length in nodes, its key, and the node at which all its chains end.
type BestEnd = (u32, u8, Node);

impl<const W: usize> SearchMemory<W> {
    fn best(
        &mut self,
        board: &Board,
        kind: ChainKind,
        longest: u32,
        numbering: &CandidateNumbering,
        layers: &ChainLayers,
        budget: &mut Budget,
    ) -> Option<BestEnd>
    where
        ChainLayers: SizedReach<W>,
    {
        // If the last search for forcing chains found no hint, it has followed all static links, and what each
        // candidate can reach is known from it.
        let knows_reachable = !kind.mode().dynamic && layers.complete(board).is_some();
        let task = SearchTask {
            board,
            numbering,
            kind,
            longest,
            only: None,
            knows_reachable,
        };
        self.prepare(task);
        if knows_reachable {
            self.reachable
                .fill(layers.sized_reach(), &self.net.on_board);
        }
        self.iterative_deepening(task, budget)
    }

    fn prepare(&mut self, task: SearchTask<'_>) {
        if !self.net.update(task.board, task.numbering) {
            self.kept.forget();
        }
        for reached in self.reached.iter_mut().chain(&mut self.kept.reached) {
            if reached.len() < task.numbering.len() {
                reached.resize_with(task.numbering.len(), RunResult::default);
            }
        }
    }

    fn iterative_deepening(
        &mut self,
        task: SearchTask<'_>,
        budget: &mut Budget,
    ) -> Option<BestEnd> {
        let mode = task.kind.mode();
        let mut bound = if mode.dynamic && mode.cells {
            task.longest
        } else {
            FIRST_BOUND.min(task.longest)
        };
        loop {
            self.is_filled = [BitSet::EMPTY; 2];
            let keeps = task.kind == ChainKind::DYNAMIC;
            let (reached, valid_starts) = if keeps {
                let valid_starts = self.kept.valid_on(task.board, task.numbering, &self.net);
                (&mut self.kept.reached, valid_starts)
            } else {
                (&mut self.reached, [BitSet::EMPTY; 2])
            };
            let mut search = HintSearch {
                shared: SharedData {
                    board: task.board,
                    numbering: task.numbering,
                    net: &self.net,
                    mode: task.kind.mode(),
                },
                run: &mut self.run,
                reached,
                kept: valid_starts,
                least_limit: if keeps { LEAST_LIMIT_OF_KEPT_RUNS } else { 0 },
                is_filled: &mut self.is_filled,
                budget,
                bound,
                best: None,
                is_cut: false,
                reachable: task.knows_reachable.then_some(&self.reachable),
            };
            search.search_all(task.kind, task.only);
            if keeps {
                self.kept.is_kept = *search.is_filled;
            }
            let is_whole = !search.is_cut || bound == task.longest;
            if search.best.is_some() || is_whole || search.budget.is_spent() {
                return search.best;
            }
            bound = bound.saturating_mul(2).min(task.longest);
        }
    }
}

struct HintSearch<'a, const W: usize> {
    shared: SharedData<'a, W>,
    run: &'a mut BoundedRun<W>,
    reached: &'a mut [Vec<RunResult<W>>; 2],
    /// For both states (on and off), the assumed candidates whose runs on the last board are still valid.
    kept: [BitSet<W>; 2],
    /// The least limit for a new run: the number of nodes in a hint.
    least_limit: u32,
    is_filled: &'a mut [BitSet<W>; 2],
    budget: &'a mut Budget,
    bound: u32,
    best: Option<BestEnd>,
    is_cut: bool,
    reachable: Option<&'a Reachable<W>>,
}

impl<const W: usize> HintSearch<'_, W> {
    /// Searches all hints, in the order in which Sudoku Explainer generates them.
    fn search_all(&mut self, kind: ChainKind, only: Option<Digit>) {
        let board = self.shared.board;
        let is_dynamic = self.shared.mode.dynamic;
        let is_nishio = kind.is_nishio();
        let fewest_digits = if is_dynamic { 2 } else { 3 };
        for cell in board.empty() {
            let digits = board.digits(cell);
            if digits.len() < fewest_digits {
                continue;
            }
            let mut starts = [0; 9];
            for (start, digit) in starts.iter_mut().zip(digits) {
                *start = self.shared.numbering.number(cell, digit);
            }
            let starts = &starts[..digits.len()];
            for (&start, digit) in starts.iter().zip(digits) {
                if only.is_some_and(|only| only != digit) {
                    continue;
                }
                if is_dynamic {
                    self.fill(ON, start);
                    self.fill(OFF, start);
                    self.offer_contradiction(ON, start, Node::off(cell, digit));
                    self.offer_contradiction(OFF, start, Node::on(cell, digit));
                    if digits.len() >= 3 && !is_nishio {
                        self.search_common(&[(ON, start), (OFF, start)], KEY_DOUBLE);
                    }
                }
                if !is_nishio {
                    self.search_regions(start);
                }
            }
            if !is_nishio {
                self.search_one_of(starts, KEY_CELL);
            }
            if self.budget.is_spent() {
                return;
            }
        }
    }

    /// For each house in which this candidate is the first place of its digit, searches the hints from all places of
    /// the digit.
    fn search_regions(&mut self, start: usize) {
        let net = self.shared.net;
        let spot = &net.candidate_slots[start];
        for (slot, others) in spot.slots.into_iter().zip(spot.others).skip(1) {
            let (places, own) = (net.grid.slot(slot), !others);
            let is_first = places & (own - 1) == 0;
            if !is_first || places == own {
                continue;
            }
            let mut starts = [0; 9];
            let mut count = 0;
            net.numbers.for_each(slot, places, |place| {
                starts[count] = place;
                count += 1;
            });
            self.search_one_of(&starts[..count], KEY_REGION);
        }
    }

    /// Searches the nodes that follow from every one of these candidates. One of the candidates must be true.
    fn search_one_of(&mut self, starts: &[usize], key: u8) {
        if self
            .reachable
            .is_some_and(|reachable| !reachable.meet(starts))
        {
            return;
        }
        let mut states_and_starts = [(ON, 0); 9];
        for (entry, start) in states_and_starts.iter_mut().zip(starts) {
            self.fill(ON, *start);
            entry.1 = *start;
        }
        self.search_common(&states_and_starts[..starts.len()], key);
    }

    fn limit(&self) -> u32 {
        self.best.map_or(self.bound, |(length, ..)| length)
    }

    #[inline(always)]
    fn fill(&mut self, state: usize, start: usize) {
        if !self.is_filled[state].contains(start) {
            self.fill_new(state, start);
        }
    }

    #[inline(never)]
    fn fill_new(&mut self, state: usize, start: usize) {
        self.is_filled[state].insert(start);
        let limit = self.limit();
        let reached = &mut self.reached[state][start];
        let units = if self.kept[state].contains(start) && reached.is_enough_for(limit) {
            reached.node_count()
        } else {
            let limit = limit.max(self.least_limit);
            self.run.fill(&self.shared, (state, start), limit, reached)
        };
        self.is_cut |= reached.is_cut;
        self.budget.spend(units);
    }

    fn offer_contradiction(&mut self, state: usize, start: usize, node: Node) {
        if let Some(length) = self.reached[state][start].contradiction {
            self.is_cut |= length > self.bound;
            self.offer(length, KEY_CONTRADICTION, node);
        }
    }

    fn is_better(&self, length: u32, key: u8) -> bool {
        match self.best {
            Some((best, best_key, _)) => (length, key) < (best, best_key),
            None => length <= self.bound,
        }
    }

    fn offer(&mut self, length: u32, key: u8, node: Node) {
        if self.is_better(length, key) && effect(self.shared.board, node).is_some() {
            self.best = Some((length, key, node));
        }
    }

    /// Offers hints for the nodes that all of these runs have found: first the on-nodes, then the off-nodes, both in
    /// the order of the first run.
    #[inline(always)]
    fn search_common(&mut self, starts: &[(usize, usize)], key: u8) {
        let mut common = [self.shared.net.on_board; 2];
        for start in starts {
            let sets = &self.reached[start.0][start.1].sets;
            common[ON].keep(&sets[ON]);
            common[OFF].keep(&sets[OFF]);
        }
        for state in [ON, OFF] {
            if !common[state].is_empty() {
                self.offer_common(starts, state, &common[state], key);
            }
        }
    }

    /// Offers hints for nodes of one state (on or off) that all of these runs have found, if a hint is better than the
    /// best one so far.
    #[inline(never)]
    fn offer_common(
        &mut self,
        starts: &[(usize, usize)],
        state: usize,
        common: &BitSet<W>,
        key: u8,
    ) {
        let (mut shortest, mut longest) = (u32::MAX, 0);
        common.for_each(|n| {
            let length = self.length(starts, state, n);
            shortest = shortest.min(length);
            longest = longest.max(length);
        });
        self.is_cut |= longest > self.bound;
        if !self.is_better(shortest, key) {
            return;
        }
        let (first, start) = starts[0];
        for at in 0..self.reached[first][start].order(state).len() {
            let n = usize::from(self.reached[first][start].order(state)[at]);
            if common.contains(n) {
                let (cell, digit) = self.shared.numbering.candidates()[n];
                let node = match state {
                    ON => Node::on(cell, digit),
                    _ => Node::off(cell, digit),
                };
                self.offer(self.length(starts, state, n), key, node);
            }
        }
    }

    /// The length of the hint that node `n` follows from all these runs: the total number of nodes in the chains that
    /// end at `n`.
    fn length(&self, starts: &[(usize, usize)], state: usize, n: usize) -> u32 {
        let count = |start: &(usize, usize)| self.reached[start.0][start.1].count(state, n);
        starts.iter().map(count).sum()
    }
}
