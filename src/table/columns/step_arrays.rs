//! The column of `trace --format steps-npy`: for each puzzle an array of 325 numbers, which are its clues and the placements
//! that solve it.
//!
//! ```text
//! clues │ row column digit rank │ row column digit rank │ …      81 cells, rows and columns from 0
//!       │ the clues, in row order; rank 0
//!                               │ the other cells, in the order of the steps
//! ```
//!
//! The rank of a placement is that of `evaluate --steps`: the rank of the hardest technique that it takes to find the
//! placement on the board of all earlier ones. The eliminations in between are not in the array.

use std::sync::{Arc, LazyLock};

use arrow::array::{Array, ArrayRef, FixedSizeListArray, UInt8Array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field};
use arrow::error::ArrowError;
use sudoku_core::board::{Cell, Digit};
use sudoku_core::explain::Walk;
use sudoku_core::grade::{Ladder, SEARCH};
use sudoku_core::judge::{Move, MoveVerdict, StepJudge};
use sudoku_core::solve::{Kernel, Status};

use crate::table::columns::traces::bug_error;
use crate::table::outcome::Outcome;

/// The number of items of an array.
pub(crate) const STEP_ITEMS: usize = 1 + 4 * 81;

/// The name of the column.
pub const STEP_ARRAY: &str = "step_array";

fn item() -> Arc<Field> {
    Arc::new(Field::new("item", DataType::UInt8, true))
}

/// The Arrow type of the column.
pub(crate) fn step_array_type() -> DataType {
    DataType::FixedSizeList(item(), STEP_ITEMS as i32)
}

/// The column, null for puzzles that have no steps.
pub(crate) fn step_array_column(rows: &[Outcome]) -> Result<ArrayRef, ArrowError> {
    let mut numbers = Vec::with_capacity(rows.len() * STEP_ITEMS);
    let mut is_valid = Vec::with_capacity(rows.len());
    for row in rows {
        let array = step_array(row)?;
        is_valid.push(array.is_some());
        numbers.extend_from_slice(&array.unwrap_or([0; STEP_ITEMS]));
    }
    let numbers = UInt8Array::from(numbers);
    let nulls = NullBuffer::from(is_valid);
    Ok(Arc::new(FixedSizeListArray::try_new(
        item(),
        STEP_ITEMS as i32,
        Arc::new(numbers) as Arc<dyn Array>,
        Some(nulls),
    )?))
}

/// The array of a 9 × 9 puzzle with exactly one solution; `None` for other puzzles.
fn step_array(row: &Outcome) -> Result<Option<[u8; STEP_ITEMS]>, ArrowError> {
    static LADDER: LazyLock<Ladder> = LazyLock::new(Ladder::default);
    let Some((puzzle, found)) = row.nine().zip(row.solution.as_ref()) else {
        return Ok(None);
    };
    let (Some(solution), Some(Status::Unique)) = (found.first, row.status()) else {
        return Ok(None);
    };
    let judge = StepJudge::with_solution(puzzle, found, &LADDER, Kernel::fastest());
    let mut judge = judge.map_err(|_| bug_error("the steps have no solution"))?;
    let mut array = [0; STEP_ITEMS];
    let (clues, cells) = array.split_at_mut(1);
    clues[0] = puzzle.clues.clue_count() as u8;
    let mut cells = cells.chunks_exact_mut(4);
    let mut add = |cell: Cell, digit: Digit, rank: u8| {
        let items = cells
            .next()
            .ok_or_else(|| bug_error("a cell has two digits"))?;
        items.copy_from_slice(&[cell.row() as u8, cell.column() as u8, digit.value(), rank]);
        Ok::<(), ArrowError>(())
    };
    for (cell, digit) in puzzle.clues.clues() {
        add(cell, digit, 0)?;
    }
    let walk = Walk::new(puzzle.clone(), solution);
    let steps = walk.waves.iter().flat_map(|wave| &wave.steps);
    let placements = steps.flat_map(|step| {
        let digits = Digit::ALL.into_iter();
        digits.flat_map(|digit| step.effect.placed(digit).map(move |cell| (cell, digit)))
    });
    // After the last step, a search fills the cells that are left, if the techniques do not solve the puzzle.
    let searched = solution.clues().filter(|_| walk.stalled.is_some());
    for (cell, digit) in placements.chain(searched) {
        let judged = judge.judge(Move::place(cell, digit));
        match judged.verdict {
            MoveVerdict::Repeated => {}
            verdict if verdict.is_wrong() => {
                return Err(bug_error("a step contradicts the solution"));
            }
            _ => add(cell, digit, judged.rank.unwrap_or(SEARCH).number())?,
        }
    }
    if !judge.board().is_solved() {
        return Err(bug_error("the steps do not lead to the solution"));
    }
    Ok(Some(array))
}
