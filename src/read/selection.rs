//! Selects the records of a run: `--skip`, `--sample`, `--limit`.
//!
//! ```text
//! records of the run ─ skip the first ─▶ sample ─▶ stop at the limit ─▶ rows and rejects
//! ```
//!
//! Records that are not selected are not parsed as puzzles, and are neither rows of the output nor rejected.

use crate::hash::fnv1a;
use crate::read::{Batch, Payload, TextChunk};
use crate::table::written_bytes::{DictionaryPacking, written_bytes};
use sudoku_core::random::Rng;

/// The options `--skip`, `--sample` and `--limit`. By default, all records are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RecordSelection {
    /// The number of records to skip at the start.
    pub skip: u64,
    /// The random sample that is taken after skipping; `None` to take all records.
    pub sample: Option<Sample>,
    /// The maximum number of records that are selected; `None` for no limit.
    pub limit: Option<u64>,
}

/// A random sample of the records. Whether a record belongs to it depends only on the seed, the name of the record's
/// input, and its number in that input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// The probability that a record is in the sample, from 0 to 1.
    pub fraction: f64,
    /// The seed of the random numbers.
    pub seed: u64,
}

impl Sample {
    /// For each record from the number `first` on, whether it is in the sample. The decision for the n-th record of an
    /// input uses the n-th random number for that input.
    fn decisions(self, source: &str, first: u64) -> impl Iterator<Item = bool> + use<> {
        let mut rng = Rng::for_item(self.seed, fnv1a(source.as_bytes())).starting_at(first);
        std::iter::repeat_with(move || rng.fraction() < self.fraction)
    }
}

/// Selects records from the batches of a run. The batches have to be passed in order.
#[derive(Clone)]
pub(crate) struct RecordSelector {
    selection: RecordSelection,
}

/// The records of a batch that are selected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SelectedRecords {
    All,
    /// One flag for each record, which says whether it is selected.
    Some(Vec<bool>),
    None,
}

impl SelectedRecords {
    pub(crate) fn has(&self, record: usize) -> bool {
        match self {
            SelectedRecords::All => true,
            SelectedRecords::Some(taken) => taken.get(record).copied().unwrap_or(false),
            SelectedRecords::None => false,
        }
    }

    /// The selection of the records from `first` on, of which there are `count`.
    pub(crate) fn rows(&self, first: usize, count: usize) -> SelectedRecords {
        let SelectedRecords::Some(taken) = self else {
            return self.clone();
        };
        let taken: Vec<bool> = (first..first.saturating_add(count))
            .map(|record| taken.get(record).copied().unwrap_or(false))
            .collect();
        if taken.contains(&false) {
            let has_selected = taken.contains(&true);
            if has_selected {
                SelectedRecords::Some(taken)
            } else {
                SelectedRecords::None
            }
        } else {
            SelectedRecords::All
        }
    }
}

impl RecordSelector {
    pub(crate) fn new(selection: RecordSelection) -> RecordSelector {
        RecordSelector { selection }
    }

    /// Whether the limit has been reached, so that no more records have to be read.
    pub(crate) fn is_done(&self) -> bool {
        self.selection.limit == Some(0)
    }

    /// Whether the selection of a record depends on the number of records before it.
    pub(crate) fn counts_records(&self) -> bool {
        self.selection.skip > 0 || self.selection.limit.is_some()
    }

    /// Selects from the next `rows` records of an input. `first_row` is the number of the first one.
    pub(crate) fn next(&mut self, source: &str, first_row: u64, rows: u64) -> SelectedRecords {
        let RecordSelection {
            skip,
            sample,
            limit,
        } = &mut self.selection;
        let skipped_rows = rows.min(*skip);
        *skip -= skipped_rows;
        if sample.is_none() && skipped_rows == 0 && limit.is_none_or(|limit| limit >= rows) {
            *limit = limit.map(|limit| limit - rows);
            return SelectedRecords::All;
        }
        let mut sample_decisions = sample.map(|sample| sample.decisions(source, first_row));
        let mut has_selected = false;
        let selected_rows = (0..rows).map(|at| {
            let in_sample = sample_decisions
                .as_mut()
                .is_none_or(|sample_decisions| sample_decisions.next() == Some(true));
            let is_taken = at >= skipped_rows && *limit != Some(0) && in_sample;
            *limit = limit.map(|limit| limit - u64::from(is_taken));
            has_selected |= is_taken;
            is_taken
        });
        let selected_rows = selected_rows.collect();
        if has_selected {
            SelectedRecords::Some(selected_rows)
        } else {
            SelectedRecords::None
        }
    }
}

impl Batch {
    /// Copies the batch. `buffer` is an old buffer that is reused for the text of the copy.
    pub(crate) fn copy_into(&self, mut buffer: Vec<u8>) -> Batch {
        let payload = match &self.payload {
            Payload::Text(chunk) => {
                buffer.clear();
                buffer.extend_from_slice(&chunk.bytes);
                Payload::Text(TextChunk {
                    bytes: buffer,
                    broken: chunk.broken.clone(),
                    ..*chunk
                })
            }
            Payload::Columns(chunk) => Payload::Columns(chunk.clone()),
        };
        Batch { payload, ..*self }
    }

    /// The size in bytes that the values of the batch have as text. 0 for a batch of text, whose size is limited in
    /// another way.
    pub(crate) fn written_bytes(&self) -> usize {
        match &self.payload {
            Payload::Text(_) => 0,
            Payload::Columns(chunk) => {
                written_bytes(chunk.columns.columns(), DictionaryPacking::Written)
            }
        }
    }

    /// Takes the buffer out of a text batch, so that it can be reused.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        match self.payload {
            Payload::Text(chunk) => chunk.bytes,
            Payload::Columns(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slow, simple implementation of [`RecordSelector`], with which the tests compare it.
    fn select_slowly(selection: RecordSelection, records: &[(&str, u64)]) -> Vec<(String, u64)> {
        let in_sample = |(source, row): &&(&str, u64)| {
            let is_in = |sample: Sample| sample.decisions(source, *row).next() == Some(true);
            selection.sample.is_none_or(is_in)
        };
        (records.iter().skip(selection.skip as usize))
            .filter(in_sample)
            .take(selection.limit.map_or(usize::MAX, |limit| limit as usize))
            .map(|(source, row)| ((*source).to_owned(), *row))
            .collect()
    }

    #[test]
    fn the_same_records_are_taken_however_they_are_cut() {
        let seed = 3;
        for case in 0..2_000 {
            let mut rng = Rng::for_item(seed, case);
            let mut random_bound = |bound: usize| (rng.below(2) == 0).then(|| rng.below(bound));
            let selection = RecordSelection {
                skip: random_bound(60).unwrap_or(0) as u64,
                limit: random_bound(60).map(|limit| limit as u64),
                sample: random_bound(11).map(|tenths| Sample {
                    fraction: tenths as f64 / 10.0,
                    seed: case,
                }),
            };
            let mut selector = RecordSelector::new(selection);
            let mut records = Vec::new();
            let mut taken_rows = Vec::new();
            for source in ["a.txt", "b.txt"] {
                let mut first_row = 0;
                for _ in 0..rng.below(5) {
                    let rows = rng.below(20);
                    let selected = selector.next(source, first_row, rows as u64);
                    for at in 0..rows {
                        let record = (source, first_row + at as u64);
                        records.push(record);
                        if selected.has(at) {
                            taken_rows.push((source.to_owned(), record.1));
                        }
                    }
                    first_row += rows as u64;
                }
            }
            let expected_rows = select_slowly(selection, &records);
            assert_eq!(
                taken_rows, expected_rows,
                "seed {seed}, case {case}: {selection:?}"
            );
            if selector.is_done() {
                assert_eq!(Some(taken_rows.len() as u64), selection.limit);
            }
        }
    }

    #[test]
    fn a_sample_is_as_large_as_it_should_be_and_depends_on_source_and_seed() {
        let rows = |seed, source: &str| {
            let sample = Sample {
                fraction: 0.25,
                seed,
            };
            let in_sample = sample.decisions(source, 0).zip(0..40_000);
            in_sample
                .filter_map(|(is_in, row)| is_in.then_some(row))
                .collect::<Vec<_>>()
        };
        let first_sample = rows(1, "a.txt");
        assert!(
            (9_700..10_300).contains(&first_sample.len()),
            "{}",
            first_sample.len()
        );
        assert_eq!(first_sample, rows(1, "a.txt"));
        for other in [rows(2, "a.txt"), rows(1, "b.txt")] {
            let in_both = other
                .iter()
                .filter(|row| first_sample.contains(row))
                .count();
            assert!(
                (2_300..2_700).contains(&in_both),
                "{in_both} in both samples"
            );
        }
    }
}
