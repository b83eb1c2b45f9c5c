//! Decides whether forcing chains up to a rating, together with the steps up to 4.4, solve the rest of a
//! puzzle.
//!
//! If they do, Sudoku Explainer has no later step with a higher rating, so these steps need not be searched. The
//! reason: each later board still has such a chain, unless the chain's effect already follows by singles. If another
//! step removes or places a node of the chain, singles follow along the rest of the chain:
//!
//! ```text
//! on(a) → off(x) ═ on(b) → off(y) ═ on(c) → off(a)      ═ one of two places is true
//!
//! b removed  x is the only place left, and sees a
//! b placed   y is removed, so c is the only place left, and sees a
//! ```
//!
//! So the first producer that finds a hint either comes before forcing chains and is rated at most 6.2, or it is
//! that of forcing chains, whose best hint is rated at most as high as that chain.

use super::super::chain_hint::effect;
use super::super::length::bonus;
use super::super::node::{LinkKinds, Node};
use super::super::numbering::CandidateNumbering;
use super::super::reach::{BoardLinks, ReachSearch};
use super::passes::{PASSES, bases};
use super::{ChainLayers, cells};
use crate::bit_rows::BitSet;
use crate::board::{CandidateSet, Candidates};
use crate::rating::apply_easy;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::vectors::PlainWork;

/// Applies forcing chains up to the rating `highest`, and all steps up to 4.4, until none is left. Returns whether that
/// solves the puzzle.
pub(in crate::rating::chains) fn solve(
    candidates: &mut Candidates,
    highest: f64,
    layers: &mut ChainLayers,
    budget: &mut Budget,
) -> bool {
    // Of the kinds of links whose chains can be rated low enough, choose the kinds with the most chains.
    let mut links = PASSES.into_iter().filter(|links| links.houses);
    let links = links.rfind(|links| bases(*links).1 <= highest);
    layers.complete = None;
    let mut longest_of_cells = None;
    while apply_easy::apply_all(candidates).is_ok() {
        if candidates.is_solved() {
            return true;
        }
        let Some(links) = links else {
            return false;
        };
        let board = Board::new(candidates);
        let ChainLayers { numbering, .. } = layers;
        numbering.fill(&board);
        let round = ChainRound {
            board: &board,
            numbering,
            links,
            highest,
        };
        let longest = *longest_of_cells
            .get_or_insert_with(|| cells::longest_chain(&board, numbering, highest));
        let vectors = layers.vectors;
        let has_chain = match numbering.len() {
            0..=256 => {
                vectors.run_plain(round.work_on(longest, &mut layers.small, candidates, budget))
            }
            257..=384 => {
                vectors.run_plain(round.work_on(longest, &mut layers.middle, candidates, budget))
            }
            _ => vectors.run_plain(round.work_on(longest, &mut layers.large, candidates, budget)),
        };
        if !has_chain {
            return false;
        }
    }
    false
}

/// A call of [`ChainRound::apply_all`]. It is compiled once for AVX2 machines and once for all others, as every
/// [`PlainWork`].
struct ChainRoundWork<'a, 'b, const W: usize> {
    round: &'a ChainRound<'b>,
    longest_of_cells: Option<u32>,
    layers: &'a mut (BoardLinks<W>, ReachSearch<W>),
    candidates: &'a mut Candidates,
    budget: &'a mut Budget,
}

impl<const W: usize> PlainWork for ChainRoundWork<'_, '_, W> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let ChainRoundWork {
            round,
            longest_of_cells,
            layers,
            candidates,
            budget,
        } = self;
        round.apply_all(longest_of_cells, layers, candidates, budget)
    }
}

/// A round, which applies all chains of the board once, up to the rating `highest`.
struct ChainRound<'a> {
    board: &'a Board,
    numbering: &'a CandidateNumbering,
    links: LinkKinds,
    highest: f64,
}

impl<'b> ChainRound<'b> {
    fn work_on<'a, const W: usize>(
        &'a self,
        longest_of_cells: Option<u32>,
        layers: &'a mut (BoardLinks<W>, ReachSearch<W>),
        candidates: &'a mut Candidates,
        budget: &'a mut Budget,
    ) -> ChainRoundWork<'a, 'b, W> {
        ChainRoundWork {
            round: self,
            longest_of_cells,
            layers,
            candidates,
            budget,
        }
    }

    /// Applies all forcing chains. If there are none, applies all cell forcing chains with at most `longest_of_cells`
    /// nodes. Returns whether any chain was found.
    #[inline(always)]
    fn apply_all<const W: usize>(
        &self,
        longest_of_cells: Option<u32>,
        layers: &mut (BoardLinks<W>, ReachSearch<W>),
        candidates: &mut Candidates,
        budget: &mut Budget,
    ) -> bool {
        let ChainRound {
            board, numbering, ..
        } = *self;
        self.apply(layers, candidates, budget)
            || longest_of_cells.is_some_and(|longest| {
                cells::apply(board, longest, layers, numbering, candidates, budget)
            })
    }

    /// Applies all forcing chains rated at most `highest`. Returns whether there are any.
    #[inline(always)]
    fn apply<const W: usize>(
        &self,
        (graph, reach): &mut (BoardLinks<W>, ReachSearch<W>),
        candidates: &mut Candidates,
        budget: &mut Budget,
    ) -> bool {
        let (_, base, _) = bases(self.links);
        graph.fill(self.board, self.numbering);
        reach.start(graph, self.links, |_| true);
        let mut finished_starts = BitSet::<W>::EMPTY;
        let mut has_removals = false;
        let mut length = 4;
        while !reach.is_complete() && base + bonus(length) <= self.highest {
            if !budget.spend(reach.advance()) {
                return false;
            }
            for (start, fresh) in reach.newly_reached.iter().enumerate() {
                if finished_starts.contains(start) {
                    continue;
                }
                let (cell, digit) = self.numbering.candidates()[start];
                let end = if fresh.meets(&reach.off[start]) {
                    Node::off(cell, digit)
                } else if reach.comes_on(start) {
                    Node::on(cell, digit)
                } else {
                    continue;
                };
                finished_starts.insert(start);
                if let Some((removed, _)) = effect(self.board, end) {
                    has_removals = true;
                    remove(candidates, &removed);
                }
            }
            length += 2;
        }
        has_removals
    }
}

fn remove(candidates: &mut Candidates, removed: &CandidateSet) {
    for (digit, cells) in removed.by_digit() {
        candidates.eliminate(digit, cells);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::tests::puzzles_rated;
    use crate::rating::{Rater, Rating, RatingLimits};

    /// If easy steps solve the rest of a puzzle, the complete rating must not have a later step that is rated higher.
    #[test]
    fn puzzles_solved_by_easy_steps_have_no_higher_rated_step() {
        let mut layers = ChainLayers::default();
        let (mut ended, mut open) = (0, 0);
        for puzzle in puzzles_rated(66) {
            let start = Candidates::new(&puzzle.parse().unwrap());
            let mut steps = Vec::new();
            Rater::new().walk(&start, RatingLimits::default(), |board, hint| {
                steps.push((board.clone(), hint.rating));
            });
            for (at, (board, _)) in steps.iter().enumerate() {
                let later_ratings = steps[at..].iter().map(|(_, rating)| *rating);
                let needed = later_ratings.fold(0.0, f64::max);
                for tenths in (66..80).chain(82..92) {
                    let highest = f64::from(tenths) / 10.0;
                    let mut budget = Budget::new(u64::MAX);
                    if solve(&mut board.clone(), highest, &mut layers, &mut budget) {
                        let [needed, highest] = [needed, highest].map(Rating::rounded);
                        assert!(
                            needed <= highest,
                            "{puzzle}, step {at}: {needed} > {highest}"
                        );
                        ended += 1;
                    } else {
                        open += 1;
                    }
                }
            }
        }
        assert!(ended > 500 && open > 500, "{ended}, {open}");
    }
}
