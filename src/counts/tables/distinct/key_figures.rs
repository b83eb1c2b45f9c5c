//! The figures of a column: its range, quartiles and mean, and the list of its values if there are few.

use serde_json::Value;

use super::column_kind::{ColumnKind, decimal_to_float, float_from_key};
use crate::counts::statistics::{ColumnSummary, MOST_LISTED, quartiles};

/// The figures of a column, computed from its keys in ascending order.
pub(super) struct KeyFigures {
    kind: ColumnKind,
    values: u64,
    key_count: u64,
    pub(super) distinct_count: u64,
    lowest_and_highest: Option<(i128, i128)>,
    quartiles: [Option<i128>; 3],
    first_keys: Vec<(i128, u64)>,
    /// The sum of integer or decimal values; `None` if it does not fit into 128 bits.
    integer_sum: Option<i128>,
    /// The sum of float values, and the rounding error that was lost while adding them.
    float_sum_and_error: (f64, f64),
}

impl KeyFigures {
    pub(super) fn new(kind: ColumnKind, values: u64) -> KeyFigures {
        KeyFigures {
            kind,
            values,
            key_count: 0,
            distinct_count: 0,
            lowest_and_highest: None,
            quartiles: [None; 3],
            first_keys: Vec::new(),
            integer_sum: Some(0),
            float_sum_and_error: (0.0, 0.0),
        }
    }

    pub(super) fn add_key(&mut self, key: i128, count: u64) {
        self.distinct_count += 1;
        self.key_count += count;
        let lowest_key = self.lowest_and_highest.map_or(key, |(least, _)| least);
        self.lowest_and_highest = Some((lowest_key, key));
        for (quarter, found) in (1..=3).zip(&mut self.quartiles) {
            // The quartile with the number `quarter` is the value of rank ⌈quarter/4 · values⌉.
            let rank = (u128::from(self.values) * quarter).div_ceil(4);
            if found.is_none() && u128::from(self.key_count) >= rank {
                *found = Some(key);
            }
        }
        if self.first_keys.len() <= MOST_LISTED {
            self.first_keys.push((key, count));
        }
        let product = key.checked_mul(i128::from(count));
        let float = match self.kind {
            ColumnKind::Float => float_from_key(key),
            ColumnKind::Decimal(_, scale) => decimal_to_float(key, scale),
            _ => key as f64,
        };
        self.integer_sum = self
            .integer_sum
            .zip(product)
            .and_then(|(sum, more)| sum.checked_add(more));
        let (sum, lost) = self.float_sum_and_error;
        let addend = float * count as f64;
        let next_sum = sum + addend;
        let next_error = lost
            + if sum.abs() >= addend.abs() {
                (sum - next_sum) + addend
            } else {
                (addend - next_sum) + sum
            };
        self.float_sum_and_error = (next_sum, next_error);
    }

    fn mean(&self) -> Option<f64> {
        if self.key_count == 0 || !self.kind.is_number() {
            return None;
        }
        let (sum, lost) = self.float_sum_and_error;
        let sum = match (&self.kind, self.integer_sum) {
            (ColumnKind::Integer | ColumnKind::Unsigned, Some(whole)) => whole as f64,
            (ColumnKind::Decimal(_, scale), Some(whole)) => decimal_to_float(whole, *scale),
            // If the sum is infinite, its rounding error is NaN, and is not added.
            _ if lost.is_finite() => sum + lost,
            _ => sum,
        };
        Some(sum / self.key_count as f64).filter(|mean| mean.is_finite())
    }

    pub(super) fn into_summary(self, summary: &mut ColumnSummary) {
        let key_json = |key: i128| self.kind.key_to_json(key);
        if let Some((least, most)) = self.lowest_and_highest {
            (summary.min, summary.max) = (key_json(least), key_json(most));
        }
        if self.kind.is_number() {
            let [q25, median, q75] = self.quartiles.map(|key| key.map_or(Value::Null, key_json));
            (summary.q25, summary.median, summary.q75) = (q25, median, q75);
        }
        summary.mean = self.mean();
        if self.first_keys.len() <= MOST_LISTED {
            let values = self
                .first_keys
                .iter()
                .map(|(key, count)| (key_json(*key), *count));
            let values: Vec<(Value, u64)> = values.collect();
            debug_assert!(
                !self.kind.is_number()
                    || values.iter().any(|(value, _)| !value.is_number())
                    || quartiles(&values)[1] == summary.median
            );
            summary.values = Some(values);
        }
    }
}
