//! The strata of a split: a stratum consists of the rows with one value of a column, or one combination of values of
//! several columns. The rows of each stratum are counted by part, and can be balanced.
//!
//! A new class of a stratum is assigned to a random part. The more rows a part lacks, in the stratum and in
//! total, the more likely it is chosen. The share of each stratum is then exact to within one or two rows, or
//! the size of the largest class. The choice depends only on earlier rows, so appended rows do not move earlier
//! ones to other parts.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use arrow::util::display::{ArrayFormatter, FormatOptions};

use crate::error::{Error, OptionError};
use crate::options::STRATIFY;
use crate::table::columns::unknown_column;

/// The maximum number of strata. A column with more values is probably an identifier.
const MOST_STRATA: usize = 10_000;

/// Separates the values of several columns.
const SEPARATOR: char = '\u{1f}';

/// The indices and the names of the columns whose values are the strata.
pub(super) struct StrataColumns(Vec<(usize, String)>);

/// The strata of the rows of a batch.
pub(super) struct BatchStrata {
    /// The different strata, in the order of their first rows.
    values: Vec<String>,
    /// For each row, the index of its stratum in `values`.
    indices: Vec<u32>,
}

impl StrataColumns {
    /// The strata of these rows.
    pub(super) fn of_rows(&self, rows: &RecordBatch) -> Result<BatchStrata, Error> {
        let options = FormatOptions::default();
        let columns = self.0.iter().map(|(at, _)| {
            let column = rows.column(*at).as_ref();
            Ok((column, ArrayFormatter::try_new(column, &options)?))
        });
        let columns: Vec<_> = columns.collect::<Result<_, Error>>()?;
        let mut text = String::new();
        let mut index_of_value: HashMap<String, u32> = HashMap::new();
        let mut strata = BatchStrata {
            values: Vec::new(),
            indices: Vec::with_capacity(rows.num_rows()),
        };
        for row in 0..rows.num_rows() {
            text.clear();
            for (at, (column, values)) in columns.iter().enumerate() {
                if at > 0 {
                    text.push(SEPARATOR);
                }
                if column.is_null(row) {
                    text.push_str("null");
                } else {
                    values.value(row).write(&mut text)?;
                }
            }
            let index = match index_of_value.get(&text) {
                Some(index) => *index,
                None => {
                    let index = strata.values.len() as u32;
                    index_of_value.insert(text.clone(), index);
                    strata.values.push(text.clone());
                    index
                }
            };
            strata.indices.push(index);
        }
        Ok(strata)
    }
}

/// The strata of columns, and for each stratum the number of rows in each part.
pub(super) struct Strata {
    pub(super) columns: Arc<StrataColumns>,
    stratum_indices: HashMap<String, usize>,
    strata: Vec<Stratum>,
    /// For each part, the number of rows in all strata together.
    rows_by_part: Vec<u64>,
    row_count: u64,
    /// The weights of the parts for a class, which are computed anew for each class.
    weights: Vec<f64>,
}

/// A stratum of a split: the rows with one value of the column.
pub(super) struct Stratum {
    pub(super) value: String,
    /// For each part, the number of its rows that have this value.
    pub(super) rows_by_part: Vec<u64>,
    pub(super) row_count: u64,
}

/// The deviation of a part from its requested share of a stratum.
pub(super) struct StratumDeviation<'a> {
    pub(super) value: &'a str,
    pub(super) part: usize,
    /// The number of rows of the stratum, followed by the number of these rows that are in the part.
    pub(super) all_and_part_rows: (u64, u64),
    /// The actual share minus the requested share.
    pub(super) difference: f64,
}

impl Strata {
    /// Creates the strata for the columns with these names, for a split into this number of parts.
    ///
    /// # Errors
    ///
    /// The table does not have one of the columns.
    pub(super) fn from_columns(
        names: &[String],
        schema: &SchemaRef,
        part_count: usize,
    ) -> Result<Strata, OptionError> {
        let columns = names.iter().map(|name| {
            let at = schema
                .fields()
                .iter()
                .position(|field| field.name() == name);
            let at = at.ok_or_else(|| {
                let fields = schema.fields().iter().map(|field| field.name().clone());
                unknown_column(STRATIFY, name, &fields.collect::<Vec<_>>())
            })?;
            Ok((at, name.clone()))
        });
        Ok(Strata {
            columns: Arc::new(StrataColumns(columns.collect::<Result<_, OptionError>>()?)),
            stratum_indices: HashMap::new(),
            strata: Vec::new(),
            rows_by_part: vec![0; part_count],
            row_count: 0,
            weights: Vec::new(),
        })
    }

    /// The names of the columns, separated by commas.
    pub(super) fn column_names(&self) -> String {
        let names = self.columns.0.iter().map(|(_, name)| name.as_str());
        names.collect::<Vec<_>>().join(",")
    }

    /// For each row of a batch, the index of its stratum.
    pub(super) fn indices_of(&mut self, batch: &BatchStrata) -> Result<Vec<usize>, Error> {
        let mut indices = Vec::with_capacity(batch.values.len());
        for value in &batch.values {
            indices.push(match self.stratum_indices.get(value) {
                Some(index) => *index,
                None => self.stratum_index(value)?,
            });
        }
        let rows = batch.indices.iter().map(|index| indices[*index as usize]);
        Ok(rows.collect())
    }

    fn stratum_index(&mut self, value: &str) -> Result<usize, Error> {
        let index = self.strata.len();
        if index == MOST_STRATA {
            return Err(OptionError::new(
                STRATIFY,
                format!(
                    "more than {MOST_STRATA} values or combinations of values: name columns with fewer"
                ),
            )
            .with_value(self.column_names())
            .into());
        }
        self.stratum_indices.insert(value.to_owned(), index);
        self.strata.push(Stratum {
            value: value.replace(SEPARATOR, ", "),
            rows_by_part: vec![0; self.rows_by_part.len()],
            row_count: 0,
        });
        Ok(index)
    }

    /// Counts a row of this stratum in this part.
    pub(super) fn count_row(&mut self, stratum: usize, part: usize) {
        let stratum = &mut self.strata[stratum];
        stratum.rows_by_part[part] += 1;
        stratum.row_count += 1;
        self.rows_by_part[part] += 1;
        self.row_count += 1;
    }

    /// Chooses the part for a class that is new in a stratum. `fraction` is the random number of the class, from 0 to
    /// 1.
    pub(super) fn balanced_part(&mut self, stratum: usize, shares: &[f64], fraction: f64) -> usize {
        let stratum = &self.strata[stratum];
        let (rows_here, rows_in_all) =
            ((1 + stratum.row_count) as f64, (1 + self.row_count) as f64);
        let rows = stratum.rows_by_part.iter().zip(&self.rows_by_part);
        let weights = rows.zip(shares).map(|((here, in_all), share)| {
            let missing_here = share * rows_here - *here as f64;
            let missing_in_all = share * rows_in_all - *in_all as f64;
            (missing_here + missing_in_all).max(0.0)
        });
        self.weights.clear();
        self.weights.extend(weights);
        let weights = &mut self.weights;
        let mut sum: f64 = weights.iter().sum();
        if sum <= 0.0 {
            // No part lacks rows. This is possible only because of rounding: the actual and the requested shares both
            // add up to 1.
            weights.clear();
            weights.extend_from_slice(shares);
            sum = weights.iter().sum();
        }
        let mut interval_end = 0.0;
        for (part, weight) in weights.iter().enumerate() {
            interval_end += weight;
            if fraction * sum < interval_end {
                return part;
            }
        }
        let last_with_weight = weights.iter().rposition(|weight| *weight > 0.0);
        last_with_weight.unwrap_or_default()
    }

    /// The strata, ordered by value.
    pub(super) fn sorted_strata(&self) -> Vec<&Stratum> {
        let mut strata: Vec<&Stratum> = self.strata.iter().collect();
        strata.sort_unstable_by(|a, b| a.value.cmp(&b.value));
        strata
    }

    /// The largest deviation of a part from its requested share of a stratum. Deviations of less than `least` rows are
    /// ignored. `None` if no other deviation remains.
    pub(super) fn largest_deviation(
        &self,
        shares: &[f64],
        least: f64,
    ) -> Option<StratumDeviation<'_>> {
        let strata = self.sorted_strata().into_iter();
        let all_deviations = strata.flat_map(|stratum| {
            let stratum_rows = stratum.row_count;
            let rows_and_shares = stratum.rows_by_part.iter().zip(shares).enumerate();
            rows_and_shares.map(move |(part, (rows, share))| StratumDeviation {
                value: &stratum.value,
                part,
                all_and_part_rows: (stratum_rows, *rows),
                difference: *rows as f64 / (stratum_rows as f64).max(1.0) - share,
            })
        });
        let large_deviations = all_deviations
            .filter(|found| found.difference.abs() * found.all_and_part_rows.0 as f64 >= least);
        large_deviations.max_by(|a, b| a.difference.abs().total_cmp(&b.difference.abs()))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, StringArray};
    use sudoku_core::random::Rng;

    use super::*;

    #[test]
    fn every_stratum_and_all_rows_have_their_shares_at_any_time() {
        let shares = [0.8, 0.15, 0.05];
        for seed in 0..5 {
            let mut rng = Rng::new(seed);
            let values: Vec<String> = (0..6000)
                .map(|_| ["a", "b", "b", "b", "c"][rng.below(5)].to_owned())
                .collect();
            let column: ArrayRef = Arc::new(StringArray::from(values));
            let rows = RecordBatch::try_from_iter([("level", column)]).unwrap();
            let mut strata =
                Strata::from_columns(&["level".to_owned()], &rows.schema(), 3).unwrap();
            let of_rows = strata.columns.of_rows(&rows).unwrap();
            let of_rows = strata.indices_of(&of_rows).unwrap();
            for (row, stratum) in of_rows.into_iter().enumerate() {
                let part = strata.balanced_part(stratum, &shares, rng.fraction());
                strata.count_row(stratum, part);
                if row % 1000 == 999 {
                    for (rows, share) in strata.rows_by_part.iter().zip(shares) {
                        let difference = *rows as f64 - share * (row + 1) as f64;
                        assert!(
                            difference.abs() < 4.0,
                            "seed {seed}, row {row}: {difference}"
                        );
                    }
                    let worst = strata.largest_deviation(&shares, 0.0).unwrap();
                    let rows = worst.difference * worst.all_and_part_rows.0 as f64;
                    assert!(rows.abs() < 6.0, "seed {seed}, row {row}: {rows} rows");
                }
            }
            assert_eq!(strata.sorted_strata().len(), 3);
        }
    }

    #[test]
    fn the_first_rows_of_small_strata_go_to_all_parts() {
        let values: Vec<String> = (0..4000).map(|row| format!("{}", row / 2)).collect();
        let column: ArrayRef = Arc::new(StringArray::from(values));
        let rows = RecordBatch::try_from_iter([("id", column)]).unwrap();
        let mut strata = Strata::from_columns(&["id".to_owned()], &rows.schema(), 2).unwrap();
        let mut rng = Rng::new(1);
        let of_rows = strata.columns.of_rows(&rows).unwrap();
        for stratum in strata.indices_of(&of_rows).unwrap() {
            let part = strata.balanced_part(stratum, &[0.9, 0.1], rng.fraction());
            strata.count_row(stratum, part);
        }
        assert!(
            (397..=403).contains(&strata.rows_by_part[1]),
            "{:?}",
            strata.rows_by_part
        );
    }
}
