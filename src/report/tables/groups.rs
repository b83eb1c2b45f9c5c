//! Rows grouped by columns of few values, from which all counts and cross-tables follow.

use std::collections::BTreeMap;

use polars::prelude::*;
use serde_json::Value;

use super::engine::collect;
use super::values::{at, text, whole};
use crate::error::{AnalysisError, Error};
use crate::report::statistics::{Breakdown, Histogram, MOST_GROUPS, Moments, Statistics, Uses};

/// The columns whose values are counted together. None of them has many values.
pub(super) const COUNTED: [&str; 5] = ["status", "solution_given", "technique", "level", "clues"];

/// Counts status, verdicts, levels, techniques and clues, and techniques by clues.
pub(super) fn count(
    frame: &LazyFrame,
    has: &dyn Fn(&str) -> bool,
    into: &mut Statistics,
) -> Result<(), Error> {
    let columns: Vec<&str> = COUNTED.into_iter().filter(|column| has(column)).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let by: Vec<Expr> = columns.iter().map(|column| col(*column)).collect();
    let groups = frame.clone().group_by(by).agg([len().alias("__rows")]);
    let groups = collect(groups)?;
    for row in 0..groups.height() {
        let rows = whole(&groups, "__rows", row).unwrap_or(0);
        let value = |column: &str| has(column).then(|| text(&groups, column, row)).flatten();
        for (column, counts) in [
            ("status", &mut into.status),
            ("solution_given", &mut into.solution_given),
            ("technique", &mut into.technique),
            ("level", &mut into.level),
        ] {
            if let Some(value) = value(column) {
                *counts.entry(value).or_default() += rows;
            }
        }
        let clues = has("clues").then(|| whole(&groups, "clues", row)).flatten();
        if let Some(clues) = clues {
            into.clues.add(clues, rows);
            if let Some(technique) = value("technique") {
                let by_clues = into.technique_by_clues.entry(technique).or_default();
                *by_clues.entry(clues).or_default() += rows;
            }
        }
    }
    Ok(())
}

/// The whole numbers of a column by how often they occur.
pub(super) fn histogram(frame: &LazyFrame, column: &str) -> Result<Histogram, Error> {
    let groups = frame
        .clone()
        .group_by([col(column)])
        .agg([len().alias("__rows")]);
    let groups = collect(groups)?;
    let mut histogram = Histogram::default();
    for row in 0..groups.height() {
        if let Some(value) = whole(&groups, column, row) {
            histogram.add(value, whole(&groups, "__rows", row).unwrap_or(0));
        }
    }
    Ok(histogram)
}

/// The sums of the columns of waves: in how many puzzles a technique is used, and how often.
fn sums_of_waves(techniques: &[String]) -> Vec<Expr> {
    let sums = techniques.iter().flat_map(|id| {
        let waves = || col(format!("waves_{id}")).cast(DataType::UInt64);
        [
            waves().sum().alias(format!("waves {id}")),
            waves()
                .gt(lit(0u64))
                .cast(DataType::UInt64)
                .sum()
                .alias(format!("puzzles {id}")),
        ]
    });
    sums.collect()
}

/// The uses of techniques in a row of such sums; those that are not used are left out.
fn uses_in(frame: &DataFrame, techniques: &[String], row: usize) -> BTreeMap<String, Uses> {
    let uses = techniques.iter().map(|id| {
        let uses = Uses {
            puzzles: whole(frame, &format!("puzzles {id}"), row).unwrap_or(0),
            waves: whole(frame, &format!("waves {id}"), row).unwrap_or(0),
        };
        (id.clone(), uses)
    });
    uses.filter(|(_, uses)| uses.waves > 0).collect()
}

/// How much each technique is used.
pub(super) fn uses(
    frame: &LazyFrame,
    techniques: &[String],
) -> Result<BTreeMap<String, Uses>, Error> {
    if techniques.is_empty() {
        return Ok(BTreeMap::new());
    }
    let sums = collect(frame.clone().select(sums_of_waves(techniques)))?;
    Ok(uses_in(&sums, techniques, 0))
}

/// The rows by the values of a column.
pub(super) fn breakdown(
    frame: &LazyFrame,
    column: &str,
    has: &dyn Fn(&str) -> bool,
    techniques: &[String],
) -> Result<Breakdown, Error> {
    let too_many = || AnalysisError::TooManyGroups {
        column: column.to_owned(),
        most: MOST_GROUPS,
    };
    // The group's own name, so that a column such as `level` can be the group and be counted.
    let group = || col(column).alias("__group");
    let mut sums = vec![len().alias("__rows")];
    for number in ["effort", "nodes"] {
        if has(number) {
            let values = || col(number).cast(DataType::UInt64);
            sums.push(values().sum().alias(format!("__sum {number}")));
            sums.push(values().count().alias(format!("__count {number}")));
        }
    }
    sums.extend(sums_of_waves(techniques));
    let summed = frame
        .clone()
        .group_by([group()])
        .agg(sums)
        .limit(MOST_GROUPS as IdxSize + 1);
    let summed = collect(summed)?;
    if summed.height() > MOST_GROUPS {
        return Err(too_many().into());
    }
    let mut breakdown = Breakdown {
        column: column.to_owned(),
        groups: Vec::new(),
    };
    for row in 0..summed.height() {
        let moments = |number: &str| Moments {
            count: whole(&summed, &format!("__count {number}"), row).unwrap_or(0),
            sum: whole(&summed, &format!("__sum {number}"), row).unwrap_or(0),
        };
        let group = breakdown.group(&at(&summed, "__group", row));
        group.rows += whole(&summed, "__rows", row).unwrap_or(0);
        group.effort = moments("effort");
        group.nodes = moments("nodes");
        group.uses = uses_in(&summed, techniques, row);
    }
    let columns = ["technique", "level", "clues"]
        .into_iter()
        .filter(|column| has(column));
    let mut by = vec![group()];
    by.extend(columns.map(col));
    let counted = collect(frame.clone().group_by(by).agg([len().alias("__rows")]))?;
    for row in 0..counted.height() {
        let rows = whole(&counted, "__rows", row).unwrap_or(0);
        let group = breakdown.group(&at(&counted, "__group", row));
        for (column, counts) in [
            ("technique", &mut group.technique),
            ("level", &mut group.level),
        ] {
            if let Some(value) = has(column).then(|| text(&counted, column, row)).flatten() {
                *counts.entry(value).or_default() += rows;
            }
        }
        if let Some(clues) = has("clues")
            .then(|| whole(&counted, "clues", row))
            .flatten()
        {
            group.clues.add(clues, rows);
        }
    }
    breakdown.sort();
    Ok(breakdown)
}

/// The values of a column and how often each occurs, from the smallest up, nulls left out; `None`
/// where there are more than so many.
pub(super) fn values(
    frame: &LazyFrame,
    column: &str,
    most: usize,
) -> Result<Option<Vec<(Value, u64)>>, Error> {
    let groups = frame
        .clone()
        .group_by([col(column)])
        .agg([len().alias("__rows")]);
    let groups = collect(groups.sort([column], SortMultipleOptions::default()))?;
    let values: Vec<(Value, u64)> = (0..groups.height())
        .map(|row| {
            (
                at(&groups, column, row),
                whole(&groups, "__rows", row).unwrap_or(0),
            )
        })
        .filter(|(value, _)| !value.is_null())
        .collect();
    Ok(Some(values).filter(|values| values.len() <= most))
}
