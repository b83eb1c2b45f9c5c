//! Finds the candidates that the technique ALS-XY-wing removes.

use super::net::AlsNet;
use crate::grade::order::TechniqueName;
use crate::grade::{Pattern, Position, Steps};

pub(in super::super) fn find_union(board: &Position, found: &mut Steps) {
    let eliminations = board.derived::<AlsNet>().over_two_sets();
    if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
    board.record_miss(TechniqueName::AlsXyWing, found);
}
