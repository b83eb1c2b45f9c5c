//! Bar charts as data: their texts, their keys (such as levels) and the counts of each key. The module `page` draws
//! them.

use super::Sheet;
use super::names::technique_name;
use super::side::Side;
use crate::counts::statistics::Statistics;

/// A bar chart. For each key, such as a level, it has a bar for each dataset. A page also shows the counts as a table
/// below the chart.
pub(crate) struct BarChart {
    /// The id of the page's section that has the chart.
    pub(crate) id: &'static str,
    /// The position of the section that has the chart on the page.
    pub(crate) page_position: u8,
    /// The position among the charts of a picture, which shows the first four for which there is data; `None` if
    /// pictures never show this chart.
    pub(crate) picture_position: Option<u8>,
    /// The space that the section takes in the layout of the page.
    pub(crate) size: SectionSize,
    /// The heading of the section.
    pub(crate) heading: &'static str,
    /// The title of the chart for screen readers.
    pub(crate) title: &'static str,
    /// The start of the caption. Sentences about each dataset follow it.
    pub(crate) caption: &'static str,
    /// The name of the table's first column, which contains the keys.
    pub(crate) key_column: &'static str,
    /// The title of the axis with the keys.
    pub(crate) key_title: &'static str,
    /// The title of the axis with the values.
    pub(crate) value_title: &'static str,
    /// The unit of the values, such as `%`; empty if the values are plain counts.
    pub(crate) unit: &'static str,
    /// The names of the table's columns with counts. The first name of each pair is used if there is one dataset. The
    /// second is used if there are two, as a prefix of the dataset's name.
    pub(crate) count_columns: &'static [(&'static str, &'static str)],
    /// The direction of the bars and the scale of the axis of values.
    pub(crate) layout: BarLayout,
    /// The property that determines the colours of the bars.
    pub(crate) colours: BarColours,
    /// Counts the keys in the datasets. If the result has no bars, the chart is left out.
    pub(crate) count: fn(&[Side]) -> ChartCounts,
    /// A sentence that a page shows instead of the chart if data is missing; `None` if no sentence is needed.
    pub(crate) missing: fn(&[Side]) -> Option<String>,
    /// A second table below the chart; `None` if the chart has only one table.
    pub(crate) second_table: Option<fn(&[Side]) -> Sheet>,
}

/// The space that a section takes on a page, which has its sections in columns.
#[derive(Clone, Copy)]
pub(crate) enum SectionSize {
    /// The width of one column.
    Cell,
    /// The whole width.
    Row,
}

/// The direction of the bars and the scale of the axis of values.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarLayout {
    /// The bars are vertical.
    Columns,
    /// The bars are vertical, on a logarithmic scale.
    LogColumns,
    /// The bars are horizontal. A picture shows only the keys with the most rows.
    Rows,
    /// If there is one dataset, the bars are vertical. If there are two, each has a stacked horizontal bar.
    Parts,
}

/// The colours of the bars if there is one dataset. If there are two, all bars of a dataset have the same colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BarColours {
    /// All bars of a dataset have the colour of the dataset.
    Datasets,
    /// Each key is a level, whose bar has the colour of the level.
    Levels,
    /// Each key is a technique, whose bar has the colour of the technique's level.
    Techniques,
}

/// The counts that a bar chart shows.
#[derive(Default)]
pub(crate) struct ChartCounts {
    /// The counts of each key, such as a level.
    pub(crate) bars: Vec<Bar>,
    /// The sentences about the datasets that follow the start of the caption.
    pub(crate) caption_sentences: Vec<String>,
}

/// The counts of one key, such as a level, in each dataset.
pub(crate) struct Bar {
    /// The text for the key in the table below the chart.
    pub(crate) id: String,
    /// The text for the key beside the bar.
    pub(crate) label: String,
    /// For each dataset, the counts that the table shows for this key. The first count is the number of rows.
    pub(crate) counts_by_side: Vec<Vec<u64>>,
    /// For each dataset, the length of the bar.
    pub(crate) lengths: Vec<f64>,
}

impl Bar {
    /// The number of rows with this key, in all datasets together.
    pub(crate) fn total_rows(&self) -> u64 {
        self.counts_by_side.iter().map(|counts| counts[0]).sum()
    }
}

impl ChartCounts {
    /// Makes a bar for each id. `count` returns the counts of an id in a dataset, and `value` returns the bar's length.
    pub(super) fn from_ids(
        sides: &[Side],
        ids: Vec<String>,
        count: impl Fn(&Statistics, &str) -> Vec<u64>,
        value: impl Fn(&Statistics, &[u64]) -> f64,
    ) -> ChartCounts {
        let bar = |id: String| {
            let all_statistics = || sides.iter().map(|side| &side.statistics);
            let counts: Vec<Vec<u64>> = all_statistics().map(|of| count(of, &id)).collect();
            let values = all_statistics()
                .zip(&counts)
                .map(|(of, counts)| value(of, counts));
            Bar {
                lengths: values.collect(),
                counts_by_side: counts,
                label: technique_name(&id),
                id,
            }
        };
        ChartCounts {
            bars: ids.into_iter().map(bar).collect(),
            caption_sentences: Vec::new(),
        }
    }

    /// Removes the keys that no dataset has.
    pub(super) fn remove_empty_bars(mut self) -> ChartCounts {
        self.bars.retain(|bar| bar.total_rows() > 0);
        self
    }

    /// Keeps only the `most` keys with the most rows.
    pub(crate) fn keep_most_frequent(mut self, most: usize) -> ChartCounts {
        let mut frequent: Vec<usize> = (0..self.bars.len()).collect();
        frequent.sort_by_key(|at| std::cmp::Reverse(self.bars[*at].total_rows()));
        frequent.truncate(most);
        let mut indices = 0..;
        self.bars
            .retain(|_| indices.next().is_some_and(|at| frequent.contains(&at)));
        self
    }
}
