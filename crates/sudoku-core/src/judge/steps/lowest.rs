//! Finds the lowest technique that gives a move.

use crate::board::{Candidates, Cell, CellSet, Digit, House};
use crate::grade::{Effect, Ladder, Position, Rank, Steps};

use super::MoveKind;

/// The number of singles at the start of the default ladder.
const SINGLES: usize = Rank::HIDDEN_SINGLE_LINE.index() + 1;

/// The lowest rank whose techniques give the move, when their eliminations are made in waves and nothing is placed; `None`
/// if the ladder does not give it.
pub(super) fn lowest_rank(
    ladder: &Ladder,
    board: &Candidates,
    kind: MoveKind,
    cell: Cell,
    digit: Digit,
) -> Option<Rank> {
    // A placement is compared with the singles in its own cell and houses, which is faster than finding all singles.
    let has_quick_singles = kind == MoveKind::Place && ladder.lowest_rungs() >= SINGLES;
    let quick_rungs = if has_quick_singles { SINGLES } else { 0 };
    let quick_rank = |board: &Candidates| {
        let rank = has_quick_singles.then(|| single_rank(board, cell, digit));
        rank.flatten()
    };
    if let Some(rank) = quick_rank(board) {
        return Some(rank);
    }
    let mut position = Position::with_clues(board.clone(), CellSet::EMPTY);
    let mut found = Steps::union_only();
    // The highest technique so far that has removed something, by its place on the ladder.
    let mut highest: Option<(usize, Rank)> = None;
    loop {
        let (rung, is_given) =
            ladder
                .rungs()
                .enumerate()
                .skip(quick_rungs)
                .find_map(|(at, (rank, technique))| {
                    found.clear();
                    technique.find_all(&position, &mut found);
                    let is_given = gives(found.union(), kind, cell, digit);
                    let is_wave = is_given || found.union().removals().next().is_some();
                    is_wave.then_some(((at, rank), is_given))
                })?;
        let highest = *highest.insert(highest.map_or(rung, |highest| highest.max(rung)));
        if is_given {
            return Some(highest.1);
        }
        for (digit, cells) in found.union().removals() {
            position.eliminate(digit, cells);
        }
        if quick_rank(position.board()).is_some() {
            // Singles are the lowest techniques, so the eliminations before this one are harder.
            return Some(highest.1);
        }
    }
}

/// Whether a step or all steps of a wave make this move.
fn gives(effect: &Effect, kind: MoveKind, cell: Cell, digit: Digit) -> bool {
    let is_placed = effect.placed(digit).contains(cell);
    match kind {
        MoveKind::Place => is_placed,
        MoveKind::Eliminate => {
            let others = Digit::ALL.into_iter().filter(|other| *other != digit);
            effect.removed(digit).contains(cell)
                || !(effect.placed(digit) & cell.peers()).is_empty()
                || others
                    .into_iter()
                    .any(|other| effect.placed(other).contains(cell))
        }
    }
}

/// The lowest rank of the single that places a digit in an unsolved cell; `None` if it is no single.
fn single_rank(board: &Candidates, cell: Cell, digit: Digit) -> Option<Rank> {
    let is_last_cell = |house: House| house.cells() & board.unsolved() == CellSet::of(cell);
    let is_last_place =
        |house: &House| board.open_places(digit) & house.cells() == CellSet::of(cell);
    let [row, column, own_box] = cell.houses();
    if board.digits(cell).single() == Some(digit) {
        return Some(if cell.houses().into_iter().any(is_last_cell) {
            Rank::LOWEST
        } else {
            Rank::NAKED_SINGLE
        });
    }
    if is_last_place(&own_box) {
        Some(Rank::HIDDEN_SINGLE_BOX)
    } else if is_last_place(&row) || is_last_place(&column) {
        Some(Rank::HIDDEN_SINGLE_LINE)
    } else {
        None
    }
}
