//! Producers (searches) 23 and 25 to 32 of Sudoku Explainer: chains. A chain consists of nodes, and each node follows
//! from earlier nodes.
//!
//! ```text
//! node             a candidate on or off; the links between them
//! run              finds all nodes that follow from one start
//! rules            simple techniques that runs of level 1 and higher use in addition to links
//! chain_hint       a hint with the nodes that it follows from
//! kind             the kinds of chains from several starts
//! multiple         lists the hints that follow from several starts, one of which must be true
//! nested           the rules of all levels; from level 2 on they search for chains themselves
//! forcing_cycle    forcing chains (from a candidate to its opposite) and cycles
//! reach            finds the consequences of all candidates at once, for forcing_cycle
//! bounded          finds the best hint from several starts, by runs that end early
//! explained        reconstructs the chains of a hint for explanations
//! ```
//!
//! `multiple` lists all hints, which nested chains need. It finds the same hints as `bounded`, but is slower and easier
//! to read. In the same way, `forcing_cycle` has a slower module `listing`.

mod bounded;
mod chain_hint;
mod explained;
mod forcing_cycle;
mod kind;
mod length;
mod memory;
mod multiple;
mod nested;
mod node;
mod numbering;
mod reach;
mod rules;
mod run;
#[cfg(test)]
mod tests;

pub(super) use explained::chains_of;
pub(super) use kind::ChainKind;
pub(super) use memory::ChainMemory;

use super::board::Board;
use super::budget::Budget;
use super::hint::Hint;
use super::values::Rating;
use crate::board::Candidates;
use chain_hint::ChainHint;

/// The best hint from forcing chains and cycles; `None` if there is none.
pub(super) fn forcing(
    board: &Board,
    memory: &mut ChainMemory,
    budget: &mut Budget,
) -> Option<Hint> {
    forcing_cycle::best(board, &mut memory.layers, budget)
}

/// Applies forcing chains up to a rating and all steps up to 4.4. Returns whether they solve the rest of the puzzle. If
/// they do, no step of Sudoku Explainer is rated above both that rating and 6.2.
pub(super) fn finish(
    candidates: &mut Candidates,
    highest: f64,
    memory: &mut ChainMemory,
    budget: &mut Budget,
) -> bool {
    forcing_cycle::solve(candidates, highest, &mut memory.rest, budget)
}

/// Whether the hint is a forcing chain, a cycle, or a cell or region forcing chain, which are static chains. [`finish`]
/// applies forcing chains and most cell forcing chains.
pub(super) fn is_static(hint: &Hint) -> bool {
    let kind = ChainKind::named(hint.technique);
    hint.length > 0 && kind.is_none_or(|kind| !kind.mode().dynamic)
}

/// The best hint from chains of this kind; `None` if there is none. Hints rated above `highest` may be missed.
pub(super) fn best(
    board: &Board,
    kind: ChainKind,
    highest: Option<Rating>,
    memory: &mut ChainMemory,
    budget: &mut Budget,
) -> Option<Hint> {
    if kind.is_nishio() {
        let (runs, layers) = (&mut memory.bounded, &memory.layers);
        return bounded::best_nishio(board, runs, layers, budget);
    }
    if kind.mode().level < 2 {
        let longest = highest.map_or(u32::MAX, |highest| longest(kind, highest));
        let (runs, layers) = (&mut memory.bounded, &memory.layers);
        return bounded::best(board, kind, longest, runs, layers, budget);
    }
    multiple::best(board, kind, &mut memory.runs, budget).map(ChainHint::hint)
}

/// The largest length, in nodes, of a hint of this kind that is rated at most `highest`.
fn longest(kind: ChainKind, highest: Rating) -> u32 {
    let is_within = |length: &u32| Rating::rounded(kind.base() + length::bonus(*length)) <= highest;
    (0..).take_while(is_within).last().unwrap_or(0)
}
