//! The dataset's own labels of difficulty, and other columns that group the rows.

use serde_json::{Value, json};
use sudoku_core::grade::{HardestTechnique, Level};

use super::chart::{Chart, LEVELS};
use super::html::{escape, figure, folded};
use super::percent::percent;
use super::side::Side;
use crate::error::Error;
use crate::report::sheets::in_words;
use crate::report::statistics::{Breakdown, Counts, add_counts};

/// The most labels with a bar each; numbers are put into classes beyond that, others are left out.
const BARS: usize = 20;

/// The number of classes for labels that are numbers.
const CLASSES: usize = 10;

/// The most columns of labels that are shown.
const COLUMNS: usize = 6;

/// A bar: the labels in it, its rows, and those by level.
struct Bar {
    name: String,
    rows: u64,
    level: Counts,
    beyond: u64,
    clues: (u64, u64),
}

/// Levels by label, for each column of labels of each side.
pub(super) fn section(sides: &[Side]) -> Result<Option<String>, Error> {
    let mut html = String::new();
    for side in sides {
        let columns = side.statistics.by.iter().filter(|by| by.groups.len() > 1);
        for breakdown in columns.take(COLUMNS) {
            let of = if sides.len() > 1 {
                format!("{}: ", side.name)
            } else {
                String::new()
            };
            html += &one(breakdown, &of)?;
        }
    }
    Ok((!html.is_empty()).then_some(html))
}

fn one(breakdown: &Breakdown, of: &str) -> Result<String, Error> {
    let column = &breakdown.column;
    let agreement = breakdown
        .agreement()
        .map(|agreement| in_words(column, agreement));
    let agreement = agreement.unwrap_or_else(|| "These rows have no grades.".to_owned());
    let all = bars(breakdown);
    let left_out = all.len().saturating_sub(BARS);
    let bars: Vec<Bar> = all.into_iter().take(BARS).collect();
    let mut caption = format!("{of}Levels by {column}. {agreement}");
    if left_out > 0 {
        caption += &format!(" {left_out} more values are not shown.");
    }
    let heading = format!("<h3>{}{}</h3>\n", escape(of), escape(column));
    let columns: Vec<String> = [column.clone(), "rows".into(), "average clues".into()]
        .into_iter()
        .chain(Level::ALL.map(|level| level.id().to_owned()))
        .chain([HardestTechnique::BEYOND.id.to_owned()])
        .collect();
    let row = |bar: &Bar| -> Vec<Value> {
        let mean = (bar.clues.0 > 0).then(|| bar.clues.1 as f64 / bar.clues.0 as f64);
        let levels = Level::ALL.map(|level| json!(bar.level.get(level.id()).copied().unwrap_or(0)));
        let mut row = vec![json!(bar.name), json!(bar.rows), json!(mean)];
        row.extend(levels);
        row.push(json!(bar.beyond));
        row
    };
    let rows: Vec<Vec<Value>> = bars.iter().map(row).collect();
    let figures = folded("Figures", &columns, &rows);
    if bars
        .iter()
        .all(|bar| bar.level.is_empty() && bar.beyond == 0)
    {
        return Ok(format!("{heading}<p>{}</p>\n{figures}", escape(&caption)));
    }
    let graded = |bar: &Bar| bar.level.values().sum::<u64>() + bar.beyond;
    let mut series: Vec<(String, Vec<f64>)> = (Level::ALL.into_iter())
        .map(|level| {
            let share =
                |bar: &Bar| percent(bar.level.get(level.id()).copied().unwrap_or(0), graded(bar));
            (level.id().to_owned(), bars.iter().map(share).collect())
        })
        .collect();
    if bars.iter().any(|bar| bar.beyond > 0) {
        let share = |bar: &Bar| percent(bar.beyond, graded(bar));
        series.push((
            HardestTechnique::BEYOND.id.to_owned(),
            bars.iter().map(share).collect(),
        ));
    }
    let chart = Chart {
        title: &format!("Levels by {column}"),
        description: caption.clone(),
        categories: bars.iter().map(|bar| bar.name.clone()).collect(),
        series,
        colours: LEVELS.to_vec(),
        category_title: column,
        value_title: "share of the graded puzzles with this label",
        is_stacked: true,
        ..Chart::default()
    };
    Ok(heading + &figure(&chart.rows()?, &caption, &figures))
}

/// The groups as bars; many numbers become classes of the same width.
fn bars(breakdown: &Breakdown) -> Vec<Bar> {
    let groups = breakdown.in_order();
    let number = |value: &Value| value.as_f64();
    let numbers: Vec<f64> = groups
        .iter()
        .filter_map(|group| number(&group.value))
        .collect();
    let is_classed = groups.len() > BARS && numbers.len() + 1 >= groups.len();
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = (most - least) / CLASSES as f64;
    let name = |value: &Value| match (value, number(value)) {
        (Value::Null, _) => "(none)".to_owned(),
        (Value::String(text), _) => cut(text),
        (_, Some(number)) if is_classed && width > 0.0 => {
            let class = (((number - least) / width) as usize).min(CLASSES - 1);
            let start = least + class as f64 * width;
            format!("{}–{}", short(start), short(start + width))
        }
        (value, _) => value.to_string(),
    };
    let mut bars: Vec<Bar> = Vec::new();
    for group in groups {
        let name = name(&group.value);
        let at = match bars.iter().position(|bar| bar.name == name) {
            Some(at) => at,
            None => {
                bars.push(Bar {
                    name,
                    rows: 0,
                    level: Counts::new(),
                    beyond: 0,
                    clues: (0, 0),
                });
                bars.len() - 1
            }
        };
        let bar = &mut bars[at];
        bar.rows += group.rows;
        add_counts(&mut bar.level, group.level.clone());
        bar.beyond += group
            .technique
            .get(HardestTechnique::BEYOND.id)
            .copied()
            .unwrap_or(0);
        bar.clues.0 += group.clues.count();
        bar.clues.1 += group.clues.sum();
    }
    bars
}

/// A label that is not too long.
fn cut(text: &str) -> String {
    const MOST: usize = 24;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
