//! Writes the HTML page of a comparison of solvers.

use serde_json::Value;

use super::document::{Section, html_document};
use super::drawing::chart::{CHART_WIDTH, Chart};
use super::drawing::colours::DATASET_COLOURS;
use super::drawing::heat_map::HeatMap;
use super::drawing::html::{Figure, collapsed_table, cut_text};
use super::drawing::line_chart::LineData;
use super::drawing::raster;
use super::picture::{PANEL_SIZE, picture_svg};
use super::rules::{rules_by_label_figure, rules_figure};
use crate::counts::ComparisonTables;
use crate::error::Error;
use crate::numbers::counted;
use crate::report::sheets::Sheet;
use crate::report::sheets::bars::SectionSize;

/// The maximum number of labels that the page shows. It limits the size of the page.
const MOST_LABELS: usize = 20;

/// The page of a comparison of solvers. It shows solved puzzles, guesses and times by solver, then the same figures by
/// label, and then the use of rules.
///
/// # Errors
/// A chart cannot be drawn. This would be a bug.
pub fn comparison_page(name: &str, tables: &ComparisonTables) -> Result<String, Error> {
    let [solvers, by_label, clues, rules] = &tables.sheets();
    let head_html = format!(
        "<p class=\"about\">{}, {}.</p>\n",
        counted(tables.puzzles(), "puzzle"),
        counted(solvers.rows.len() as u64, "solver")
    );
    let has_labels = clues.rows.len() > 1 || clues.rows.iter().any(|row| !row[0].is_null());
    let mut sections = Vec::new();
    let mut add_section = |id, title, size, html| {
        sections.push(Section::new(id, title, size, html));
    };
    // The tables of figures need the whole width.
    let row = SectionSize::Row;
    add_section("solvers", "Solvers", row, solvers_figure(solvers, tables)?);
    if has_labels {
        add_section("labels", "Solvers by label", row, labels_figure(by_label)?);
        add_section("clues", "Clues by label", row, clues_figure(clues)?);
    }
    if rules
        .rows
        .iter()
        .any(|row| row[1..].iter().any(|uses| !uses.is_null()))
    {
        let (title, html) = if has_labels {
            ("Rules by label", rules_by_label_figure(rules)?)
        } else {
            ("Rules", rules_figure(rules)?)
        };
        add_section("rules", title, row, html);
    }
    Ok(html_document(
        &format!("Sudoku solvers: {name}"),
        &head_html,
        sections,
    ))
}

/// The values as labels of a chart. Long texts are cut, so two different values can have the same label.
pub(super) fn chart_labels<'v>(values: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
    values.into_iter().map(chart_label).collect()
}

fn chart_label(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::String(text) => cut_text(text, 24),
        other => other.to_string(),
    }
}

fn values_of<'t>(table: &'t Sheet, column: &str) -> impl Iterator<Item = &'t Value> {
    let column_index = table.columns.iter().position(|own| own == column);
    table
        .rows
        .iter()
        .filter_map(move |row| row.get(column_index?))
}

pub(super) fn numbers_of(table: &Sheet, column: &str) -> impl Iterator<Item = f64> {
    values_of(table, column).map(|value| value.as_f64().unwrap_or(0.0))
}

/// The number rounded to about three digits.
fn round_to_three_digits(number: f64) -> f64 {
    let scale = match number {
        number if number >= 100.0 => 1.0,
        number if number >= 10.0 => 10.0,
        number if number >= 1.0 => 100.0,
        _ => 1000.0,
    };
    (number * scale).round() / scale
}

/// The values of the column `part` as percentages of the column `whole`.
fn percentages_of(table: &Sheet, part: &str, whole: &str) -> Vec<f64> {
    let pairs = numbers_of(table, part).zip(numbers_of(table, whole));
    pairs
        .map(|(part, whole)| round_to_three_digits(100.0 * part / whole.max(1.0)))
        .collect()
}

/// A picture with charts of the comparison, as SVG.
///
/// # Errors
///
/// A chart cannot be drawn. This would be a bug.
pub fn comparison_svg(name: &str, tables: &ComparisonTables) -> Result<String, Error> {
    let [solvers, ..] = &tables.sheets();
    // The picture has two charts of twice the usual height, because each has a line per solver.
    let size = (PANEL_SIZE.0, Some(2.0 * PANEL_SIZE.1));
    let mut panels = Vec::new();
    if let Some(lines) = solved_by_time_chart(tables, size, true) {
        panels.push((lines.title, lines.draw()?));
    }
    let [solved, ..] = &SOLVER_CHARTS;
    panels.push((solved.title, solved.chart(solvers, size).draw()?));
    let sentence = format!(
        "{}, {}.",
        counted(tables.puzzles(), "puzzle"),
        counted(solvers.rows.len() as u64, "solver")
    );
    Ok(picture_svg(
        &format!("Sudoku solvers: {name}"),
        &[sentence],
        &panels,
    ))
}

/// The picture of [`comparison_svg`] as PNG, with twice as many pixels in each direction.
///
/// # Errors
///
/// A chart cannot be drawn. This would be a bug.
pub fn comparison_png(name: &str, tables: &ComparisonTables) -> Result<Vec<u8>, Error> {
    raster::svg_to_png(&comparison_svg(name, tables)?)
}

/// A bar chart of one figure, with a bar for each solver.
struct SolverBars {
    title: &'static str,
    value_title: &'static str,
    caption: &'static str,
    /// The name of the column with the values of the figure.
    figure_column: &'static str,
    /// The name of the column whose values are 100 %, if the figure is shown as a percentage; otherwise `None`.
    total_column: Option<&'static str>,
}

const SOLVER_CHARTS: [SolverBars; 3] = [
    SolverBars {
        title: "Solved",
        value_title: "share of the puzzles, in %",
        caption: "Puzzles that a solver solves within its limit of guesses.",
        figure_column: "solved",
        total_column: Some("runs"),
    },
    SolverBars {
        title: "Guesses",
        value_title: "average of a puzzle",
        caption: "Average guesses on a puzzle; a run that gives up counts with its limit.",
        figure_column: "guesses",
        total_column: None,
    },
    SolverBars {
        title: "Time of all runs",
        value_title: "average of a puzzle, in µs",
        caption: "Average time on a puzzle, on one thread. A run that gives up is not fast: its time is that of the \
                  limit of guesses, so compare it only with solvers that solve as many puzzles.",
        figure_column: "microseconds",
        total_column: None,
    },
];

impl SolverBars {
    fn chart(&self, solvers: &Sheet, size: (f64, Option<f64>)) -> Chart<'static> {
        let values = match self.total_column {
            Some(whole) => percentages_of(solvers, self.figure_column, whole),
            None => numbers_of(solvers, self.figure_column).collect(),
        };
        Chart {
            title: self.title,
            caption: self.caption.to_owned(),
            category_names: chart_labels(values_of(solvers, "solver")),
            series: vec![(self.title.to_owned(), values)],
            category_title: "solver",
            value_title: self.value_title,
            value_unit: if self.total_column.is_some() { "%" } else { "" },
            width_and_height: size,
            is_horizontal: true,
            has_labels: true,
            ..Chart::default()
        }
    }
}

/// A cactus plot: for each time limit per puzzle, the number of puzzles that each solver solves within the limit. Runs
/// without a solution are left out. `None` if no run has a time.
fn solved_by_time_chart(
    tables: &ComparisonTables,
    size: (f64, Option<f64>),
    has_legend: bool,
) -> Option<LineData<'static>> {
    let series: Vec<(String, Vec<(f64, f64)>)> = tables
        .solved_by_time()
        .into_iter()
        .filter(|(_, points)| !points.is_empty())
        .map(|(solver, points)| {
            let point = |(solved, microseconds): (u64, f64)| (solved as f64, microseconds);
            // The line starts at 0 puzzles. If it did not, it would be a single point for a solver that needs the same
            // time for all puzzles.
            let start_point = points.first().map(|(_, microseconds)| (0.0, *microseconds));
            let points = start_point.into_iter().chain(points.into_iter().map(point));
            (solver, points.collect())
        })
        .collect();
    (!series.is_empty()).then_some(LineData {
        title: "Puzzles solved within a time",
        caption: SOLVED_BY_TIME_CAPTION,
        series,
        size,
        has_legend,
        x_title: "puzzles solved",
        y_title: "time of a puzzle, in µs",
    })
}

const SOLVED_BY_TIME_CAPTION: &str = "How many puzzles a solver solves (to the right) if each may take no longer than a time \
                      (upwards, on a logarithmic scale): a line that reaches further to the right solves more, and \
                      a lower one is faster. A run that gives up is not in it.";

fn solvers_figure(solvers: &Sheet, tables: &ComparisonTables) -> Result<String, Error> {
    let mut html = String::new();
    if let Some(lines) = solved_by_time_chart(tables, (CHART_WIDTH, None), false) {
        html += &lines.to_html("")?;
    }
    for bars in &SOLVER_CHARTS {
        html += &bars.chart(solvers, (CHART_WIDTH, None)).to_html("")?;
    }
    let columns: Vec<String> = (solvers.columns.iter())
        .map(|column| match column.as_str() {
            "filled_percent" => "filled, in %".to_owned(),
            "microseconds" => "µs".to_owned(),
            column => column.to_owned(),
        })
        .collect();
    let figures_table = collapsed_table("Figures", &columns, &solvers.rows);
    Ok(format!(
        "<div class=\"pairs\">\n{html}</div>\n{figures_table}"
    ))
}

/// Heat maps with one row per solver and one column per label.
fn labels_figure(by_label: &Sheet) -> Result<String, Error> {
    let (labels, left_out) = most_frequent_labels(by_label);
    let mut solvers: Vec<&Value> = Vec::new();
    for solver in values_of(by_label, "solver") {
        if !solvers.contains(&solver) {
            solvers.push(solver);
        }
    }
    let labels_and_solvers: Vec<(&Value, &Value)> = values_of(by_label, "label")
        .zip(values_of(by_label, "solver"))
        .collect();
    let grid = |values: &[f64]| -> Vec<Vec<f64>> {
        let value_of = |solver: &Value, label: &Value| {
            let key_index = labels_and_solvers
                .iter()
                .position(|key| *key == (label, solver));
            key_index.map_or(0.0, |at| values[at])
        };
        let row = |solver: &&Value| labels.iter().map(|label| value_of(solver, label)).collect();
        solvers.iter().map(row).collect()
    };
    let solved_grid = grid(&percentages_of(by_label, "solved", "runs"));
    let guesses_grid = grid(&numbers_of(by_label, "guesses").collect::<Vec<_>>());
    let most_guesses = guesses_grid.iter().flatten().copied().fold(1.0, f64::max);
    let mut html = String::from("<div class=\"pairs\">\n");
    for (title, caption, values, range) in [
        (
            "Solved by label",
            "Puzzles solved within the limit of guesses, in %.",
            solved_grid,
            (0.0, 100.0),
        ),
        (
            "Guesses by label",
            "Average guesses on a puzzle.",
            guesses_grid,
            (0.0, most_guesses),
        ),
    ] {
        let caption = format!("{caption}{left_out}");
        html += &heat_map(
            title,
            &caption,
            &chart_labels(labels.iter().copied()),
            &chart_labels(solvers.iter().copied()),
            values,
            ("label", "solver"),
            range,
        )?;
    }
    let rows = rows_with_labels(by_label, &labels);
    html += "</div>\n";
    Ok(html + &collapsed_table("Figures", &by_label.columns, &rows))
}

fn clues_figure(clues: &Sheet) -> Result<String, Error> {
    let (labels, left_out) = most_frequent_labels(clues);
    let chart = Chart {
        title: "Clues by label",
        caption: format!("Average clues of the puzzles of each label.{left_out}"),
        series: vec![(
            "clues".to_owned(),
            numbers_of(clues, "clues").take(labels.len()).collect(),
        )],
        category_names: chart_labels(labels.iter().copied()),
        category_title: "label",
        value_title: "average clues",
        value_unit: "",
        is_horizontal: true,
        has_labels: true,
        ..Chart::default()
    };
    let figures_table =
        collapsed_table("Figures", &clues.columns, &rows_with_labels(clues, &labels));
    Ok(format!(
        "<div class=\"pairs\">\n{}</div>\n{figures_table}",
        chart.to_html("")?
    ))
}

pub(super) fn heat_map(
    title: &str,
    caption: &str,
    columns: &[String],
    rows: &[String],
    values: Vec<Vec<f64>>,
    (column_title, row_title): (&str, &str),
    range: (f64, f64),
) -> Result<String, Error> {
    let grid = HeatMap {
        width_and_height: (CHART_WIDTH, 90.0 + 26.0 * rows.len() as f64),
        title,
        caption: caption.to_owned(),
        column_names: columns.to_vec(),
        row_names: rows.to_vec(),
        values,
        column_title,
        row_title,
        colour_range: range,
        full_colour: DATASET_COLOURS[0],
    };
    grid.to_html("")
}

/// The labels with the most puzzles, which the page shows, and a sentence about the labels that it leaves out.
pub(super) fn most_frequent_labels(table: &Sheet) -> (Vec<&Value>, String) {
    // Rows with the same label are consecutive. There can be as many labels as puzzles.
    let mut labels: Vec<&Value> = values_of(table, "label").collect();
    labels.dedup();
    let left_out_count = labels.len().saturating_sub(MOST_LABELS);
    labels.truncate(MOST_LABELS);
    let left_out_text = match left_out_count {
        0 => String::new(),
        more => format!(" {more} more labels are not shown."),
    };
    (labels, left_out_text)
}

/// The rows of a sheet whose first column has one of these labels.
fn rows_with_labels(table: &Sheet, labels: &[&Value]) -> Vec<Vec<Value>> {
    let is_shown = |row: &&Vec<Value>| labels.contains(&&row[0]);
    table.rows.iter().filter(is_shown).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: labels were compared by their first 24 characters, so different labels were taken for
    /// one.
    #[test]
    fn labels_that_begin_alike_are_shown_one_by_one() {
        let long_label = |end: &str| Value::from(format!("{}{end}", "a".repeat(30)));
        let labels = [
            long_label("1"),
            long_label("2"),
            Value::Null,
            Value::from("(none)"),
        ];
        let rows = labels.iter().map(|label| vec![label.clone(), 25.into()]);
        let table = Sheet::new("clues", "Clues", 1, &["label", "clues"]).with_rows(rows);
        let (shown, left_out) = most_frequent_labels(&table);
        assert_eq!(shown, labels.iter().collect::<Vec<_>>());
        assert_eq!(left_out, "");
        assert_eq!(rows_with_labels(&table, &shown[..1]), table.rows[..1]);
        let label_texts = chart_labels(shown);
        assert_eq!(label_texts[0], format!("{}…", "a".repeat(24)));
    }
}
