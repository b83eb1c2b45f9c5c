//! Tests that the fast searches for chains find the same hints as the slower ones, which are easier to read.

use super::bounded::{self, BoundedRuns};
use super::chain_hint::{ChainHint, best};
use super::forcing_cycle::{self, ChainLayers};
use super::kind::ChainKind;
use super::multiple::{self, ChainRuns};
use crate::board::{Candidates, CellSet};
use crate::random::Rng;
use crate::rating::board::Board;
use crate::rating::budget::Budget;
use crate::rating::hint::Hint;
use crate::rating::tests::{boards_after_bulk_steps, puzzles_rated};

const SEED: u64 = 23;

/// Calls `visit` with boards that occur while puzzles are rated, and with some of these boards after random candidates
/// were removed.
fn for_each_board(lowest: u16, mut visit: impl FnMut(&Board, &str)) {
    let mut rng = Rng::new(SEED);
    for puzzle in puzzles_rated(lowest) {
        for (n, board) in boards_after_bulk_steps(puzzle)
            .into_iter()
            .enumerate()
            .step_by(3)
        {
            visit(&Board::new(&board), puzzle);
            if n % 2 == 0 {
                visit(
                    &Board::new(&without_some_candidates(board, &mut rng)),
                    puzzle,
                );
            }
        }
    }
}

/// Removes candidates at random, but leaves at least two in each cell.
fn without_some_candidates(mut board: Candidates, rng: &mut Rng) -> Candidates {
    for _ in 0..rng.below(20) {
        let cell = crate::board::Cell::new(rng.below(81));
        let digit = crate::board::Digit::from_index(rng.below(9));
        if board.unsolved().contains(cell) && board.digits(cell).len() > 2 {
            board.eliminate(digit, CellSet::of(cell));
        }
    }
    board
}

fn budget() -> Budget {
    Budget::new(u64::MAX)
}

#[test]
fn the_layers_give_the_best_of_all_forcing_chains_and_cycles() {
    let mut layers = ChainLayers::default();
    for_each_board(45, |board, puzzle| {
        let quick = forcing_cycle::best(board, &mut layers, &mut budget());
        let slow = best(forcing_cycle::listed(board, &mut budget())).map(ChainHint::hint);
        assert_eq!(quick, slow, "{puzzle}, seed {SEED}");
    });
}

#[test]
fn screened_searches_list_all_forcing_chains_and_cycles() {
    let mut layers = ChainLayers::default();
    let (mut none, mut some) = (0, 0);
    for_each_board(45, |board, puzzle| {
        let quick = forcing_cycle::all(board, &mut layers, &mut budget());
        let slow = forcing_cycle::listed(board, &mut budget());
        assert_eq!(quick, slow, "{puzzle}, seed {SEED}");
        if slow.is_empty() {
            none += 1;
        } else {
            some += 1;
        }
    });
    assert!(none > 20 && some > 50, "{none}, {some}");
}

#[test]
fn bounded_runs_give_the_best_of_all_multiple_chains() {
    let mut layers = ChainLayers::default();
    let mut quick_runs = BoundedRuns::default();
    let mut slow_runs = ChainRuns::default();
    for_each_board(75, |board, puzzle| {
        forcing_cycle::best(board, &mut layers, &mut budget());
        let mut slow =
            |kind| multiple::best(board, kind, &mut slow_runs, &mut budget()).map(ChainHint::hint);
        let nishio = bounded::best_nishio(board, &mut quick_runs, &layers, &mut budget());
        assert_eq!(nishio, slow(ChainKind::NISHIO), "{puzzle}, seed {SEED}");
        for kind in [
            ChainKind::MULTIPLE,
            ChainKind::DYNAMIC,
            ChainKind::DYNAMIC_PLUS,
        ] {
            let quick: Option<Hint> = bounded::best(
                board,
                kind,
                u32::MAX,
                &mut quick_runs,
                &layers,
                &mut budget(),
            );
            assert_eq!(quick, slow(kind), "{puzzle}, seed {SEED}");
        }
    });
}
