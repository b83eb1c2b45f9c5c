//! The counts of a split for its manifest, and the warning about parts that are not balanced well.

use serde_json::{Map, Value, json};

use super::SplitOutput;
use super::balanced::Balance;
use crate::numbers::thousands;
use crate::sets::strata::StratumDeviation;

/// The largest deviation, in rows, that causes no warning. It is the deviation of a part's rows in a stratum from the
/// part's share of the stratum.
const LARGEST_UNWARNED_DEVIATION_ROWS: f64 = 3.0;

impl SplitOutput {
    /// The counts of the split, as fields of its manifest.
    pub(super) fn manifest(&self) -> Map<String, Value> {
        let rows: u64 = self.part_tables.iter().map(|table| table.row_count).sum();
        let share = |part: u64, of: u64| part as f64 / (of as f64).max(1.0);
        let parts_and_tables = self.split.parts.iter().zip(&self.part_tables);
        let parts_and_tables = parts_and_tables.zip(self.folder.files());
        let part_values: Vec<Value> = parts_and_tables
            .zip(&self.part_shares)
            .map(|(((part, table), file), asked)| {
                json!({
                    "name": part.name,
                    "file": file,
                    "share": asked,
                    "rows": table.row_count,
                    "classes": table.class_count,
                    "share_of_rows": share(table.row_count, rows),
                })
            })
            .collect();
        let mut manifest = Map::new();
        manifest.insert("version".into(), crate::VERSION.into());
        manifest.extend(self.split.about.clone());
        manifest.insert("seed".into(), self.split.seed.into());
        manifest.insert("rows".into(), rows.into());
        // Every row was looked up in the index, and a class in two parts would have been an error. The number of
        // classes is therefore exact.
        manifest.insert("classes".into(), self.class_index.class_count().into());
        manifest.insert("classes_in_two_parts".into(), 0.into());
        self.fallback_counts.write_to(&mut manifest);
        manifest.insert("parts".into(), part_values.into());
        if let Some(balancer) = &self.balancer {
            let balance = balancer.balance();
            let strata = &balance.strata;
            let values: Vec<Value> = (strata.sorted_strata().into_iter())
                .map(|stratum| {
                    let all_rows = stratum.row_count;
                    let parts_and_rows = self.split.parts.iter().zip(&stratum.rows_by_part);
                    let part_shares: Map<String, Value> = parts_and_rows
                        .map(|(part, rows)| {
                            let counts = json!({ "rows": rows, "share": share(*rows, all_rows) });
                            (part.name.clone(), counts)
                        })
                        .collect();
                    json!({ "value": stratum.value, "rows": all_rows, "parts": part_shares })
                })
                .collect();
            manifest.insert("stratify".into(), strata.column_names().into());
            manifest.insert("strata".into(), values.into());
            let largest = strata.largest_deviation(&self.part_shares, 0.0);
            manifest.insert("largest_deviation".into(), deviation_share(largest).into());
        }
        manifest
    }

    /// The largest difference between a part's actual and its requested share of a stratum.
    pub(super) fn largest_deviation_share(&self, balance: &Balance) -> f64 {
        deviation_share(balance.strata.largest_deviation(&self.part_shares, 0.0))
    }

    /// A warning about the stratum with the largest deviation from the requested shares; `None` if the deviation
    /// is only a few rows.
    pub(super) fn deviation_warning(&self, balance: &Balance) -> Option<String> {
        let strata = &balance.strata;
        let deviation =
            strata.largest_deviation(&self.part_shares, LARGEST_UNWARNED_DEVIATION_ROWS)?;
        if deviation.difference.abs() <= 0.01 {
            return None;
        }
        let (all, rows) = deviation.all_and_part_rows;
        let share = self.part_shares[deviation.part];
        Some(format!(
            "{} has {} of the {} rows of {}={} ({:.1} % instead of {:.1} %): their classes are large, and \
             stay whole (see the manifest)",
            self.split.parts[deviation.part].name,
            thousands(rows),
            thousands(all),
            strata.column_names(),
            deviation.value,
            100.0 * (share + deviation.difference),
            100.0 * share,
        ))
    }
}

fn deviation_share(largest: Option<StratumDeviation<'_>>) -> f64 {
    largest.map_or(0.0, |found| found.difference.abs())
}
