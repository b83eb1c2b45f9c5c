//! Sheets in which the rows of a dataset are grouped by the values of a column.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sudoku_core::grade::Level;

use super::sheet::Sheet;
use crate::counts::fraction;
use crate::counts::statistics::{Breakdown, BreakdownGroup, LabelAgreement, Labels, rank_of};

/// The maximum number of groups in a cross-table, where each group is a column.
const MOST_GROUP_COLUMNS: usize = 12;

/// The columns of a grade. All rows of a group have one level, or one hardest technique, so that counts of them by level
/// and technique would repeat the grade.
const GRADE_COLUMNS: [&str; 3] = ["level", "rank", "technique"];

pub(super) fn breakdown_sheets(breakdown: &Breakdown) -> Vec<Sheet> {
    let groups = breakdown.in_order();
    let mut sheets = vec![summary_sheet(breakdown, &groups)];
    if !is_grade(breakdown) {
        sheets.push(hardest_techniques_sheet(breakdown, &groups));
    }
    sheets.push(uses_sheet(breakdown, &groups));
    sheets
}

fn is_grade(breakdown: &Breakdown) -> bool {
    GRADE_COLUMNS.contains(&breakdown.column.as_str())
}

/// A value as the name of a column in a cross-table.
fn column_name(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn summary_sheet(breakdown: &Breakdown, groups: &[&BreakdownGroup]) -> Sheet {
    let levels: Vec<&str> = (Level::ALL.into_iter().map(Level::id))
        .filter(|level| groups.iter().any(|group| group.level.contains_key(*level)))
        .filter(|_| !is_grade(breakdown))
        .collect();
    let columns = [
        breakdown.column.as_str(),
        "rows",
        "share",
        "clues",
        "median clues",
        "effort",
        "nodes",
    ];
    let columns: Vec<&str> = columns.into_iter().chain(levels.iter().copied()).collect();
    let mut title = format!(
        "By {}: average clues, effort and search nodes",
        breakdown.column
    );
    if !levels.is_empty() {
        title.push_str(", and levels");
    }
    let mut sheet = Sheet::new(&format!("by_{}", breakdown.column), &title, 1, &columns);
    let all_rows = groups.iter().map(|group| group.rows).sum();
    for group in groups {
        let mut row = vec![
            json!(column_name(&group.value)),
            json!(group.rows),
            fraction(group.rows, all_rows),
            json!(group.clues.mean()),
            json!(group.clues.quantile(0.5)),
            json!(group.effort.mean()),
            json!(group.nodes.mean()),
        ];
        let level_count = |level: &&str| json!(group.level.get(*level).copied().unwrap_or(0));
        row.extend(levels.iter().map(level_count));
        sheet.rows.push(row);
    }
    let agreement = breakdown.agreement().filter(|_| !is_grade(breakdown));
    sheet
        .notes
        .extend(agreement.map(|agreement| agreement_sentence(&breakdown.column, agreement)));
    sheet
}

/// A sentence about how well the labels of a column agree with the grades.
pub(crate) fn agreement_sentence(column: &str, agreement: LabelAgreement) -> String {
    let explained_text = agreement
        .explained
        .map_or_else(String::new, |explained_text| {
            format!(
                "{column} explains {:.1} % of the variance of the hardest technique's rank",
                100.0 * explained_text
            )
        });
    match (agreement.labels, agreement.spearman) {
        (_, Some(rho)) => {
            let verdict = match rho.abs() {
                rho if rho >= 0.8 => "they agree closely",
                rho if rho >= 0.5 => "they agree in the main",
                rho if rho >= 0.2 => "they agree a little",
                _ => "they hardly agree",
            };
            let opposite = if rho <= -0.2 {
                ", in the opposite order"
            } else {
                ""
            };
            format!(
                "Rank correlation (Spearman) of {column} and hardest technique: {rho:.3}: {verdict}{opposite}; \
                 {explained_text}."
            )
        }
        (Labels::Unordered, None) if !explained_text.is_empty() => {
            format!(
                "The order of these labels is not known, so that there is no rank correlation; {explained_text}."
            )
        }
        _ => format!(
            "All rows have one {column} or one hardest technique: there is nothing to correlate."
        ),
    }
}

/// The techniques that occur in any group, ordered by rank.
fn techniques_by_rank<'a>(ids: impl Iterator<Item = &'a String>) -> Vec<&'a String> {
    let ids: BTreeSet<&String> = ids.collect();
    let mut ids: Vec<&String> = ids.into_iter().collect();
    ids.sort_by_key(|id| rank_of(id));
    ids
}

/// A cross-table with a row for each technique, and a column for each group.
fn cross_table(
    breakdown: &Breakdown,
    groups: &[&BreakdownGroup],
    mut sheet: Sheet,
    ids: &[&String],
    value: impl Fn(&BreakdownGroup, &str) -> Value,
) -> Sheet {
    sheet
        .columns
        .extend(groups.iter().map(|group| column_name(&group.value)));
    for id in ids {
        let values = groups.iter().map(|group| value(group, id));
        sheet
            .rows
            .push([json!(id)].into_iter().chain(values).collect());
    }
    if groups.len() > MOST_GROUP_COLUMNS {
        sheet.only_data = true;
        sheet
            .notes
            .push(format!("{} has {} values.", breakdown.column, groups.len()));
    }
    sheet
}

fn hardest_techniques_sheet(breakdown: &Breakdown, groups: &[&BreakdownGroup]) -> Sheet {
    let title = format!("Rows by hardest technique and {}", breakdown.column);
    let sheet = Sheet::new(
        &format!("technique_by_{}", breakdown.column),
        &title,
        1,
        &["technique"],
    );
    let ids = techniques_by_rank(groups.iter().flat_map(|group| group.technique.keys()));
    cross_table(breakdown, groups, sheet, &ids, |group, id| {
        json!(group.technique.get(id).copied().unwrap_or(0))
    })
}

fn uses_sheet(breakdown: &Breakdown, groups: &[&BreakdownGroup]) -> Sheet {
    let title = format!(
        "Average uses of each technique in a puzzle, by {}",
        breakdown.column
    );
    let sheet = Sheet::new(
        &format!("uses_by_{}", breakdown.column),
        &title,
        1,
        &["technique"],
    );
    let ids = techniques_by_rank(groups.iter().flat_map(|group| group.uses.keys()));
    cross_table(breakdown, groups, sheet, &ids, |group, id| {
        let waves = group.uses.get(id).map_or(0, |uses| uses.waves);
        let graded: u64 = group.technique.values().sum();
        fraction(waves, graded)
    })
}
