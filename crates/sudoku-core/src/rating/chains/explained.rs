//! Searches the chains of a hint again to explain it, because the fast searches do not keep them.

use super::forcing_cycle;
use super::kind::ChainKind;
use super::memory::ChainMemory;
use super::multiple;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use crate::rating::values::ChainNode;

/// The chains of a hint. Each chain begins with its start, and every node comes after the nodes that it follows from.
/// Empty if the hint has no chains.
pub(in crate::rating) fn chains_of(
    board: &Board,
    hint: &Hint,
    memory: &mut ChainMemory,
    budget: &mut Budget,
) -> Vec<Vec<ChainNode>> {
    if let Some(kind) = ChainKind::named(hint.technique) {
        return multiple::chains_of(board, kind, hint, &mut memory.runs, budget);
    }
    if hint.length == 0 {
        return Vec::new();
    }
    let found_hints = forcing_cycle::all(board, &mut memory.layers, budget).into_iter();
    let mut same_hints = found_hints.filter(|found| found.clone().hint() == *hint);
    let chains = same_hints
        .next()
        .map_or_else(Vec::new, |found| found.chains);
    let in_order = chains.into_iter().map(|chain| {
        let from_start = chain.into_iter().rev();
        from_start
            .map(|(node, cause)| node.with_cause(cause))
            .collect()
    });
    in_order.collect()
}
