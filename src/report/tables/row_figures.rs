//! The figures of rows that are counted by grouping them: of all rows, and of those with each value in a column.

use std::collections::HashMap;

use arrow::array::{Array, ArrayRef};
use arrow::datatypes::DataType;
use polars::prelude::DataFrame;

use crate::error::Error;
use crate::report::frames::aggregated_frames::AggregatedFrames;
use crate::report::frames::aggregations::{AddGroup, BY};
use crate::report::frames::columns::{key_column, key_json};
use crate::report::statistics::{Breakdown, BreakdownGroup, MOST_GROUPS, Statistics};

/// The figures of all rows, and their breakdowns.
#[derive(Default)]
pub(crate) struct RowFigures {
    all: AggregatedFrames,
    breakdowns: Vec<BreakdownFrames>,
}

/// The figures of the rows with each value in a column.
struct BreakdownFrames {
    column: String,
    data_type: DataType,
    /// `None` if the column has more than [`MOST_GROUPS`] values.
    frames: Option<AggregatedFrames>,
}

/// The maximum number of rows of all frames. If they have more, they are added to the statistics, which round numbers
/// with many different values.
const MOST_FRAME_ROWS: usize = 1 << 18;

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
        })
    }

    /// Adds the figures of a later batch of the same table. If there are too many groups, moves them to `statistics`.
    ///
    /// # Errors
    ///
    /// The groups cannot be merged, which is a bug.
    pub(crate) fn add(
        &mut self,
        other: RowFigures,
        statistics: &mut Statistics,
    ) -> Result<(), Error> {
        self.all.add(other.all)?;
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
        let of_breakdowns = self.breakdowns.iter().filter_map(|of| of.frames.as_ref());
        let rows = of_breakdowns.map(AggregatedFrames::rows).sum::<usize>() + self.all.rows();
        if rows > MOST_FRAME_ROWS {
            self.move_to(statistics)?;
        }
        Ok(())
    }

    /// Adds all figures to the statistics, and forgets their groups. Of a column with too many values, it keeps that.
    ///
    /// # Errors
    ///
    /// The groups cannot be merged, which is a bug.
    pub(crate) fn move_to(&mut self, statistics: &mut Statistics) -> Result<(), Error> {
        std::mem::take(&mut self.all).visit_all(|add, group| match add {
            AddGroup::Statistics(add) => add(statistics, group),
            AddGroup::Evaluation(add) => {
                // Rows of other tables, and rows without a prediction, have no verdict.
                if group.has_all_keys() {
                    add(statistics.evaluation.get_or_insert_default(), group);
                }
            }
            AddGroup::Breakdown(_) | AddGroup::Runs(_) => {}
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
                return;
            };
            let value = key_json(&group.key(0), data_type);
            let at = *group_by_value.entry(value.to_string()).or_insert_with(|| {
                breakdown.groups.push(BreakdownGroup {
                    value,
                    ..BreakdownGroup::default()
                });
                breakdown.groups.len() - 1
            });
            add(&mut breakdown.groups[at], group);
        })?;
        breakdown.sort();
        Ok(())
    }
}
