//! Summarises columns that this program did not write, with the figures of SQL's `SUMMARIZE`.

use std::collections::BTreeMap;
use std::hash::Hasher;

use arrow::array::Array;
use arrow::datatypes::DataType;
use serde_json::{Value, json};
use siphasher::sip::SipHasher13;

use crate::error::Error;
use crate::report::statistics::{ColumnSummary, MOST_LISTED, quartiles};
use crate::report::tables::values::column_kind::{ColumnKind, decimal, float_of};
use crate::report::tables::values::sorted_counts::{Budget, SortedCounts};
use crate::report::tables::values::{Texts, type_name};

/// A 64-bit hash that stands for a text. Among ten million different texts, two have the same hash with a
/// probability of 3 in a million.
pub(crate) fn hash(text: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(text);
    hasher.finish()
}

/// Converts a key to an unsigned number with the same order.
fn to_u64_key(key: i128) -> u64 {
    (key as i64 as u64) ^ 1 << 63
}

fn from_u64_key(key: u64) -> i128 {
    i128::from((key ^ 1 << 63) as i64)
}

/// The counts of a column in one batch.
pub(crate) struct ColumnPart {
    nulls: u64,
    keys: Vec<(i128, u64)>,
    texts: TextPart,
}

/// The texts of a column in one batch.
#[derive(Default)]
struct TextPart {
    hashes: Vec<(u64, u64)>,
    /// The smallest and the largest text.
    range: Option<(String, String)>,
    /// The count of each text; `None` if there are too many different texts.
    few: Option<BTreeMap<String, u64>>,
}

impl ColumnPart {
    pub(crate) fn from_column(column: &dyn Array, kind: &ColumnKind) -> ColumnPart {
        let nulls = column.logical_null_count() as u64;
        let texts = match kind {
            ColumnKind::Text => TextPart::from_column(column),
            _ => TextPart::default(),
        };
        let keys = kind.keys(column).unwrap_or_default();
        let keys: Vec<i128> = keys.into_iter().flatten().collect();
        let keys = match kind.is_narrow() {
            true => counted_narrow(&keys),
            false => counted_plainly(keys),
        };
        ColumnPart { nulls, keys, texts }
    }
}

/// The number of occurrences of each key, in ascending order.
fn counted_plainly<K: Ord + Copy>(mut keys: Vec<K>) -> Vec<(K, u64)> {
    keys.sort_unstable();
    let same = keys.chunk_by(|one, other| one == other);
    same.map(|same| (same[0], same.len() as u64)).collect()
}

/// The number of occurrences of each 64-bit key, in ascending order.
fn counted_narrow(keys: &[i128]) -> Vec<(i128, u64)> {
    let narrow: Vec<i64> = keys.iter().map(|key| *key as i64).collect();
    #[cfg(feature = "analytics")]
    let counted = crate::report::tables::values::frames::counted_numbers(&narrow);
    #[cfg(feature = "analytics")]
    let counted = counted.unwrap_or_else(|_| counted_plainly(narrow));
    #[cfg(not(feature = "analytics"))]
    let counted = counted_plainly(narrow);
    let counted = counted.into_iter();
    counted
        .map(|(key, count)| (i128::from(key), count))
        .collect()
}

/// The number of occurrences of each text, in the order of their bytes.
fn counted_texts<'a>(texts: &[&'a str]) -> Vec<(std::borrow::Cow<'a, str>, u64)> {
    #[cfg(feature = "analytics")]
    if let Ok(counted) = crate::report::tables::values::frames::counted_texts(texts) {
        let counted = counted.into_iter();
        return counted.map(|(text, count)| (text.into(), count)).collect();
    }
    let counted = counted_plainly(texts.to_vec()).into_iter();
    counted.map(|(text, count)| (text.into(), count)).collect()
}

impl TextPart {
    fn from_column(column: &dyn Array) -> TextPart {
        let Some(texts) = Texts::from_column(column) else {
            return TextPart::default();
        };
        let texts: Vec<&str> = (0..column.len()).filter_map(|row| texts.get(row)).collect();
        let counted = counted_texts(&texts);
        let ends = counted.first().zip(counted.last());
        let few = (counted.len() <= MOST_LISTED).then(|| {
            let counted = counted.iter();
            counted
                .map(|(text, count)| (text.to_string(), *count))
                .collect()
        });
        TextPart {
            range: ends.map(|((least, _), (most, _))| (least.to_string(), most.to_string())),
            few,
            hashes: (counted.iter())
                .map(|(text, count)| (hash(text.as_bytes()), *count))
                .collect(),
        }
    }
}
/// The counts of a column in all batches.
pub(crate) struct ColumnTotals {
    name: String,
    type_name: String,
    kind: ColumnKind,
    nulls: u64,
    values: u64,
    keys: KeyCounts,
    range: Option<(String, String)>,
    few: Option<BTreeMap<String, u64>>,
}

enum KeyCounts {
    Narrow(SortedCounts<u64>),
    Wide(SortedCounts<i128>),
}

impl ColumnTotals {
    pub(crate) fn new(name: &str, data_type: &DataType, budget: &Budget) -> ColumnTotals {
        let kind = ColumnKind::from_type(data_type);
        ColumnTotals {
            name: name.to_owned(),
            type_name: type_name(data_type),
            nulls: 0,
            values: 0,
            keys: match kind.is_narrow() {
                true => KeyCounts::Narrow(SortedCounts::new(budget)),
                false => KeyCounts::Wide(SortedCounts::new(budget)),
            },
            range: None,
            few: Some(BTreeMap::new()),
            kind,
        }
    }

    pub(crate) fn add(&mut self, part: ColumnPart) -> Result<(), Error> {
        self.nulls += part.nulls;
        let keys = part.keys.iter().map(|(_, count)| count);
        let hashes = part.texts.hashes.iter().map(|(_, count)| count);
        self.values += keys.sum::<u64>() + hashes.sum::<u64>();
        if let Some((least, most)) = part.texts.range {
            self.range = Some(match self.range.take() {
                None => (least, most),
                Some((own_least, own_most)) => (own_least.min(least), own_most.max(most)),
            });
        }
        if self.kind == ColumnKind::Text {
            self.few = match (self.few.take(), part.texts.few) {
                (Some(mut few), Some(more)) => {
                    for (text, count) in more {
                        *few.entry(text).or_default() += count;
                    }
                    Some(few).filter(|few| few.len() <= MOST_LISTED)
                }
                _ => None,
            };
        }
        match &mut self.keys {
            KeyCounts::Wide(counts) => counts.add(part.keys),
            KeyCounts::Narrow(counts) if self.kind == ColumnKind::Text => {
                counts.add(part.texts.hashes)
            }
            KeyCounts::Narrow(counts) => counts.add(
                part.keys
                    .into_iter()
                    .map(|(key, count)| (to_u64_key(key), count)),
            ),
        }
    }

    pub(crate) fn finish(self) -> Result<ColumnSummary, Error> {
        let mut summary = ColumnSummary {
            name: self.name,
            data_type: self.type_name,
            nulls: self.nulls,
            ..ColumnSummary::default()
        };
        if self.kind == ColumnKind::Opaque {
            return Ok(summary);
        }
        let mut figures = KeyFigures::new(self.kind.clone(), self.values);
        match self.keys {
            KeyCounts::Wide(counts) => counts.finish(|key, count| figures.add(key, count))?,
            KeyCounts::Narrow(counts) => {
                counts.finish(|key, count| figures.add(from_u64_key(key), count))?;
            }
        }
        summary.distinct = Some(figures.distinct);
        if self.kind == ColumnKind::Text {
            if let Some((least, most)) = self.range {
                (summary.min, summary.max) = (json!(least), json!(most));
            }
            let few = self.few.filter(|few| few.len() <= MOST_LISTED);
            summary.values = few.map(|few| {
                let values = few.into_iter();
                values.map(|(text, count)| (json!(text), count)).collect()
            });
            return Ok(summary);
        }
        figures.into_summary(&mut summary);
        Ok(summary)
    }
}

/// The figures of a column, computed from its keys in ascending order.
struct KeyFigures {
    kind: ColumnKind,
    values: u64,
    seen: u64,
    distinct: u64,
    range: Option<(i128, i128)>,
    quartiles: [Option<i128>; 3],
    few: Vec<(i128, u64)>,
    /// The sum of integers and decimals; `None` after it has exceeded 128 bits.
    whole: Option<i128>,
    /// The sum of floats, and its accumulated rounding error.
    sum: (f64, f64),
}

impl KeyFigures {
    fn new(kind: ColumnKind, values: u64) -> KeyFigures {
        KeyFigures {
            kind,
            values,
            seen: 0,
            distinct: 0,
            range: None,
            quartiles: [None; 3],
            few: Vec::new(),
            whole: Some(0),
            sum: (0.0, 0.0),
        }
    }

    fn add(&mut self, key: i128, count: u64) {
        self.distinct += 1;
        if self.kind == ColumnKind::Text {
            return;
        }
        self.seen += count;
        let least = self.range.map_or(key, |(least, _)| least);
        self.range = Some((least, key));
        for (quarter, found) in (1..=3).zip(&mut self.quartiles) {
            // The quartile is the value of rank ⌈quarter/4 · values⌉.
            let rank = (u128::from(self.values) * quarter).div_ceil(4);
            if found.is_none() && u128::from(self.seen) >= rank {
                *found = Some(key);
            }
        }
        if self.few.len() <= MOST_LISTED {
            self.few.push((key, count));
        }
        let product = key.checked_mul(i128::from(count));
        let float = match self.kind {
            ColumnKind::Float => float_of(key),
            ColumnKind::Decimal(_, scale) => decimal(key, scale),
            _ => key as f64,
        };
        self.whole = self
            .whole
            .zip(product)
            .and_then(|(sum, more)| sum.checked_add(more));
        let (sum, lost) = self.sum;
        let more = float * count as f64;
        let next = sum + more;
        let lost = lost
            + match sum.abs() >= more.abs() {
                true => (sum - next) + more,
                false => (more - next) + sum,
            };
        self.sum = (next, lost);
    }

    fn mean(&self) -> Option<f64> {
        if self.seen == 0 || !self.kind.is_number() {
            return None;
        }
        let (sum, lost) = self.sum;
        let sum = match (&self.kind, self.whole) {
            (ColumnKind::Integer | ColumnKind::Unsigned, Some(whole)) => whole as f64,
            (ColumnKind::Decimal(_, scale), Some(whole)) => decimal(whole, *scale),
            // If the sum is infinite, the rounding error is not a number.
            _ if lost.is_finite() => sum + lost,
            _ => sum,
        };
        Some(sum / self.seen as f64).filter(|mean| mean.is_finite())
    }

    fn into_summary(self, summary: &mut ColumnSummary) {
        let json = |key: i128| self.kind.json(key);
        if let Some((least, most)) = self.range {
            (summary.min, summary.max) = (json(least), json(most));
        }
        if self.kind.is_number() {
            let [q25, median, q75] = self.quartiles.map(|key| key.map_or(Value::Null, json));
            (summary.q25, summary.median, summary.q75) = (q25, median, q75);
        }
        summary.mean = self.mean();
        if self.few.len() <= MOST_LISTED {
            let values = self.few.iter().map(|(key, count)| (json(*key), *count));
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

#[cfg(test)]
mod tests {
    use arrow::array::{
        ArrayRef, Decimal128Array, Float64Array, Int64Array, StringArray, UInt64Array,
    };
    use std::sync::Arc;

    use super::*;
    use crate::report::tables::values::column_kind::float_key;

    fn summary(columns: &[ArrayRef]) -> ColumnSummary {
        let budget = Budget::with_limit(0);
        let mut totals = ColumnTotals::new("x", columns[0].data_type(), &budget);
        for column in columns {
            totals
                .add(ColumnPart::from_column(
                    column,
                    &ColumnKind::from_type(column.data_type()),
                ))
                .unwrap();
        }
        totals.finish().unwrap()
    }

    #[test]
    fn integers_of_64_bits_are_exact() {
        let of = summary(&[
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(1 << 63), None])),
            Arc::new(UInt64Array::from(vec![Some(1)])),
        ]);
        assert_eq!(
            (of.median, of.q75, of.max),
            (json!(1u64 << 63), json!(u64::MAX), json!(u64::MAX))
        );
        assert_eq!((of.nulls, of.distinct), (1, Some(3)));
        let of = summary(&[Arc::new(Int64Array::from(vec![i64::MIN, -1, 5, i64::MAX]))]);
        assert_eq!(
            (of.min, of.q25, of.median),
            (json!(i64::MIN), json!(i64::MIN), json!(-1))
        );
        assert_eq!(of.mean, Some(0.75));
    }

    #[test]
    fn both_zeros_are_one_value_and_infinity_has_one_spelling() {
        let of = summary(&[Arc::new(Float64Array::from(vec![
            0.0,
            -0.0,
            1.0,
            f64::INFINITY,
        ]))]);
        assert_eq!(of.distinct, Some(3));
        let values = of.values.unwrap();
        assert_eq!(
            values,
            [(json!(0.0), 2), (json!(1.0), 1), (json!("Infinity"), 1)]
        );
        assert_eq!((of.min, of.max), (json!(0.0), json!("Infinity")));
        assert_eq!(float_of(float_key(-2.5)), -2.5);
        assert!(float_key(f64::NEG_INFINITY) < float_key(-1.0));
        assert!(float_key(f64::NAN) > float_key(f64::INFINITY));
    }

    #[test]
    #[cfg(feature = "analytics")]
    fn polars_counts_as_its_twin() {
        let mut state = 7u64;
        for rows in [0, 1, 5, 4096] {
            let numbers: Vec<i64> = (0..rows)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    (state >> 40) as i64 % 1000 - 500
                })
                .collect();
            let plain = counted_plainly(numbers.clone());
            assert_eq!(
                crate::report::tables::values::frames::counted_numbers(&numbers).unwrap(),
                plain
            );
            let texts: Vec<String> = numbers.iter().map(|n| format!("é{n}")).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            let plain: Vec<(String, u64)> = (counted_plainly(texts.clone()).into_iter())
                .map(|(text, count)| (text.to_owned(), count))
                .collect();
            assert_eq!(
                crate::report::tables::values::frames::counted_texts(&texts).unwrap(),
                plain
            );
        }
    }

    #[test]
    fn decimals_and_texts_are_summed_up() {
        let decimals = Decimal128Array::from(vec![Some(12_345), None, Some(-1)]);
        let decimals = decimals.with_precision_and_scale(38, 3).unwrap();
        let of = summary(&[Arc::new(decimals)]);
        assert_eq!((of.min, of.max), (json!(-0.001), json!(12.345)));
        let of = summary(&[
            Arc::new(StringArray::from(vec![Some("b"), None, Some("")])),
            Arc::new(StringArray::from(vec!["a", "b"])),
        ]);
        assert_eq!(
            (of.min, of.max, of.distinct),
            (json!(""), json!("b"), Some(3))
        );
        assert_eq!(of.values.unwrap().len(), 3);
        assert_eq!(of.median, Value::Null);
    }
}
