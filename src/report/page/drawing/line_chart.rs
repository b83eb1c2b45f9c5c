//! Draws line charts with charts-rs.

use charts_rs::{Color, LineChart};
use serde_json::json;

use super::chart::{add_description, common_options, json_text};
use super::colours::TEXT_COLOUR;
use super::html::Figure;
use crate::error::Error;

/// The data and the texts of a line chart with a numeric horizontal axis.
pub(crate) struct LineData<'a> {
    pub(crate) title: &'a str,
    pub(crate) caption: &'a str,
    /// The name and the points of each line. The points are ordered from left to right.
    pub(crate) series: Vec<(String, Vec<(f64, f64)>)>,
    /// The width and the height of the chart; `None` for the usual height.
    pub(crate) size: (f64, Option<f64>),
    pub(crate) x_title: &'a str,
    /// The title of the vertical axis, which has a logarithmic scale.
    pub(crate) y_title: &'a str,
}

/// The colours of the lines. They can be distinguished on light and on dark backgrounds.
const LINE_COLOURS: [&str; 14] = [
    "#2a7fd0", "#e0751a", "#2f9e44", "#d6453f", "#8f63c7", "#9a6a55", "#d765b4", "#82868c",
    "#a8a01e", "#1aa5b8", "#5c6ee0", "#c98a00", "#5fa38a", "#b3477d",
];

impl Figure for LineData<'_> {
    fn caption(&self) -> &str {
        self.caption
    }

    fn draw(&self) -> Result<String, Error> {
        let legend = 22.0 * self.series.len().div_ceil(2) as f64;
        let (width, height) = self.size;
        let mut options = common_options(width, height.unwrap_or(300.0 + legend));
        let series = self.series.iter().enumerate().map(|(at, (name, points))| {
            let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
            json!({
                "name": name, "data": ys, "x_values": xs, "index": at, "step": "start",
                "symbol": null, "label_show": false,
            })
        });
        options.insert("series_list".into(), series.collect());
        let colours: Vec<&str> = (LINE_COLOURS.iter().copied().cycle())
            .take(self.series.len())
            .collect();
        options.insert("series_colors".into(), json!(colours));
        options.insert("x_axis_title".into(), json!(self.x_title));
        options.insert(
            "y_axis_configs".into(),
            json!([{
                "axis_font_color": TEXT_COLOUR, "axis_font_size": 13, "axis_title": self.y_title,
                "axis_scale": "log",
            }]),
        );
        options.insert("legend_show".into(), json!(self.series.len() > 1));
        let svg = LineChart::from_json(&json_text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        add_description(svg, self.title, self.caption)
    }
}
