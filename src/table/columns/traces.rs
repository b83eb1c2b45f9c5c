//! The columns of `trace`: the steps that solve a puzzle, in the order of `explain`. Each step is checked
//! against the solution.

use std::fmt::Write;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, ListArray, StringArray, StructArray, UInt8Array, UInt16Array};
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::datatypes::{DataType, Field, Fields};
use arrow::error::ArrowError;
use sudoku_core::board::{Candidates, CellSet, Digit, Grid};
use sudoku_core::explain::{ABOUT_SEARCH, Walk, why};
use sudoku_core::grade::{SEARCH, Step};
use sudoku_core::solve::Status;

use crate::table::outcome::Outcome;

/// A step of the solution of a puzzle, as an item of the lists in the column `steps`.
struct TraceStep {
    technique: &'static str,
    name: &'static str,
    rank: u8,
    level: &'static str,
    /// The number of the step's wave, from 1. A wave consists of all steps that one technique finds on the same board.
    wave: u16,
    houses: Vec<String>,
    cells: Vec<String>,
    other_cells: Vec<String>,
    digits: Vec<String>,
    placements: Vec<String>,
    eliminations: Vec<String>,
    grid_before: Grid,
    grid_after: Grid,
    explanation: String,
}

/// The steps that solve a 9 × 9 puzzle with exactly one solution; `None` for other puzzles.
///
/// # Errors
/// A step contradicts the solution. This would be a bug in a technique.
fn trace_steps(row: &Outcome) -> Result<Option<Vec<TraceStep>>, ArrowError> {
    let solution = row.solution.as_ref().and_then(|found| found.first);
    let (Some(puzzle), Some(solution)) = (row.nine(), solution) else {
        return Ok(None);
    };
    if row.status() != Some(Status::Unique) {
        return Ok(None);
    }
    let walk = Walk::new(puzzle.clone(), solution);
    let mut steps = Vec::new();
    let mut board = puzzle.clues;
    for (number, wave) in (1..).zip(&walk.waves) {
        for step in &wave.steps {
            check_step_against_solution(step, &solution)?;
            let grid_before = board;
            for digit in Digit::ALL {
                (step.effect.placed(digit)).for_each(|cell| board.set(cell, Some(digit)));
            }
            let pattern = &step.pattern;
            steps.push(TraceStep {
                technique: wave.technique.id,
                name: wave.technique.name,
                rank: wave.rank.number(),
                level: wave.technique.level.id(),
                wave: number,
                houses: pattern.houses.iter().map(ToString::to_string).collect(),
                cells: cell_names(pattern.cells),
                other_cells: cell_names(pattern.others),
                digits: pattern.digits.map(|digit| digit.to_string()).collect(),
                placements: change_texts('=', |digit| step.effect.placed(digit)),
                eliminations: change_texts('-', |digit| step.effect.removed(digit)),
                grid_before,
                grid_after: board,
                explanation: why(&wave.board, step),
            });
        }
    }
    if let Some(stalled) = &walk.stalled {
        let number = walk.waves.len() as u16 + 1;
        steps.push(search_step(stalled, board, solution, number));
    } else if board != solution {
        return Err(bug_error("the steps do not lead to the solution"));
    }
    Ok(Some(steps))
}

/// The last step of a trace, if the techniques cannot solve the puzzle: a search fills all remaining cells.
fn search_step(stalled: &Candidates, before: Grid, solution: Grid, wave: u16) -> TraceStep {
    let remaining_placements: Vec<String> = (solution.clues())
        .filter(|(cell, _)| before.get(*cell).is_none())
        .map(|(cell, digit)| format!("{cell}={digit}"))
        .collect();
    TraceStep {
        technique: SEARCH.id(),
        name: "Search",
        rank: SEARCH.number(),
        level: SEARCH.level().id(),
        wave,
        houses: Vec::new(),
        cells: cell_names(stalled.unsolved()),
        other_cells: Vec::new(),
        digits: Vec::new(),
        placements: remaining_placements,
        eliminations: Vec::new(),
        grid_before: before,
        grid_after: solution,
        explanation: ABOUT_SEARCH
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
    }
}

/// Checks that a step places only digits of the solution, and eliminates no digit of the solution.
fn check_step_against_solution(step: &Step, solution: &Grid) -> Result<(), ArrowError> {
    for digit in Digit::ALL {
        let is_right = |cell| solution.get(cell) == Some(digit);
        if !step.effect.placed(digit).into_iter().all(is_right)
            || step.effect.removed(digit).into_iter().any(is_right)
        {
            return Err(bug_error("a step contradicts the solution"));
        }
    }
    Ok(())
}

pub(super) fn bug_error(what: &str) -> ArrowError {
    ArrowError::ComputeError(format!("{what}: this is a bug, please report it"))
}

fn cell_names(cells: CellSet) -> Vec<String> {
    cells.map(|cell| cell.to_string()).collect()
}

/// The digits that a step places or eliminates, as texts such as `r1c2=3` and `r1c2-3`.
fn change_texts(sign: char, cells_of: impl Fn(Digit) -> CellSet) -> Vec<String> {
    let digit_changes = |digit| cells_of(digit).map(move |cell| format!("{cell}{sign}{digit}"));
    Digit::ALL.into_iter().flat_map(digit_changes).collect()
}

fn text_field(name: &str) -> Field {
    Field::new(name, DataType::Utf8, false)
}

fn texts_field(name: &str) -> Field {
    let item_field = Arc::new(text_field("item"));
    Field::new(name, DataType::List(item_field), false)
}

/// The Arrow fields of an item of the column `steps`.
static STEP_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        text_field("technique"),
        text_field("name"),
        Field::new("rank", DataType::UInt8, false),
        text_field("level"),
        Field::new("wave", DataType::UInt16, false),
        texts_field("houses"),
        texts_field("cells"),
        texts_field("others"),
        texts_field("digits"),
        texts_field("placements"),
        texts_field("eliminations"),
        text_field("board_before"),
        text_field("board_after"),
        text_field("why"),
    ])
});

/// The Arrow fields of an item of the column `messages`.
static MESSAGE_FIELDS: LazyLock<Fields> =
    LazyLock::new(|| Fields::from(vec![text_field("role"), text_field("content")]));

pub(super) fn list_type(fields: &Fields) -> DataType {
    DataType::List(Arc::new(Field::new(
        "item",
        DataType::Struct(fields.clone()),
        false,
    )))
}

/// The Arrow type of the column `steps`.
pub(crate) fn steps_type() -> DataType {
    list_type(&STEP_FIELDS)
}

/// The Arrow type of the column `messages`.
pub(crate) fn messages_type() -> DataType {
    list_type(&MESSAGE_FIELDS)
}

/// The column `steps`, with the list of steps that solve each puzzle.
pub(crate) fn steps_column(rows: &[Outcome]) -> Result<ArrayRef, ArrowError> {
    let traces: Vec<_> = rows.iter().map(trace_steps).collect::<Result<_, _>>()?;
    let all_steps: Vec<&TraceStep> = traces.iter().flatten().flatten().collect();
    let step_texts = |get: fn(&TraceStep) -> &str| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(
            all_steps.iter().map(|step| get(step)),
        ))
    };
    let step_text_lists = |get: fn(&TraceStep) -> &Vec<String>| -> Result<ArrayRef, ArrowError> {
        let step_lists: Vec<&Vec<String>> = all_steps.iter().map(|step| get(step)).collect();
        let offsets = OffsetBuffer::from_lengths(step_lists.iter().map(|list| list.len()));
        let values: Vec<&String> = step_lists.into_iter().flatten().collect();
        let values = StringArray::from_iter_values(values);
        let item_field = Arc::new(text_field("item"));
        Ok(Arc::new(ListArray::try_new(
            item_field,
            offsets,
            Arc::new(values),
            None,
        )?))
    };
    let columns: Vec<ArrayRef> = vec![
        step_texts(|step| step.technique),
        step_texts(|step| step.name),
        Arc::new(
            all_steps
                .iter()
                .map(|step| Some(step.rank))
                .collect::<UInt8Array>(),
        ),
        step_texts(|step| step.level),
        Arc::new(
            all_steps
                .iter()
                .map(|step| Some(step.wave))
                .collect::<UInt16Array>(),
        ),
        step_text_lists(|step| &step.houses)?,
        step_text_lists(|step| &step.cells)?,
        step_text_lists(|step| &step.other_cells)?,
        step_text_lists(|step| &step.digits)?,
        step_text_lists(|step| &step.placements)?,
        step_text_lists(|step| &step.eliminations)?,
        step_texts(|step| step.grid_before.as_str()),
        step_texts(|step| step.grid_after.as_str()),
        step_texts(|step| &step.explanation),
    ];
    list_column(
        &STEP_FIELDS,
        columns,
        traces.iter().map(|trace| trace.as_ref().map(Vec::len)),
    )
}

/// The column `messages`: a question by the user, and the steps as the assistant's answer.
pub(crate) fn messages_column(rows: &[Outcome]) -> Result<ArrayRef, ArrowError> {
    let (mut roles, mut contents, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
    for row in rows {
        let Some(steps) = trace_steps(row)? else {
            lengths.push(None);
            continue;
        };
        roles.extend(["user", "assistant"]);
        contents.push(question_text(row));
        contents.push(answer_text(row, &steps));
        lengths.push(Some(2));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(roles)),
        Arc::new(StringArray::from_iter_values(contents)),
    ];
    list_column(&MESSAGE_FIELDS, columns, lengths.into_iter())
}

fn question_text(row: &Outcome) -> String {
    let text = String::from_utf8_lossy(row.text());
    let mut question =
        "Solve this Sudoku step by step. Empty cells are dots; r1c1 is the top left \
                        cell.\n"
            .to_owned();
    match text.len() {
        81 => {
            for line in 0..9 {
                let _ = write!(question, "\n{}", &text[9 * line..][..9]);
            }
        }
        // A puzzle with pencil marks has nine characters per cell.
        _ => {
            let _ = write!(question, "\nPencil marks, nine characters a cell:\n{text}");
        }
    }
    question
}

/// The steps that solve a puzzle as text, one per line; `None` if there are no [`trace_steps`].
///
/// # Errors
///
/// A step contradicts the solution. This would be a bug in a technique.
pub(crate) fn steps_text(row: &Outcome) -> Result<Option<String>, ArrowError> {
    let lines = trace_steps(row)?.map(|steps| step_lines(&steps));
    Ok(lines.map(|lines| lines.trim_end().to_owned()))
}

fn answer_text(row: &Outcome, steps: &[TraceStep]) -> String {
    let mut answer_text = step_lines(steps);
    let solution = String::from_utf8_lossy(row.solution_text().unwrap_or_default()).into_owned();
    let _ = write!(answer_text, "\nSolution:\n\n");
    for line in 0..9 {
        let _ = writeln!(
            answer_text,
            "{}",
            solution.get(9 * line..9 * line + 9).unwrap_or_default()
        );
    }
    answer_text.trim_end().to_owned()
}

/// Writes the steps as text, one on each line.
fn step_lines(steps: &[TraceStep]) -> String {
    let mut answer_text = String::new();
    for (number, step) in (1..).zip(steps) {
        let effect_texts: Vec<&str> = (step.placements.iter().chain(&step.eliminations))
            .map(String::as_str)
            .collect();
        let _ = writeln!(
            answer_text,
            "{number}. {}: {}. {}",
            step.name,
            effect_texts.join(", "),
            step.explanation
        );
    }
    answer_text
}

/// A column whose values are lists of structs. For each row, `lengths` has the length of its list, or `None` for a
/// null.
pub(super) fn list_column(
    fields: &Fields,
    columns: Vec<ArrayRef>,
    lengths: impl Iterator<Item = Option<usize>>,
) -> Result<ArrayRef, ArrowError> {
    let lengths: Vec<Option<usize>> = lengths.collect();
    let nulls: NullBuffer = lengths.iter().map(Option::is_some).collect();
    let offsets = OffsetBuffer::from_lengths(lengths.iter().map(|length| length.unwrap_or(0)));
    let structs = StructArray::try_new(fields.clone(), columns, None)?;
    let item_field = Arc::new(Field::new("item", DataType::Struct(fields.clone()), false));
    Ok(Arc::new(ListArray::try_new(
        item_field,
        offsets,
        Arc::new(structs),
        Some(nulls),
    )?))
}
