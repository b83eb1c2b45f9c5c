//! The columns of `evaluate`: the prediction of a model for a puzzle, and the verdict.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray};
use arrow::datatypes::DataType;

use crate::options::{AGAINST, EXTRACT};
use crate::table::columns::column::{
    Column, ColumnGroup, array_column, owned_text_column, text_column, uint16, with_values,
    without_nulls,
};
use crate::table::outcome::Outcome;
use sudoku_core::judge::{FORMS, Judgement, RULES, Verdict};

/// The columns of `evaluate`, in the order in which tables have them.
pub(crate) fn judged_columns() -> Vec<Column> {
    use ColumnGroup::{Judged, JudgedAgainst, JudgedAnswer};
    let verdicts = || Verdict::ALL.map(Verdict::id);
    vec![
        text_column(
            "prediction",
            Judged,
            "The prediction, in the format of `puzzle`; its text as it was if it is not a grid of the \
             puzzle's size. Null if there is none.",
            |_, row| Some(row.judged.as_ref()?.prediction.as_ref()?.as_bytes()),
        ),
        without_nulls(with_values(
            verdicts(),
            text_column(
                "verdict",
                Judged,
                "What the prediction is: `solution` (the given one or the only one), `other_solution` (of a \
                 puzzle with several), `wrong` (full, keeps the clues, breaks a rule), `incomplete` (has \
                 empty cells, and no other digit in the cell of a clue), `clue_changed`, `unparsable` (not a grid of this size), \
                 `missing`.",
                |_, row| Some(own_judgement(row)?.verdict.id().as_bytes()),
            ),
        )),
        without_nulls(is_exact_column(
            "is_exact",
            Judged,
            "Whether the prediction solves the puzzle: `verdict` is `solution` or `other_solution`.",
            own_judgement,
        )),
        without_nulls(uint16(
            "blanks",
            Judged,
            "The number of empty cells of the puzzle.",
            |row| Some(own_judgement(row)?.blanks as u16),
        )),
        uint16(
            "blanks_right",
            Judged,
            "The number of empty cells of the puzzle in which the prediction has the digit of the solution. \
             The solution is the given one if it is right, else the only one; all cells of an \
             `other_solution` are right. Null if there is no grid, or no solution to compare with.",
            |row| own_judgement(row)?.blanks_right.map(|count| count as u16),
        ),
        uint16(
            "cells_right",
            Judged,
            "The same for all cells of the grid, with those of the clues.",
            |row| own_judgement(row)?.cells_right.map(|count| count as u16),
        ),
        uint16(
            "conflicts",
            Judged,
            "The number of cells of the prediction whose digit is also in another cell of their row, column \
             or box. Null if there is no grid.",
            |row| own_judgement(row)?.conflicts.map(|count| count as u16),
        ),
        owned_text_column(
            "first_wrong",
            Judged,
            "The first cell, in row order, that does not have the digit of the solution, as in `r1c3`. Null \
             if all have it, or if there is nothing to compare.",
            |row| {
                let (cell, size) = (own_judgement(row)?.first_wrong?, row.size());
                Some(format!("r{}c{}", cell / size + 1, cell % size + 1))
            },
        ),
        uint16(
            "backbone_blanks",
            Judged,
            "For a puzzle with several solutions, the number of its empty cells that are equal in all of them. \
             Null for other puzzles, if there is no grid, or if the limit of nodes ended the search.",
            |row| Some(row.judged.as_ref()?.backbone?.blanks),
        ),
        uint16(
            "backbone_right",
            Judged,
            "The number of the cells of `backbone_blanks` in which the prediction has the digit of all \
             solutions; null where that is null.",
            |row| Some(row.judged.as_ref()?.backbone?.right),
        ),
        text_column(
            "prediction_error",
            Judged,
            "Why the prediction is `unparsable`; null for other verdicts.",
            |_, row| Some(row.judged.as_ref()?.why.as_ref()?.as_bytes()),
        ),
        with_values(
            FORMS.iter().map(|form| form.id),
            text_column(
                "answer_form",
                JudgedAnswer,
                format!(
                    "With `{EXTRACT}`: the form in which the text has the grid. Null if no grid is the answer."
                ),
                |_, row| Some(row.judged.as_ref()?.source?.0.id.as_bytes()),
            ),
        ),
        with_values(
            RULES.iter().map(|rule| rule.id),
            text_column(
                "answer_rule",
                JudgedAnswer,
                format!(
                    "With `{EXTRACT}`: the rule that chose the grid: where it is in the text. Null if no grid is \
                     the answer."
                ),
                |_, row| Some(row.judged.as_ref()?.source?.1.id.as_bytes()),
            ),
        ),
        with_values(
            verdicts(),
            text_column(
                "other_verdict",
                JudgedAgainst,
                format!("With `{AGAINST}`: the verdict on the prediction of the other model."),
                |_, row| Some(other_judgement(row)?.verdict.id().as_bytes()),
            ),
        ),
        is_exact_column(
            "other_is_exact",
            JudgedAgainst,
            format!(
                "With `{AGAINST}`: whether the prediction of the other model solves the puzzle."
            ),
            other_judgement,
        ),
    ]
}

fn own_judgement(row: &Outcome) -> Option<&Judgement> {
    row.judged.as_ref().map(|judged| &judged.judgement)
}

fn other_judgement(row: &Outcome) -> Option<&Judgement> {
    row.judged.as_ref()?.other.as_ref()
}

fn is_exact_column(
    name: &str,
    group: ColumnGroup,
    doc: impl Into<String>,
    judgement: fn(&Outcome) -> Option<&Judgement>,
) -> Column {
    array_column(name, DataType::Boolean, group, doc, move |rows| {
        let judgements = rows.outcomes.iter().map(judgement);
        let exact_flags = judgements.map(|judgement| Some(judgement?.verdict.is_exact()));
        Ok(Arc::new(exact_flags.collect::<BooleanArray>()) as ArrayRef)
    })
}
