//! Several tables as one: their columns by name, nulls where a table does not have a column.

use polars::prelude::*;

use super::engine::failed;
use super::open::OpenedTable;
use crate::error::{AnalysisError, Error};

/// The rows of all tables, one table after the other.
pub(super) fn union(tables: &[&OpenedTable]) -> Result<(LazyFrame, Schema), Error> {
    let mut all = Schema::default();
    let mut first: Vec<&str> = Vec::new();
    for table in tables {
        for (name, data_type) in table.schema.iter() {
            match all.get_full(name) {
                None => {
                    all.with_column(name.clone(), data_type.clone());
                    first.push(&table.name);
                }
                Some((at, _, known)) => {
                    let together =
                        together(known, data_type).ok_or_else(|| AnalysisError::TypesDiffer {
                            column: name.to_string(),
                            one: known.to_string(),
                            first: first.get(at).copied().unwrap_or_default().to_owned(),
                            other: data_type.to_string(),
                            second: table.name.clone(),
                        })?;
                    all.with_column(name.clone(), together);
                }
            }
        }
    }
    if let [table] = tables {
        return Ok((table.frame.clone(), all));
    }
    let frames: Vec<LazyFrame> = (tables.iter())
        .map(|table| {
            let columns: Vec<Expr> = (all.iter())
                .map(|(name, data_type)| {
                    let values = match table.schema.get(name) {
                        Some(own) if own == data_type => return col(name.clone()),
                        Some(_) => col(name.clone()),
                        None => lit(NULL),
                    };
                    values.cast(data_type.clone()).alias(name.clone())
                })
                .collect();
            table.frame.clone().select(columns)
        })
        .collect();
    let options = UnionArgs {
        rechunk: false,
        maintain_order: true,
        ..UnionArgs::default()
    };
    let frame = concat(frames, options).map_err(|error| failed(&error))?;
    Ok((frame, all))
}

/// A type that holds the values of both.
fn together(one: &DataType, other: &DataType) -> Option<DataType> {
    let is_text = |data_type: &DataType| {
        matches!(
            data_type,
            DataType::String | DataType::Categorical(..) | DataType::Enum(..)
        )
    };
    match (one, other) {
        _ if one == other => Some(one.clone()),
        (DataType::Null, known) | (known, DataType::Null) => Some(known.clone()),
        _ if one.is_integer() && other.is_integer() => Some(DataType::Int64),
        _ if one.is_primitive_numeric() && other.is_primitive_numeric() => Some(DataType::Float64),
        _ if is_text(one) && is_text(other) => Some(DataType::String),
        _ => None,
    }
}
