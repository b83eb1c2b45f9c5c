//! The rows of a dataset by the values of a column.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::column::order;
use super::{Counts, Histogram, Uses, add_counts, add_uses};

/// The most values that a column may have to group rows by it.
pub const MOST_GROUPS: usize = 1000;

/// Names of columns in which datasets say how hard a puzzle is, and the column of the input that a row came from.
pub const LABEL_NAMES: [&str; 12] = [
    "difficulty",
    "difficulty_level",
    "difficulty_label",
    "label",
    "rating",
    "stars",
    "input_level",
    "input_difficulty",
    "se",
    "hodoku_level",
    "hodoku_score",
    "source",
];

/// The rows by the values of a column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The name of the column that groups the rows.
    pub column: String,
    /// A group for each value, from the smallest up; rows without a value come last.
    pub groups: Vec<BreakdownGroup>,
}

/// The rows that have the same value.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BreakdownGroup {
    /// The value.
    pub value: Value,
    /// The number of rows with this value.
    pub rows: u64,
    /// Rows by level.
    pub level: Counts,
    /// Rows by hardest technique.
    pub technique: Counts,
    /// The rows by their number of clues.
    pub clues: Histogram,
    /// The effort of the graded rows.
    pub effort: Moments,
    /// Their search nodes.
    pub nodes: Moments,
    /// How much each technique is used for them.
    pub uses: BTreeMap<String, Uses>,
}

/// How many numbers there are, and their sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// The number of numbers.
    pub count: u64,
    /// The sum of the values.
    pub sum: u64,
}

impl Moments {
    /// The average; `None` without values.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        self.count += 1;
        self.sum = self.sum.saturating_add(number);
    }

    fn merge(&mut self, other: Moments) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
    }
}

impl BreakdownGroup {
    fn merge(&mut self, other: BreakdownGroup) {
        self.rows += other.rows;
        add_counts(&mut self.level, other.level);
        add_counts(&mut self.technique, other.technique);
        self.clues.merge(&other.clues);
        self.effort.merge(other.effort);
        self.nodes.merge(other.nodes);
        add_uses(&mut self.uses, other.uses);
    }
}

impl Breakdown {
    /// The group of this value, which is new where no row had it yet.
    pub fn group(&mut self, value: &Value) -> &mut BreakdownGroup {
        let at = match self.groups.iter().position(|group| group.value == *value) {
            Some(at) => at,
            None => {
                self.groups.push(BreakdownGroup {
                    value: value.clone(),
                    ..BreakdownGroup::default()
                });
                self.groups.len() - 1
            }
        };
        &mut self.groups[at]
    }

    /// Puts the groups into order.
    pub fn sort(&mut self) {
        self.groups.sort_by(|one, other| {
            let is_null = |group: &BreakdownGroup| group.value.is_null();
            (is_null(one).cmp(&is_null(other))).then_with(|| order(&one.value, &other.value))
        });
    }
}

/// Merges the breakdowns of two parts. A column that one of the parts does not have goes away, as
/// does one with too many values.
pub(super) fn merge(
    own: &mut Vec<Breakdown>,
    own_rows: u64,
    mut other: Vec<Breakdown>,
    other_rows: u64,
) {
    if own_rows == 0 && own.is_empty() {
        *own = other;
        return;
    }
    if other_rows == 0 && other.is_empty() {
        return;
    }
    own.retain_mut(|own| {
        let Some(at) = other.iter().position(|other| other.column == own.column) else {
            return false;
        };
        for group in other.swap_remove(at).groups {
            own.group(&group.value.clone()).merge(group);
        }
        own.sort();
        own.groups.len() <= MOST_GROUPS
    });
}
