//! Producers 23 and 25 to 32: chains of nodes, each of which follows from others.
//!
//! ```text
//! node             a candidate on or off; the links between them
//! run              all that follows from one start
//! rules            what a run of a higher level asks besides links
//! kind             the producers of chains from several starts
//! multiple         what follows from several starts one of which is true
//! nested           the rules of all levels: from level 2 on they search chains themselves
//! forcing_cycle    chains from a candidate to its opposite, and cycles: the best, from the layers
//! reach            of what is reached from all candidates at once
//! bounded          the best of what follows from several starts, by runs that are cut
//! explained        the chains of a hint, for explanations
//! ```
//!
//! `multiple` lists all hints, as nested chains need them, and is the readable twin of `bounded`; for
//! `forcing_cycle`, its `listing` is.

mod bits;
mod bounded;
mod explained;
mod forcing_cycle;
mod found;
mod kind;
mod length;
mod memory;
mod multiple;
mod nested;
mod node;
mod reach;
mod rules;
mod run;
#[cfg(test)]
mod tests;

pub(super) use explained::chains_of;
pub(super) use kind::Kind;
pub(super) use memory::Memory;

use super::board::Board;
use super::budget::Budget;
use super::hint::Hint;
use super::value::Value;
use found::Found;

/// The best forcing chain or cycle.
pub(super) fn forcing(board: &Board, memory: &mut Memory, budget: &mut Budget) -> Option<Hint> {
    forcing_cycle::best(board, &mut memory.layers, budget)
}

/// The best hint of a kind. Where `highest` is given, hints above it need not be found.
pub(super) fn best(
    board: &Board,
    kind: Kind,
    highest: Option<Value>,
    memory: &mut Memory,
    budget: &mut Budget,
) -> Option<Hint> {
    if kind.is_nishio() {
        return bounded::best_nishio(board, &mut memory.bounded, budget);
    }
    if kind.mode().level < 2 {
        let longest = highest.map_or(u32::MAX, |highest| longest(kind, highest));
        let (runs, layers) = (&mut memory.bounded, &memory.layers);
        return bounded::best(board, kind, longest, runs, layers, budget);
    }
    multiple::best(board, kind, &mut memory.runs, budget).map(Found::hint)
}

/// The length up to which hints of this kind are within a rating.
fn longest(kind: Kind, highest: Value) -> u32 {
    let is_within = |length: &u32| Value::of(kind.base() + length::bonus(*length)) <= highest;
    (0..).take_while(is_within).last().unwrap_or(0)
}
