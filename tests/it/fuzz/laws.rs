//! Laws that hold for every condition: it is either refused with a reason, or true, false or null for each row,
//! whatever the other rows of the batch are.

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, BooleanArray, Date32Array, Float32Array, Float64Array, RecordBatch,
    StringArray, TimestampMicrosecondArray, UInt8Array, UInt64Array,
};
use sudoku_pipeline::table::filter::Filter;

/// A table with columns of the common types, including nulls and NaNs.
pub(crate) fn table() -> RecordBatch {
    let nan = f64::NAN;
    let ranks = [Some(1), None, Some(2), Some(3), Some(12), Some(255)];
    let nodes = [
        Some(0),
        Some(1),
        None,
        Some(7),
        Some(1 << 62),
        Some((1 << 63) - 1),
    ];
    let ratings = [
        Some(nan),
        Some(0.0),
        Some(-0.0),
        None,
        Some(2.5),
        Some(f64::INFINITY),
    ];
    let scores = [
        Some(0.1),
        None,
        Some(2.5),
        Some(f32::NAN),
        Some(-3.5),
        Some(1e30),
    ];
    let note_values = [
        Some(""),
        Some("a"),
        Some("12"),
        None,
        Some("bA"),
        Some("x%é"),
    ];
    let minimal = [
        Some(true),
        Some(false),
        None,
        Some(true),
        Some(false),
        Some(true),
    ];
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("rank", Arc::new(UInt8Array::from(ranks.to_vec()))),
        ("nodes", Arc::new(UInt64Array::from(nodes.to_vec()))),
        ("rating", Arc::new(Float64Array::from(ratings.to_vec()))),
        ("score", Arc::new(Float32Array::from(scores.to_vec()))),
        ("note", Arc::new(StringArray::from(note_values.to_vec()))),
        ("minimal", Arc::new(BooleanArray::from(minimal.to_vec()))),
        (
            "day",
            Arc::new(Date32Array::from(vec![
                Some(0),
                Some(4),
                None,
                Some(-1),
                Some(5),
                Some(19_000),
            ])),
        ),
        (
            "at",
            Arc::new(TimestampMicrosecondArray::from(vec![
                Some(0),
                None,
                Some(1_000_000),
                Some(-1),
                Some(1),
                Some(1 << 50),
            ])),
        ),
    ];
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    RecordBatch::try_from_iter_with_nullable(columns).unwrap()
}

/// For each row, whether the condition is true for it; or the error of parsing or evaluating the condition.
fn kept_rows(text: &str, table: &RecordBatch) -> Result<Vec<bool>, String> {
    let filter = Filter::new(text, &table.schema()).map_err(|error| error.to_string())?;
    let columns: Vec<ArrayRef> = filter
        .columns()
        .iter()
        .map(|at| table.column(*at).clone())
        .collect();
    let kept_rows = filter
        .keeps(table.num_rows(), &columns)
        .map_err(|error| error.to_string())?;
    assert_eq!(
        (kept_rows.len(), kept_rows.null_count()),
        (table.num_rows(), 0),
        "an answer for each row"
    );
    Ok((0..kept_rows.len())
        .map(|row| kept_rows.value(row))
        .collect())
}

/// Checks the laws for a condition, and panics if one does not hold. Returns a word for the kind of result.
pub(crate) fn check(text: &str, table: &RecordBatch) -> String {
    let kept_in_table = match kept_rows(text, table) {
        Ok(whole) => whole,
        Err(message) => {
            assert!(!message.is_empty(), "a refusal says why");
            return "refused".to_owned();
        }
    };
    for (row, is_kept) in kept_in_table.iter().enumerate() {
        let kept_alone = kept_rows(text, &table.slice(row, 1));
        assert_eq!(kept_alone, Ok(vec![*is_kept]), "row {row} alone");
    }
    // A line end is added, because the condition may end with a comment.
    let kept_by_law = |law: &str| kept_rows(&law.replace('E', &format!("({text}\n)")), table);
    if let (Ok(not), Ok(null)) = (kept_by_law("not E"), kept_by_law("E is null")) {
        for row in 0..table.num_rows() {
            let truth_values = [kept_in_table[row], not[row], null[row]];
            let count = truth_values.iter().filter(|answer| **answer).count();
            assert_eq!(
                count, 1,
                "row {row} is true, false or unknown: {truth_values:?}"
            );
        }
    }
    for law in [
        "E and E",
        "E or E",
        "not not E",
        "E and true",
        "E or false",
        "E is true",
        "true and E",
    ] {
        if let Ok(same) = kept_by_law(law) {
            assert_eq!(same, kept_in_table, "{law}");
        }
    }
    "evaluated".to_owned()
}
