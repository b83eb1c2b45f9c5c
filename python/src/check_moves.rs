//! Judges moves in arrays, each on its own board or one after the other.
//!
//! ```text
//! boards (n, 81) or (n, 9, 9)    moves (n, k, 3): row and column from 0, and the digit
//!                                digit > 0 is placed, digit < 0 is eliminated, 0 is no move
//! ```

use pyo3::prelude::*;
use sudoku_core::Puzzle as NinePuzzle;
use sudoku_core::board::Grid;
use sudoku_core::grade::{Ladder, Rank};
use sudoku_core::judge::{Move, MoveKind, MoveVerdict, StepJudge};
use sudoku_core::solve::{DEFAULT_NODE_LIMIT, Limits, Status, solve_all};
use sudoku_core::text::Given;

use crate::borrow::Borrowed;
use crate::cells::Cells;
use crate::errors::{data, gave_up};
use crate::options::LadderNames;
use crate::puzzle::{Form, KERNEL, ladder, parse_form};
use crate::signals::interruptible;

/// The verdict on a move on a board without a solution.
const NO_SOLUTION: u8 = MoveVerdict::ALL.len() as u8;

/// The verdict where there is no move.
const NO_MOVE: u8 = NO_SOLUTION + 1;

/// The names of the numbers in arrays of verdicts.
#[pyfunction]
pub(crate) fn move_verdicts() -> Vec<&'static str> {
    let names = MoveVerdict::ALL.map(MoveVerdict::id);
    names.into_iter().chain(["no_solution", ""]).collect()
}

/// The verdicts on moves, as numbers (see [`move_verdicts`]), and the ranks of the implied ones, 0 for others.
#[pyfunction]
#[pyo3(signature = (boards, moves, ladder_name, max_rank, threads))]
pub(crate) fn check_moves(
    boards: &Bound<'_, PyAny>,
    moves: &Bound<'_, PyAny>,
    ladder_name: Option<LadderNames>,
    max_rank: Option<&Bound<'_, PyAny>>,
    threads: usize,
) -> PyResult<(Cells, Cells)> {
    let py = boards.py();
    let ladder = ladder(py, ladder_name.map(|name| name.0).as_deref(), max_rank)?;
    let boards = read_boards(boards)?;
    let moves = Borrowed::from_value(moves)?
        .ok_or_else(|| data(py, "moves: an array of integers is needed"))?;
    let shape = match moves.shape.as_slice() {
        [rows, count, 3] if *rows == boards.len() => vec![*rows, *count],
        other => {
            let message = format!(
                "moves have the shape {other:?}; {} boards need ({}, k, 3): row and column from 0, and the digit",
                boards.len(),
                boards.len()
            );
            return Err(data(py, &message));
        }
    };
    let moves = moves.values()?;
    let count = shape[1];
    let judged = interruptible(py, true, move || {
        judge_all(&boards, &moves, count, &ladder, threads)
    })?;
    let judged = judged.map_err(|_| gave_up(py, DEFAULT_NODE_LIMIT))?;
    let (verdicts, ranks) = judged.into_iter().unzip();
    Ok((
        Cells::digits(verdicts, shape.clone()),
        Cells::digits(ranks, shape),
    ))
}

/// The boards of an array, or of a list of puzzles or of what makes one; `None` for a board with a conflict.
fn read_boards(boards: &Bound<'_, PyAny>) -> PyResult<Vec<Option<NinePuzzle>>> {
    let py = boards.py();
    let Some(array) = Borrowed::from_value(boards)? else {
        let boards = boards.try_iter()?;
        return boards
            .map(|board| match parse_form(&board?, 0, None)? {
                Form::Nine(puzzle) => Ok(Some(*puzzle)),
                Form::Other(_) => Err(data(py, "moves are judged on 9 × 9 puzzles")),
            })
            .collect();
    };
    if !matches!(array.shape.as_slice(), [_, 81] | [_, 9, 9]) {
        let message = format!(
            "boards have the shape {:?}, not (n, 81) or (n, 9, 9)",
            array.shape
        );
        return Err(data(py, &message));
    }
    let cells = array.values()?;
    let boards = cells.chunks_exact(81).enumerate().map(|(row, cells)| {
        let mut text = [b'.'; 81];
        for (character, cell) in text.iter_mut().zip(cells) {
            *character = match cell {
                0 => b'.',
                1..=9 => b'0' + *cell as u8,
                _ => {
                    let message = format!("boards[{row}] has {cell}, and not a digit or 0");
                    return Err(data(py, &message));
                }
            };
        }
        let clues = Grid::from_normal_form(&text).filter(|grid| grid.conflict().is_none());
        Ok(clues.map(|clues| NinePuzzle {
            clues,
            marks: None,
            given: Given::Absent,
        }))
    });
    boards.collect()
}

/// Judges the moves of all boards on this many threads.
fn judge_all(
    boards: &[Option<NinePuzzle>],
    moves: &[i64],
    count: usize,
    ladder: &Ladder,
    threads: usize,
) -> Result<Vec<(u8, u8)>, Status> {
    if moves.is_empty() {
        return Ok(Vec::new());
    }
    let rows = boards.len().div_ceil(threads.max(1));
    std::thread::scope(|scope| {
        let parts = boards.chunks(rows).zip(moves.chunks(3 * rows * count));
        let parts: Vec<_> = parts
            .map(|(boards, moves)| scope.spawn(move || judge_part(boards, moves, count, ladder)))
            .collect();
        let mut judged = Vec::with_capacity(boards.len() * count);
        for part in parts {
            let part = part
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            judged.extend(part?);
        }
        Ok(judged)
    })
}

/// The number of boards that are solved in one call.
const BATCH: usize = 4096;

fn judge_part(
    boards: &[Option<NinePuzzle>],
    moves: &[i64],
    count: usize,
    ladder: &Ladder,
) -> Result<Vec<(u8, u8)>, Status> {
    let mut judged = Vec::with_capacity(boards.len() * count);
    for (boards, moves) in boards.chunks(BATCH).zip(moves.chunks(3 * BATCH * count)) {
        let puzzles: Vec<&NinePuzzle> = boards.iter().flatten().collect();
        let mut solutions = solve_all(*KERNEL, &puzzles, Limits::default()).into_iter();
        for (board, moves) in boards.iter().zip(moves.chunks_exact(3 * count)) {
            let solution = board
                .as_ref()
                .and_then(|board| Some((board, solutions.next()?)));
            let judge = match solution {
                None => None,
                Some((puzzle, solution)) => {
                    match StepJudge::with_solution(puzzle, &solution, ladder, *KERNEL) {
                        Ok(judge) => Some(judge),
                        Err(Status::None) => None,
                        Err(status) => return Err(status),
                    }
                }
            };
            add_verdicts(judge, moves, &mut judged);
        }
    }
    Ok(judged)
}

fn add_verdicts(mut judge: Option<StepJudge<'_>>, moves: &[i64], judged: &mut Vec<(u8, u8)>) {
    for triple in moves.chunks_exact(3) {
        // Numbers outside of the board stay outside.
        let number = |number: i64| u16::try_from(number).unwrap_or(u16::MAX);
        let (row, column, digit) = (triple[0], triple[1], triple[2]);
        let made = Move {
            kind: if digit < 0 {
                MoveKind::Eliminate
            } else {
                MoveKind::Place
            },
            row: number(row).saturating_add(1),
            column: number(column).saturating_add(1),
            digit: number(digit.saturating_abs()),
        };
        judged.push(match &mut judge {
            _ if digit == 0 => (NO_MOVE, 0),
            None => (NO_SOLUTION, 0),
            Some(judge) => {
                let own = judge.judge(made);
                (own.verdict as u8, own.rank.map_or(0, Rank::number))
            }
        });
    }
}
