//! Producers 23 and 25 to 32: chains of nodes, each of which follows from others.
//!
//! ```text
//! node             a candidate on or off; the links between them
//! run              all that follows from one start
//! forcing_cycle    chains from a candidate to its opposite, and cycles
//! multiple         what follows from several starts one of which is true
//! rules            what a run of a higher level asks besides links
//! explained        the chains of a hint, for explanations
//! ```

mod bits;
mod bounded;
mod explained;
mod forcing_cycle;
mod found;
mod length;
mod multiple;
mod node;
mod reach;
mod rules;
mod run;
#[cfg(test)]
mod tests;

pub(super) use bounded::BoundedRuns;
pub(super) use explained::chains_of;
pub(super) use forcing_cycle::Layers;
pub(super) use multiple::Runs;

use super::board::Board;
use super::hint::Hint;
use super::producers::{Producer, Search};
use super::value::Value;
use super::work::Workspace;
use found::Found;
use multiple::Kind;

pub(super) static FORCING_CHAINS_AND_CYCLES: Producer = Producer {
    lowest: 6.5,
    search: Search::First(|board, work| {
        forcing_cycle::best(board, &mut work.layers, &mut work.budget)
    }),
};

macro_rules! producer {
    ($kind:expr) => {
        Producer {
            lowest: $kind.base(),
            search: Search::First(|board, work| best_of(board, $kind, work)),
        }
    };
}

pub(super) static NISHIO: Producer = producer!(Kind::NISHIO);
pub(super) static MULTIPLE: Producer = producer!(Kind::MULTIPLE);
pub(super) static DYNAMIC: Producer = producer!(Kind::DYNAMIC);
pub(super) static DYNAMIC_PLUS: Producer = producer!(Kind::DYNAMIC_PLUS);
pub(super) static NESTED_FORCING: Producer = producer!(Kind::NESTED_FORCING);
pub(super) static NESTED_MULTIPLE: Producer = producer!(Kind::NESTED_MULTIPLE);
pub(super) static NESTED_DYNAMIC: Producer = producer!(Kind::NESTED_DYNAMIC);
pub(super) static NESTED_DYNAMIC_FORCING: Producer = producer!(Kind::NESTED_DYNAMIC_FORCING);

/// The length up to which hints of this kind are within a rating.
fn longest(kind: Kind, highest: Value) -> u32 {
    let is_within = |length: &u32| Value::of(kind.base() + length::bonus(*length)) <= highest;
    (0..).take_while(is_within).last().unwrap_or(0)
}

fn best_of(board: &Board, kind: Kind, work: &mut Workspace) -> Option<Hint> {
    if kind.is_nishio() {
        return bounded::best_nishio(board, &mut work.bounded, &mut work.budget);
    }
    if kind.mode().level < 2 {
        let longest = work
            .highest
            .map_or(u32::MAX, |highest| longest(kind, highest));
        let (runs, layers) = (&mut work.bounded, &work.layers);
        return bounded::best(board, kind, longest, runs, layers, &mut work.budget);
    }
    multiple::best(board, kind, &mut work.runs, &mut work.budget).map(Found::hint)
}
