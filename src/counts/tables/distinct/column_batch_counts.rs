//! Counts the values of a column in one batch.

use std::collections::BTreeMap;
use std::hash::Hasher;

use arrow::array::Array;
use polars::prelude::DataFrame;
use siphasher::sip::SipHasher13;

use crate::counts::frames::ROWS_PER_FRAME;
use crate::counts::frames::columns::{number_column, text_column};
use crate::counts::frames::grouping::{Measure, group};
use crate::counts::statistics::MOST_LISTED;
use crate::counts::tables::distinct::column_kind::ColumnKind;
use crate::counts::values::TextColumn;
use crate::error::Error;

/// A 64-bit hash that represents a text. Among ten million distinct texts, the probability that two have the
/// same hash is 3 in a million.
pub(crate) fn hash_text(text: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(text);
    hasher.finish()
}

/// The counts of a column in one batch.
pub(crate) struct ColumnBatchCounts {
    pub(super) null_count: u64,
    pub(super) counts_by_key: Vec<(i128, u64)>,
    pub(super) text_counts: TextCounts,
}

/// The counts of the texts of a column in one batch.
#[derive(Default)]
pub(super) struct TextCounts {
    pub(super) counts_by_hash: Vec<(u64, u64)>,
    /// The smallest and the largest text; `None` if there are no texts.
    pub(super) lowest_and_highest: Option<(String, String)>,
    /// The number of occurrences of each text; `None` if there are too many distinct texts.
    pub(super) counts_by_text: Option<BTreeMap<String, u64>>,
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
pub(super) fn widen_range(
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
pub(super) fn add_if_few(
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
    let groups = group(&frame, key_names, &[&Measure::Rows])?;
    let numbers = |key: usize| Ok::<_, Error>(groups.keys[key].i64()?.iter());
    let low_key = key_names.len() - 1;
    let high: Vec<Option<i64>> = if is_narrow {
        let low = numbers(low_key)?;
        low.map(|low| low.map(|low| low >> 63)).collect()
    } else {
        numbers(0)?.collect()
    };
    let keys = high.into_iter().zip(numbers(low_key)?);
    let keys = keys.zip(groups.counts());
    let key_and_count = |((high, low), count): ((Option<i64>, Option<i64>), u64)| {
        let low = i128::from(low? as u64);
        Some((i128::from(high?) << 64 | low, count))
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
        let groups = group(&frame, &["text"], &[&Measure::Rows])?;
        let texts = groups.keys[0].str()?.iter();
        let text_counts: Vec<(&str, u64)> = (texts.zip(groups.counts()))
            .filter_map(|(text, count)| Some((text?, count)))
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
