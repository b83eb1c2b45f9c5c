//! Charts of the difficulty labels in a dataset, and of other columns by which rows are grouped.

use serde_json::{Value, json};
use sudoku_core::grade::{HardestTechnique, Level};

use super::drawing::chart::Chart;
use super::drawing::classes::NumberRanges;
use super::drawing::colours::LEVEL_COLOURS;
use super::drawing::html::{Figure, collapsed_table, cut_text, escape_html, sentence_html};
use super::drawing::names::level_legend;
use crate::counts::statistics::{Breakdown, Counts, add_counts};
use crate::error::Error;
use crate::report::sheets::Side;
use crate::report::sheets::agreement_sentence;
use crate::report::sheets::percent::to_percent;

/// The maximum number of bars in a chart. If there are more labels than this, numeric labels are combined into ranges.
/// Of other labels, only the most frequent are shown.
const MOST_BARS: usize = 20;

/// The maximum number of characters that a chart shows of a label.
const MOST_LABEL_CHARACTERS: usize = 24;

/// The maximum number of label columns for which a page has charts, in all datasets together. It limits the size of the
/// page.
const MOST_LABEL_COLUMNS: usize = 6;

/// A bar of the chart: its label, or its range of labels, and the counts of the rows with these labels.
struct LabelBar {
    name: String,
    rows: u64,
    level_counts: Counts,
    beyond_count: u64,
    clue_sum_and_count: (u64, u64),
}

/// The section about labels: for each label column of each dataset, a chart of its rows by label and level.
pub(super) fn labels_section(sides: &[Side]) -> Result<Option<String>, Error> {
    let mut html = String::new();
    let mut tables = String::new();
    for side in sides {
        let columns = side.statistics.by.iter().filter(|by| by.groups.len() > 1);
        for breakdown in columns.take(MOST_LABEL_COLUMNS / sides.len()) {
            let name_prefix = if sides.len() > 1 {
                format!("{}: ", side.name)
            } else {
                String::new()
            };
            let (charts, table) = breakdown_charts(breakdown, &name_prefix)?;
            html += &charts;
            tables += &table;
        }
    }
    // The tables are wider than a chart, so they are below all charts, in the width of the page.
    let html = format!("<div class=\"labels\">\n{html}</div>\n{tables}");
    Ok(html.contains("<figure").then_some(html))
}

/// A chart of the rows by Sudoku Explainer rating, in steps of 0.1.
fn rating_chart(breakdown: &Breakdown, side_name: &str) -> Result<String, Error> {
    let tenth = |value: &Value| {
        let tenth = (parse_number(value)? * 10.0).round();
        (10.0..=119.0).contains(&tenth).then_some(tenth as usize)
    };
    let mut rows = std::collections::BTreeMap::new();
    for group in &breakdown.groups {
        if let Some(tenth) = tenth(&group.value) {
            *rows.entry(tenth).or_insert(0) += group.rows;
        }
    }
    let (Some(first), Some(last)) = (rows.keys().next().copied(), rows.keys().last().copied())
    else {
        return Ok(String::new());
    };
    let all_rows = rows.values().sum();
    let percent_by_tenth = (first..=last).map(|tenth| {
        let rows = rows.get(&tenth).copied().unwrap_or(0);
        to_percent(rows, all_rows)
    });
    let name = |tenth: usize| format!("{}.{}", tenth / 10, tenth % 10);
    let caption = format!(
        "{side_name}Puzzles by {}, in steps of 0.1 from {} to {}.",
        breakdown.column,
        name(first),
        name(last)
    );
    let chart = Chart {
        title: "Puzzles by rating",
        caption,
        category_names: (first..=last).map(name).collect(),
        series: vec![("share".to_owned(), percent_by_tenth.collect())],
        category_title: &breakdown.column,
        value_title: "share of the rated puzzles",
        ..Chart::default()
    };
    chart.to_html("")
}

/// The charts of a label column, and the collapsed table of their figures.
fn breakdown_charts(breakdown: &Breakdown, side_name: &str) -> Result<(String, String), Error> {
    let column = &breakdown.column;
    let agreement = breakdown
        .agreement()
        .map(|agreement| agreement_sentence(column, agreement));
    let agreement = agreement.unwrap_or_else(|| "These rows have no grades.".to_owned());
    let all_bars = label_bars(breakdown);
    let left_out_count = all_bars.len().saturating_sub(MOST_BARS);
    let bars: Vec<LabelBar> = all_bars.into_iter().take(MOST_BARS).collect();
    let mut caption = format!("{side_name}Levels by {column}. {agreement}");
    if left_out_count > 0 {
        caption += &format!(" {left_out_count} more values are not shown.");
    }
    let heading = format!(
        "<h3>{}{}</h3>\n",
        escape_html(side_name),
        escape_html(column)
    );
    let figures_table = figures_table(breakdown, side_name, &bars);
    if bars
        .iter()
        .all(|bar| bar.level_counts.is_empty() && bar.beyond_count == 0)
    {
        let html = format!(
            "<div>\n{heading}<figure class=\"chart\"><p>{}</p>\n</figure></div>\n",
            sentence_html(&caption)
        );
        return Ok((html, figures_table));
    }
    let graded = |bar: &LabelBar| bar.level_counts.values().sum::<u64>() + bar.beyond_count;
    let mut series: Vec<(String, Vec<f64>)> = (Level::ALL.into_iter())
        .map(|level| {
            let share = |bar: &LabelBar| {
                to_percent(
                    bar.level_counts.get(level.id()).copied().unwrap_or(0),
                    graded(bar),
                )
            };
            (level.id().to_owned(), bars.iter().map(share).collect())
        })
        .collect();
    if bars.iter().any(|bar| bar.beyond_count > 0) {
        let share = |bar: &LabelBar| to_percent(bar.beyond_count, graded(bar));
        series.push((
            HardestTechnique::BEYOND.id.to_owned(),
            bars.iter().map(share).collect(),
        ));
    }
    let chart = Chart {
        title: &format!("Levels by {column}"),
        caption,
        category_names: bars.iter().map(|bar| bar.name.clone()).collect(),
        series,
        series_colours: LEVEL_COLOURS.to_vec(),
        category_title: column,
        value_title: "share of the graded puzzles with the label",
        is_horizontal: true,
        is_stacked: true,
        ..Chart::default()
    };
    let tenths = match column.as_str() {
        "se" => rating_chart(breakdown, side_name)?,
        _ => String::new(),
    };
    let has_beyond = bars.iter().any(|bar| bar.beyond_count > 0);
    let levels = level_legend(has_beyond) + &chart.to_html("")?;
    let mut html = format!("<div>\n{heading}{levels}</div>\n");
    if !tenths.is_empty() {
        html += &format!("<div>\n{heading}{tenths}</div>\n");
    }
    Ok((html, figures_table))
}

/// The figures of the charts of a label column: its rows, clues and levels by label. Levels that no row has are left
/// out.
fn figures_table(breakdown: &Breakdown, side_name: &str, bars: &[LabelBar]) -> String {
    let level_count = |bar: &LabelBar, level: &str| bar.level_counts.get(level).copied();
    let levels: Vec<&str> = (Level::ALL.into_iter().map(Level::id))
        .filter(|level| bars.iter().any(|bar| level_count(bar, level).is_some()))
        .collect();
    let has_beyond = bars.iter().any(|bar| bar.beyond_count > 0);
    let beyond = has_beyond.then_some(HardestTechnique::BEYOND.id);
    let own_columns = [breakdown.column.as_str(), "rows", "average clues"].into_iter();
    let columns: Vec<String> = own_columns
        .chain(levels.iter().copied())
        .chain(beyond)
        .map(str::to_owned)
        .collect();
    let row = |bar: &LabelBar| -> Vec<Value> {
        let mean = (bar.clue_sum_and_count.0 > 0)
            .then(|| bar.clue_sum_and_count.1 as f64 / bar.clue_sum_and_count.0 as f64);
        let counts = levels
            .iter()
            .map(|level| level_count(bar, level).unwrap_or(0));
        let counts = counts.chain(has_beyond.then_some(bar.beyond_count));
        [json!(bar.name), json!(bar.rows), json!(mean)]
            .into_iter()
            .chain(counts.map(|count| json!(count)))
            .collect()
    };
    let rows: Vec<Vec<Value>> = bars.iter().map(row).collect();
    let summary = format!("Figures of {side_name}{}", breakdown.column);
    collapsed_table(&summary, &columns, &rows)
}

/// The number in a label; `None` if it is not a number. Text formats can store numbers as text.
fn parse_number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    };
    number.filter(|number: &f64| number.is_finite())
}

/// Makes a bar for each group of rows. If the groups are many numbers, each bar is a range of numbers, and all ranges
/// have the same width.
fn label_bars(breakdown: &Breakdown) -> Vec<LabelBar> {
    let groups = breakdown.in_order();
    let group_numbers: Vec<f64> = groups
        .iter()
        .filter_map(|group| parse_number(&group.value))
        .collect();
    let is_classed = groups.len() > MOST_BARS && group_numbers.len() + 1 >= groups.len();
    let classes = is_classed.then(|| NumberRanges::from_numbers(&group_numbers));
    let name = |value: &Value| match (value, parse_number(value), &classes) {
        (Value::Null, ..) => "(none)".to_owned(),
        (_, Some(number), Some(classes)) => classes.range_name(number),
        (Value::String(text), ..) => cut_text(text, MOST_LABEL_CHARACTERS),
        (value, ..) => value.to_string(),
    };
    let mut bars: Vec<LabelBar> = Vec::new();
    for group in groups {
        let name = name(&group.value);
        let bar_index = match bars.iter().position(|bar| bar.name == name) {
            Some(at) => at,
            None => {
                bars.push(LabelBar {
                    name,
                    rows: 0,
                    level_counts: Counts::new(),
                    beyond_count: 0,
                    clue_sum_and_count: (0, 0),
                });
                bars.len() - 1
            }
        };
        let bar = &mut bars[bar_index];
        bar.rows += group.rows;
        add_counts(&mut bar.level_counts, group.level.clone());
        bar.beyond_count += group
            .technique
            .get(HardestTechnique::BEYOND.id)
            .copied()
            .unwrap_or(0);
        bar.clue_sum_and_count.0 += group.clues.count();
        bar.clue_sum_and_count.1 += group.clues.sum();
    }
    bars
}
