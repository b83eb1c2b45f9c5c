//! The statistics of a dataset. The statistics of batches and of shards can be merged. They are stored as JSON.
//!
//! ```text
//! a batch of a run, or of a table ── tables, frames ─▶ Statistics ─ merge ─▶ JSON, sheets, page
//! ```

mod agreement;
mod breakdown;
mod cells;
mod check;
mod column;
mod duplicates;
mod example;
mod histogram;
mod rejects;
mod stored;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::counts::evaluation::Evaluation;

pub use agreement::{LabelAgreement, Labels, rank_of};
pub(crate) use breakdown::is_label;
pub use breakdown::{Breakdown, BreakdownGroup, LABEL_NAMES, MOST_GROUPS, Moments};
pub use cells::CellCounts;
pub(crate) use column::quartiles;
pub use column::{ColumnSummary, MOST_LISTED};
pub use duplicates::{Duplicates, Repeated};
pub use example::LevelExample;
pub use histogram::Histogram;
pub use rejects::{FIRST_REJECTS, RejectExample, RejectsOfKind};
pub use stored::StoredStatistics;

/// The version of the JSON form. It increases when a field is removed or changes its meaning.
pub const STATISTICS_VERSION: u32 = 1;

/// Counts by id, such as the number of rows for each level.
pub type Counts = BTreeMap<String, u64>;

/// The statistics of a dataset, as `stats` and reports show them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Statistics {
    /// The version of the JSON form: [`STATISTICS_VERSION`].
    pub statistics: u32,
    /// The versions of this program with which the rows were counted.
    pub pipeline: BTreeSet<String>,
    /// The inputs, in the order in which they were read.
    pub inputs: Vec<CountedInput>,
    /// The metadata of the tables, such as the command and the options that made them. Each key has one or more
    /// values.
    #[serde(default)]
    pub provenance: BTreeMap<String, BTreeSet<String>>,
    /// The names and types of the tables' columns; empty if unknown.
    #[serde(default)]
    pub fields: Vec<(String, String)>,
    /// The number of rows, without rejects.
    pub rows: u64,
    /// The number of rows for each status; empty if nothing was solved.
    pub status: Counts,
    /// The number of rows for each verdict on their given solutions.
    pub solution_given: Counts,
    /// The number of rows for each level.
    pub level: Counts,
    /// The number of rows for each hardest technique.
    pub technique: Counts,
    /// For each technique, how often it is used in all rows, whether or not it is the hardest technique.
    pub uses: BTreeMap<String, Uses>,
    /// How many rows have each number of clues.
    pub clues: Histogram,
    /// How many graded rows have each effort.
    pub effort: Histogram,
    /// How many graded rows have each number of waves. A wave is a group of steps that one technique finds on a board.
    pub waves: Histogram,
    /// How many solved rows have each number of search nodes.
    pub nodes: Histogram,
    /// The number of rows for each hardest technique and number of clues.
    pub technique_by_clues: BTreeMap<String, BTreeMap<u64, u64>>,
    /// Counts of the clues by cell and digit, for 9 × 9 puzzles without pencil marks.
    pub cells: CellCounts,
    /// For each kind of error, by its id, the rejects with this error.
    pub rejects: BTreeMap<String, RejectsOfKind>,
    /// Counts of the rows whose puzzle also occurs in another row; null if unknown.
    pub duplicates: Option<Duplicates>,
    /// Counts of the rows whose puzzle is an isomorph (rotated, reflected or relabelled) of the puzzle in another row;
    /// null if unknown.
    pub isomorphs: Option<Duplicates>,
    /// The statistics of columns that this program did not write.
    pub columns: Vec<ColumnSummary>,
    /// For each column by which rows are grouped, the statistics of its groups.
    pub by: Vec<Breakdown>,
    /// The quality of a model's predictions; absent if the tables have no verdicts of `evaluate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Evaluation>,
    /// For each level, a row that reports show as its example.
    pub examples: BTreeMap<String, LevelExample>,
}

/// An input and the number of its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedInput {
    /// The name of the input, in the form that summaries use.
    pub name: String,
    /// The number of rows of the input. For a rejects table, it is the number of rejects.
    pub rows: u64,
    /// Whether the input is a rejects table.
    #[serde(default)]
    pub rejects: bool,
}

/// How often a technique is used to solve the puzzles of a dataset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uses {
    /// The number of puzzles for which the technique is used in at least one wave: a group of steps found on one board.
    pub puzzles: u64,
    /// The total number of waves (groups of steps found on one board) in which the technique is used.
    pub waves: u64,
}

impl Default for Statistics {
    fn default() -> Statistics {
        Statistics {
            statistics: STATISTICS_VERSION,
            pipeline: BTreeSet::from([crate::VERSION.to_owned()]),
            inputs: Vec::new(),
            provenance: BTreeMap::new(),
            fields: Vec::new(),
            rows: 0,
            status: Counts::new(),
            solution_given: Counts::new(),
            level: Counts::new(),
            technique: Counts::new(),
            uses: BTreeMap::new(),
            clues: Histogram::default(),
            effort: Histogram::default(),
            waves: Histogram::default(),
            nodes: Histogram::default(),
            technique_by_clues: BTreeMap::new(),
            cells: CellCounts::default(),
            rejects: BTreeMap::new(),
            duplicates: None,
            isomorphs: None,
            columns: Vec::new(),
            by: Vec::new(),
            evaluation: None,
            examples: BTreeMap::new(),
        }
    }
}

impl Statistics {
    /// Adds the statistics of another part of the dataset. Figures that cannot be computed from the figures of the
    /// parts become unknown. An example is the number of rows that repeat another row, which may be in another part.
    pub fn merge(&mut self, other: Statistics) {
        if self.rows > 0 && other.rows > 0 {
            self.duplicates = None;
            self.isomorphs = None;
        } else {
            self.duplicates = self.duplicates.take().or(other.duplicates);
            self.isomorphs = self.isomorphs.take().or(other.isomorphs);
        }
        column::merge(&mut self.columns, self.rows, other.columns, other.rows);
        breakdown::merge(&mut self.by, self.rows, other.by, other.rows);
        self.pipeline.extend(other.pipeline);
        for input in other.inputs {
            let is_same_input =
                |own: &&mut CountedInput| (&own.name, own.rejects) == (&input.name, input.rejects);
            match self.inputs.iter_mut().find(is_same_input) {
                Some(own) => own.rows += input.rows,
                None => self.inputs.push(input),
            }
        }
        for (key, values) in other.provenance {
            self.provenance.entry(key).or_default().extend(values);
        }
        for field in other.fields {
            if !self.fields.iter().any(|(name, _)| *name == field.0) {
                self.fields.push(field);
            }
        }
        self.rows += other.rows;
        add_counts(&mut self.status, other.status);
        add_counts(&mut self.solution_given, other.solution_given);
        add_counts(&mut self.level, other.level);
        add_counts(&mut self.technique, other.technique);
        add_uses(&mut self.uses, other.uses);
        self.clues.merge(&other.clues);
        self.effort.merge(&other.effort);
        self.waves.merge(&other.waves);
        self.nodes.merge(&other.nodes);
        for (technique, clues) in other.technique_by_clues {
            let technique_counts = self.technique_by_clues.entry(technique).or_default();
            for (clues, rows) in clues {
                *technique_counts.entry(clues).or_default() += rows;
            }
        }
        self.cells.merge(&other.cells);
        for (kind, rejects) in other.rejects {
            self.rejects.entry(kind).or_default().merge(rejects);
        }
        if let Some(evaluation) = other.evaluation {
            self.evaluation.get_or_insert_default().merge(&evaluation);
        }
        for (level, example) in other.examples {
            let is_replaced = |own: &LevelExample| {
                own.is_replaced_by(&example.puzzle, example.source.as_deref(), example.row)
            };
            if self.examples.get(&level).is_none_or(is_replaced) {
                self.examples.insert(level, example);
            }
        }
    }

    /// The histograms of numbers, with the names of their columns.
    pub(crate) fn histograms(&self) -> [(&'static str, &Histogram); 4] {
        [
            ("clues", &self.clues),
            ("effort", &self.effort),
            ("waves", &self.waves),
            ("nodes", &self.nodes),
        ]
    }

    /// Takes out the figures that depend on the order in which parts are merged: the inputs and the first rejects.
    pub(crate) fn take_ordered(&mut self) -> Statistics {
        Statistics {
            inputs: std::mem::take(&mut self.inputs),
            rejects: std::mem::take(&mut self.rejects),
            ..Statistics::default()
        }
    }

    /// Makes a row the example of its level, if no row with a smaller hash is known.
    pub(crate) fn add_example(
        &mut self,
        level: &str,
        technique: &str,
        puzzle: &str,
        source: Option<&str>,
        row: Option<u64>,
    ) {
        let is_replaced = |own: &LevelExample| own.is_replaced_by(puzzle, source, row);
        if puzzle.len() == 81 && self.examples.get(level).is_none_or(is_replaced) {
            let example = LevelExample {
                puzzle: puzzle.to_owned(),
                technique: technique.to_owned(),
                source: source.map(str::to_owned),
                row,
            };
            self.examples.insert(level.to_owned(), example);
        }
    }

    /// The number of rows with a grade. It includes puzzles that no technique solves (`beyond`).
    pub fn graded(&self) -> u64 {
        self.technique.values().sum()
    }

    /// The number of rejects with any error.
    pub fn rejected(&self) -> u64 {
        self.rejects.values().map(|rejects| rejects.rows).sum()
    }

    /// The statistics as one JSON object on several lines.
    pub fn to_json(&self) -> String {
        let text = serde_json::to_string_pretty(self);
        text.unwrap_or_else(|error| format!("{{\"error\":\"{error}\"}}")) + "\n"
    }
}

/// Adds the counts of `other` to the counts with the same ids.
pub(crate) fn add_counts(own: &mut Counts, other: Counts) {
    for (id, count) in other {
        *own.entry(id).or_default() += count;
    }
}

/// Adds the uses of techniques in another part of the dataset.
fn add_uses(own: &mut BTreeMap<String, Uses>, other: BTreeMap<String, Uses>) {
    for (id, uses) in other {
        let own_uses = own.entry(id).or_default();
        own_uses.puzzles += uses.puzzles;
        own_uses.waves += uses.waves;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statistics_part(name: &str, technique: &str, clues: &[u64]) -> Statistics {
        let rows = clues.len() as u64;
        let mut statistics = Statistics {
            inputs: vec![CountedInput {
                name: name.into(),
                rows,
                rejects: false,
            }],
            rows,
            technique: Counts::from([(technique.into(), rows)]),
            duplicates: Some(Duplicates::default()),
            ..Statistics::default()
        };
        clues
            .iter()
            .for_each(|clues| statistics.clues.add(*clues, 1));
        statistics
    }

    #[test]
    fn parts_merge_in_any_order_to_the_same_counts() {
        let three_parts = [
            statistics_part("a", "x_wing", &[24, 25, 26]),
            statistics_part("b", "x_wing", &[17]),
            statistics_part("a", "aic", &[30, 30]),
        ];
        let merged = |order: [usize; 3]| {
            let mut merged_statistics = Statistics::default();
            order
                .into_iter()
                .for_each(|at| merged_statistics.merge(three_parts[at].clone()));
            merged_statistics
        };
        let merged_in_order = merged([0, 1, 2]);
        assert_eq!(
            (merged_in_order.rows, merged_in_order.technique["x_wing"]),
            (6, 4)
        );
        assert_eq!(merged_in_order.inputs.len(), 2);
        assert_eq!(merged_in_order.inputs[0].rows, 5);
        assert_eq!(
            (
                merged_in_order.clues.quantile(0.5),
                merged_in_order.clues.min()
            ),
            (Some(25), Some(17))
        );
        assert_eq!(
            merged_in_order.duplicates, None,
            "rows of one part may repeat rows of another"
        );
        let merged_in_other_order = merged([2, 0, 1]);
        assert_eq!(
            (merged_in_order.clues, merged_in_order.technique),
            (merged_in_other_order.clues, merged_in_other_order.technique)
        );
    }

    #[test]
    fn statistics_of_a_single_part_are_kept_unchanged() {
        let mut merged_statistics = Statistics::default();
        merged_statistics.merge(statistics_part("a", "aic", &[30]));
        assert!(merged_statistics.duplicates.is_some());
    }

    #[test]
    fn statistics_are_read_back_as_they_were_written() {
        let part = statistics_part("a", "x_wing", &[24, 25, 26]);
        let parsed_back: Statistics = serde_json::from_str(&part.to_json()).unwrap();
        assert_eq!(parsed_back, part);
    }
}
