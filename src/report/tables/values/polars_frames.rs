//! Groups, counts, adds up and sorts the values of columns with polars.
//!
//! For builds without the feature `analytics`, each function has a plain version in the module that calls it.
//! Tests compare both versions.

use polars::prelude::{
    Column, DataFrame, IntoColumn, NamedFrom, PolarsResult, Series, SortMultipleOptions,
};

use super::KeySums;

const KEY_COLUMN: &str = "key";

/// The name of the column in which polars stores the number of rows of each group.
const COUNT_COLUMN: &str = "key_count";

/// Groups rows by the values of a column, counts the rows of each group, and sorts the groups by value.
fn count_keys(keys: Series) -> PolarsResult<DataFrame> {
    let height = keys.len();
    let key_column = keys.into_column();
    let frame = DataFrame::new(height, vec![key_column.clone()])?;
    let groups = frame.group_by_with_series(vec![key_column], false, false)?;
    let groups = groups.select([KEY_COLUMN]);
    let counts = groups.count()?;
    counts.sort(
        [KEY_COLUMN],
        SortMultipleOptions::new().with_multithreaded(false),
    )
}

/// Counts how often each number occurs. The numbers are in ascending order.
pub(crate) fn count_numbers(keys: &[i64]) -> PolarsResult<Vec<(i64, u64)>> {
    let frame = count_keys(Series::new(KEY_COLUMN.into(), keys))?;
    let (keys, counts) = (
        frame.column(KEY_COLUMN)?.i64()?,
        frame.column(COUNT_COLUMN)?.u32()?,
    );
    let pairs = keys.iter().zip(counts.iter());
    let pairs = pairs.filter_map(|(key, count)| Some((key?, u64::from(count?))));
    Ok(pairs.collect())
}

/// Counts how often each text occurs. Texts are ordered by their bytes.
pub(crate) fn count_texts(texts: &[&str]) -> PolarsResult<Vec<(String, u64)>> {
    let frame = count_keys(Series::new(KEY_COLUMN.into(), texts))?;
    let (keys, counts) = (
        frame.column(KEY_COLUMN)?.str()?,
        frame.column(COUNT_COLUMN)?.u32()?,
    );
    let pairs = keys.iter().zip(counts.iter());
    let pairs = pairs.filter_map(|(key, count)| Some((key?.to_owned(), u64::from(count?))));
    Ok(pairs.collect())
}

/// For each pair of keys, adds up the columns over the rows with these keys. The pairs are in the order of their first
/// rows.
pub(crate) fn sum_by_keys(
    keys: [&[Option<&str>]; 2],
    numbers: &[Vec<Option<u64>>],
) -> PolarsResult<Vec<KeySums>> {
    let [one, other] = keys;
    let height = one.len();
    let key_series: Vec<Column> = [("one", one), ("other", other)]
        .map(|(name, texts)| Series::new(name.into(), texts).into_column())
        .into();
    let ones_column = vec![Some(1); height];
    let names: Vec<String> = (0..=numbers.len()).map(|at| format!("n{at}")).collect();
    let columns = numbers.iter().chain([&ones_column]).zip(&names);
    let columns = columns
        .map(|(values, name)| Series::new(name.as_str().into(), values.as_slice()).into_column());
    let frame = DataFrame::new(height, columns.collect())?;
    let groups = frame.group_by_with_series(key_series, false, true)?;
    let groups = groups.select(&names);
    #[expect(
        deprecated,
        reason = "the other way needs lazy frames, which take minutes to build"
    )]
    let sums_frame = groups.sum()?;
    let key_columns = [
        sums_frame.column("one")?.str()?,
        sums_frame.column("other")?.str()?,
    ];
    let columns: Vec<_> = (names.iter())
        .map(|name| sums_frame.column(&format!("{name}_sum"))?.u64())
        .collect::<PolarsResult<_>>()?;
    let row = |row: usize| {
        let row_keys = key_columns.map(|texts| texts.get(row).map(str::to_owned));
        let row_sums = columns.iter().map(|column| column.get(row).unwrap_or(0));
        (row_keys, row_sums.collect())
    };
    Ok((0..sums_frame.height()).map(row).collect())
}
