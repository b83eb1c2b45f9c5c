//! The group-by of all aggregations.

use std::borrow::Cow;

use polars::prelude::{
    Column, DataFrame, GroupsIndicator, GroupsType, IdxSize, IntoColumn, PolarsResult, StaticArray,
    UInt64Chunked,
};

use crate::counts::frames::columns::text_column;

/// What is computed of the rows of each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The number of rows.
    Rows,
    /// The sum of the numbers in this column. It is [`u64::MAX`] if it is too large.
    Sum(Cow<'static, str>),
    /// The number of rows in which this column is not null.
    Known(Cow<'static, str>),
    /// The number of rows in which this column is above 0.
    Positive(Cow<'static, str>),
}

impl Measure {
    /// The column whose values are measured; `None` for the number of rows.
    pub(crate) fn column(&self) -> Option<&str> {
        match self {
            Measure::Rows => None,
            Measure::Sum(column) | Measure::Known(column) | Measure::Positive(column) => {
                Some(column)
            }
        }
    }

    /// The name of the column that the measure has in a grouped frame.
    pub(crate) fn name(&self) -> String {
        match self {
            Measure::Rows => "rows".to_owned(),
            Measure::Sum(column) => format!("sum of {column}"),
            Measure::Known(column) => format!("known {column}"),
            Measure::Positive(column) => format!("positive {column}"),
        }
    }
}

/// Groups the rows of a frame by the values of the key columns. The result has a row for each group, with its keys and
/// its measures. A null is a key too. Without keys, all rows are one group.
pub(crate) fn group(
    frame: &DataFrame,
    keys: &[&str],
    measures: &[Measure],
) -> PolarsResult<DataFrame> {
    let named_measures = measures.iter().map(|measure| (measure.name(), measure));
    group_named(frame, keys, &named_measures.collect::<Vec<_>>())
}

/// Merges frames that [`group`] has made with these keys and measures.
pub(crate) fn merge(
    parts: Vec<DataFrame>,
    keys: &[&str],
    measures: &[Measure],
) -> PolarsResult<DataFrame> {
    let mut parts = parts.into_iter();
    let mut stacked = parts.next().unwrap_or_default();
    for part in parts {
        stacked.vstack_mut_owned(part)?;
    }
    stacked.rechunk_mut();
    // All measures are counts or sums, and are merged by addition.
    let sums = measures.iter().map(|measure| {
        let name = measure.name();
        (name.clone(), Measure::Sum(name.into()))
    });
    let sums: Vec<(String, Measure)> = sums.collect();
    let sums = sums.iter().map(|(name, sum)| (name.clone(), sum));
    let mut merged = group_named(&stacked, keys, &sums.collect::<Vec<_>>())?;
    // Text keys share the buffers of all rows of all parts. They are copied, so that these can be freed.
    for key in keys {
        if let Ok(texts) = merged.column(key)?.str() {
            let texts = text_column(key, texts.iter());
            merged.with_column(texts)?;
        }
    }
    Ok(merged)
}

fn group_named(
    frame: &DataFrame,
    keys: &[&str],
    measures: &[(String, &Measure)],
) -> PolarsResult<DataFrame> {
    let key_columns = frame.select_to_vec(keys)?;
    let groups = match (key_columns.is_empty(), frame.height()) {
        (true, 0) => GroupsType::new_slice(Vec::new(), false, true).into_sliceable(),
        (true, rows) => {
            GroupsType::new_slice(vec![[0, rows as IdxSize]], false, true).into_sliceable()
        }
        // The worker that counts a batch is one of several, so each group-by takes a single thread.
        (false, _) => {
            let grouped = frame.group_by_with_series(key_columns.clone(), false, false)?;
            grouped.into_groups()
        }
    };
    let first_rows: Vec<IdxSize> = groups.iter().map(|group| group.first()).collect();
    let mut columns = Vec::with_capacity(keys.len() + measures.len());
    for key in key_columns {
        columns.push(key.take_slice(&first_rows)?);
    }
    for (name, measure) in measures {
        columns.push(measure_groups(frame, &groups, name, measure)?);
    }
    DataFrame::new(first_rows.len(), columns)
}

fn measure_groups(
    frame: &DataFrame,
    groups: &GroupsType,
    name: &str,
    measure: &Measure,
) -> PolarsResult<Column> {
    let mut results = Vec::with_capacity(groups.len());
    match measure.column() {
        None => results.extend(groups.iter().map(|group| group.len() as u64)),
        Some(column) => {
            let numbers = frame.column(column)?.u64()?.rechunk();
            let numbers = numbers.downcast_as_array();
            let measure_row = |row: usize| match (measure, numbers.get(row)) {
                (_, None) => 0,
                (Measure::Sum(_), Some(number)) => number,
                (Measure::Positive(_), Some(0)) => 0,
                (_, Some(_)) => 1,
            };
            let add = |sum: u64, row: usize| sum.saturating_add(measure_row(row));
            results.extend(groups.iter().map(|group| match group {
                GroupsIndicator::Idx((_, rows)) => {
                    rows.iter().fold(0, |sum, row| add(sum, *row as usize))
                }
                GroupsIndicator::Slice([first, rows]) => {
                    (first..first + rows).fold(0, |sum, row| add(sum, row as usize))
                }
            }));
        }
    }
    Ok(UInt64Chunked::from_vec(name.into(), results).into_column())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::counts::frames::columns::count_column;

    /// A row: two keys and a number.
    type Row = (Option<&'static str>, u64, Option<u64>);

    fn frame(rows: &[Row]) -> DataFrame {
        let columns = vec![
            text_column("text", rows.iter().map(|row| row.0)),
            count_column("number", rows.iter().map(|row| Some(row.1))),
            count_column("value", rows.iter().map(|row| row.2)),
        ];
        DataFrame::new(rows.len(), columns).unwrap()
    }

    fn measures() -> [Measure; 4] {
        [
            Measure::Rows,
            Measure::Sum("value".into()),
            Measure::Known("value".into()),
            Measure::Positive("value".into()),
        ]
    }

    /// Groups rows by both keys in plain code.
    fn group_plainly(rows: &[Row]) -> BTreeMap<(Option<String>, u64), [u64; 4]> {
        let mut groups: BTreeMap<_, [u64; 4]> = BTreeMap::new();
        for (text, number, value) in rows {
            let group = groups.entry((text.map(str::to_owned), *number));
            let [rows, sum, known, positive] = group.or_default();
            *rows += 1;
            *sum = sum.saturating_add(value.unwrap_or(0));
            *known += u64::from(value.is_some());
            *positive += u64::from(value.is_some_and(|of| of > 0));
        }
        groups
    }

    fn read_groups(frame: &DataFrame) -> BTreeMap<(Option<String>, u64), [u64; 4]> {
        let number = |name: &str, row: usize| {
            let column = frame.column(name).unwrap().u64().unwrap();
            column.get(row).unwrap()
        };
        let texts = frame.column("text").unwrap().str().unwrap();
        let group_in_row = |row: usize| {
            let keys = (texts.get(row).map(str::to_owned), number("number", row));
            (keys, measures().map(|measure| number(&measure.name(), row)))
        };
        (0..frame.height()).map(group_in_row).collect()
    }

    #[test]
    fn groups_have_the_counts_and_sums_of_their_rows_in_one_frame_and_in_several() {
        let mut state = 7u64;
        let mut next = |most: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) % most
        };
        let rows: Vec<Row> = (0..3000)
            .map(|_| {
                let text = [
                    None,
                    Some(""),
                    Some("easy"),
                    Some("a text of more than 12 bytes"),
                ];
                let value = [None, Some(0), Some(3), Some(u64::MAX)][next(4) as usize];
                (text[next(4) as usize], next(5) * (u64::MAX / 4), value)
            })
            .collect();
        for rows in [&rows[..0], &rows[..1], &rows[..40], &rows] {
            let keys = ["text", "number"];
            let grouped = group(&frame(rows), &keys, &measures()).unwrap();
            assert_eq!(read_groups(&grouped), group_plainly(rows));
            let parts = rows
                .chunks(7)
                .map(|part| group(&frame(part), &keys, &measures()).unwrap());
            let parts = [grouped.head(Some(0))].into_iter().chain(parts).collect();
            let merged = merge(parts, &keys, &measures()).unwrap();
            assert_eq!(read_groups(&merged), group_plainly(rows));
            let all = group(&frame(rows), &[], &[Measure::Rows]).unwrap();
            assert_eq!(all.height(), usize::from(!rows.is_empty()));
        }
    }
}
