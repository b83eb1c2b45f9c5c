//! `audit`: finds the rows of several datasets ("sets") that are invalid, ambiguous, repeated or shared, and
//! writes the datasets without them, in one pass.
//!
//! ```text
//! sets, the preferred one first
//!   row ─ valid? ─ duplicate in its set? ─ shared with a set that is preferred? ─▶ cleaned set
//!           └────────────────┴──────────────────────┴───────────────────────────▶ removed, with the reason
//! ```
//!
//! The preferred set is read first. When a row of another set is read, it is thus known whether the preferred
//! set has the same puzzle.

mod decide;
mod files;
mod lookups;
mod output;
mod removed;
mod rows;

use serde_json::{Map, Value};

pub use self::files::{AuditLayout, AuditTextContext, AuditTexts, MakeAuditTexts};
pub use self::output::{AuditOutput, SharedAudit};
pub use self::removed::removed_columns;
use crate::table::class::ClassBy;

/// The kinds of equivalence classes that are counted. Duplicates within one set are only counted for the first two
/// kinds.
const CLASS_KINDS: [ClassBy; 4] = [
    ClassBy::Exact,
    ClassBy::Isomorph,
    ClassBy::Solution,
    ClassBy::Grid,
];

/// The set in which shared rows are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Preferred {
    /// The last one, usually the test set
    #[default]
    Last,
    /// The first one
    First,
}

/// A dataset that an audit checks and cleans.
#[derive(Clone, Debug)]
pub struct AuditSet {
    /// The name of the dataset, and of its file in the output.
    pub name: String,
    /// The inputs, as the user named them.
    pub inputs: Vec<String>,
}

/// The options of an audit.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The title of the collection of datasets.
    pub title: String,
    /// The audited datasets, in the order of the command line.
    pub sets: Vec<AuditSet>,
    /// The set in which shared rows are kept.
    pub preferred: Preferred,
    /// The kind of class by which rows of one dataset are compared, to remove duplicates. `None` keeps duplicates.
    pub duplicates: Option<ClassBy>,
    /// The kind of class by which rows of different datasets are compared, to remove shared rows. `None` keeps shared
    /// rows.
    pub shared: Option<ClassBy>,
    /// Whether wrong given solutions are replaced. If so, no row is removed because its given solution is wrong.
    pub fixes_solutions: bool,
    /// Information about the run, which the manifest of the output contains.
    pub about: Map<String, Value>,
    /// The command lines that reproduce the steps of the audit. Each is stored after the reason for the step.
    pub steps: Vec<(String, String)>,
}

impl Audit {
    /// The indices of the datasets, in the order in which their inputs must be read.
    pub fn reading_order(&self) -> Vec<usize> {
        let order = 0..self.sets.len();
        match self.preferred {
            Preferred::First => order.collect(),
            Preferred::Last => order.rev().collect(),
        }
    }

    /// The kinds of classes that the job has to determine, in this order.
    pub fn classes(&self) -> Vec<ClassBy> {
        let kind_count = if self.sets.len() > 1 { 4 } else { 2 };
        CLASS_KINDS[..kind_count].to_vec()
    }

    /// The rules by which rows are removed, as sentences for the report.
    fn rule_sentences(&self) -> Vec<String> {
        let mut rules = vec![
            "A record that is no puzzle is in the rejects. A row is removed if its puzzle does not have exactly \
             one solution."
                .to_owned(),
        ];
        rules.push(if self.fixes_solutions {
            "A wrong solution is replaced by the right one.".to_owned()
        } else {
            "A row is removed if the solution that came with it is wrong.".to_owned()
        });
        rules.push(match self.duplicates {
            None => "Duplicates within a set stay.".to_owned(),
            Some(by) => format!(
                "Of the rows of a set with {}, the first one stays.",
                equality_phrase(by)
            ),
        });
        if self.sets.len() < 2 {
            return rules;
        }
        rules.push(match self.shared {
            None => "What sets share stays in all of them.".to_owned(),
            Some(by) => {
                let order = self.reading_order().into_iter();
                let names: Vec<&str> = order.map(|set| self.sets[set].name.as_str()).collect();
                format!(
                    "A row is removed if a set that is preferred has {}. The sets are preferred in this order: {}.",
                    equality_phrase(by),
                    names.join(", ")
                )
            }
        });
        rules
    }
}

/// A phrase that says what the puzzles of one class have in common.
fn equality_phrase(by: ClassBy) -> &'static str {
    match by {
        ClassBy::Exact => "the same puzzle",
        ClassBy::Isomorph => "an isomorph of the same puzzle",
        ClassBy::Solution => "the same solution",
        ClassBy::Grid => "an isomorph of the same solution",
        ClassBy::Row => "the same row",
    }
}
