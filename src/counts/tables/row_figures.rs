//! The figures of rows that are counted by grouping them: of all rows, and of those with each value in a column.

use std::collections::HashMap;

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::DataType;
use polars::prelude::DataFrame;

use crate::counts::frames::aggregated_frames::AggregatedFrames;
use crate::counts::frames::aggregations::{AddGroup, BY};
use crate::counts::frames::columns::{key_column, key_json};
use crate::counts::statistics::{Breakdown, BreakdownGroup, MOST_GROUPS, Statistics};
use crate::error::Error;

/// The figures of all rows, and their breakdowns.
#[derive(Default)]
pub(crate) struct RowFigures {
    all: AggregatedFrames,
    breakdowns: Vec<BreakdownFrames>,
    /// The figures of earlier rows, whose groups were too many for frames.
    moved: Option<Box<Statistics>>,
}

/// The figures of the rows with each value in a column.
struct BreakdownFrames {
    column: String,
    data_type: DataType,
    /// `None` if the column has more than [`MOST_GROUPS`] values.
    frames: Option<AggregatedFrames>,
}

/// The maximum number of rows of all frames of a dataset. If they have more, they become statistics, which round numbers
/// with many different values.
pub(crate) const MOST_FRAME_ROWS: usize = 1 << 18;

impl RowFigures {
    /// Counts the rows of a frame, and those with each value in the columns `by`.
    ///
    /// # Errors
    ///
    /// The rows cannot be grouped, which is a bug.
    pub(crate) fn count<'a>(
        frame: &DataFrame,
        by: impl Iterator<Item = (&'a str, &'a ArrayRef)>,
    ) -> Result<RowFigures, Error> {
        let is_about_all = |add| matches!(add, AddGroup::Statistics(_) | AddGroup::Evaluation(_));
        let mut breakdowns = Vec::new();
        for (name, values) in by {
            let Some(keys) = key_column(BY, values) else {
                continue;
            };
            let mut frame = frame.clone();
            frame.with_column(keys)?;
            let is_breakdown = |add| matches!(add, AddGroup::Breakdown(_));
            let frames = AggregatedFrames::count(&frame, is_breakdown)?;
            breakdowns.push(BreakdownFrames {
                column: name.to_owned(),
                data_type: values.data_type().clone(),
                frames: Some(frames).filter(|of| of.groups_of("by") <= MOST_GROUPS),
            });
        }
        Ok(RowFigures {
            all: AggregatedFrames::count(frame, is_about_all)?,
            breakdowns,
            moved: None,
        })
    }

    /// Adds the figures of other rows of the same table.
    ///
    /// # Errors
    ///
    /// The groups cannot be merged, which is a bug.
    pub(crate) fn add(&mut self, other: RowFigures) -> Result<(), Error> {
        self.all.add(other.all)?;
        let other_moved = other.moved;
        if self.breakdowns.is_empty() {
            self.breakdowns = other.breakdowns;
        } else {
            for (own, other) in self.breakdowns.iter_mut().zip(other.breakdowns) {
                own.frames = match (own.frames.take(), other.frames) {
                    (Some(mut frames), Some(other)) => {
                        frames.add(other)?;
                        Some(frames).filter(|of| of.groups_of("by") <= MOST_GROUPS)
                    }
                    _ => None,
                };
            }
        }
        if let Some(other) = other_moved {
            self.add_moved(*other);
        }
        Ok(())
    }

    /// Adds the figures of other rows, whose groups were too many for frames.
    fn add_moved(&mut self, mut other: Statistics) {
        let moved = self.moved.get_or_insert_default();
        let mut by = std::mem::take(&mut moved.by);
        for breakdown in std::mem::take(&mut other.by) {
            match by.iter_mut().find(|own| own.column == breakdown.column) {
                Some(own) => {
                    for group in breakdown.groups {
                        own.group(&group.value.clone()).merge(group);
                    }
                    own.sort();
                }
                None => by.push(breakdown),
            }
        }
        for own in &mut self.breakdowns {
            let has_too_many = |by: &Breakdown| by.groups.len() > MOST_GROUPS;
            if (by.iter()).any(|by| by.column == own.column && has_too_many(by)) {
                own.frames = None;
            }
        }
        moved.merge(other);
        moved.by = by;
    }

    /// If the frames have more than `most_rows` rows, replaces them by statistics.
    ///
    /// # Errors
    ///
    /// The groups cannot be merged, which is a bug.
    pub(crate) fn limit_rows(&mut self, most_rows: usize) -> Result<(), Error> {
        let of_breakdowns = self.breakdowns.iter().filter_map(|of| of.frames.as_ref());
        let rows = of_breakdowns.map(AggregatedFrames::rows).sum::<usize>() + self.all.rows();
        if rows > most_rows {
            let mut moved = self.moved.take().unwrap_or_default();
            self.move_frames(&mut moved)?;
            self.moved = Some(moved);
        }
        Ok(())
    }

    /// Adds all figures to statistics, which have no breakdowns yet.
    ///
    /// # Errors
    ///
    /// The groups cannot be merged, which is a bug.
    pub(crate) fn add_to(mut self, statistics: &mut Statistics) -> Result<(), Error> {
        let Some(mut moved) = self.moved.take() else {
            return self.move_frames(statistics);
        };
        self.move_frames(&mut moved)?;
        let by = std::mem::take(&mut moved.by);
        statistics.merge(*moved);
        statistics.by = by;
        Ok(())
    }

    /// Adds the groups of all frames to the statistics, and forgets them. Columns with too many values stay marked, so
    /// that later batches do not count them.
    fn move_frames(&mut self, statistics: &mut Statistics) -> Result<(), Error> {
        std::mem::take(&mut self.all).visit_all(|add, group| match add {
            AddGroup::Statistics(add) => add(statistics, group),
            AddGroup::Evaluation(add) => {
                // Rows of other tables, and rows without a prediction, have no verdict.
                if group.has_all_keys() {
                    add(statistics.evaluation.get_or_insert_default(), group)?;
                }
                Ok(())
            }
            AddGroup::Breakdown(_) | AddGroup::Runs(_) => Ok(()),
        })?;
        for own in &mut self.breakdowns {
            let at = statistics.by.iter().position(|by| by.column == own.column);
            let mut breakdown = match at {
                Some(at) => statistics.by.remove(at),
                None => Breakdown {
                    column: own.column.clone(),
                    groups: Vec::new(),
                },
            };
            let Some(frames) = &mut own.frames else {
                continue;
            };
            std::mem::take(frames).add_to(&mut breakdown, &own.data_type)?;
            if breakdown.groups.len() > MOST_GROUPS {
                own.frames = None;
            } else {
                statistics
                    .by
                    .insert(at.unwrap_or(statistics.by.len()), breakdown);
            }
        }
        Ok(())
    }
}

impl AggregatedFrames {
    /// Adds the figures of groups of rows to a breakdown by a column of this type.
    fn add_to(self, breakdown: &mut Breakdown, data_type: &DataType) -> Result<(), Error> {
        let known = breakdown.groups.iter().enumerate();
        let mut group_by_value: HashMap<String, usize> = known
            .map(|(at, group)| (group.value.to_string(), at))
            .collect();
        self.visit_all(|add, group| {
            let AddGroup::Breakdown(add) = add else {
                return Ok(());
            };
            let value = key_json(&group.key(0), data_type);
            let at = *group_by_value.entry(value.to_string()).or_insert_with(|| {
                breakdown.groups.push(BreakdownGroup {
                    value,
                    ..BreakdownGroup::default()
                });
                breakdown.groups.len() - 1
            });
            add(&mut breakdown.groups[at], group)
        })?;
        breakdown.sort();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::UInt64Array;

    use super::*;
    use crate::counts::frames::columns::count_column;

    /// The statistics of rows `parts`, each with a number of nodes and a value in the column `key`.
    fn statistics(parts: &[Vec<(u64, u64)>], most_rows: usize) -> Statistics {
        // The parts are added to three totals, as several threads do.
        let mut totals = [(); 3].map(|()| RowFigures::default());
        for (at, part) in parts.iter().enumerate() {
            let nodes = count_column("nodes", part.iter().map(|row| Some(row.0)));
            let keys = part.iter().map(|row| row.1);
            let keys: ArrayRef = Arc::new(UInt64Array::from_iter_values(keys));
            let frame = DataFrame::new(part.len(), vec![nodes]).unwrap();
            let by = [("key", &keys)].into_iter();
            let figures = &mut totals[at * at % 3];
            figures.add(RowFigures::count(&frame, by).unwrap()).unwrap();
            figures.limit_rows(most_rows).unwrap();
        }
        let [mut figures, other, last] = totals;
        figures.add(other).unwrap();
        figures.add(last).unwrap();
        let mut statistics = Statistics {
            rows: parts.iter().map(|part| part.len() as u64).sum(),
            ..Statistics::default()
        };
        figures.add_to(&mut statistics).unwrap();
        statistics
    }

    #[test]
    fn the_limits_of_frames_do_not_change_the_figures() {
        let most_groups = MOST_GROUPS as u64;
        for (keys, has_breakdown) in [(3, true), (most_groups, true), (most_groups + 1, false)] {
            let rows: Vec<(u64, u64)> = (0..30_000).map(|n| (n * n, n % keys)).collect();
            let at_once = statistics(std::slice::from_ref(&rows), usize::MAX);
            assert_eq!(at_once.nodes.count(), 30_000);
            assert_eq!(at_once.by.len(), usize::from(has_breakdown));
            let parts: Vec<_> = rows.chunks(700).map(<[_]>::to_vec).collect();
            for most_rows in [0, 5_000, usize::MAX] {
                assert_eq!(statistics(&parts, most_rows), at_once, "{keys} {most_rows}");
            }
        }
    }
}
