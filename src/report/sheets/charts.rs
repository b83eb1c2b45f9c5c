//! The charts of a dataset's statistics. Charts of predictions come first, because a page that has them is about them.

use sudoku_core::grade::{HardestTechnique, Level, Rank};

use super::Sheet;
use super::bars::{BarChart, BarColours, BarLayout, ChartCounts, SectionSize};
use super::bins::{HistogramBin, doubling_bins, even_bins, logarithmic_bins};
use super::facts::{missing_uses_advice, reject_example_rows};
use super::percent::{percent_text, to_percent};
use super::side::Side;
use crate::counts::EvaluationGroup;
use crate::counts::statistics::{Counts, Histogram, Statistics};
use crate::numbers::thousands;
use crate::table::reject::RejectKind;

/// The maximum number of bins in a histogram of clues.
const MOST_CLUE_BINS: u64 = 40;

/// The maximum number of kinds of errors in a chart, and in the table of first rejects. Tables of other programs can
/// have many kinds of errors, and the size of a page is limited.
const MOST_ERRORS: usize = 20;

const ROW_COUNT_COLUMN: &[(&str, &str)] = &[("rows", "rows of")];

/// Default properties, which the definitions of charts below override.
const DEFAULT_CHART: BarChart = BarChart {
    id: "",
    page_position: 0,
    picture_position: None,
    size: SectionSize::Cell,
    heading: "",
    title: "",
    caption: "",
    key_column: "",
    key_title: "",
    value_title: "share of puzzles",
    unit: "%",
    count_columns: ROW_COUNT_COLUMN,
    layout: BarLayout::Columns,
    colours: BarColours::Datasets,
    count: |_| ChartCounts::default(),
    missing: |_| None,
    second_table: None,
};

const DEFAULT_TECHNIQUE_CHART: BarChart = BarChart {
    key_column: "technique",
    key_title: "technique",
    value_title: "share of graded puzzles, in %",
    layout: BarLayout::Rows,
    colours: BarColours::Techniques,
    ..DEFAULT_CHART
};

pub(crate) const LEVEL_CHART: BarChart = BarChart {
    id: "levels",
    page_position: 3,
    picture_position: Some(3),
    heading: "Levels",
    title: "Puzzles by level",
    caption: "Graded puzzles by level.",
    key_column: "level",
    key_title: "level",
    value_title: "share of graded puzzles",
    layout: BarLayout::Parts,
    colours: BarColours::Levels,
    count: |sides| {
        if sides.iter().all(|side| side.statistics.level.is_empty()) {
            ChartCounts::default()
        } else {
            graded_shares(sides, level_ids(), |of| &of.level)
        }
    },
    ..DEFAULT_CHART
};

pub(crate) const TECHNIQUE_CHART: BarChart = BarChart {
    id: "techniques",
    page_position: 6,
    picture_position: Some(4),
    heading: "Hardest technique",
    title: "Puzzles by hardest technique",
    caption: "The hardest technique that puzzles need, easiest first.",
    count: |sides| {
        let ids = add_unknown_ids(technique_ids(), sides, |of| of.technique.keys().collect());
        let chart_counts = graded_shares(sides, ids, |of| &of.technique);
        chart_counts.remove_empty_bars()
    },
    ..DEFAULT_TECHNIQUE_CHART
};

pub(crate) const USES_CHART: BarChart = BarChart {
    id: "uses",
    page_position: 7,
    heading: "Techniques used at all",
    title: "Puzzles by techniques used",
    caption: "Puzzles in which a technique is used, be it the hardest or not.",
    count_columns: &[("puzzles", "puzzles of"), ("uses", "uses of")],
    count: |sides| {
        let count = |of: &Statistics, id: &str| {
            let uses = of.uses.get(id).copied().unwrap_or_default();
            vec![uses.puzzles, uses.waves]
        };
        let share = |of: &Statistics, counts: &[u64]| to_percent(counts[0], of.graded());
        ChartCounts::from_ids(sides, technique_ids(), count, share).remove_empty_bars()
    },
    missing: |sides| {
        let is_graded = sides.iter().any(|side| side.statistics.graded() > 0);
        is_graded.then(missing_uses_advice)
    },
    ..DEFAULT_TECHNIQUE_CHART
};

const DEFAULT_SOLVED_CHART: BarChart = BarChart {
    title: "Predictions that solve their puzzle",
    value_title: "share of predictions, in %",
    count_columns: &[("predictions", "predictions of"), ("solve", "solve, of")],
    ..DEFAULT_TECHNIQUE_CHART
};

pub(crate) const SOLVED_BY_LEVEL_CHART: BarChart = BarChart {
    id: "solved-by-level",
    page_position: 1,
    picture_position: Some(1),
    heading: "Predictions that solve, by level",
    key_column: "level",
    key_title: "level",
    colours: BarColours::Levels,
    count: |sides| solved_shares(sides, EvaluationGroup::Level),
    ..DEFAULT_SOLVED_CHART
};

pub(crate) const SOLVED_BY_TECHNIQUE_CHART: BarChart = BarChart {
    id: "solved-by-technique",
    page_position: 2,
    picture_position: Some(2),
    heading: "Predictions that solve, by hardest technique",
    count: |sides| solved_shares(sides, EvaluationGroup::Technique),
    ..DEFAULT_SOLVED_CHART
};

pub(crate) const CLUES_CHART: BarChart = BarChart {
    id: "clues",
    page_position: 4,
    picture_position: Some(5),
    heading: "Clues",
    title: "Puzzles by clues",
    key_column: "clues",
    key_title: "clues",
    count: |sides| {
        histogram_counts(
            sides,
            "Clues",
            |of| &of.clues,
            |all| even_bins(all, MOST_CLUE_BINS),
            1.0,
        )
    },
    ..DEFAULT_CHART
};

pub(crate) const EFFORT_CHART: BarChart = BarChart {
    id: "effort",
    page_position: 5,
    picture_position: Some(6),
    heading: "Effort",
    title: "Puzzles by effort",
    key_column: "effort",
    key_title: "effort, in classes on a logarithmic scale",
    count: |sides| histogram_counts(sides, "Effort", |of| &of.effort, logarithmic_bins, 1.0),
    ..DEFAULT_CHART
};

pub(crate) const NODES_CHART: BarChart = BarChart {
    id: "nodes",
    page_position: 8,
    picture_position: Some(7),
    heading: "Search nodes",
    title: "Puzzles by search nodes",
    key_column: "search nodes",
    key_title: "search nodes, in classes on a logarithmic scale",
    // The library rounds the numbers of an axis to tenths, so small shares are shown as numbers per million.
    value_title: "puzzles of a million, logarithmic",
    unit: "",
    layout: BarLayout::LogColumns,
    count: |sides| {
        histogram_counts(
            sides,
            "Search nodes",
            |of| &of.nodes,
            doubling_bins,
            10_000.0,
        )
    },
    ..DEFAULT_CHART
};

pub(crate) const REJECTS_CHART: BarChart = BarChart {
    id: "rejects",
    page_position: 12,
    heading: "Rejects by error",
    title: "Rejects by error",
    caption: "Records that are not puzzles.",
    key_column: "error",
    key_title: "error",
    value_title: "records",
    unit: "",
    layout: BarLayout::Rows,
    count: |sides| {
        let ids = RejectKind::ALL.map(|kind| kind.id().to_owned()).to_vec();
        let ids = add_unknown_ids(ids, sides, |of| of.rejects.keys().collect());
        let count = |of: &Statistics, id: &str| vec![of.rejects.get(id).map_or(0, |of| of.rows)];
        let row_count = |_: &Statistics, counts: &[u64]| counts[0] as f64;
        let chart_counts = ChartCounts::from_ids(sides, ids, count, row_count);
        let mut counts = chart_counts.remove_empty_bars();
        counts.bars.truncate(MOST_ERRORS);
        counts
    },
    second_table: Some(|sides| {
        let errors = sides.iter().flat_map(|side| &side.statistics.rejects);
        let columns = ["error", "source", "row", "line", "message", "record"];
        let rows = errors.take(MOST_ERRORS).flat_map(reject_example_rows);
        Sheet::new("first_rejects", "The first ones", 4, &columns).with_rows(rows)
    }),
    ..DEFAULT_CHART
};

fn level_ids() -> Vec<String> {
    Level::ALL.map(|level| level.id().to_owned()).to_vec()
}

fn technique_ids() -> Vec<String> {
    let ids = Rank::all().map(Rank::id);
    let ids = ids.chain([HardestTechnique::BEYOND.id]);
    ids.map(str::to_owned).collect()
}

/// The known ids, followed by ids in the datasets that are not known. They may come from other versions.
fn add_unknown_ids(
    mut ids: Vec<String>,
    sides: &[Side],
    all: impl Fn(&Statistics) -> Vec<&String>,
) -> Vec<String> {
    for id in sides.iter().flat_map(|side| all(&side.statistics)) {
        if !ids.contains(id) {
            ids.push(id.clone());
        }
    }
    ids
}

/// The name of a dataset for a sentence, with `before` and `after` around it; empty if there is only one dataset.
fn side_name(sides: &[Side], side: &Side, before: &str, after: &str) -> String {
    match sides.len() {
        1 => String::new(),
        _ => format!("{before}{}{after}", side.name),
    }
}

/// For each level or technique, its share of the graded rows. The caption names the most frequent level or technique in
/// each dataset.
fn graded_shares(
    sides: &[Side],
    ids: Vec<String>,
    counts: fn(&Statistics) -> &Counts,
) -> ChartCounts {
    let count = |of: &Statistics, id: &str| vec![counts(of).get(id).copied().unwrap_or(0)];
    let bar_length = |of: &Statistics, counts: &[u64]| to_percent(counts[0], of.graded());
    let mut chart_counts = ChartCounts::from_ids(sides, ids, count, bar_length);
    for (at, side) in sides.iter().enumerate() {
        let bars = chart_counts
            .bars
            .iter()
            .rev()
            .filter(|bar| bar.lengths[at] > 0.0);
        if let Some(most) = bars.max_by(|one, other| one.lengths[at].total_cmp(&other.lengths[at]))
        {
            let name_suffix = side_name(sides, side, " of ", "");
            let (label, most) = (&most.label, percent_text(most.lengths[at]));
            chart_counts.caption_sentences.push(format!(
                "The most frequent{name_suffix} is {label}: {most}."
            ));
        }
    }
    chart_counts
}

/// For each level or technique, the number of predictions, and the number of predictions that are right.
fn solved_shares(sides: &[Side], group: EvaluationGroup) -> ChartCounts {
    let ids = match group {
        EvaluationGroup::Level => {
            [level_ids(), vec![HardestTechnique::BEYOND.id.to_owned()]].concat()
        }
        _ => technique_ids(),
    };
    let count = |of: &Statistics, id: &str| {
        let groups = of.evaluation.iter().flat_map(|of| of.of_group(group));
        let counts = groups.into_iter().find(|(name, _)| *name == id);
        counts.map_or(vec![0, 0], |(_, counts)| {
            vec![counts.rows(), counts.exact()]
        })
    };
    let bar_length = |_: &Statistics, counts: &[u64]| to_percent(counts[1], counts[0]);
    let chart_counts = ChartCounts::from_ids(sides, ids, count, bar_length);
    let sentence = |side: &Side| {
        let all_predictions = side.statistics.evaluation.as_ref()?.all();
        let exact_percent =
            percent_text(to_percent(all_predictions.exact(), all_predictions.rows()));
        Some(format!(
            "{}{exact_percent} of {} predictions solve their puzzle.",
            side_name(sides, side, "", ": "),
            thousands(all_predictions.rows())
        ))
    };
    ChartCounts {
        caption_sentences: sides.iter().filter_map(sentence).collect(),
        ..chart_counts.remove_empty_bars()
    }
}

/// Counts the rows in each bin of a number, such as the number of clues. The caption gives the range, the median and
/// the average of the number.
fn histogram_counts(
    sides: &[Side],
    value_name: &str,
    of: fn(&Statistics) -> &Histogram,
    classes: impl Fn(&[&Histogram]) -> Vec<HistogramBin>,
    scale: f64,
) -> ChartCounts {
    let histograms: Vec<&Histogram> = sides.iter().map(|side| of(&side.statistics)).collect();
    let bins = classes(&histograms);
    let ids = bins.iter().map(|bin| bin.name.clone()).collect();
    let count = |own: &Statistics, name: &str| {
        let bin = bins.iter().find(|bin| bin.name == name);
        vec![bin.map_or(0, |bin| bin.count_values(of(own)))]
    };
    let bar_length =
        |own: &Statistics, counts: &[u64]| scale * to_percent(counts[0], of(own).count());
    let sentence = |side: &Side| {
        let histogram = of(&side.statistics);
        Some(format!(
            "{value_name}{}: {} to {}, median {}, average {:.1}.",
            side_name(sides, side, " of ", ""),
            thousands(histogram.min()?),
            thousands(histogram.max()?),
            thousands(histogram.quantile(0.5)?),
            histogram.mean()?
        ))
    };
    ChartCounts {
        caption_sentences: sides.iter().filter_map(sentence).collect(),
        ..ChartCounts::from_ids(sides, ids, count, bar_length)
    }
}
