//! The charts of statistics. Their positions are chosen so that charts of the same height are side by side.

use sudoku_core::grade::{HardestTechnique, Level, Rank};

use super::Sheet;
use super::bars::{Bars, Colours, Counted, Layout};
use super::bins::{Bin, doubling_bins, even, logarithmic};
use super::facts::{first_rows, no_uses};
use super::percent::{percent, share};
use super::side::Side;
use crate::numbers::thousands;
use crate::report::EvaluationGroup;
use crate::report::statistics::{Counts, Histogram, Statistics};
use crate::table::reject::RejectKind;

/// The most bins of a histogram of clues.
const CLASSES: u64 = 40;

/// The most errors in a chart, and in the table of first rejects. Tables of other programs can have many, and
/// the size of a page is limited.
const ERRORS: usize = 20;

const ROWS: &[(&str, &str)] = &[("rows", "rows of")];

/// The defaults of all charts.
const BARS: Bars = Bars {
    id: "",
    place: 0,
    is_tall: false,
    heading: "",
    title: "",
    caption: "",
    key: "",
    key_title: "",
    value_title: "share of puzzles",
    unit: "%",
    counts: ROWS,
    layout: Layout::Columns,
    colours: Colours::Datasets,
    count: |_| Counted::default(),
    missing: |_| None,
    more: None,
};

const OF_TECHNIQUES: Bars = Bars {
    key: "technique",
    key_title: "technique",
    value_title: "share of graded puzzles, in %",
    layout: Layout::Rows,
    colours: Colours::Techniques,
    ..BARS
};

pub(crate) const LEVELS: Bars = Bars {
    id: "levels",
    place: 1,
    heading: "Levels",
    title: "Puzzles by level",
    caption: "Graded puzzles by level.",
    key: "level",
    key_title: "level",
    value_title: "share of graded puzzles",
    layout: Layout::Parts,
    colours: Colours::Levels,
    count: |sides| match sides.iter().all(|side| side.statistics.level.is_empty()) {
        true => Counted::default(),
        false => graded(sides, levels(), |of| &of.level),
    },
    ..BARS
};

pub(crate) const TECHNIQUES: Bars = Bars {
    id: "techniques",
    place: 4,
    is_tall: true,
    heading: "Hardest technique",
    title: "Puzzles by hardest technique",
    caption: "The hardest technique that puzzles need, easiest first.",
    count: |sides| {
        let ids = with_unknown(techniques(), sides, |of| of.technique.keys().collect());
        let counted = graded(sides, ids, |of| &of.technique);
        counted.without_empty()
    },
    ..OF_TECHNIQUES
};

pub(crate) const USES: Bars = Bars {
    id: "uses",
    place: 5,
    is_tall: true,
    heading: "Techniques used at all",
    title: "Puzzles by techniques used",
    caption: "Puzzles in which a technique is used, be it the hardest or not.",
    counts: &[("puzzles", "puzzles of"), ("uses", "uses of")],
    count: |sides| {
        let count = |of: &Statistics, id: &str| {
            let uses = of.uses.get(id).copied().unwrap_or_default();
            vec![uses.puzzles, uses.waves]
        };
        let share = |of: &Statistics, counts: &[u64]| percent(counts[0], of.graded());
        Counted::from_ids(sides, techniques(), count, share).without_empty()
    },
    missing: |sides| {
        let is_graded = sides.iter().any(|side| side.statistics.graded() > 0);
        is_graded.then(no_uses)
    },
    ..OF_TECHNIQUES
};

const SOLVED: Bars = Bars {
    title: "Predictions that solve their puzzle",
    value_title: "share of predictions, in %",
    counts: &[("predictions", "predictions of"), ("solve", "solve, of")],
    ..OF_TECHNIQUES
};

pub(crate) const SOLVED_BY_LEVEL: Bars = Bars {
    id: "solved-by-level",
    place: 6,
    heading: "Predictions that solve, by level",
    key: "level",
    key_title: "level",
    colours: Colours::Levels,
    count: |sides| solved(sides, EvaluationGroup::Level),
    ..SOLVED
};

pub(crate) const SOLVED_BY_TECHNIQUE: Bars = Bars {
    id: "solved-by-technique",
    place: 7,
    is_tall: true,
    heading: "Predictions that solve, by hardest technique",
    count: |sides| solved(sides, EvaluationGroup::Technique),
    ..SOLVED
};

pub(crate) const CLUES: Bars = Bars {
    id: "clues",
    place: 2,
    heading: "Clues",
    title: "Puzzles by clues",
    key: "clues",
    key_title: "clues",
    count: |sides| {
        histogram(
            sides,
            "clues",
            |of| &of.clues,
            |all| even(all, CLASSES),
            1.0,
        )
    },
    ..BARS
};

pub(crate) const EFFORT: Bars = Bars {
    id: "effort",
    place: 3,
    heading: "Effort",
    title: "Puzzles by effort",
    key: "effort",
    key_title: "effort, in classes on a logarithmic scale",
    count: |sides| histogram(sides, "effort", |of| &of.effort, logarithmic, 1.0),
    ..BARS
};

pub(crate) const NODES: Bars = Bars {
    id: "nodes",
    place: 8,
    heading: "Search nodes",
    title: "Puzzles by search nodes",
    key: "search nodes",
    key_title: "search nodes, in classes on a logarithmic scale",
    // The library rounds the numbers of an axis to tenths, so small shares are given in parts per million.
    value_title: "puzzles of a million, logarithmic",
    unit: "",
    layout: Layout::LogColumns,
    count: |sides| {
        histogram(
            sides,
            "search nodes",
            |of| &of.nodes,
            doubling_bins,
            10_000.0,
        )
    },
    ..BARS
};

pub(crate) const REJECTS: Bars = Bars {
    id: "rejects",
    place: 12,
    heading: "Rejects by error",
    title: "Rejects by error",
    caption: "Records that are not puzzles.",
    key: "error",
    key_title: "error",
    value_title: "records",
    unit: "",
    layout: Layout::Rows,
    count: |sides| {
        let ids = RejectKind::ALL.map(|kind| kind.id().to_owned()).to_vec();
        let ids = with_unknown(ids, sides, |of| of.rejects.keys().collect());
        let count = |of: &Statistics, id: &str| vec![of.rejects.get(id).map_or(0, |of| of.rows)];
        let rows = |_: &Statistics, counts: &[u64]| counts[0] as f64;
        let counted = Counted::from_ids(sides, ids, count, rows);
        let mut counted = counted.without_empty();
        counted.bars.truncate(ERRORS);
        counted
    },
    more: Some(|sides| {
        let errors = sides.iter().flat_map(|side| &side.statistics.rejects);
        let columns = ["error", "source", "row", "line", "message", "record"];
        let rows = errors.take(ERRORS).flat_map(first_rows);
        Sheet::new("first_rejects", "The first ones", 4, &columns).with_rows(rows)
    }),
    ..BARS
};

fn levels() -> Vec<String> {
    Level::ALL.map(|level| level.id().to_owned()).to_vec()
}

fn techniques() -> Vec<String> {
    let ids = Rank::all().map(Rank::id);
    let ids = ids.chain([HardestTechnique::BEYOND.id]);
    ids.map(str::to_owned).collect()
}

/// The ids, followed by the ids in the datasets that this version does not know.
fn with_unknown(
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

/// The name of a dataset in a sentence, between `before` and `after`; empty if there is only one dataset.
fn name(sides: &[Side], side: &Side, before: &str, after: &str) -> String {
    match sides.len() {
        1 => String::new(),
        _ => format!("{before}{}{after}", side.name),
    }
}

/// For each level or technique, its share of the graded rows. The caption names the most frequent one of each
/// dataset.
fn graded(sides: &[Side], ids: Vec<String>, counts: fn(&Statistics) -> &Counts) -> Counted {
    let count = |of: &Statistics, id: &str| vec![counts(of).get(id).copied().unwrap_or(0)];
    let value = |of: &Statistics, counts: &[u64]| percent(counts[0], of.graded());
    let mut counted = Counted::from_ids(sides, ids, count, value);
    for (at, side) in sides.iter().enumerate() {
        let bars = counted.bars.iter().rev().filter(|bar| bar.values[at] > 0.0);
        if let Some(most) = bars.max_by(|one, other| one.values[at].total_cmp(&other.values[at])) {
            let of = name(sides, side, " of ", "");
            let (label, most) = (&most.label, share(most.values[at]));
            counted
                .sentences
                .push(format!("Most rows{of}: {label}, {most}."));
        }
    }
    counted
}

/// For each level or technique, the number of predictions, and how many of them solve their puzzle.
fn solved(sides: &[Side], group: EvaluationGroup) -> Counted {
    let ids = match group {
        EvaluationGroup::Level => [levels(), vec![HardestTechnique::BEYOND.id.to_owned()]].concat(),
        _ => techniques(),
    };
    let count = |of: &Statistics, id: &str| {
        let groups = of.evaluation.iter().flat_map(|of| of.of_group(group));
        let counts = groups.into_iter().find(|(name, _)| *name == id);
        counts.map_or(vec![0, 0], |(_, counts)| {
            vec![counts.rows(), counts.exact()]
        })
    };
    let value = |_: &Statistics, counts: &[u64]| percent(counts[1], counts[0]);
    let counted = Counted::from_ids(sides, ids, count, value);
    let sentence = |side: &Side| {
        let all = side.statistics.evaluation.as_ref()?.all();
        let exact = share(percent(all.exact(), all.rows()));
        Some(format!(
            "{}{exact} of {} predictions solve their puzzle.",
            name(sides, side, "", ": "),
            thousands(all.rows())
        ))
    };
    Counted {
        sentences: sides.iter().filter_map(sentence).collect(),
        ..counted.without_empty()
    }
}

/// The rows in each bin of a number. The caption has the range, the median and the average.
fn histogram(
    sides: &[Side],
    what: &str,
    of: fn(&Statistics) -> &Histogram,
    classes: impl Fn(&[&Histogram]) -> Vec<Bin>,
    scale: f64,
) -> Counted {
    let all: Vec<&Histogram> = sides.iter().map(|side| of(&side.statistics)).collect();
    let bins = classes(&all);
    let ids = bins.iter().map(|bin| bin.name.clone()).collect();
    let count = |own: &Statistics, name: &str| {
        let bin = bins.iter().find(|bin| bin.name == name);
        vec![bin.map_or(0, |bin| bin.count(of(own)))]
    };
    let value = |own: &Statistics, counts: &[u64]| scale * percent(counts[0], of(own).count());
    let sentence = |side: &Side| {
        let of = of(&side.statistics);
        let from = match sides.len() {
            1 => "From".to_owned(),
            _ => format!("{}: from", side.name),
        };
        Some(format!(
            "{from} {} to {} {what}, half of the puzzles have at most {}, the average is {:.1}.",
            thousands(of.min()?),
            thousands(of.max()?),
            thousands(of.quantile(0.5)?),
            of.mean()?
        ))
    };
    Counted {
        sentences: sides.iter().filter_map(sentence).collect(),
        ..Counted::from_ids(sides, ids, count, value)
    }
}
