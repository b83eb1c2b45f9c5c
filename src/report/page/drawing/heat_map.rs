//! Draws heat maps with charts-rs.

use charts_rs::{Color, HeatmapChart};
use serde_json::{Value, json};

use super::chart::{add_description, common_options, json_text};
use super::colours::{INK_COLOUR, TEXT_COLOUR};
use super::html::Figure;
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
        add_description(svg, self.title, &self.caption)
    }
}
