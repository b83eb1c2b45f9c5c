//! The statistics of columns that other programs have written.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The maximum number of distinct values of a column that are listed with their counts.
pub const MOST_LISTED: usize = 100;

/// The statistics of a column. A figure is null if it is unknown. If several parts of a dataset were merged, the number
/// of distinct values and the quartiles are unknown, unless all values are listed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ColumnSummary {
    /// The name of the column.
    pub name: String,
    /// The name of the type, as `stats` prints it.
    #[serde(rename = "type")]
    pub data_type: String,
    /// The number of rows without a value.
    pub nulls: u64,
    /// The number of distinct values; `None` if it is unknown after a merge, because more than [`MOST_LISTED`]
    /// values occur.
    pub distinct: Option<u64>,
    /// The smallest value. Texts are compared as bytes.
    pub min: Value,
    /// The first quartile of n values: the value of rank ⌈n / 4⌉. Null if it is unknown, and for texts.
    pub q25: Value,
    /// The median: the value of rank ⌈n / 2⌉. Null if it is unknown, and for texts.
    pub median: Value,
    /// The third quartile: the value of rank ⌈3 n / 4⌉. Null if it is unknown, and for texts.
    pub q75: Value,
    /// The largest value. Texts are compared as bytes.
    pub max: Value,
    /// The average of numbers; `None` for other types, and if there are no values.
    pub mean: Option<f64>,
    /// All values with their counts, ordered by value; null if there are more than [`MOST_LISTED`].
    pub values: Option<Vec<(Value, u64)>>,
}

/// Merges the column statistics of two parts of a dataset.
pub(super) fn merge(
    own_columns: &mut Vec<ColumnSummary>,
    own_rows: u64,
    other_columns: Vec<ColumnSummary>,
    other_rows: u64,
) {
    if own_rows == 0 && own_columns.is_empty() {
        *own_columns = other_columns;
        return;
    }
    for column in own_columns.iter_mut() {
        if !other_columns
            .iter()
            .any(|other_columns| other_columns.name == column.name)
        {
            column.nulls += other_rows;
        }
    }
    for column in other_columns {
        match own_columns
            .iter_mut()
            .find(|own_columns| own_columns.name == column.name)
        {
            Some(own) => own.merge(column, own_rows, other_rows),
            None => own_columns.push(ColumnSummary {
                nulls: column.nulls + own_rows,
                ..column
            }),
        }
    }
}

impl ColumnSummary {
    fn merge(&mut self, other: ColumnSummary, own_rows: u64, other_rows: u64) {
        let own_values = own_rows.saturating_sub(self.nulls) as f64;
        let other_values = other_rows.saturating_sub(other.nulls) as f64;
        self.mean = match (self.mean, other.mean) {
            (Some(own), Some(other)) => Some(
                (own * own_values + other * other_values) / (own_values + other_values).max(1.0),
            ),
            (own, other) => own.or(other),
        };
        self.nulls += other.nulls;
        for (own, other, wanted) in [
            (&mut self.min, other.min, std::cmp::Ordering::Less),
            (&mut self.max, other.max, std::cmp::Ordering::Greater),
        ] {
            if own.is_null() || !other.is_null() && compare_values(&other, own) == wanted {
                *own = other;
            }
        }
        self.values = match (self.values.take(), other.values) {
            (Some(mut own), Some(other)) => {
                for (value, count) in other {
                    match own.iter_mut().find(|(known, _)| *known == value) {
                        Some((_, known)) => *known += count,
                        None => own.push((value, count)),
                    }
                }
                own.sort_by(|(one, _), (other, _)| compare_values(one, other));
                Some(own).filter(|values| values.len() <= MOST_LISTED)
            }
            _ => None,
        };
        self.update_from_values();
    }

    /// Computes the number of distinct values and the quartiles from the list of all values.
    fn update_from_values(&mut self) {
        let Some(values) = &self.values else {
            self.distinct = None;
            (self.q25, self.median, self.q75) = (Value::Null, Value::Null, Value::Null);
            return;
        };
        self.distinct = Some(values.len() as u64);
        [self.q25, self.median, self.q75] = quartiles(values);
    }
}

/// The quartiles of values with counts, which must be ordered by value. Null for texts.
pub(crate) fn quartiles(values: &[(Value, u64)]) -> [Value; 3] {
    let count: u64 = values.iter().map(|(_, count)| count).sum();
    [0.25, 0.5, 0.75].map(|share| {
        let wanted_rank = ((share * count as f64).ceil() as u64).max(1);
        let mut values_so_far = 0;
        let quantile = values.iter().find(|(_, count)| {
            values_so_far += count;
            values_so_far >= wanted_rank
        });
        quantile.map_or(Value::Null, |(value, _)| match value {
            Value::Number(_) => value.clone(),
            _ => Value::Null,
        })
    })
}

/// Compares numbers by size, and texts by their bytes.
pub(crate) fn compare_values(one: &Value, other: &Value) -> std::cmp::Ordering {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => {
                let to_f64 = |number: &serde_json::Number| number.as_f64().unwrap_or(f64::NAN);
                to_f64(one).total_cmp(&to_f64(other))
            }
        },
        (Value::String(one), Value::String(other)) => one.cmp(other),
        (Value::Bool(one), Value::Bool(other)) => one.cmp(other),
        (one, other) => one.to_string().cmp(&other.to_string()),
    }
}
