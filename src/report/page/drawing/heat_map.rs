//! Draws heat maps with charts-rs.

use charts_rs::{Color, HeatmapChart};
use serde_json::{Value, json};

use super::chart::{add_description, common_options, json_text, number_texts};
use super::colours::{INK_COLOUR, TEXT_COLOUR};
use super::html::{Figure, attribute};
use crate::error::Error;

/// The data and the texts of a heat map. The first row is at the top.
pub(crate) struct HeatMap<'a> {
    /// The width and the height of the heat map, in units of the SVG.
    pub(crate) width_and_height: (f64, f64),
    pub(crate) title: &'a str,
    pub(crate) caption: String,
    pub(crate) column_names: Vec<String>,
    pub(crate) row_names: Vec<String>,
    pub(crate) values: Vec<Vec<f64>>,
    pub(crate) column_title: &'a str,
    pub(crate) row_title: &'a str,
    /// The value that is drawn without colour, followed by the value that is drawn in the full colour.
    pub(crate) colour_range: (f64, f64),
    pub(crate) full_colour: &'static str,
}

impl Figure for HeatMap<'_> {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn draw(&self) -> Result<String, Error> {
        let mut options = common_options(self.width_and_height.0, self.width_and_height.1);
        let width = self.column_names.len();
        let (least, most) = self.colour_range;
        // The library draws the first row at the bottom.
        let data: Vec<Value> = (self.values.iter().rev().enumerate())
            .flat_map(|(row, values)| {
                let cells = values.iter().enumerate();
                cells.map(move |(column, value)| json!([row * width + column, value]))
            })
            .collect();
        let rows: Vec<&String> = self.row_names.iter().rev().collect();
        options.insert("x_axis_data".into(), json!(self.column_names));
        options.insert("x_axis_title".into(), json!(self.column_title));
        options.insert("y_axis_data".into(), json!(rows));
        options.insert(
            "y_axis_configs".into(),
            json!([{"axis_font_color": TEXT_COLOUR, "axis_font_size": 13, "axis_title": self.row_title}]),
        );
        // The left margin must have room for the names of rows, in addition to the room that the library reserves.
        let longest = self.row_names.iter().map(|name| name.chars().count()).max();
        options["margin"]["left"] = json!(4 + longest.unwrap_or(0));
        options.insert("legend_show".into(), json!(false));
        let colour = |alpha: &str| format!("{}{alpha}", self.full_colour);
        options.insert(
            "series".into(),
            json!({
                "data": data, "min": least, "max": most.max(least + 1e-6),
                "min_color": colour("0d"), "max_color": colour("a0"),
                "min_font_color": INK_COLOUR, "max_font_color": INK_COLOUR,
            }),
        );
        let svg = HeatmapChart::from_json(&json_text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        let svg = add_description(svg, self.title, &self.caption)?;
        let drawn_rows = self.values.iter().rev();
        let labels = number_texts(&drawn_rows.flatten().copied().collect::<Vec<_>>());
        Ok(label_cells(&svg, &labels))
    }
}

/// Replaces the texts in the cells, because the library writes 30 beside 30.1, and centres them. The texts are in the
/// order in which the cells are drawn.
fn label_cells(svg: &str, labels: &[String]) -> String {
    let mut cells = svg.split("<path");
    let mut labelled = cells.next().unwrap_or_default().to_owned();
    for cell in cells {
        labelled += "<path";
        labelled += &labelled_cell(cell, labels).unwrap_or_else(|| cell.to_owned());
    }
    labelled
}

/// A cell with its label, from the attributes of its path to the end of its text; `None` if this is not a cell.
fn labelled_cell(cell: &str, labels: &[String]) -> Option<String> {
    let (path, text) = cell.split_once("/><text")?;
    let index: usize = attribute(path, "data-index")?.parse().ok()?;
    let label = labels.get(index)?;
    // The outline of a cell: `M193.6 24h38.9v35.8h-38.9z`, or with the absolute `H232.5`.
    let (left, line) = attribute(path, "d")?.strip_prefix('M')?.split_once(' ')?;
    let left: f64 = left.parse().ok()?;
    let at = line.find(['h', 'H'])?;
    let end = line[at + 1..].split(['v', 'V']).next()?;
    let end: f64 = end.parse().ok()?;
    let middle = match &line[at..=at] {
        "H" => 0.5 * (left + end),
        _ => left + 0.5 * end,
    };
    let (attributes, rest) = text.split_once('>')?;
    let (_, rest) = rest.split_once("</text>")?;
    let x = format!(" x=\"{}\"", attribute(attributes, "x")?);
    let centre = format!(" x=\"{middle:.1}\" text-anchor=\"middle\"");
    let attributes = attributes.replacen(&x, &centre, 1);
    Some(format!("{path}/><text{attributes}>{label}</text>{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: a heat map had `30` beside `30.1`.
    #[test]
    fn the_cells_have_one_number_of_decimals() {
        let map = HeatMap {
            width_and_height: (400.0, 200.0),
            title: "t",
            caption: "c".to_owned(),
            column_names: vec!["a".to_owned(), "b".to_owned()],
            row_names: vec!["1".to_owned(), "2".to_owned()],
            values: vec![vec![30.0, 30.1], vec![7.25, 0.0]],
            column_title: "x",
            row_title: "y",
            colour_range: (0.0, 40.0),
            full_colour: super::super::colours::DATASET_COLOURS[0],
        };
        let svg = map.draw().unwrap();
        let texts = |anchor: &str| -> Vec<String> {
            let parts = svg.split("<text").skip(1);
            let parts = parts.filter(|part| part.contains("central") && part.contains(anchor));
            let texts = parts.filter_map(|part| part.split(['>', '<']).nth(1));
            texts.map(str::to_owned).collect()
        };
        // The last row is drawn first.
        assert_eq!(
            texts("text-anchor=\"middle\""),
            ["7.2", "0.0", "30.0", "30.1"]
        );
        assert_eq!(texts("").len(), 4);
    }
}
