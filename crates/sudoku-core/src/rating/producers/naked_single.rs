//! Producer 6: a cell with one candidate, 2.3.

use super::{Producer, Search};
use crate::rating::hint::Hint;

pub(super) static NAKED_SINGLE: Producer = Producer {
    lowest: 2.3,
    search: Search::Each(|board, visit| {
        board.empty().find_map(|cell| {
            let digit = board.digits(cell).single()?;
            Hint::placing("Naked single", 2.3, cell, digit).and_then(&mut *visit)
        })
    }),
};
