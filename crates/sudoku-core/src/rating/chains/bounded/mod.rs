//! Finds the shortest hint that follows from several assumptions, by searches that stop early.
//!
//! A node is a candidate that is on or off. A search from one node, the assumption, is called a run: it finds all nodes
//! that follow. There are four kinds of hints:
//!
//! ```text
//! contradiction   a run finds a node and its opposite, so its assumption is false
//! double          the runs from a candidate on and from the same candidate off find a common node
//! cell            the runs from all candidates of a cell find a common node
//! region          the runs from all places of a digit in a house find a common node
//! ```
//!
//! The length of a hint is the number of nodes in its chains together. The rating of a hint grows with its length, so
//! only the shortest hint counts; of equally short ones, the one that Sudoku Explainer generates first. The module
//! `multiple` lists all hints, and is easier to read; a test compares the best ones.
//!
//! In pseudo-code:
//!
//! ```text
//! best hint of a board:
//!     for bound in 20, 40, 80, … nodes:                 (dynamic runs with the links of cells have no bound)
//!         for each cell:
//!             for each candidate of the cell:
//!                 dynamic runs: its contradictions and its doubles
//!                 each house in which it is the first place of its digit: the regions
//!             the cell
//!         a hint was found, or no run was cut: end
//!
//! run from an assumption, within a limit (the bound, or the length of the best hint so far):
//!     repeat:
//!         follow the on-nodes: each sets off the other candidates of its cell and of its houses
//!         follow an off-node: a cell or a house with only one candidate left sets that candidate on
//!         no node left: apply the rules of the level
//!     until a node and its opposite are found, nothing new follows, or all nodes left are too long to have a child
//! ```
//!
//! How it is made fast:
//!
//! 1. The length of a chain is known as soon as its last node is found (`ancestors`). So a run is cut when no node that
//!    is left can be part of a shorter hint. Dynamic runs, in which each removal can create later links, start without
//!    a bound if they use the links of cells: a bound of 20 nodes would leave out only a tenth of their nodes, and half
//!    of these searches would find nothing.
//! 2. The result of a run is two sets of bits, so the common nodes of several runs are an intersection. The order of the
//!    nodes is used only if one of the common nodes makes a better hint.
//! 3. A set has 4, 6 or 12 words, for boards with at most 256, 384 or 768 candidates, and the search is compiled for
//!    each of these lengths.
//! 4. The next board of a puzzle has a few candidates fewer, and most dynamic runs would find the same: they are kept
//!    (`kept`).
//! 5. If a search for forcing chains has just found no hint, it has followed all static links. If the assumptions of a
//!    cell or a region reach no common node by them, their runs are left out (`reachable`).
//! 6. A Nishio chain uses one digit, so its best hint stays the same until a place of the digit changes (`nishio`).
//!
//! ```text
//! net         the links and the grid of the board
//! run         what follows from an assumption, within a limit, on a copy of the grid
//! ancestors   from which nodes a node follows
//! rule_nodes  what the rules add to a run
//! reached     the result of a run
//! kept        the results that are the same as on the board before
//! reachable   what static links reach
//! search      all hints within a bound
//! ```

mod ancestors;
mod kept;
mod net;
mod nishio;
mod reachable;
mod reached;
mod rule_nodes;
mod run;
mod search;

use super::chain_hint::effect;
use super::forcing_cycle::{ChainLayers, SizedReach};
use super::kind::ChainKind;
use super::length::bonus;
use super::numbering::CandidateNumbering;
use crate::bit_rows::BitSet;
use crate::board::Digit;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use kept::{KeptRuns, LEAST_LIMIT_OF_KEPT_RUNS};
use net::LinkNet;
pub(super) use nishio::best as best_nishio;
use reachable::Reachable;
use reached::RunResult;
use run::{BoundedRun, SharedData};
use search::{BestEnd, HintSearch};

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
