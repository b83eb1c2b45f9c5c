//! The page of a comparison of solvers.

use serde_json::Value;

use super::chart::{Chart, Grid, SIDES};
use super::document::{Section, document};
use super::html::{figure, folded};
use crate::error::Error;
use crate::numbers::thousands;
use crate::report::ComparisonTables;
use crate::report::comparison::Table;

/// The most labels that are shown: a page does not grow with its data.
const LABELS: usize = 20;

/// The page of a comparison of solvers: who solved how much with how many guesses and in what time, by
/// label, and which rules they used.
///
/// # Errors
/// A chart cannot be drawn, which would be a bug.
pub fn comparison(name: &str, of: &ComparisonTables) -> Result<String, Error> {
    let tables = of.tables();
    let table = |name: &str| tables.iter().find(|table| table.name == name);
    let (Some(solvers), Some(by_label), Some(clues), Some(rules)) = (
        table("solvers"),
        table("by_label"),
        table("clues"),
        table("rules"),
    ) else {
        return Err(Error::Internal("a comparison without its tables".into()));
    };
    let mut body = format!(
        "<p class=\"about\">{} puzzles, {} solvers.</p>\n",
        thousands(of.puzzles()),
        solvers.rows.len()
    );
    let has_labels = clues.rows.len() > 1 || clues.rows.iter().any(|row| !row[0].is_null());
    let mut add = |id: &'static str, title: &str, html: String| {
        let section = Section {
            id,
            title: title.to_owned(),
            body: html,
        };
        body += &section.html();
    };
    add("solvers", "Solvers", of_solvers(solvers)?);
    if has_labels {
        add("labels", "Solvers by label", of_labels(by_label)?);
        add("clues", "Clues by label", of_clues(clues)?);
    }
    if rules
        .rows
        .iter()
        .any(|row| row[1..].iter().any(|uses| !uses.is_null()))
    {
        add("rules", "Rules by label", of_rules(rules)?);
    }
    Ok(document(&format!("Sudoku solvers: {name}"), &body))
}

/// The values of a column as the text of a category.
fn names(table: &Table, column: &str) -> Vec<String> {
    values(table, column).map(name).collect()
}

fn name(value: &Value) -> String {
    match value {
        Value::Null => "(none)".to_owned(),
        Value::String(text) => match text.char_indices().nth(24) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.clone(),
        },
        other => other.to_string(),
    }
}

fn values<'t>(table: &'t Table, column: &str) -> impl Iterator<Item = &'t Value> {
    let at = table.columns.iter().position(|own| own == column);
    table.rows.iter().filter_map(move |row| row.get(at?))
}

fn numbers(table: &Table, column: &str) -> impl Iterator<Item = f64> {
    values(table, column).map(|value| value.as_f64().unwrap_or(0.0))
}

/// A number with about three digits.
fn short(number: f64) -> f64 {
    let scale = match number {
        number if number >= 100.0 => 1.0,
        number if number >= 10.0 => 10.0,
        number if number >= 1.0 => 100.0,
        _ => 1000.0,
    };
    (number * scale).round() / scale
}

/// The parts of wholes in percent.
fn shares(table: &Table, part: &str, whole: &str) -> Vec<f64> {
    let pairs = numbers(table, part).zip(numbers(table, whole));
    pairs
        .map(|(part, whole)| short(100.0 * part / whole.max(1.0)))
        .collect()
}

fn of_solvers(solvers: &Table) -> Result<String, Error> {
    let means = |column| numbers(solvers, column).map(short).collect();
    let charts = [
        (
            "Solved",
            "share of the puzzles, in %",
            "%",
            shares(solvers, "solved", "runs"),
        ),
        ("Guesses", "average of a puzzle", "", means("guesses")),
        (
            "Time",
            "average of a puzzle, in µs",
            "",
            means("microseconds"),
        ),
    ];
    let mut html = String::new();
    for (title, value_title, unit, values) in charts {
        let caption = match title {
            "Solved" => "Puzzles that a solver solves within its limit of guesses.",
            "Guesses" => "Average guesses on a puzzle; a run that gives up counts with its limit.",
            _ => "Average time on a puzzle, on one thread.",
        };
        let chart = Chart {
            title,
            description: caption.to_owned(),
            categories: names(solvers, "solver"),
            series: vec![(title.to_owned(), values)],
            category_title: "solver",
            value_title,
            unit,
            has_labels: true,
            ..Chart::default()
        };
        html += &figure(&chart.rows()?, caption, "");
    }
    Ok(html + &folded("Figures", &solvers.columns, &solvers.rows))
}

/// Heat maps of solvers by labels.
fn of_labels(by_label: &Table) -> Result<String, Error> {
    let (labels, left_out) = shown_labels(by_label);
    let mut solvers: Vec<String> = Vec::new();
    for solver in names(by_label, "solver") {
        if !solvers.contains(&solver) {
            solvers.push(solver);
        }
    }
    let keys: Vec<(String, String)> = names(by_label, "label")
        .into_iter()
        .zip(names(by_label, "solver"))
        .collect();
    let grid = |values: &[f64]| -> Vec<Vec<f64>> {
        let of = |solver: &String, label: &String| {
            let at = keys
                .iter()
                .position(|(own, by)| own == label && by == solver);
            at.map_or(0.0, |at| values[at])
        };
        let row = |solver| labels.iter().map(|label| of(solver, label)).collect();
        solvers.iter().map(row).collect()
    };
    let solved = grid(&shares(by_label, "solved", "runs"));
    let guesses = grid(&numbers(by_label, "guesses").map(short).collect::<Vec<_>>());
    let most = guesses.iter().flatten().copied().fold(1.0, f64::max);
    let mut html = String::new();
    for (title, caption, values, range) in [
        (
            "Solved by label",
            "Puzzles solved within the limit of guesses, in %.",
            solved,
            (0.0, 100.0),
        ),
        (
            "Guesses by label",
            "Average guesses on a puzzle.",
            guesses,
            (0.0, most),
        ),
    ] {
        let caption = format!("{caption}{left_out}");
        html += &heat_map(
            title,
            &caption,
            &labels,
            &solvers,
            values,
            ("label", "solver"),
            range,
        )?;
    }
    let rows = rows_of(by_label, &labels);
    Ok(html + &folded("Figures", &by_label.columns, &rows))
}

fn of_clues(clues: &Table) -> Result<String, Error> {
    let (labels, left_out) = shown_labels(clues);
    let caption = format!("Average clues of the puzzles of each label.{left_out}");
    let chart = Chart {
        title: "Clues by label",
        description: caption.clone(),
        series: vec![(
            "clues".to_owned(),
            numbers(clues, "clues")
                .map(short)
                .take(labels.len())
                .collect(),
        )],
        categories: labels.clone(),
        category_title: "label",
        value_title: "average clues",
        unit: "",
        has_labels: true,
        ..Chart::default()
    };
    let figures = folded("Figures", &clues.columns, &rows_of(clues, &labels));
    Ok(figure(&chart.rows()?, &caption, &figures))
}

/// Heat map of rules by labels; rules that nobody used are left out.
fn of_rules(rules: &Table) -> Result<String, Error> {
    let (labels, left_out) = shown_labels(rules);
    let used: Vec<&String> = (rules.columns[1..].iter())
        .filter(|rule| numbers(rules, rule).any(|uses| uses > 0.0))
        .collect();
    if used.is_empty() {
        return Ok("<p>No rule was used.</p>\n".to_owned());
    }
    let row = |rule: &&String| numbers(rules, rule).map(short).take(labels.len()).collect();
    let values: Vec<Vec<f64>> = used.iter().map(row).collect();
    let most = values.iter().flatten().copied().fold(1.0, f64::max);
    let names: Vec<String> = used.iter().map(|rule| rule.replace('_', " ")).collect();
    let caption = format!(
        "How often a rule changes the board, on average of the runs that count rules.{left_out}"
    );
    let map = heat_map(
        "Rules by label",
        &caption,
        &labels,
        &names,
        values,
        ("label", "rule"),
        (0.0, most),
    )?;
    Ok(map + &folded("Figures", &rules.columns, &rows_of(rules, &labels)))
}

fn heat_map(
    title: &str,
    caption: &str,
    columns: &[String],
    rows: &[String],
    values: Vec<Vec<f64>>,
    (column_title, row_title): (&str, &str),
    range: (f64, f64),
) -> Result<String, Error> {
    let grid = Grid {
        size: (720.0, 90.0 + 26.0 * rows.len() as f64),
        title,
        description: caption.to_owned(),
        columns: columns.to_vec(),
        rows: rows.to_vec(),
        values,
        column_title,
        row_title,
        range,
        colour: SIDES[0],
    };
    Ok(figure(&grid.heat_map()?, caption, ""))
}

/// The labels that are shown, in order, and words about the others.
fn shown_labels(table: &Table) -> (Vec<String>, String) {
    // The rows of a label follow each other. There may be as many labels as puzzles.
    let mut labels = names(table, "label");
    labels.dedup();
    let left_out = labels.len().saturating_sub(LABELS);
    labels.truncate(LABELS);
    let words = match left_out {
        0 => String::new(),
        more => format!(" {more} more labels are not shown."),
    };
    (labels, words)
}

/// The rows of these labels.
fn rows_of(table: &Table, labels: &[String]) -> Vec<Vec<Value>> {
    let is_shown = |row: &&Vec<Value>| labels.contains(&name(&row[0]));
    table.rows.iter().filter(is_shown).cloned().collect()
}
