//! The quality of a model's predictions, as sheets for reports.

use serde_json::{Value, json};

use super::sheet::Sheet;
use crate::counts::evaluation::{
    BothModels, Evaluation, EvaluationGroup, MoveCounts, VerdictCounts, wilson_interval,
};
use crate::counts::fraction;
use crate::numbers::{counted, thousands};
use sudoku_core::judge::{MoveVerdict, Verdict};

/// The quality of a model's predictions, as sheets.
pub fn evaluation_sheets(evaluation: &Evaluation) -> Vec<Sheet> {
    let mut sheets = vec![verdicts_sheet(evaluation.all())];
    if !evaluation.moves().is_empty() {
        sheets.push(moves_sheet(evaluation.moves()));
    }
    for group in EvaluationGroup::ALL {
        let rows = evaluation.of_group(group);
        if !rows.is_empty() {
            sheets.push(group_sheet(group, &rows));
        }
    }
    sheets.extend(evaluation.against().map(both_models_sheet));
    sheets
}

const fn group_title(group: EvaluationGroup) -> &'static str {
    match group {
        EvaluationGroup::Level => "Solved by level",
        EvaluationGroup::Technique => "Solved by hardest technique",
        EvaluationGroup::Clues => "Solved by number of clues",
        EvaluationGroup::Se => "Solved by rating (se), in whole steps",
    }
}

fn verdicts_sheet(all: &VerdictCounts) -> Sheet {
    let rows = Verdict::ALL.into_iter().filter_map(|verdict| {
        let count = all.verdict(verdict);
        let row = vec![
            verdict.id().into(),
            count.into(),
            fraction(count, all.rows()),
        ];
        (count > 0).then_some(row)
    });
    let (low, high) = wilson_interval(all.exact(), all.rows());
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let cells_sentence = match all.blanks() {
        (0, _) => String::new(),
        (blanks, right) => {
            let right_share = right as f64 / blanks as f64;
            format!(
                " Of the empty cells of puzzles whose prediction is a grid, {} are filled in right.",
                percent(right_share)
            )
        }
    };
    let backbone_sentence = match all.backbone() {
        (0, _) => String::new(),
        (blanks, right) => format!(
            " Of the empty cells that are equal in all solutions of a puzzle with several, {} are right.",
            percent(right as f64 / blanks as f64)
        ),
    };
    let exact_share = all.exact() as f64 / (all.rows() as f64).max(1.0);
    Sheet {
        rows: rows.collect(),
        notes: vec![format!(
            "{} of the predictions solve their puzzle; 95 % interval: {} to {}.{cells_sentence}{backbone_sentence}",
            percent(exact_share),
            percent(low),
            percent(high)
        )],
        ..Sheet::new(
            "verdict",
            "Verdicts",
            1,
            &["verdict", "predictions", "share"],
        )
    }
}

fn moves_sheet(moves: &MoveCounts) -> Sheet {
    let rows = MoveVerdict::ALL.into_iter().filter_map(|verdict| {
        let count = moves.verdict(verdict);
        let row = vec![
            verdict.id().into(),
            count.into(),
            fraction(count, moves.moves()),
        ];
        (count > 0).then_some(row)
    });
    Sheet {
        rows: rows.collect(),
        notes: vec![format!(
            "{}: {} without a wrong move, {} after which the board still has a solution; mean reward: {:.4}.",
            counted(moves.sequences(), "sequence"),
            thousands(moves.without_wrong()),
            thousands(moves.solvable()),
            moves.mean_reward()
        )],
        ..Sheet::new("moves", "Moves", 1, &["verdict", "moves", "share"])
    }
}

fn group_sheet(group: EvaluationGroup, rows: &[(&str, &VerdictCounts)]) -> Sheet {
    let mut names = vec![group.id()];
    names.extend([
        "puzzles",
        "exact",
        "exact share",
        "low share",
        "high share",
        "right cells share",
    ]);
    let rows = rows.iter().map(|(name, counts)| {
        let (low, high) = wilson_interval(counts.exact(), counts.rows());
        let (blanks, right) = counts.blanks();
        vec![
            Value::from(*name),
            counts.rows().into(),
            counts.exact().into(),
            fraction(counts.exact(), counts.rows()),
            json!(low),
            json!(high),
            fraction(right, blanks),
        ]
    });
    let notes = match group {
        EvaluationGroup::Level => {
            vec!["low share and high share are the ends of the 95 % interval (Wilson).".to_owned()]
        }
        _ => Vec::new(),
    };
    Sheet {
        rows: rows.collect(),
        notes,
        ..Sheet::new(
            &format!("solved_by_{}", group.id()),
            group_title(group),
            1,
            &names,
        )
    }
}

fn both_models_sheet(both: BothModels) -> Sheet {
    let all_predictions: u64 = both.counts().iter().map(|(_, count)| count).sum();
    let rows = both.counts().map(|(name, count)| {
        let name = name.replace('_', " ");
        vec![name.into(), count.into(), fraction(count, all_predictions)]
    });
    Sheet {
        rows: rows.to_vec(),
        notes: vec![format!(
            "McNemar's exact test: p = {:.4}, the probability of a difference at least as large if both models \
             were equally good.",
            both.p_value()
        )],
        ..Sheet::new(
            "models",
            "Puzzles that the models solve",
            1,
            &["model", "puzzles", "share"],
        )
    }
}
