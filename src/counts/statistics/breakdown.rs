//! The statistics of a dataset's rows, grouped by the values of a column.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::column::compare_values;
use super::{Counts, Histogram, Uses, add_counts, add_uses};

/// The maximum number of distinct values that a column may have if rows are grouped by it.
pub const MOST_GROUPS: usize = 1000;

/// Well-known names of columns with difficulty labels, and the column `source`. Rows are grouped by these columns even
/// if no option names them.
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

/// Whether columns with this name have labels that say how hard a puzzle is, or where it comes from.
pub(crate) fn is_label(name: &str) -> bool {
    LABEL_NAMES
        .iter()
        .any(|label| name.eq_ignore_ascii_case(label))
}

/// The rows of a dataset, grouped by the values of one column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Breakdown {
    /// The name of the column by which the rows are grouped.
    pub column: String,
    /// The groups, ordered by value. The group of rows without a value is the last one.
    pub groups: Vec<BreakdownGroup>,
}

/// The statistics of the rows that have the same value in the grouping column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BreakdownGroup {
    /// The value in the grouping column that all rows of the group have; null for rows without a value.
    pub value: Value,
    /// The number of rows with this value.
    pub rows: u64,
    /// The number of rows for each level.
    pub level: Counts,
    /// The number of rows for each hardest technique.
    pub technique: Counts,
    /// How many rows have each number of clues.
    pub clues: Histogram,
    /// The number of graded rows, and the sum of their effort.
    pub effort: Moments,
    /// The number of solved rows, and the sum of their search nodes.
    pub nodes: Moments,
    /// How often each technique is used to solve the puzzles of the group, by the technique's id.
    pub uses: BTreeMap<String, Uses>,
}

/// The count and the sum of whole numbers, from which their average is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moments {
    /// How many numbers were added.
    pub count: u64,
    /// The sum of the numbers.
    pub sum: u64,
}

impl Moments {
    /// The average of the numbers; `None` if there are no numbers.
    pub fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Adds `count` numbers with this sum.
    pub fn add_sum(&mut self, count: u64, sum: u64) {
        self.count += count;
        self.sum = self.sum.saturating_add(sum);
    }
}

impl BreakdownGroup {
    pub(crate) fn merge(&mut self, other: BreakdownGroup) {
        self.rows += other.rows;
        add_counts(&mut self.level, other.level);
        add_counts(&mut self.technique, other.technique);
        self.clues.merge(&other.clues);
        self.effort.add_sum(other.effort.count, other.effort.sum);
        self.nodes.add_sum(other.nodes.count, other.nodes.sum);
        add_uses(&mut self.uses, other.uses);
    }
}

impl Breakdown {
    /// The group of the rows with this value. It is added if it does not exist.
    pub fn group(&mut self, value: &Value) -> &mut BreakdownGroup {
        let group_index = match self.groups.iter().position(|group| group.value == *value) {
            Some(at) => at,
            None => {
                self.groups.push(BreakdownGroup {
                    value: value.clone(),
                    ..BreakdownGroup::default()
                });
                self.groups.len() - 1
            }
        };
        &mut self.groups[group_index]
    }

    /// Sorts the groups by value. The group of rows without a value is the last one.
    pub fn sort(&mut self) {
        self.groups.sort_by(|one, other| {
            let is_null = |group: &BreakdownGroup| group.value.is_null();
            (is_null(one).cmp(&is_null(other)))
                .then_with(|| compare_values(&one.value, &other.value))
        });
    }
}

/// Merges the breakdowns of two parts of a dataset. A column that only one part has is dropped, and also a column with
/// too many values.
pub(super) fn merge(
    own_breakdowns: &mut Vec<Breakdown>,
    own_rows: u64,
    mut other: Vec<Breakdown>,
    other_rows: u64,
) {
    if own_rows == 0 && own_breakdowns.is_empty() {
        *own_breakdowns = other;
        return;
    }
    if other_rows == 0 && other.is_empty() {
        return;
    }
    own_breakdowns.retain_mut(|own_breakdowns| {
        let Some(at) = other
            .iter()
            .position(|other| other.column == own_breakdowns.column)
        else {
            return false;
        };
        for group in other.swap_remove(at).groups {
            own_breakdowns.group(&group.value.clone()).merge(group);
        }
        own_breakdowns.sort();
        own_breakdowns.groups.len() <= MOST_GROUPS
    });
}
