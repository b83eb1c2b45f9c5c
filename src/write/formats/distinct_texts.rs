//! Recognises text columns for which a Parquet dictionary is useless.

use std::collections::HashSet;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::DataType;

/// The number of values of a column that are compared. If a column has at most a hundred times as many distinct values,
/// a sample of this size almost always contains a repeated value.
const SAMPLE_VALUES: usize = 4096;

/// Whether the first values of a column are texts that all differ, such as ids, URLs or titles. For such texts, a
/// dictionary costs as much time as writing the values, and the Parquet writer discards it in the end.
pub(crate) fn are_distinct<'a>(arrays: impl Iterator<Item = &'a ArrayRef>) -> bool {
    let mut seen_values = HashSet::new();
    for array in arrays {
        let is_new = match array.data_type() {
            DataType::Utf8 => are_all_new(array.as_string::<i32>().iter(), &mut seen_values),
            DataType::LargeUtf8 => are_all_new(array.as_string::<i64>().iter(), &mut seen_values),
            _ => false,
        };
        if !is_new {
            return false;
        }
        if seen_values.len() == SAMPLE_VALUES {
            break;
        }
    }
    !seen_values.is_empty()
}

/// Whether these values differ from each other and from those in `seen_values`. Adds them to `seen_values`.
fn are_all_new<'a>(
    values: impl Iterator<Item = Option<&'a str>>,
    seen_values: &mut HashSet<&'a str>,
) -> bool {
    let room_left = SAMPLE_VALUES - seen_values.len();
    values
        .flatten()
        .take(room_left)
        .all(|value| seen_values.insert(value))
}

#[cfg(test)]
mod tests {
    use arrow::array::{Int32Array, LargeStringArray, StringArray};
    use std::sync::Arc;

    use super::*;

    fn are_strings_distinct(arrays: &[ArrayRef]) -> bool {
        are_distinct(arrays.iter())
    }

    #[test]
    fn ids_are_distinct_and_sources_are_not() {
        let text_array = |values: &[Option<&str>]| {
            Arc::new(values.iter().copied().collect::<StringArray>()) as ArrayRef
        };
        let ids = text_array(&[Some("1"), None, Some("2"), None]);
        let more_values = text_array(&[Some("3"), Some("4")]);
        let repeated_values = text_array(&[Some("5"), Some("2")]);
        assert!(are_strings_distinct(&[ids.clone(), more_values.clone()]));
        assert!(!are_strings_distinct(&[
            ids.clone(),
            more_values,
            repeated_values
        ]));
        assert!(!are_strings_distinct(&[text_array(&[
            Some("a.csv"),
            Some("a.csv")
        ])]));
        assert!(!are_strings_distinct(&[text_array(&[None, None])]));
        assert!(!are_strings_distinct(&[]));
        assert!(!are_strings_distinct(&[Arc::new(Int32Array::from(vec![
            1, 2
        ]))]));
        let large_strings: LargeStringArray = [Some("1"), Some("2")].into_iter().collect();
        assert!(are_strings_distinct(&[Arc::new(large_strings)]));
    }

    #[test]
    fn only_the_first_values_are_compared() {
        let ids = |from: usize, to: usize| -> ArrayRef {
            let ids = (from..to).map(|id| Some(id.to_string()));
            Arc::new(ids.collect::<StringArray>())
        };
        let half = SAMPLE_VALUES / 2;
        assert!(are_strings_distinct(&[
            ids(0, half),
            ids(half, SAMPLE_VALUES),
            ids(0, half)
        ]));
        assert!(are_strings_distinct(&[
            ids(0, 2 * SAMPLE_VALUES),
            ids(0, half)
        ]));
        assert!(!are_strings_distinct(&[
            ids(0, half),
            ids(half - 1, SAMPLE_VALUES)
        ]));
    }
}
