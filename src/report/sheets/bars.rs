//! Charts of bars as data: their words, their keys and their counts. The page draws them.

use super::Sheet;
use super::names::technique_name;
use super::side::Side;
use crate::report::statistics::Statistics;

/// A chart with bars for each key and each dataset. Below it, a page has a table of the counts.
pub(crate) struct Bars {
    /// The id of its section.
    pub(crate) id: &'static str,
    /// The place of its section on the page.
    pub(crate) place: u8,
    /// Whether its section is as tall as two others.
    pub(crate) is_tall: bool,
    /// The heading of its section.
    pub(crate) heading: &'static str,
    /// The title for screen readers.
    pub(crate) title: &'static str,
    /// The start of the caption; sentences about each dataset follow.
    pub(crate) caption: &'static str,
    /// The first column of the table, which has the keys.
    pub(crate) key: &'static str,
    /// The title of the axis of keys.
    pub(crate) key_title: &'static str,
    /// The title of the axis of values.
    pub(crate) value_title: &'static str,
    /// The unit of the values.
    pub(crate) unit: &'static str,
    /// The columns of counts in the table: of one dataset, and before the name of each if there are two.
    pub(crate) counts: &'static [(&'static str, &'static str)],
    /// The direction of the bars, and their scale.
    pub(crate) layout: Layout,
    /// The values that determine the colours.
    pub(crate) colours: Colours,
    /// Counts the datasets. Without keys, there is no chart.
    pub(crate) count: fn(&[Side]) -> Counted,
    /// The sentence on a page without this chart.
    pub(crate) missing: fn(&[Side]) -> Option<String>,
    /// A second table below the chart: its title, columns and rows.
    pub(crate) more: Option<fn(&[Side]) -> Sheet>,
}

/// The direction of bars, and their scale.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Upward bars.
    Columns,
    /// Upward bars on a logarithmic scale.
    LogColumns,
    /// A row for each key. A picture has only those with the most rows.
    Rows,
    /// Upward bars of one dataset; of two, a row for each, with a part for each key.
    Parts,
}

/// The choice of colours for the bars of one dataset. Two datasets have a colour each.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Colours {
    /// The dataset.
    Sides,
    /// The key is a level.
    Levels,
    /// The key is a technique, which has the colour of its level.
    Techniques,
}

/// The counts of a chart.
#[derive(Default)]
pub(crate) struct Counted {
    /// A bar for each key.
    pub(crate) bars: Vec<Bar>,
    /// Sentences of the caption.
    pub(crate) sentences: Vec<String>,
}

/// A key of a chart, with its bar for each dataset.
pub(crate) struct Bar {
    /// The key in the table.
    pub(crate) id: String,
    /// The key at the bar.
    pub(crate) label: String,
    /// The counts of each dataset for the table; the first one is the rows.
    pub(crate) counts: Vec<Vec<u64>>,
    /// The height of the bar of each dataset.
    pub(crate) values: Vec<f64>,
}

impl Bar {
    /// The rows of all datasets.
    pub(crate) fn rows(&self) -> u64 {
        self.counts.iter().map(|counts| counts[0]).sum()
    }
}

impl Counted {
    /// Counts each id in each dataset.
    pub(super) fn from_ids(
        sides: &[Side],
        ids: Vec<String>,
        count: impl Fn(&Statistics, &str) -> Vec<u64>,
        value: impl Fn(&Statistics, &[u64]) -> f64,
    ) -> Counted {
        let bar = |id: String| {
            let all = || sides.iter().map(|side| &side.statistics);
            let counts: Vec<Vec<u64>> = all().map(|of| count(of, &id)).collect();
            let values = all().zip(&counts).map(|(of, counts)| value(of, counts));
            Bar {
                values: values.collect(),
                counts,
                label: technique_name(&id),
                id,
            }
        };
        Counted {
            bars: ids.into_iter().map(bar).collect(),
            sentences: Vec::new(),
        }
    }

    /// The chart without the keys that no dataset has.
    pub(super) fn without_empty(mut self) -> Counted {
        self.bars.retain(|bar| bar.rows() > 0);
        self
    }

    /// The chart with the keys that have the most rows only.
    pub(crate) fn most_frequent(mut self, most: usize) -> Counted {
        let mut frequent: Vec<usize> = (0..self.bars.len()).collect();
        frequent.sort_by_key(|at| std::cmp::Reverse(self.bars[*at].rows()));
        frequent.truncate(most);
        let mut at = 0..;
        self.bars
            .retain(|_| at.next().is_some_and(|at| frequent.contains(&at)));
        self
    }
}
