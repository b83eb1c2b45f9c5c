//! What an audit has found: counts of each set, and of each pair of sets.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::report::statistics::{Counts, Statistics};

/// Rows by the class that they were compared by: `exact`, `isomorph`, `solution`, `grid`.
pub type ByClass = BTreeMap<&'static str, u64>;

/// Why a row is not in the cleaned set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RemovalReason {
    /// The puzzle has no solution.
    None,
    /// The puzzle has several solutions.
    Multiple,
    /// The search was given up before the number of solutions was known.
    GaveUp,
    /// The solution that came with the puzzle is wrong.
    WrongSolution,
    /// An earlier row of the set has the same puzzle.
    Duplicate,
    /// A set that is preferred has the same puzzle.
    Shared,
}

impl RemovalReason {
    /// All reasons, in the order in which they are tested.
    pub const ALL: [RemovalReason; 6] = [
        RemovalReason::None,
        RemovalReason::Multiple,
        RemovalReason::GaveUp,
        RemovalReason::WrongSolution,
        RemovalReason::Duplicate,
        RemovalReason::Shared,
    ];

    /// The id in tables. The first four are those of `validate`.
    pub const fn id(self) -> &'static str {
        match self {
            RemovalReason::None => "none",
            RemovalReason::Multiple => "multiple",
            RemovalReason::GaveUp => "gave_up",
            RemovalReason::WrongSolution => "wrong_solution",
            RemovalReason::Duplicate => "duplicate",
            RemovalReason::Shared => "shared",
        }
    }

    /// The reason with this id.
    pub fn from_id(id: &str) -> Option<RemovalReason> {
        RemovalReason::ALL
            .into_iter()
            .find(|reason| reason.id() == id)
    }

    /// The reason in words.
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

/// The findings of an audit.
#[derive(Clone, Debug, Default)]
pub struct AuditFindings {
    /// The name of the dataset.
    pub title: String,
    /// The sets, in the order in which they were named.
    pub sets: Vec<SetFindings>,
    /// The rules for what was removed, in sentences.
    pub rules: Vec<String>,
    /// The commands that repeat each step: why, and the line.
    pub steps: Vec<(String, String)>,
}

/// The findings of an audit in one set.
#[derive(Clone, Debug, Default)]
pub struct SetFindings {
    /// The name of the set, as in `NAME=PATH` or after its file.
    pub name: String,
    /// The inputs, as they were named.
    pub inputs: Vec<String>,
    /// The file of the cleaned set.
    pub file: String,
    /// Records that are not puzzles.
    pub rejected: u64,
    /// Rejects by error.
    pub rejects: Counts,
    /// Rows, which all other records are.
    pub rows: u64,
    /// Rows that are not in the cleaned set, by the first reason.
    pub removed: BTreeMap<RemovalReason, u64>,
    /// Rows that are in the cleaned set.
    pub kept: u64,
    /// Valid rows whose class an earlier valid row of the set has.
    pub duplicates: ByClass,
    /// The overlap with each set that is preferred to this one.
    pub shared: Vec<SharedWith>,
    /// The statistics of all rows.
    pub before: Statistics,
    /// The statistics of the cleaned set.
    pub after: Statistics,
}

/// The overlap of a set with another one.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SharedWith {
    /// The other set.
    pub with: String,
    /// Valid rows whose class is in the other set.
    pub rows: ByClass,
    /// The classes of these rows.
    pub classes: ByClass,
}

impl SetFindings {
    /// All records of the set.
    pub fn records(&self) -> u64 {
        self.rows + self.rejected
    }

    /// The rows that are not in the cleaned set.
    pub fn all_removed(&self) -> u64 {
        self.removed.values().sum()
    }

    /// As JSON.
    fn to_json(&self) -> Value {
        let removed: Map<String, Value> = (RemovalReason::ALL.into_iter())
            .map(|reason| {
                let rows = self.removed.get(&reason).copied().unwrap_or(0);
                (reason.id().to_owned(), rows.into())
            })
            .collect();
        let labels: Map<String, Value> = (self.before.by.iter())
            .filter_map(|breakdown| {
                let agreement = breakdown.agreement()?;
                let figures = json!({
                    "rows": agreement.rows,
                    "spearman": agreement.spearman,
                    "explained": agreement.explained,
                });
                Some((breakdown.column.clone(), figures))
            })
            .collect();
        let graded = |of: &Statistics| json!({ "level": of.level, "technique": of.technique });
        json!({
            "name": self.name,
            "inputs": self.inputs,
            "file": self.file,
            "records": self.records(),
            "rejected": self.rejected,
            "rejects": self.rejects,
            "rows": self.rows,
            "removed": removed,
            "kept": self.kept,
            "duplicates": self.duplicates,
            "shared": self.shared,
            "before": graded(&self.before),
            "after": graded(&self.after),
            "labels": labels,
        })
    }
}

impl AuditFindings {
    /// As JSON: the file `_audit.json`, and the summary.
    pub fn to_json(&self) -> Value {
        let sets: Vec<Value> = self.sets.iter().map(SetFindings::to_json).collect();
        json!({ "sets": sets, "rules": self.rules })
    }
}
