//! Columns that are not of this program: what `SUMMARIZE` of SQL says of them.

use polars::prelude::*;
use serde_json::Value;

use super::engine::collect;
use super::groups::values;
use super::repeats::distinct;
use super::values::{at, whole};
use crate::error::Error;
use crate::report::statistics::{ColumnSummary, MOST_LISTED};

/// Summarises a column. Of lists and structs only nulls are counted.
pub(super) fn summarise(
    frame: &LazyFrame,
    name: &str,
    data_type: &DataType,
    rows: u64,
) -> Result<ColumnSummary, Error> {
    let column = || col(name);
    let is_number = data_type.is_primitive_numeric() || data_type.is_decimal();
    let is_plain = is_number
        || matches!(data_type, DataType::String | DataType::Boolean)
        || data_type.is_temporal()
        || matches!(data_type, DataType::Categorical(..) | DataType::Enum(..));
    let mut figures = vec![column().null_count().cast(DataType::UInt64).alias("nulls")];
    // The smallest and the largest of categories are those of their texts.
    let ordered = || match data_type {
        DataType::Categorical(..) | DataType::Enum(..) => column().cast(DataType::String),
        _ => column(),
    };
    if is_plain {
        figures.push(ordered().min().alias("min"));
        figures.push(ordered().max().alias("max"));
    }
    if is_number {
        figures.push(column().cast(DataType::Float64).mean().alias("mean"));
    }
    let figures = collect(frame.clone().select(figures))?;
    let mut summary = ColumnSummary {
        name: name.to_owned(),
        data_type: data_type.to_string(),
        nulls: whole(&figures, "nulls", 0).unwrap_or(0),
        min: at(&figures, "min", 0),
        max: at(&figures, "max", 0),
        mean: at(&figures, "mean", 0).as_f64(),
        ..ColumnSummary::default()
    };
    if !is_plain {
        return Ok(summary);
    }
    let different = distinct(frame, name, rows)?;
    summary.distinct = Some(different);
    if different <= MOST_LISTED as u64 {
        let frame = frame.clone().select([ordered().alias(name)]);
        summary.values = values(&frame, name, MOST_LISTED)?;
    }
    if is_number && different > 0 {
        let quartile = |share: f64, name: &str| {
            let method = QuantileMethod::Equiprobable;
            column().quantile(lit(share), method).alias(name)
        };
        let quartiles = [(0.25, "q25"), (0.5, "median"), (0.75, "q75")];
        let quartiles = quartiles.map(|(share, name)| quartile(share, name));
        let quartiles = collect(frame.clone().select(quartiles))?;
        let value = |name: &str| as_in(&summary.min, at(&quartiles, name, 0));
        (summary.q25, summary.median, summary.q75) = (value("q25"), value("median"), value("q75"));
    }
    Ok(summary)
}

/// A quartile as the column's own values are written: whole numbers without a fraction.
fn as_in(like: &Value, value: Value) -> Value {
    match (
        like.as_i64().or_else(|| like.as_u64().map(|n| n as i64)),
        value.as_f64(),
    ) {
        (Some(_), Some(number)) => Value::from(number as i64),
        _ => value,
    }
}
