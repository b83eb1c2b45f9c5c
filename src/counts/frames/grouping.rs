//! The group-by of all aggregations.

use std::borrow::Cow;

use polars::prelude::{
    AnyValue, Column, DataFrame, GroupsIndicator, IdxSize, IntoColumn, PolarsResult, Series,
};

use crate::counts::frames::columns::text_series;

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
}

/// Groups of rows: the keys and the measures of each.
#[derive(Default)]
pub(crate) struct GroupedRows {
    /// The number of groups.
    pub(crate) len: usize,
    /// The key columns, with a row for each group.
    pub(crate) keys: Vec<Series>,
    /// For each measure, its value for each group.
    pub(crate) measures: Vec<Vec<u64>>,
}

impl GroupedRows {
    /// The first measure of each group.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.measures.iter().take(1).flatten().copied()
    }
}

/// Groups the rows of a frame by the values of the key columns. A null is a key too. Without keys, all rows are one group.
pub(crate) fn group(
    frame: &DataFrame,
    keys: &[&str],
    measures: &[&Measure],
) -> PolarsResult<GroupedRows> {
    let keys = keys
        .iter()
        .map(|key| Ok(frame.column(key)?.as_materialized_series()));
    let keys = keys.collect::<PolarsResult<Vec<_>>>()?;
    let groups = RowGroups::by_keys(frame.height(), &keys)?;
    let measures = measures
        .iter()
        .map(|measure| measure_groups(frame, &groups, measure));
    Ok(GroupedRows {
        len: groups.first_rows.len(),
        keys: groups.first_values(&keys)?,
        measures: measures.collect::<PolarsResult<_>>()?,
    })
}

/// Merges groups that [`group`] has made with the same keys and measures.
pub(crate) fn merge(parts: Vec<GroupedRows>) -> PolarsResult<GroupedRows> {
    let mut parts = parts.into_iter();
    let mut stacked = parts.next().unwrap_or_default();
    for part in parts {
        stacked.len += part.len;
        for (own, other) in stacked.keys.iter_mut().zip(part.keys) {
            own.append(&other)?;
        }
        for (own, other) in stacked.measures.iter_mut().zip(part.measures) {
            own.extend(other);
        }
    }
    let keys: Vec<Series> = stacked.keys.iter().map(|key| key.rechunk()).collect();
    let keys: Vec<&Series> = keys.iter().collect();
    let groups = RowGroups::by_keys(stacked.len, &keys)?;
    // All measures are counts or sums, and are merged by addition.
    let measures = stacked.measures.iter();
    let measures = measures.map(|values| groups.sums(values.iter().copied()));
    // Text keys share the buffers of all rows of all parts. They are copied, so that these can be freed.
    let copied = groups.first_values(&keys)?.into_iter().map(|key| {
        let copy = key
            .str()
            .ok()
            .map(|texts| text_series(key.name(), texts.iter()));
        copy.unwrap_or(key)
    });
    Ok(GroupedRows {
        len: groups.first_rows.len(),
        measures: measures.collect(),
        keys: copied.collect(),
    })
}

/// The maximum number of rows whose keys are compared with each other. polars takes longer for them, because it hashes the
/// keys of all columns together.
const MOST_COMPARED_ROWS: usize = 32;

/// The group of each row.
struct RowGroups {
    /// The index of the group that each row belongs to.
    group_of_row: Vec<IdxSize>,
    /// The first row of each group.
    first_rows: Vec<IdxSize>,
}

impl RowGroups {
    fn by_keys(rows: usize, keys: &[&Series]) -> PolarsResult<RowGroups> {
        if keys.is_empty() {
            return Ok(RowGroups {
                group_of_row: vec![0; rows],
                first_rows: if rows == 0 { Vec::new() } else { vec![0] },
            });
        }
        if rows <= MOST_COMPARED_ROWS {
            RowGroups::by_comparison(rows, keys)
        } else {
            RowGroups::by_hash(rows, keys)
        }
    }

    /// Compares the keys of each row with those of the groups before it.
    fn by_comparison(rows: usize, keys: &[&Series]) -> PolarsResult<RowGroups> {
        let mut groups = RowGroups {
            group_of_row: Vec::with_capacity(rows),
            first_rows: Vec::new(),
        };
        let mut keys_of_groups: Vec<AnyValue<'_>> = Vec::new();
        for row in 0..rows {
            let own_keys = keys.iter().map(|key| key.get(row));
            let own_keys = own_keys.collect::<PolarsResult<Vec<_>>>()?;
            let known = keys_of_groups
                .chunks(keys.len())
                .position(|known| known == own_keys);
            let group = known.unwrap_or(groups.first_rows.len());
            if group == groups.first_rows.len() {
                groups.first_rows.push(row as IdxSize);
                keys_of_groups.extend(own_keys);
            }
            groups.group_of_row.push(group as IdxSize);
        }
        Ok(groups)
    }

    fn by_hash(rows: usize, keys: &[&Series]) -> PolarsResult<RowGroups> {
        let keys = keys.iter().map(|key| Series::clone(key).into_column());
        let keys: Vec<Column> = keys.collect();
        let frame = DataFrame::new(rows, keys.clone())?;
        // The worker that counts a batch is one of several, so each group-by takes a single thread.
        let found = frame.group_by_with_series(keys, false, false)?;
        let found = found.into_groups();
        let mut group_of_row = vec![0; rows];
        for (group, found) in found.iter().enumerate() {
            match found {
                GroupsIndicator::Idx((_, rows)) => {
                    for row in rows.iter() {
                        group_of_row[*row as usize] = group as IdxSize;
                    }
                }
                GroupsIndicator::Slice([first, rows]) => {
                    group_of_row[first as usize..][..rows as usize].fill(group as IdxSize);
                }
            }
        }
        Ok(RowGroups {
            group_of_row,
            first_rows: found.iter().map(|group| group.first()).collect(),
        })
    }

    /// The values of the first row of each group.
    fn first_values(&self, columns: &[&Series]) -> PolarsResult<Vec<Series>> {
        let columns = columns.iter();
        columns
            .map(|column| column.take_slice(&self.first_rows))
            .collect()
    }

    /// The sum of the values of each group, at most [`u64::MAX`].
    fn sums(&self, values: impl Iterator<Item = u64>) -> Vec<u64> {
        let mut sums = vec![0u64; self.first_rows.len()];
        for (group, value) in self.group_of_row.iter().zip(values) {
            let sum = &mut sums[*group as usize];
            *sum = sum.saturating_add(value);
        }
        sums
    }
}

fn measure_groups(
    frame: &DataFrame,
    groups: &RowGroups,
    measure: &Measure,
) -> PolarsResult<Vec<u64>> {
    let Some(column) = measure.column() else {
        return Ok(groups.sums(groups.group_of_row.iter().map(|_| 1)));
    };
    let measured = |number: Option<u64>| match (measure, number) {
        (_, None) => 0,
        (Measure::Sum(_), Some(number)) => number,
        (Measure::Positive(_), Some(0)) => 0,
        (_, Some(_)) => 1,
    };
    Ok(groups.sums(frame.column(column)?.u64()?.iter().map(measured)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use polars::prelude::{BooleanChunked, Float64Chunked, NewChunkedArray};

    use super::*;
    use crate::counts::frames::columns::{count_column, number_column, text_column};

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

    fn read_groups(groups: &GroupedRows) -> BTreeMap<(Option<String>, u64), [u64; 4]> {
        let [texts, numbers] = groups.keys.as_slice() else {
            unreachable!("two keys");
        };
        let (texts, numbers) = (texts.str().unwrap(), numbers.u64().unwrap());
        let group = |group: usize| {
            let text = texts.get(group).map(str::to_owned);
            let measures = [0, 1, 2, 3].map(|measure: usize| groups.measures[measure][group]);
            ((text, numbers.get(group).unwrap()), measures)
        };
        (0..groups.len).map(group).collect()
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
        let measures = measures();
        let measures = measures.each_ref();
        for rows in [&rows[..0], &rows[..1], &rows[..40], &rows] {
            let keys = ["text", "number"];
            let grouped = group(&frame(rows), &keys, &measures).unwrap();
            assert_eq!(read_groups(&grouped), group_plainly(rows));
            for size in [7, 50] {
                let none = group(&frame(&[]), &keys, &measures).unwrap();
                let parts = rows.chunks(size);
                let parts = parts.map(|part| group(&frame(part), &keys, &measures).unwrap());
                let merged = merge([none].into_iter().chain(parts).collect()).unwrap();
                assert_eq!(read_groups(&merged), group_plainly(rows));
            }
            let all = group(&frame(rows), &[], &[&Measure::Rows]).unwrap();
            let sums = if rows.is_empty() {
                vec![]
            } else {
                vec![rows.len() as u64]
            };
            assert_eq!((all.len, &all.measures), (sums.len(), &vec![sums.clone()]));
        }
    }

    /// The index of the first row of the group of each row, which does not depend on the order of the groups.
    fn first_of_each(groups: &RowGroups) -> Vec<IdxSize> {
        let of_rows = groups.group_of_row.iter();
        of_rows
            .map(|group| groups.first_rows[*group as usize])
            .collect()
    }

    #[test]
    fn comparing_keys_makes_the_groups_that_hashing_makes() {
        let some = |at: usize| [Some(at % 3), None, Some(at % 2)][at % 7 % 3];
        let texts =
            (0..40).map(|at| some(at).map(|of| ["", "level", "a text of more than 12 bytes"][of]));
        let floats = [0.0, -0.0, f64::NAN, -f64::NAN, f64::INFINITY, 1.5];
        let floats = (0..40).map(|at| (at % 11 != 3).then(|| floats[at * at % 6]));
        let columns = [
            text_column("text", texts),
            count_column("count", (0..40).map(|at| some(at + 2).map(|of| of as u64))),
            number_column("number", (0..40).map(|at| i64::from(at % 5) - 2).collect()),
            Float64Chunked::from_iter_options("float".into(), floats).into_column(),
            BooleanChunked::from_iter_options(
                "boolean".into(),
                (0..40).map(|at| some(at).map(|of| of > 0)),
            )
            .into_column(),
        ];
        for first in 0..columns.len() {
            for last in first..columns.len() {
                for rows in [0, 1, 2, 5, 40] {
                    let keys = columns[first..=last].iter().map(|key| key.head(Some(rows)));
                    let keys: Vec<Series> = keys.map(Column::take_materialized_series).collect();
                    let keys: Vec<&Series> = keys.iter().collect();
                    let compared = RowGroups::by_comparison(rows, &keys).unwrap();
                    let hashed = RowGroups::by_hash(rows, &keys).unwrap();
                    assert_eq!(first_of_each(&compared), first_of_each(&hashed), "{keys:?}");
                    assert_eq!(compared.first_rows.len(), hashed.first_rows.len());
                }
            }
        }
    }
}
