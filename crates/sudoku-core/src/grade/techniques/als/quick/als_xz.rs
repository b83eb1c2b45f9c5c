//! Finds the candidates that the technique ALS-XZ removes.

use super::net::AlsNet;
use crate::grade::{Pattern, Position, Steps};

pub(in super::super) fn find_union(board: &Position, found: &mut Steps) {
    let net = board.derived::<AlsNet>();
    let mut eliminations = net.over_one_set();
    eliminations |= &net.doubly_linked(board, &eliminations);
    if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
}
