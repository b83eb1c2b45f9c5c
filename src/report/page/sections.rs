//! The charts of a page, in order.

use serde_json::{Value, json};
use sudoku_core::grade::HardestTechnique;

use super::document::{Section, SectionSize};
use super::drawing::chart::{Chart, LEVELS, WIDTH};
use super::drawing::html::{collapsed_table, cut, escape, figure};
use super::drawing::names::{level_colour, level_key, technique_colour};
use super::picture::PANEL;
use super::{cells, labels};
use crate::error::Error;
use crate::report::sheets::bars::{Bars, Colours, Counted, Layout};
use crate::report::sheets::{FIGURES, Side, charts};

/// The most rows of a horizontal bar chart in a picture.
const ROWS_IN_PICTURE: usize = 10;

/// The most characters of a dataset's name beside a chart.
const NAME: usize = 20;

/// The width and height of a chart; `None` for the height that its rows need.
type Size = (f64, Option<f64>);

/// The charts that a picture can show. It has the first four for which there is data.
const PICTURE: [Bars; 5] = [
    charts::LEVELS,
    charts::TECHNIQUES,
    charts::CLUES,
    charts::EFFORT,
    charts::NODES,
];

type HtmlOf = fn(&[Side]) -> Result<Option<String>, Error>;

/// The sections other than bar charts: position, id, title and size.
const OTHER_SECTIONS: [(u8, &str, &str, SectionSize, HtmlOf); 3] = [
    (
        9,
        "cells",
        "Where clues stand",
        SectionSize::Cell,
        cells::positions,
    ),
    (
        10,
        "digits",
        "Which digits are clues",
        SectionSize::Cell,
        cells::digits,
    ),
    (
        11,
        "labels",
        "Levels by label",
        SectionSize::Row,
        labels::section,
    ),
];

/// The charts of a picture, each with its title.
pub(super) fn panels(sides: &[Side]) -> Result<Vec<(&'static str, String)>, Error> {
    let size = (PANEL.0, Some(PANEL.1 - 24.0));
    let mut panels = Vec::new();
    for bars in &PICTURE {
        let mut counted = (bars.count)(sides);
        if bars.layout == Layout::Rows {
            counted = counted.most_frequent(ROWS_IN_PICTURE / sides.len().max(1));
        }
        if !counted.bars.is_empty() && panels.len() < 4 {
            panels.push((bars.heading, svg(bars, &counted, sides, size)?));
        }
    }
    Ok(panels)
}

/// The sections with charts. Sections without data are left out.
pub(super) fn sections(sides: &[Side]) -> Result<Vec<Section>, Error> {
    let mut sections = Vec::new();
    let mut add = |place: u8, id, title: &str, extent, body: Option<String>| {
        let title = title.to_owned();
        let section = body.map(|body| Section {
            id,
            title,
            body,
            extent,
        });
        sections.extend(section.map(|section| (place, section)));
    };
    for bars in FIGURES.iter().flat_map(|figure| figure.charts) {
        let extent = if bars.is_tall {
            SectionSize::Tall
        } else {
            SectionSize::Cell
        };
        add(
            bars.place,
            bars.id,
            bars.heading,
            extent,
            html(bars, sides)?,
        );
    }
    for (place, id, title, extent, html) in OTHER_SECTIONS {
        add(place, id, title, extent, html(sides)?);
    }
    sections.sort_by_key(|(place, _)| *place);
    Ok(sections.into_iter().map(|(_, section)| section).collect())
}

/// A chart with its legend, its caption, and a collapsed table of its counts; `None` without data.
fn html(bars: &Bars, sides: &[Side]) -> Result<Option<String>, Error> {
    let counted = (bars.count)(sides);
    if counted.bars.is_empty() {
        let missing = (bars.missing)(sides);
        return Ok(missing.map(|words| format!("<p>{}</p>\n", escape(&words))));
    }
    let has_beyond = counted
        .bars
        .iter()
        .any(|bar| bar.id == HardestTechnique::BEYOND.id);
    let key = match (bars.layout, bars.colours, sides.len()) {
        (Layout::Parts, _, 2..) => level_key(false),
        (_, Colours::Techniques, 1) => level_key(has_beyond),
        _ => String::new(),
    };
    let more = bars.more.map(|more| more(sides));
    let more = more.map(|more| collapsed_table(&more.title, &more.columns, &more.rows));
    let tables = figures(bars, &counted, sides) + &more.unwrap_or_default();
    let svg = svg(bars, &counted, sides, (WIDTH, None))?;
    Ok(Some(key + &figure(&svg, &caption(bars, &counted), &tables)))
}

fn caption(bars: &Bars, counted: &Counted) -> String {
    let start = [bars.caption.to_owned()].into_iter();
    let words = start.chain(counted.sentences.iter().cloned());
    words
        .filter(|words| !words.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// The table with the counts of each bar.
fn figures(bars: &Bars, counted: &Counted, sides: &[Side]) -> String {
    let counts = sides.iter().flat_map(|side| {
        let name = |(alone, of): &(&str, &str)| match sides.len() {
            1 => (*alone).to_owned(),
            _ => format!("{of} {}", side.name),
        };
        bars.counts.iter().map(name)
    });
    let columns: Vec<String> = [bars.key.to_owned()].into_iter().chain(counts).collect();
    let rows = counted.bars.iter().map(|bar| {
        let counts = bar.counts.iter().flatten().map(|count| json!(count));
        [json!(bar.id)].into_iter().chain(counts).collect()
    });
    collapsed_table("Figures", &columns, &rows.collect::<Vec<Vec<Value>>>())
}

fn svg(bars: &Bars, counted: &Counted, sides: &[Side], size: Size) -> Result<String, Error> {
    let labels: Vec<String> = counted.bars.iter().map(|bar| bar.label.clone()).collect();
    let chart = Chart {
        title: bars.title,
        description: caption(bars, counted),
        value_title: bars.value_title,
        unit: bars.unit,
        size,
        ..Chart::default()
    };
    if bars.layout == Layout::Parts && sides.len() > 1 {
        let values = counted.bars.iter().map(|bar| bar.values.clone());
        let chart = Chart {
            series: labels.into_iter().zip(values).collect(),
            categories: sides.iter().map(|side| cut(&side.name, NAME)).collect(),
            colours: LEVELS.to_vec(),
            is_stacked: true,
            ..chart
        };
        return chart.rows();
    }
    let series = sides.iter().enumerate().map(|(at, side)| {
        let values = counted.bars.iter().map(|bar| bar.values[at]);
        (side.name.clone(), values.collect())
    });
    let ids = counted.bars.iter().map(|bar| bar.id.as_str());
    let chart = Chart {
        categories: labels,
        series: series.collect(),
        bar_colours: match bars.colours {
            Colours::Datasets => Vec::new(),
            Colours::Levels => ids.map(level_colour).collect(),
            Colours::Techniques => ids.map(technique_colour).collect(),
        },
        category_title: bars.key_title,
        has_labels: matches!(bars.layout, Layout::Rows | Layout::Parts),
        is_log: bars.layout == Layout::LogColumns,
        ..chart
    };
    match bars.layout {
        Layout::Rows => chart.rows(),
        _ => chart.bars(),
    }
}
