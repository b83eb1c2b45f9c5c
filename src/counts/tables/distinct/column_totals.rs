//! Summarises columns that this program did not write. The figures are the same as in SQL's `SUMMARIZE`.

use std::collections::BTreeMap;

use arrow::datatypes::DataType;
use rayon::ThreadPool;
use serde_json::json;

use crate::counts::partials::Partials;
use crate::counts::statistics::{ColumnSummary, MOST_LISTED};
use crate::counts::tables::distinct::column_batch_counts::{
    ColumnBatchCounts, add_if_few, widen_range,
};
use crate::counts::tables::distinct::column_kind::ColumnKind;
use crate::counts::tables::distinct::key_figures::KeyFigures;
use crate::counts::tables::distinct::partitioned_counts::PartitionedCounts;
use crate::counts::tables::distinct::sorted_counts::MemoryBudget;
use crate::counts::values::type_name;
use crate::error::Error;

/// Converts a key to an unsigned number. The numbers sort in the same order as the keys.
fn to_u64_key(key: i128) -> u64 {
    (key as i64 as u64) ^ 1 << 63
}

fn from_u64_key(key: u64) -> i128 {
    i128::from((key ^ 1 << 63) as i64)
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
