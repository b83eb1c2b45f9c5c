//! Tables of rejects.

use std::collections::BTreeMap;

use polars::prelude::*;

use super::engine::collect;
use super::values::{text, whole};
use crate::error::Error;
use crate::report::statistics::{FIRST_REJECTS, RejectExample, RejectsOfKind};

/// The rejects of these tables by their errors.
pub(super) fn count(frame: &LazyFrame) -> Result<BTreeMap<String, RejectsOfKind>, Error> {
    let groups = frame
        .clone()
        .group_by([col("error")])
        .agg([len().alias("__rows")]);
    let groups = collect(groups)?;
    let mut all = BTreeMap::new();
    for row in 0..groups.height() {
        let error = text(&groups, "error", row).unwrap_or_else(|| "null".to_owned());
        let first = frame
            .clone()
            .filter(col("error").eq_missing(lit(error.as_str())));
        let first = collect(first.limit(FIRST_REJECTS as IdxSize))?;
        let examples = (0..first.height()).map(|row| {
            RejectExample {
                source: text(&first, "source", row).unwrap_or_default(),
                row: whole(&first, "row", row),
                line: whole(&first, "line", row),
                message: text(&first, "message", row).unwrap_or_default(),
                raw: text(&first, "raw", row).unwrap_or_default(),
            }
            .cut()
        });
        let rejects = RejectsOfKind {
            rows: whole(&groups, "__rows", row).unwrap_or(0),
            first: examples.collect(),
        };
        all.insert(error, rejects);
    }
    Ok(all)
}
