//! The results of an audit: counts for each dataset, and for each pair of datasets.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::counts::statistics::{Counts, Statistics};

/// A number of rows for each kind of equivalence class by which rows were compared: `exact`, `isomorph`, `solution`,
/// `grid`.
pub type ByClass = BTreeMap<&'static str, u64>;

sudoku_core::enum_with_ids! {
    /// The reason why a row is not in the cleaned dataset, in the order in which the reasons are tested. The first four
    /// ids are those of `validate`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum RemovalReason {
        /// The puzzle has no solution.
        None = "none",
        /// The puzzle has several solutions.
        Multiple = "multiple",
        /// The search was given up before the number of solutions was known.
        GaveUp = "gave_up",
        /// The given solution of the puzzle is wrong.
        WrongSolution = "wrong_solution",
        /// An earlier row of the same dataset has the same puzzle.
        Duplicate = "duplicate",
        /// A dataset that is preferred to this one has the same puzzle.
        Shared = "shared",
    }
}

impl RemovalReason {
    /// The reason in words, for sentences and tables.
    pub const fn words(self) -> &'static str {
        match self {
            RemovalReason::None => "no solution",
            RemovalReason::Multiple => "several solutions",
            RemovalReason::GaveUp => "search given up",
            RemovalReason::WrongSolution => "wrong solution given",
            RemovalReason::Duplicate => "duplicate",
            RemovalReason::Shared => "shared with another set",
        }
    }
}

/// The results of an audit of several datasets.
#[derive(Clone, Debug, Default)]
pub struct AuditFindings {
    /// The title of the collection of datasets.
    pub title: String,
    /// The results for each dataset, in the order of the datasets on the command line.
    pub sets: Vec<SetFindings>,
    /// The rules by which rows were removed, as sentences.
    pub rules: Vec<String>,
    /// The command lines that reproduce the steps of the audit. Each is stored after the reason for the step.
    pub steps: Vec<(String, String)>,
}

/// The results of an audit for one dataset.
#[derive(Clone, Debug, Default)]
pub struct SetFindings {
    /// The name of the dataset: `NAME` from the argument `NAME=PATH`, or the name of its file.
    pub name: String,
    /// The inputs, as the user named them.
    pub inputs: Vec<String>,
    /// The file name of the cleaned dataset.
    pub file: String,
    /// The number of records that are not puzzles.
    pub rejected: u64,
    /// The number of rejects, by the id of their error.
    pub rejects: Counts,
    /// The number of rows: all records except the rejects.
    pub rows: u64,
    /// The number of rows that were removed, by reason. If several reasons apply to a row, only the first one counts.
    pub removed: BTreeMap<RemovalReason, u64>,
    /// The number of rows in the cleaned dataset.
    pub kept: u64,
    /// The number of valid rows that repeat an earlier valid row of the dataset, by the kind of class in which they are
    /// equal.
    pub duplicates: ByClass,
    /// The rows that this dataset shares with each dataset that takes precedence over it.
    pub shared: Vec<SharedWith>,
    /// The statistics of all rows, including those that were removed.
    pub before: Statistics,
    /// The statistics of the cleaned dataset.
    pub after: Statistics,
}

/// The rows that a dataset shares with another dataset of the audit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SharedWith {
    /// The name of the other dataset.
    pub with: String,
    /// The number of valid rows that are also in the other dataset, by the kind of class in which they are equal.
    pub rows: ByClass,
    /// The number of distinct classes of the shared rows, by kind of class.
    pub classes: ByClass,
}

impl SetFindings {
    /// The number of records: rows and rejects.
    pub fn records(&self) -> u64 {
        self.rows + self.rejected
    }

    /// The number of rows that were removed, for whatever reason.
    pub fn all_removed(&self) -> u64 {
        self.removed.values().sum()
    }

    /// The results for one dataset as JSON.
    fn to_json(&self) -> Value {
        let removed_counts: Map<String, Value> = (RemovalReason::ALL.into_iter())
            .map(|reason| {
                let rows = self.removed.get(&reason).copied().unwrap_or(0);
                (reason.id().to_owned(), rows.into())
            })
            .collect();
        let labels: Map<String, Value> = (self.before.by.iter())
            .filter_map(|breakdown| {
                let agreement = breakdown.agreement()?;
                let agreement_json = json!({
                    "rows": agreement.rows,
                    "spearman": agreement.spearman,
                    "explained": agreement.explained,
                });
                Some((breakdown.column.clone(), agreement_json))
            })
            .collect();
        let grades_json = |of: &Statistics| json!({ "level": of.level, "technique": of.technique });
        json!({
            "name": self.name,
            "inputs": self.inputs,
            "file": self.file,
            "records": self.records(),
            "rejected": self.rejected,
            "rejects": self.rejects,
            "rows": self.rows,
            "removed": removed_counts,
            "kept": self.kept,
            "duplicates": self.duplicates,
            "shared": self.shared,
            "before": grades_json(&self.before),
            "after": grades_json(&self.after),
            "labels": labels,
        })
    }
}

impl AuditFindings {
    /// The results for all datasets as JSON, for the file `_audit.json` and the summary.
    pub fn to_json(&self) -> Value {
        let sets: Vec<Value> = self.sets.iter().map(SetFindings::to_json).collect();
        json!({ "sets": sets, "rules": self.rules })
    }
}
