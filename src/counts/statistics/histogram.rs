//! A histogram of whole numbers, such as the numbers of clues of puzzles.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The maximum number of distinct values that are stored. If there are more, all values are rounded to three digits.
/// The result depends neither on the order of the values, nor on the order in which histograms are merged.
const MOST_VALUES: usize = 20_000;

/// A histogram: whole numbers, and how often each of them occurs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(into = "HistogramRecord", from = "HistogramRecord")]
pub struct Histogram {
    values: BTreeMap<u64, u64>,
    count: u64,
    sum: u64,
    range: Option<(u64, u64)>,
    rounded: bool,
}

/// The JSON form of a histogram: figures for human readers, and the values with their counts. The figures are ignored
/// when the JSON is read, because they are computed from the values.
#[derive(Serialize, Deserialize)]
struct HistogramRecord {
    count: u64,
    sum: u64,
    min: Option<u64>,
    #[serde(default, skip_deserializing)]
    q25: Option<u64>,
    #[serde(default, skip_deserializing)]
    median: Option<u64>,
    #[serde(default, skip_deserializing)]
    q75: Option<u64>,
    #[serde(default, skip_deserializing)]
    q90: Option<u64>,
    #[serde(default, skip_deserializing)]
    q99: Option<u64>,
    max: Option<u64>,
    #[serde(default, skip_deserializing)]
    mean: Option<f64>,
    /// Whether the values are rounded to three digits.
    rounded: bool,
    values: Vec<(u64, u64)>,
}

impl From<Histogram> for HistogramRecord {
    fn from(of: Histogram) -> HistogramRecord {
        HistogramRecord {
            count: of.count,
            sum: of.sum,
            min: of.min(),
            q25: of.quantile(0.25),
            median: of.quantile(0.5),
            q75: of.quantile(0.75),
            q90: of.quantile(0.9),
            q99: of.quantile(0.99),
            max: of.max(),
            mean: of.mean(),
            rounded: of.rounded,
            values: of.values.into_iter().collect(),
        }
    }
}

impl From<HistogramRecord> for Histogram {
    fn from(record: HistogramRecord) -> Histogram {
        Histogram {
            values: record.values.into_iter().collect(),
            count: record.count,
            sum: record.sum,
            range: record.min.zip(record.max),
            rounded: record.rounded,
        }
    }
}

/// The number rounded to three digits, followed by zeros.
fn round_to_three_digits(value: u64) -> u64 {
    let digits = value.checked_ilog10().map_or(1, |log| log + 1);
    let unit = 10_u64.pow(digits.saturating_sub(3));
    value / unit * unit
}

impl Histogram {
    /// Adds a value that occurs `count` times.
    pub fn add(&mut self, value: u64, count: u64) {
        if count == 0 {
            return;
        }
        self.count += count;
        self.sum = self.sum.saturating_add(value.saturating_mul(count));
        self.widen_range(value, value);
        let value_key = if self.rounded {
            round_to_three_digits(value)
        } else {
            value
        };
        *self.values.entry(value_key).or_default() += count;
        self.limit_values();
    }

    /// Checks that the figures agree with the values, and that at most `most` rows are counted. The error describes a
    /// contradiction.
    pub(super) fn check_consistency(&self, what: &str, most: u64) -> Result<(), String> {
        let value_counts = self
            .values
            .values()
            .fold(0u128, |sum, count| sum + u128::from(*count));
        let range = self.values.keys().next().zip(self.values.keys().last());
        let sum = self.values.iter().fold(0u64, |sum, (value, count)| {
            sum.saturating_add(value.saturating_mul(*count))
        });
        let range = range.map(|(least, most)| (*least, *most));
        let is_exact = self.range == range && self.sum == sum;
        let is_near = match (self.range, range) {
            (Some((min, max)), Some((least, most))) => {
                (round_to_three_digits(min), round_to_three_digits(max)) == (least, most)
            }
            (own, of_values) => own == of_values,
        };
        if value_counts != u128::from(self.count) || self.count > most {
            return Err(format!(
                "{what} counts {} of {most} rows, and its values {value_counts}",
                self.count
            ));
        }
        if is_exact || self.rounded && is_near {
            Ok(())
        } else {
            Err(format!(
                "the sum or the range of {what} is not that of its values"
            ))
        }
    }

    fn widen_range(&mut self, least: u64, most: u64) {
        let (min, max) = self.range.unwrap_or((least, most));
        self.range = Some((min.min(least), max.max(most)));
    }

    fn limit_values(&mut self) {
        if !self.rounded && self.values.len() > MOST_VALUES {
            self.rounded = true;
            for (value, count) in std::mem::take(&mut self.values) {
                *self.values.entry(round_to_three_digits(value)).or_default() += count;
            }
        }
    }

    /// Adds the values of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.rounded && !self.rounded {
            self.rounded = true;
            for (value, count) in std::mem::take(&mut self.values) {
                *self.values.entry(round_to_three_digits(value)).or_default() += count;
            }
        }
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        if let Some((least, most)) = other.range {
            self.widen_range(least, most);
        }
        for (value, count) in &other.values {
            let value_key = if self.rounded {
                round_to_three_digits(*value)
            } else {
                *value
            };
            *self.values.entry(value_key).or_default() += count;
        }
        self.limit_values();
    }

    /// The number of values, including repeated ones.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The sum of all values, including repeated ones.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The smallest value; `None` if there are no values.
    pub fn min(&self) -> Option<u64> {
        self.range.map(|(min, _)| min)
    }

    /// The largest value; `None` if there are no values.
    pub fn max(&self) -> Option<u64> {
        self.range.map(|(_, max)| max)
    }

    /// The average; `None` if there are no values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// The smallest value for which at least this share of all values is not larger. SQL calls it `quantile_disc`. The
    /// share is from 0 to 1. `None` if there are no values.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let wanted_rank = ((share * self.count as f64).ceil() as u64).max(1);
        let mut values_so_far = 0;
        self.values.iter().find_map(|(value, count)| {
            values_so_far += count;
            (values_so_far >= wanted_rank).then_some(*value)
        })
    }

    /// The distinct values with their counts, in ascending order.
    pub fn values(&self) -> impl Iterator<Item = (u64, u64)> {
        self.values.iter().map(|(value, count)| (*value, *count))
    }

    /// Whether the values are rounded to three digits, because there were too many distinct ones.
    pub fn is_rounded(&self) -> bool {
        self.rounded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_values() {
        let mut histogram = Histogram::default();
        assert_eq!((histogram.quantile(0.5), histogram.mean()), (None, None));
        [1, 2, 3, 10]
            .iter()
            .for_each(|value| histogram.add(*value, 1));
        let quartiles = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| histogram.quantile(share));
        assert_eq!(quartiles, [1, 1, 2, 3, 10].map(Some));
        assert_eq!(histogram.mean(), Some(4.0));
    }

    #[test]
    fn too_many_values_are_rounded_in_whatever_order_they_come() {
        let values: Vec<u64> = (0..MOST_VALUES as u64 + 5).map(|n| n * 17).collect();
        let mut counted_at_once = Histogram::default();
        let mut counted_in_parts = Histogram::default();
        values
            .iter()
            .for_each(|value| counted_at_once.add(*value, 2));
        let (some, rest) = values.split_at(123);
        let mut rest_histogram = Histogram::default();
        rest.iter()
            .rev()
            .for_each(|value| rest_histogram.add(*value, 2));
        some.iter()
            .for_each(|value| counted_in_parts.add(*value, 2));
        counted_in_parts.merge(&rest_histogram);
        assert!(counted_at_once.is_rounded());
        assert_eq!(counted_at_once, counted_in_parts);
        assert_eq!(counted_at_once.max(), values.last().copied());
        assert_eq!(round_to_three_digits(123_456), 123_000);
        assert_eq!(
            [
                round_to_three_digits(0),
                round_to_three_digits(7),
                round_to_three_digits(999)
            ],
            [0, 7, 999]
        );
    }
}
