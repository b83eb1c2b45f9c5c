//! Makes the sections of a page that have charts, in order.

use serde_json::{Value, json};
use sudoku_core::grade::HardestTechnique;

use super::document::Section;
use super::drawing::chart::{CHART_WIDTH, Chart};
use super::drawing::colours::LEVEL_COLOURS;
use super::drawing::html::{Figure, collapsed_table, cut_text, sentence_html};
use super::drawing::names::{level_colour, level_legend, technique_colour};
use super::picture::PANEL_SIZE;
use super::{cells, labels};
use crate::error::Error;
use crate::report::sheets::bars::{BarChart, BarColours, BarLayout, ChartCounts, SectionSize};
use crate::report::sheets::{FIGURES, Side};

/// The maximum number of rows that a horizontal bar chart has in a picture.
const MOST_ROWS_IN_PICTURE: usize = 10;

/// The maximum number of charts in a picture.
const MOST_PANELS: usize = 4;

/// The maximum number of characters of a dataset's name that are shown beside a chart.
const MOST_NAME_CHARACTERS: usize = 20;

/// The width of a chart and its height; `None` for the height that its rows need.
type WidthAndHeight = (f64, Option<f64>);

type SectionHtml = fn(&[Side]) -> Result<Option<String>, Error>;

/// The sections with charts that are not bar charts. Each has a position on the page, an id, a title and a size.
const OTHER_SECTIONS: [(u8, &str, &str, SectionSize, SectionHtml); 3] = [
    (
        9,
        "cells",
        "Where clues stand",
        SectionSize::Cell,
        cells::clues_by_cell,
    ),
    (
        10,
        "digits",
        "Which digits are clues",
        SectionSize::Cell,
        cells::clues_by_box_and_digit,
    ),
    (
        11,
        "labels",
        "Levels by label",
        SectionSize::Row,
        labels::labels_section,
    ),
];

fn bar_charts() -> impl Iterator<Item = &'static BarChart> {
    FIGURES.iter().flat_map(|figure| figure.charts)
}

/// The charts of a picture, each with its title.
pub(super) fn picture_panels(sides: &[Side]) -> Result<Vec<(&'static str, String)>, Error> {
    let size = (PANEL_SIZE.0, Some(PANEL_SIZE.1 - 24.0));
    let mut charts: Vec<&BarChart> = bar_charts()
        .filter(|bars| bars.picture_position.is_some())
        .collect();
    charts.sort_by_key(|bars| bars.picture_position);
    let mut panels = Vec::new();
    for bars in charts {
        let mut counts = (bars.count)(sides);
        if bars.layout == BarLayout::Rows {
            counts = counts.keep_most_frequent(MOST_ROWS_IN_PICTURE / sides.len().max(1));
        }
        if !counts.bars.is_empty() && panels.len() < MOST_PANELS {
            panels.push((bars.heading, chart(bars, &counts, sides, size).draw()?));
        }
    }
    Ok(panels)
}

/// The sections with charts. Sections without data are left out.
pub(super) fn page_sections(sides: &[Side]) -> Result<Vec<Section>, Error> {
    let mut sections = Vec::new();
    let mut add_section = |position: u8, id, title, size, html: Option<String>| {
        let section = html.map(|html| Section::new(id, title, size, html));
        sections.extend(section.map(|section| (position, section)));
    };
    for bars in bar_charts() {
        let html = chart_html(bars, sides)?;
        add_section(bars.page_position, bars.id, bars.heading, bars.size, html);
    }
    for (position, id, title, size, html) in OTHER_SECTIONS {
        add_section(position, id, title, size, html(sides)?);
    }
    sections.sort_by_key(|(position, _)| *position);
    Ok(sections.into_iter().map(|(_, section)| section).collect())
}

/// A chart as HTML, with its legend, its caption, and a collapsed table of its counts; `None` if there is no data.
fn chart_html(bars: &BarChart, sides: &[Side]) -> Result<Option<String>, Error> {
    let counts = (bars.count)(sides);
    if counts.bars.is_empty() {
        let missing_text = (bars.missing)(sides);
        return Ok(missing_text.map(|words| format!("<p>{}</p>\n", sentence_html(&words))));
    }
    let has_beyond = counts
        .bars
        .iter()
        .any(|bar| bar.id == HardestTechnique::BEYOND.id);
    let legend = match (bars.layout, bars.colours, sides.len()) {
        (BarLayout::Parts, _, 2..) => level_legend(false),
        (_, BarColours::Techniques, 1) => level_legend(has_beyond),
        _ => String::new(),
    };
    let second_table = bars.second_table.map(|more| more(sides));
    let second_table =
        second_table.map(|more| collapsed_table(&more.title, &more.columns, &more.rows));
    let tables = counts_table(bars, &counts, sides) + &second_table.unwrap_or_default();
    let chart = chart(bars, &counts, sides, (CHART_WIDTH, None));
    Ok(Some(legend + &chart.to_html(&tables)?))
}

fn chart_caption(bars: &BarChart, counted: &ChartCounts) -> String {
    let caption = [bars.caption.to_owned()].into_iter();
    let sentences = caption.chain(counted.caption_sentences.iter().cloned());
    sentences
        .filter(|words| !words.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// A table with the counts of each bar, as HTML.
fn counts_table(bars: &BarChart, counted: &ChartCounts, sides: &[Side]) -> String {
    let counts = sides.iter().flat_map(|side| {
        let name = |(alone, of): &(&str, &str)| match sides.len() {
            1 => (*alone).to_owned(),
            _ => format!("{of} {}", side.name),
        };
        bars.count_columns.iter().map(name)
    });
    let columns: Vec<String> = [bars.key_column.to_owned()]
        .into_iter()
        .chain(counts)
        .collect();
    let rows = counted.bars.iter().map(|bar| {
        let counts = bar
            .counts_by_side
            .iter()
            .flatten()
            .map(|count| json!(count));
        [json!(bar.id)].into_iter().chain(counts).collect()
    });
    collapsed_table("Figures", &columns, &rows.collect::<Vec<Vec<Value>>>())
}

fn chart(
    bars: &BarChart,
    chart_counts: &ChartCounts,
    sides: &[Side],
    size: WidthAndHeight,
) -> Chart<'static> {
    let labels: Vec<String> = chart_counts
        .bars
        .iter()
        .map(|bar| bar.label.clone())
        .collect();
    let chart = Chart {
        title: bars.title,
        caption: chart_caption(bars, chart_counts),
        value_title: bars.value_title,
        value_unit: bars.unit,
        width_and_height: size,
        ..Chart::default()
    };
    if bars.layout == BarLayout::Parts && sides.len() > 1 {
        let values = chart_counts.bars.iter().map(|bar| bar.lengths.clone());
        return Chart {
            series: labels.into_iter().zip(values).collect(),
            category_names: sides
                .iter()
                .map(|side| cut_text(&side.name, MOST_NAME_CHARACTERS))
                .collect(),
            series_colours: LEVEL_COLOURS.to_vec(),
            is_horizontal: true,
            is_stacked: true,
            ..chart
        };
    }
    let series = sides.iter().enumerate().map(|(at, side)| {
        let values = chart_counts.bars.iter().map(|bar| bar.lengths[at]);
        (side.name.clone(), values.collect())
    });
    let ids = chart_counts.bars.iter().map(|bar| bar.id.as_str());
    Chart {
        category_names: labels,
        series: series.collect(),
        bar_colours: match bars.colours {
            BarColours::Datasets => Vec::new(),
            BarColours::Levels => ids.map(level_colour).collect(),
            BarColours::Techniques => ids.map(technique_colour).collect(),
        },
        category_title: bars.key_title,
        has_labels: matches!(bars.layout, BarLayout::Rows | BarLayout::Parts),
        is_horizontal: bars.layout == BarLayout::Rows,
        is_logarithmic: bars.layout == BarLayout::LogColumns,
        ..chart
    }
}
