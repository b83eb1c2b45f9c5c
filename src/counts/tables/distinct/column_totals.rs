//! Summarises columns that this program did not write. The figures are the same as in SQL's `SUMMARIZE`.

use std::collections::BTreeMap;
use std::hash::Hasher;

use arrow::array::Array;
use arrow::datatypes::DataType;
use polars::prelude::DataFrame;
use rayon::ThreadPool;
use serde_json::json;
use siphasher::sip::SipHasher13;

use crate::counts::frames::ROWS_PER_FRAME;
use crate::counts::frames::columns::{number_column, text_column};
use crate::counts::frames::grouping::{Measure, group};
use crate::counts::partials::Partials;
use crate::counts::statistics::{ColumnSummary, MOST_LISTED};
use crate::counts::tables::distinct::column_kind::ColumnKind;
use crate::counts::tables::distinct::key_figures::KeyFigures;
use crate::counts::tables::distinct::partitioned_counts::PartitionedCounts;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::counts::values::{TextColumn, type_name};
use crate::error::Error;

/// A 64-bit hash that represents a text. Among ten million distinct texts, the probability that two have the
/// same hash is 3 in a million.
pub(crate) fn hash_text(text: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(text);
    hasher.finish()
}

/// Converts a key to an unsigned number. The numbers sort in the same order as the keys.
fn to_u64_key(key: i128) -> u64 {
    (key as i64 as u64) ^ 1 << 63
}

fn from_u64_key(key: u64) -> i128 {
    i128::from((key ^ 1 << 63) as i64)
}

/// The counts of a column in one batch.
pub(crate) struct ColumnBatchCounts {
    null_count: u64,
    counts_by_key: Vec<(i128, u64)>,
    text_counts: TextCounts,
}

/// The counts of the texts of a column in one batch.
#[derive(Default)]
struct TextCounts {
    counts_by_hash: Vec<(u64, u64)>,
    /// The smallest and the largest text; `None` if there are no texts.
    lowest_and_highest: Option<(String, String)>,
    /// The number of occurrences of each text; `None` if there are too many distinct texts.
    counts_by_text: Option<BTreeMap<String, u64>>,
}

impl ColumnBatchCounts {
    /// Counts the values of a column.
    ///
    /// # Errors
    ///
    /// The values cannot be grouped, which is a bug.
    pub(crate) fn from_column(
        column: &dyn Array,
        kind: &ColumnKind,
    ) -> Result<ColumnBatchCounts, Error> {
        let mut counts = ColumnBatchCounts {
            null_count: column.logical_null_count() as u64,
            counts_by_key: Vec::new(),
            text_counts: TextCounts {
                counts_by_text: Some(BTreeMap::new()),
                ..TextCounts::default()
            },
        };
        for first in (0..column.len()).step_by(ROWS_PER_FRAME) {
            let part = column.slice(first, ROWS_PER_FRAME.min(column.len() - first));
            if let Some(keys) = kind.integer_keys(part.as_ref()) {
                let keys = count_keys(keys.into_iter().flatten())?;
                counts.counts_by_key.extend(keys);
            }
            if let (ColumnKind::Text, Some(texts)) = (kind, TextColumn::from_column(part.as_ref()))
            {
                let texts = TextCounts::from_texts(&texts, part.len())?;
                counts.text_counts.add(texts);
            }
        }
        Ok(counts)
    }
}

/// The smaller and the larger text of two ranges.
fn widen_range(
    own: Option<(String, String)>,
    other: Option<(String, String)>,
) -> Option<(String, String)> {
    match (own, other) {
        (Some((least, most)), Some((other_least, other_most))) => {
            Some((least.min(other_least), most.max(other_most)))
        }
        (own, other) => own.or(other),
    }
}

/// Adds counts of texts. `None` if there are more than [`MOST_LISTED`] texts.
fn add_if_few(
    own: Option<BTreeMap<String, u64>>,
    other: Option<BTreeMap<String, u64>>,
) -> Option<BTreeMap<String, u64>> {
    let (mut few, more) = own.zip(other)?;
    for (text, count) in more {
        *few.entry(text).or_default() += count;
    }
    Some(few).filter(|few| few.len() <= MOST_LISTED)
}

/// Counts how often each key occurs. A key of 128 bits is a pair of numbers of 64 bits in the data frame.
fn count_keys(keys: impl Iterator<Item = i128>) -> Result<Vec<(i128, u64)>, Error> {
    let (high, low): (Vec<i64>, Vec<i64>) =
        keys.map(|key| ((key >> 64) as i64, key as i64)).unzip();
    // The high halves of keys that fit into 64 bits follow from the low halves, and need not be grouped.
    let is_narrow = high.iter().zip(&low).all(|(high, low)| *high == low >> 63);
    let rows = low.len();
    let columns = vec![number_column("high", high), number_column("low", low)];
    let frame = DataFrame::new(rows, columns)?;
    let key_names = if is_narrow {
        &["low"][..]
    } else {
        &["high", "low"]
    };
    let groups = group(&frame, key_names, &[Measure::Rows])?;
    let numbers = |name: &str| Ok::<_, Error>(groups.column(name)?.i64()?.iter());
    let counts = groups.column(&Measure::Rows.name())?.u64()?.iter();
    let high: Vec<Option<i64>> = if is_narrow {
        let low = numbers("low")?;
        low.map(|low| low.map(|low| low >> 63)).collect()
    } else {
        numbers("high")?.collect()
    };
    let keys = high.into_iter().zip(numbers("low")?).zip(counts);
    let key_and_count = |((high, low), count): ((Option<i64>, Option<i64>), Option<u64>)| {
        let low = i128::from(low? as u64);
        Some((i128::from(high?) << 64 | low, count?))
    };
    Ok(keys.filter_map(key_and_count).collect())
}

impl TextCounts {
    fn add(&mut self, other: TextCounts) {
        self.counts_by_hash.extend(other.counts_by_hash);
        self.lowest_and_highest =
            widen_range(self.lowest_and_highest.take(), other.lowest_and_highest);
        self.counts_by_text = add_if_few(self.counts_by_text.take(), other.counts_by_text);
    }

    fn from_texts(texts: &TextColumn<'_>, rows: usize) -> Result<TextCounts, Error> {
        let texts = (0..rows).filter_map(|row| texts.text_in_row(row));
        let column = text_column("text", texts.map(Some));
        let frame = DataFrame::new(column.len(), vec![column])?;
        let groups = group(&frame, &["text"], &[Measure::Rows])?;
        let counts = groups.column(&Measure::Rows.name())?.u64()?.iter();
        let texts = groups.column("text")?.str()?.iter();
        let text_counts: Vec<(&str, u64)> = (texts.zip(counts))
            .filter_map(|(text, count)| Some((text?, count?)))
            .collect();
        let texts = || text_counts.iter().map(|(text, _)| *text);
        let lowest_and_highest = texts().min().zip(texts().max());
        let few_values = (text_counts.len() <= MOST_LISTED).then(|| {
            let text_counts = text_counts.iter();
            text_counts
                .map(|(text, count)| ((*text).to_owned(), *count))
                .collect()
        });
        Ok(TextCounts {
            lowest_and_highest: lowest_and_highest
                .map(|(least, most)| (least.to_owned(), most.to_owned())),
            counts_by_text: few_values,
            counts_by_hash: (text_counts.iter())
                .map(|(text, count)| (hash_text(text.as_bytes()), *count))
                .collect(),
        })
    }
}

/// The counts of a column in all batches. Several threads can add batches at the same time.
pub(crate) struct ColumnTotals {
    name: String,
    type_name: String,
    kind: ColumnKind,
    key_counts: KeyCounts,
    value_totals: Partials<ValueTotals>,
}

/// The counts of a column in some of its batches, without those of its distinct values.
struct ValueTotals {
    nulls: u64,
    value_count: u64,
    range: Option<(String, String)>,
    counts_if_few: Option<BTreeMap<String, u64>>,
}

impl Default for ValueTotals {
    fn default() -> ValueTotals {
        ValueTotals {
            nulls: 0,
            value_count: 0,
            range: None,
            counts_if_few: Some(BTreeMap::new()),
        }
    }
}

impl ValueTotals {
    fn add(&mut self, other: ValueTotals) {
        self.nulls += other.nulls;
        self.value_count += other.value_count;
        self.range = widen_range(self.range.take(), other.range);
        self.counts_if_few = add_if_few(self.counts_if_few.take(), other.counts_if_few);
    }
}

enum KeyCounts {
    Narrow(PartitionedCounts<u64>),
    Wide(PartitionedCounts<i128>),
}

impl ColumnTotals {
    /// Totals of a column to which this number of threads adds batches.
    pub(crate) fn new(
        name: &str,
        data_type: &DataType,
        budget: &MemoryBudget,
        threads: usize,
    ) -> ColumnTotals {
        let kind = ColumnKind::from_type(data_type);
        ColumnTotals {
            name: name.to_owned(),
            type_name: type_name(data_type),
            key_counts: if kind.has_64_bit_keys() {
                KeyCounts::Narrow(PartitionedCounts::new(budget, threads))
            } else {
                KeyCounts::Wide(PartitionedCounts::new(budget, threads))
            },
            value_totals: Partials::default(),
            kind,
        }
    }

    pub(crate) fn add_batch(&self, part: ColumnBatchCounts) -> Result<(), Error> {
        let occurrence_counts = part.counts_by_key.iter().map(|(_, count)| count);
        let hash_counts = part
            .text_counts
            .counts_by_hash
            .iter()
            .map(|(_, count)| count);
        let values = ValueTotals {
            nulls: part.null_count,
            value_count: occurrence_counts.sum::<u64>() + hash_counts.sum::<u64>(),
            range: part.text_counts.lowest_and_highest,
            counts_if_few: part.text_counts.counts_by_text,
        };
        self.value_totals.add(ValueTotals::default, |totals| {
            totals.add(values);
            Ok(())
        })?;
        match &self.key_counts {
            KeyCounts::Wide(counts) => counts.add_keys(part.counts_by_key.into_iter()),
            KeyCounts::Narrow(counts) if self.kind == ColumnKind::Text => {
                counts.add_keys(part.text_counts.counts_by_hash.into_iter())
            }
            KeyCounts::Narrow(counts) => counts.add_keys(
                part.counts_by_key
                    .into_iter()
                    .map(|(key, count)| (to_u64_key(key), count)),
            ),
        }
    }

    /// The figures of the column, computed on these threads.
    pub(crate) fn finish(self, pool: Option<&ThreadPool>) -> Result<ColumnSummary, Error> {
        let totals = self.value_totals.merge(pool, |totals, other| {
            totals.add(other);
            Ok(())
        })?;
        let totals = totals.unwrap_or_default();
        let mut summary = ColumnSummary {
            name: self.name,
            data_type: self.type_name,
            nulls: totals.nulls,
            ..ColumnSummary::default()
        };
        if self.kind == ColumnKind::Opaque {
            return Ok(summary);
        }
        let mut key_figures = KeyFigures::new(self.kind.clone(), totals.value_count);
        match self.key_counts {
            KeyCounts::Wide(counts) => {
                counts.visit_all(pool, |key, count| key_figures.add_key(key, count))?;
            }
            KeyCounts::Narrow(hashes) if self.kind == ColumnKind::Text => {
                let distinct =
                    hashes.visit_partitions(pool, |distinct: &mut u64, _, _| *distinct += 1)?;
                key_figures.distinct_count = distinct.into_iter().sum();
            }
            KeyCounts::Narrow(counts) => {
                let add_key = |key, count| key_figures.add_key(from_u64_key(key), count);
                counts.visit_all(pool, add_key)?;
            }
        }
        summary.distinct = Some(key_figures.distinct_count);
        if self.kind == ColumnKind::Text {
            if let Some((least, most)) = totals.range {
                (summary.min, summary.max) = (json!(least), json!(most));
            }
            let few_values = totals.counts_if_few.filter(|few| few.len() <= MOST_LISTED);
            summary.values = few_values.map(|few| {
                let values = few.into_iter();
                values.map(|(text, count)| (json!(text), count)).collect()
            });
            return Ok(summary);
        }
        key_figures.into_summary(&mut summary);
        Ok(summary)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{
        ArrayRef, Decimal128Array, Float64Array, Int64Array, StringArray, UInt64Array,
    };
    use std::sync::Arc;

    use serde_json::Value;

    use super::*;
    use crate::counts::tables::distinct::column_kind::{float_from_key, float_key};

    fn summarise(columns: &[ArrayRef]) -> ColumnSummary {
        let budget = MemoryBudget::with_limit(0);
        let totals = ColumnTotals::new("x", columns[0].data_type(), &budget, 3);
        for column in columns {
            totals
                .add_batch(
                    ColumnBatchCounts::from_column(
                        column,
                        &ColumnKind::from_type(column.data_type()),
                    )
                    .unwrap(),
                )
                .unwrap();
        }
        totals.finish(None).unwrap()
    }

    #[test]
    fn integers_of_64_bits_are_exact() {
        let totals = summarise(&[
            Arc::new(UInt64Array::from(vec![Some(u64::MAX), Some(1 << 63), None])),
            Arc::new(UInt64Array::from(vec![Some(1)])),
        ]);
        assert_eq!(
            (totals.median, totals.q75, totals.max),
            (json!(1u64 << 63), json!(u64::MAX), json!(u64::MAX))
        );
        assert_eq!((totals.nulls, totals.distinct), (1, Some(3)));
        let signed_totals =
            summarise(&[Arc::new(Int64Array::from(vec![i64::MIN, -1, 5, i64::MAX]))]);
        assert_eq!(
            (signed_totals.min, signed_totals.q25, signed_totals.median),
            (json!(i64::MIN), json!(i64::MIN), json!(-1))
        );
        assert_eq!(signed_totals.mean, Some(0.75));
    }

    #[test]
    fn both_zeros_are_one_value_and_infinity_has_one_spelling() {
        let totals = summarise(&[Arc::new(Float64Array::from(vec![
            0.0,
            -0.0,
            1.0,
            f64::INFINITY,
        ]))]);
        assert_eq!(totals.distinct, Some(3));
        let values = totals.values.unwrap();
        assert_eq!(
            values,
            [(json!(0.0), 2), (json!(1.0), 1), (json!("Infinity"), 1)]
        );
        assert_eq!((totals.min, totals.max), (json!(0.0), json!("Infinity")));
        assert_eq!(float_from_key(float_key(-2.5)), -2.5);
        assert!(float_key(f64::NEG_INFINITY) < float_key(-1.0));
        assert!(float_key(f64::NAN) > float_key(f64::INFINITY));
    }

    #[test]
    fn keys_of_64_and_of_128_bits_are_counted() {
        let mut state = 7u64;
        for (rows, wide) in [
            (0, false),
            (1, true),
            (5, true),
            (4096, false),
            (4096, true),
        ] {
            let keys: Vec<i128> = (0..rows)
                .map(|_| {
                    state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
                    let key = i128::from((state >> 40) as i64 % 1000 - 500);
                    if wide { key << 62 } else { key }
                })
                .collect();
            let mut expected: BTreeMap<i128, u64> = BTreeMap::new();
            for key in &keys {
                *expected.entry(*key).or_default() += 1;
            }
            let counts = count_keys(keys.into_iter()).unwrap();
            assert_eq!(counts.len(), expected.len());
            assert_eq!(BTreeMap::from_iter(counts), expected);
        }
    }

    #[test]
    fn decimals_and_texts_are_summed_up() {
        let decimals = Decimal128Array::from(vec![Some(12_345), None, Some(-1)]);
        let decimals = decimals.with_precision_and_scale(38, 3).unwrap();
        let totals = summarise(&[Arc::new(decimals)]);
        assert_eq!((totals.min, totals.max), (json!(-0.001), json!(12.345)));
        let text_totals = summarise(&[
            Arc::new(StringArray::from(vec![Some("b"), None, Some("")])),
            Arc::new(StringArray::from(vec!["a", "b"])),
        ]);
        assert_eq!(
            (text_totals.min, text_totals.max, text_totals.distinct),
            (json!(""), json!("b"), Some(3))
        );
        assert_eq!(text_totals.values.unwrap().len(), 3);
        assert_eq!(text_totals.median, Value::Null);
    }
}
