//! Assigns rows to balanced parts: `--stratify`. The part of a new class depends on the rows before, so that the rows are
//! assigned one after the other.

use arrow::array::RecordBatch;

use super::SplitOutput;
use crate::error::Error;
use crate::sets::class_index::LookupResult;
use crate::sets::part_shares::class_fraction;
use crate::sets::row_places::RowPlace;
use crate::sets::waiting_rows::ResolvedRows;
use crate::table::class_key::ClassKey;
use crate::write::EncodeTask;

/// A bit that marks a position in the index as the number of a waiting row. A position without this bit is the index of
/// a part.
const WAITS_BIT: u64 = 1 << 63;

impl SplitOutput {
    /// For each row, the index of its part, chosen so that the parts are balanced. If the index of classes moves to
    /// disk, this row and all later rows wait.
    pub(super) fn balanced_parts(
        &mut self,
        rows: &RecordBatch,
        keys: &[ClassKey],
    ) -> Result<Vec<usize>, Error> {
        let Some(strata) = &mut self.strata else {
            return Ok(Vec::new());
        };
        let stratum_indices = strata.strata_of_rows(rows)?;
        let mut part_indices = Vec::with_capacity(keys.len());
        let mut fractions = Vec::new();
        for (key, stratum) in keys.iter().zip(stratum_indices) {
            let fraction = class_fraction(*key, self.split.seed);
            let part = strata.balanced_part(stratum, &self.part_shares, fraction);
            let waiting_place =
                RowPlace(WAITS_BIT | (self.waiting_rows.row_count() + fractions.len() as u64));
            let part =
                match self
                    .class_index
                    .add_or_wait(*key, RowPlace(part as u64), waiting_place)?
                {
                    LookupResult::New => {
                        self.part_tables[part].class_count += 1;
                        part
                    }
                    LookupResult::Again(first) => first.0 as usize,
                    LookupResult::Later => {
                        fractions.push(RowPlace(fraction.to_bits()));
                        continue;
                    }
                };
            strata.count_row(stratum, part);
            part_indices.push(part);
        }
        if !fractions.is_empty() {
            let undecided_rows = rows.slice(part_indices.len(), fractions.len());
            self.waiting_rows.push(Some(&undecided_rows), &fractions)?;
        }
        Ok(part_indices)
    }

    /// Writes the next batch of rows that waited for the index of classes; `None` if there is none.
    pub(super) fn write_waiting_rows(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        let Some(ResolvedRows {
            rows: Some(rows),
            places: fractions,
            firsts,
        }) = self.waiting_rows.next(&mut self.class_index)?
        else {
            return Ok(None);
        };
        let Some(strata) = &mut self.strata else {
            return Ok(None);
        };
        let stratum_indices = strata.strata_of_rows(&rows)?;
        let mut part_indices = Vec::with_capacity(stratum_indices.len());
        for ((stratum, fraction), first) in stratum_indices.into_iter().zip(fractions).zip(firsts) {
            let part = match first {
                None => {
                    let fraction = f64::from_bits(fraction.0);
                    let part = strata.balanced_part(stratum, &self.part_shares, fraction);
                    self.part_tables[part].class_count += 1;
                    part
                }
                Some(RowPlace(place)) if place & WAITS_BIT == 0 => place as usize,
                Some(RowPlace(place)) => {
                    let part = self.waiting_parts.get((place & !WAITS_BIT) as usize);
                    let part =
                        part.ok_or_else(|| Error::Internal("a row before its class".into()))?;
                    usize::from(*part)
                }
            };
            strata.count_row(stratum, part);
            self.waiting_parts.push(part as u16);
            part_indices.push(part);
        }
        self.write_parts(&rows, &part_indices).map(Some)
    }
}
