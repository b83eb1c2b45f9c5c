//! The columns of `evaluate --steps`: the verdicts on the moves of a prediction.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, BooleanArray, Float64Array, StringArray, UInt8Array};
use arrow::datatypes::{DataType, Field, Fields};
use arrow::error::ArrowError;
use sudoku_core::grade::Rank;
use sudoku_core::judge::{JudgedMove, JudgedSteps, MoveVerdict, STEP_FORMS};

use crate::options::{MOVES, STEPS};
use crate::table::column::Rows;
use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use crate::table::columns::traces::{list_column, list_type};
use crate::table::outcome::Outcome;

/// The columns of `evaluate --steps`, in the order in which tables have them.
pub(crate) fn judged_steps_columns() -> Vec<OutputColumn> {
    let group = ColumnGroup::JudgedSteps;
    let mut columns = vec![
        OutcomeColumn::text(
            "steps_form",
            format!(
                "With `{STEPS}`: the form in which the moves are written. Null if they cannot be \
                 read."
            ),
            |row| Some(row.judged.as_ref()?.steps.as_ref()?.form.id.as_bytes()),
        )
        .in_group(group)
        .with_values(STEP_FORMS.iter().map(|form| form.id)),
        OutcomeColumn::uint32(
            "move_count",
            format!("With `{STEPS}`: the number of moves."),
            |row| Some(steps(row)?.moves.len() as u32),
        )
        .in_group(group),
        OutcomeColumn::uint32(
            "first_wrong_move",
            format!(
                "With `{STEPS}`: the number of the first move that is `false` or `illegal`, from \
                 1; null if none is."
            ),
            |row| Some(steps(row)?.first_wrong()? as u32 + 1),
        )
        .in_group(group),
    ];
    columns.extend(MoveVerdict::ALL.map(|verdict| {
        OutcomeColumn::float64(
            format!("{}_share", verdict.id()),
            format!(
                "With `{STEPS}`: the share of the moves that are `{}`, from 0 to 1; null without \
                 moves.",
                verdict.id()
            ),
            move |row| {
                let steps = steps(row).filter(|steps| !steps.moves.is_empty())?;
                Some(steps.count(verdict) as f64 / steps.moves.len() as f64)
            },
        )
        .in_group(group)
    }));
    columns.extend([
        OutcomeColumn::new(
            "is_solvable",
            DataType::Boolean,
            format!(
                "With `{STEPS}`: whether the board after the last move still has a solution: no \
                 false move stands."
            ),
            |rows| {
                let flags = rows.items.iter();
                let flags = flags.map(|row| Some(steps(row)?.is_solvable));
                Ok(Arc::new(flags.collect::<BooleanArray>()))
            },
        )
        .in_group(group),
        OutcomeColumn::float64(
            "reward",
            format!(
                "With `{STEPS}`: the sum over the moves, divided by the empty cells of the \
                 puzzle: 1 for an implied placement, 0.5 for one that is only right or possible, \
                 -1 for a false or illegal move, 0 for others."
            ),
            |row| Some(steps(row)?.reward()),
        )
        .in_group(group),
        OutcomeColumn::new(
            "judged_moves",
            list_type(&MOVE_FIELDS),
            format!(
                "With `{STEPS}` and `{MOVES}`: the moves in their order: `move` as in `r1c3=4` or \
                 `r1c3<>4`, `verdict`, the `technique` and the `rank` that an implied move needs, \
                 and its part of the `reward`."
            ),
            moves_column,
        )
        .in_group(ColumnGroup::JudgedMoves),
    ]);
    columns
}

fn steps(row: &Outcome) -> Option<&JudgedSteps> {
    Some(&row.judged.as_ref()?.steps.as_ref()?.judged)
}

/// The Arrow fields of an item of the column `judged_moves`.
static MOVE_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("move", DataType::Utf8, false),
        Field::new("verdict", DataType::Utf8, false),
        Field::new("technique", DataType::Utf8, true),
        Field::new("rank", DataType::UInt8, true),
        Field::new("reward", DataType::Float64, false),
    ])
});

fn moves_column(rows: Rows<'_, Outcome>) -> Result<ArrayRef, ArrowError> {
    let sequences: Vec<Option<&JudgedSteps>> = rows.items.iter().map(steps).collect();
    let moves = sequences.iter().copied().flatten();
    let moves: Vec<(&JudgedSteps, &JudgedMove)> = moves
        .flat_map(|steps| steps.moves.iter().map(move |judged| (steps, judged)))
        .collect();
    let judged = || moves.iter().map(|(_, judged)| *judged);
    let rank_ids = judged().map(|judged| judged.rank.map(Rank::id));
    let rank_numbers = judged().map(|judged| judged.rank.map(Rank::number));
    let rewards = moves
        .iter()
        .map(|(steps, judged)| steps.move_reward(judged));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(
            judged().map(|judged| judged.made.to_string()),
        )),
        Arc::new(StringArray::from_iter_values(
            judged().map(|judged| judged.verdict.id()),
        )),
        Arc::new(rank_ids.collect::<StringArray>()),
        Arc::new(rank_numbers.collect::<UInt8Array>()),
        Arc::new(Float64Array::from_iter_values(rewards)),
    ];
    let lengths = sequences
        .iter()
        .map(|steps| steps.map(|steps| steps.moves.len()));
    list_column(&MOVE_FIELDS, columns, lengths)
}
