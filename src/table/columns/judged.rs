//! The columns of `evaluate`: the prediction of a model for a puzzle, and the verdict.

use crate::options::{AGAINST, EXTRACT};
use crate::table::columns::column_group::{ColumnGroup, OutcomeColumn, OutputColumn};
use crate::table::outcome::Outcome;
use sudoku_core::judge::{FORMS, Judgement, RULES, Verdict};

/// The columns of `evaluate`, in the order in which tables have them.
pub(crate) fn judged_columns() -> Vec<OutputColumn> {
    use ColumnGroup::{Judged, JudgedAgainst, JudgedAnswer};
    let verdicts = || Verdict::ALL.map(Verdict::id);
    vec![
        OutcomeColumn::text(
            "prediction",
            "The prediction, in the format of `puzzle`; its text as it was if it is not a grid of \
             the puzzle's size. Null if there is none.",
            |row| Some(row.judged.as_ref()?.prediction.as_ref()?.as_bytes()),
        )
        .in_group(Judged),
        OutcomeColumn::text(
            "verdict",
            "What the prediction is: `solution` (the given one or the only one), `other_solution` \
             (of a puzzle with several), `wrong` (full, keeps the clues, breaks a rule), \
             `incomplete` (has empty cells, and no other digit in the cell of a clue), \
             `clue_changed`, `unparsable` (not a grid of this size), `missing`.",
            |row| Some(own_judgement(row)?.verdict.id().as_bytes()),
        )
        .in_group(Judged)
        .with_values(verdicts())
        .without_nulls(),
        OutcomeColumn::boolean(
            "is_exact",
            "Whether the prediction solves the puzzle: `verdict` is `solution` or \
             `other_solution`.",
            |row| Some(own_judgement(row)?.verdict.is_exact()),
        )
        .in_group(Judged)
        .without_nulls(),
        OutcomeColumn::uint16(
            "blanks",
            "The number of empty cells of the puzzle.",
            |row| Some(own_judgement(row)?.blanks as u16),
        )
        .in_group(Judged)
        .without_nulls(),
        OutcomeColumn::uint16(
            "blanks_right",
            "The number of empty cells of the puzzle in which the prediction has the digit of the \
             solution. The solution is the given one if it is right, else the only one; all cells \
             of an `other_solution` are right. Null if there is no grid, or no solution to \
             compare with.",
            |row| own_judgement(row)?.blanks_right.map(|count| count as u16),
        )
        .in_group(Judged),
        OutcomeColumn::uint16(
            "cells_right",
            "The same for all cells of the grid, with those of the clues.",
            |row| own_judgement(row)?.cells_right.map(|count| count as u16),
        )
        .in_group(Judged),
        OutcomeColumn::uint16(
            "conflicts",
            "The number of cells of the prediction whose digit is also in another cell of their \
             row, column or box. Null if there is no grid.",
            |row| own_judgement(row)?.conflicts.map(|count| count as u16),
        )
        .in_group(Judged),
        OutcomeColumn::owned_text(
            "first_wrong",
            "The first cell, in row order, that does not have the digit of the solution, as in \
             `r1c3`. Null if all have it, or if there is nothing to compare.",
            |row| {
                let (cell, size) = (own_judgement(row)?.first_wrong?, row.size());
                Some(format!("r{}c{}", cell / size + 1, cell % size + 1))
            },
        )
        .in_group(Judged),
        OutcomeColumn::uint16(
            "backbone_blanks",
            "For a puzzle with several solutions, the number of its empty cells that are equal in \
             all of them. Null for other puzzles, if there is no grid, or if the limit of nodes \
             ended the search.",
            |row| Some(row.judged.as_ref()?.backbone?.blanks),
        )
        .in_group(Judged),
        OutcomeColumn::uint16(
            "backbone_right",
            "The number of the cells of `backbone_blanks` in which the prediction has the digit \
             of all solutions; null where that is null.",
            |row| Some(row.judged.as_ref()?.backbone?.right),
        )
        .in_group(Judged),
        OutcomeColumn::text(
            "prediction_error",
            "Why the prediction is `unparsable`; null for other verdicts.",
            |row| Some(row.judged.as_ref()?.why.as_ref()?.as_bytes()),
        )
        .in_group(Judged),
        OutcomeColumn::text(
            "answer_form",
            format!(
                "With `{EXTRACT}`: the form in which the text has the grid. Null if no grid is \
                 the answer."
            ),
            |row| Some(row.judged.as_ref()?.source?.0.id.as_bytes()),
        )
        .in_group(JudgedAnswer)
        .with_values(FORMS.iter().map(|form| form.id)),
        OutcomeColumn::text(
            "answer_rule",
            format!(
                "With `{EXTRACT}`: the rule that chose the grid: where it is in the text. Null if \
                 no grid is the answer."
            ),
            |row| Some(row.judged.as_ref()?.source?.1.id.as_bytes()),
        )
        .in_group(JudgedAnswer)
        .with_values(RULES.iter().map(|rule| rule.id)),
        OutcomeColumn::text(
            "other_verdict",
            format!("With `{AGAINST}`: the verdict on the prediction of the other model."),
            |row| Some(other_judgement(row)?.verdict.id().as_bytes()),
        )
        .in_group(JudgedAgainst)
        .with_values(verdicts()),
        OutcomeColumn::boolean(
            "other_is_exact",
            format!(
                "With `{AGAINST}`: whether the prediction of the other model solves the puzzle."
            ),
            |row| Some(other_judgement(row)?.verdict.is_exact()),
        )
        .in_group(JudgedAgainst),
    ]
}

fn own_judgement(row: &Outcome) -> Option<&Judgement> {
    row.judged.as_ref().map(|judged| &judged.judgement)
}

fn other_judgement(row: &Outcome) -> Option<&Judgement> {
    row.judged.as_ref()?.other.as_ref()
}
