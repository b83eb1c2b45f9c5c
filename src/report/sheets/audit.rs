//! The results of an audit as sheets, which are small tables.

use serde_json::{Value, json};
use sudoku_core::grade::Level;

use super::bars::SectionSize;
use super::sheet::Sheet;
use crate::counts::fraction;
use crate::counts::statistics::{Labels, Statistics};
use crate::counts::{AuditFindings, ByClass, RemovalReason};

/// Makes a sheet of an audit.
type AuditSheet = fn(&AuditFindings) -> Sheet;

/// The functions that make the sheets of an audit. Each has the id and the size of its section on the page.
const AUDIT_SHEETS: [(&str, SectionSize, AuditSheet); 5] = [
    ("removed", SectionSize::Row, sets_sheet),
    ("duplicates", SectionSize::Cell, duplicates_sheet),
    ("shared", SectionSize::Row, shared_rows_sheet),
    ("cleaned-levels", SectionSize::Cell, levels_sheet),
    ("label-agreement", SectionSize::Row, labels_sheet),
];

/// The results of an audit as sheets. Sheets without rows are left out.
pub fn audit_sheets(findings: &AuditFindings) -> Vec<Sheet> {
    let sections = audit_sections(findings);
    sections.map(|(.., sheet)| sheet).collect()
}

/// The sheets of [`audit_sheets`] with the ids and the sizes of their sections.
pub(crate) fn audit_sections(
    findings: &AuditFindings,
) -> impl Iterator<Item = (&'static str, SectionSize, Sheet)> {
    let sections = AUDIT_SHEETS.into_iter();
    let sections = sections.map(move |(id, size, sheet)| (id, size, sheet(findings)));
    sections.filter(|(.., sheet)| !sheet.rows.is_empty())
}

/// A sheet of the records of each dataset, and of the reasons why rows were removed.
fn sets_sheet(findings: &AuditFindings) -> Sheet {
    let occurs = |reason: &RemovalReason| {
        findings
            .sets
            .iter()
            .any(|set| set.removed.contains_key(reason))
    };
    let reasons: Vec<_> = RemovalReason::ALL.into_iter().filter(occurs).collect();
    let columns = ["set", "records", "rejected"].into_iter();
    let columns = columns.chain(reasons.iter().map(|reason| reason.words()));
    let columns: Vec<&str> = columns.chain(["kept", "share"]).collect();
    let row = |set: &crate::counts::SetFindings| -> Vec<Value> {
        let removed_count = |reason| json!(set.removed.get(reason).copied().unwrap_or(0));
        [json!(set.name), json!(set.records()), json!(set.rejected)]
            .into_iter()
            .chain(reasons.iter().map(removed_count))
            .chain([json!(set.kept), fraction(set.kept, set.records())])
            .collect()
    };
    Sheet {
        rows: findings.sets.iter().map(row).collect(),
        notes: findings.rules.clone(),
        ..Sheet::new("sets", "Removed rows, by the first reason", 1, &columns)
    }
}

fn class_count(by_class: &ByClass, class: &str) -> Value {
    json!(by_class.get(class).copied().unwrap_or(0))
}

/// A sheet of the rows that repeat an earlier row of the same dataset.
fn duplicates_sheet(findings: &AuditFindings) -> Sheet {
    let row = |set: &crate::counts::SetFindings| {
        vec![
            json!(set.name),
            class_count(&set.duplicates, "exact"),
            class_count(&set.duplicates, "isomorph"),
        ]
    };
    Sheet {
        rows: findings.sets.iter().map(row).collect(),
        notes: vec!["Valid rows that repeat an earlier valid row of their set.".to_owned()],
        ..Sheet::new(
            "duplicates",
            "Duplicates",
            1,
            &["set", "the same puzzle", "up to isomorphism"],
        )
    }
}

/// A sheet of the rows that a dataset shares with another dataset.
fn shared_rows_sheet(findings: &AuditFindings) -> Sheet {
    let rows = findings.sets.iter().flat_map(|set| {
        set.shared.iter().map(|shared| {
            vec![
                json!(set.name),
                json!(shared.with),
                class_count(&shared.rows, "exact"),
                class_count(&shared.rows, "isomorph"),
                class_count(&shared.rows, "solution"),
                class_count(&shared.rows, "grid"),
            ]
        })
    });
    Sheet {
        rows: rows.collect(),
        notes: vec!["Valid rows of a set whose class another set has.".to_owned()],
        ..Sheet::new(
            "shared",
            "Shared rows",
            2,
            &[
                "set",
                "with",
                "the same puzzle",
                "an isomorph",
                "the same solution",
                "an isomorph of the solution",
            ],
        )
    }
}

/// A sheet of the rows of the cleaned datasets by level.
fn levels_sheet(findings: &AuditFindings) -> Sheet {
    let columns: Vec<&str> = (["level"].into_iter())
        .chain(findings.sets.iter().map(|set| set.name.as_str()))
        .collect();
    let rows = Level::ALL.map(Level::id).into_iter().map(|id| {
        let counts = findings
            .sets
            .iter()
            .map(|set| json!(set.after.level.get(id).copied().unwrap_or(0)));
        [json!(id)].into_iter().chain(counts).collect()
    });
    let is_graded = findings.sets.iter().any(|set| set.after.graded() > 0);
    Sheet {
        rows: rows.filter(|_| is_graded).collect(),
        ..Sheet::new("levels", "Levels of the cleaned sets", 1, &columns)
    }
}

/// A sheet that shows how well each dataset's own labels agree with the grades.
fn labels_sheet(findings: &AuditFindings) -> Sheet {
    let rows = findings.sets.iter().flat_map(|set| {
        let statistics_before: &Statistics = &set.before;
        statistics_before.by.iter().filter_map(|breakdown| {
            let agreement = breakdown.agreement()?;
            let labels = match agreement.labels {
                Labels::Numbers => "numbers",
                Labels::Words => "words",
                Labels::Unordered => "unordered",
            };
            Some(vec![
                json!(set.name),
                json!(breakdown.column),
                json!(labels),
                json!(agreement.rows),
                json!(agreement.spearman),
                json!(agreement.explained),
            ])
        })
    });
    Sheet {
        rows: rows.collect(),
        notes: vec![
            "Columns of labels and ratings against the grades. The rank correlation of the label with the hardest technique is from -1 to 1; explained is the share of \
             the variance of the technique's rank that lies between the labels."
                .to_owned(),
        ],
        ..Sheet::new(
            "labels",
            "Labels and ratings",
            2,
            &["set", "label", "values", "rows", "correlation", "explained"],
        )
    }
}
