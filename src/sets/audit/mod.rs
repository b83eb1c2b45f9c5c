//! `audit`: one pass over several sets. It finds the rows that are invalid, ambiguous, repeated or shared, and
//! writes the sets without them.
//!
//! ```text
//! sets, the preferred one first
//!   row ─ valid? ─ duplicate in its set? ─ shared with a set that is preferred? ─▶ cleaned set
//!           └────────────────┴──────────────────────┴───────────────────────────▶ removed, with the reason
//! ```
//!
//! The preferred set is read first, so that the rows that other sets share with it are known when they are read.

mod files;
mod indexes;
mod output;
mod removed;
mod rows;
mod texts;

use serde_json::{Map, Value};

pub use self::files::AuditLayout;
pub use self::output::{AuditOutput, SharedAudit};
pub use self::removed::removed_columns;
use crate::table::class::ClassBy;

/// The kinds of classes that are compared. Only the first two say something about a single set.
const KINDS: [ClassBy; 4] = [
    ClassBy::Exact,
    ClassBy::Isomorph,
    ClassBy::Solution,
    ClassBy::Grid,
];

/// The set that keeps a puzzle which several sets have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Preferred {
    /// The last one: the test set stands after the training set
    #[default]
    Last,
    /// The first one
    First,
}

/// A set of an audit.
#[derive(Clone, Debug)]
pub struct AuditSet {
    /// Its name, which its file gets too.
    pub name: String,
    /// Its inputs, as they were named.
    pub inputs: Vec<String>,
}

/// An audit of several sets.
#[derive(Clone, Debug)]
pub struct Audit {
    /// The name of the dataset.
    pub title: String,
    /// The sets.
    pub sets: Vec<AuditSet>,
    /// The set that keeps a puzzle which several sets have.
    pub preferred: Preferred,
    /// The rows of a set that are duplicates of each other; `None` keeps them.
    pub duplicates: Option<ClassBy>,
    /// The rows of different sets that are shared; `None` keeps them.
    pub shared: Option<ClassBy>,
    /// Whether the job replaces wrong solutions, so that their rows can stay.
    pub fixes_solutions: bool,
    /// The entries of the manifest about the run.
    pub about: Map<String, Value>,
    /// The commands that repeat each step: why, and the line.
    pub steps: Vec<(String, String)>,
}

impl Audit {
    /// The numbers of the sets, in the order in which their inputs have to be read.
    pub fn reading_order(&self) -> Vec<usize> {
        let order = 0..self.sets.len();
        match self.preferred {
            Preferred::First => order.collect(),
            Preferred::Last => order.rev().collect(),
        }
    }

    /// The classes that the job has to determine, in this order.
    pub fn classes(&self) -> Vec<ClassBy> {
        let kinds = if self.sets.len() > 1 { 4 } else { 2 };
        KINDS[..kinds].to_vec()
    }

    /// The rules for what is removed, in sentences.
    fn rules(&self) -> Vec<String> {
        let mut rules = vec![
            "A record that is no puzzle is in the rejects. A row is removed if its puzzle does not have exactly \
             one solution."
                .to_owned(),
        ];
        rules.push(match self.fixes_solutions {
            true => "A wrong solution is replaced by the right one.".to_owned(),
            false => "A row is removed if the solution that came with it is wrong.".to_owned(),
        });
        rules.push(match self.duplicates {
            None => "Duplicates within a set stay.".to_owned(),
            Some(by) => format!(
                "Of the rows of a set with {}, the first one stays.",
                same(by)
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
                    same(by),
                    names.join(", ")
                )
            }
        });
        rules
    }
}

/// The common property of the rows of one class, in words.
fn same(by: ClassBy) -> &'static str {
    match by {
        ClassBy::Exact => "the same puzzle",
        ClassBy::Isomorph => "an isomorph of the same puzzle",
        ClassBy::Solution => "the same solution",
        ClassBy::Grid => "an isomorph of the same solution",
        ClassBy::Row => "the same row",
    }
}
