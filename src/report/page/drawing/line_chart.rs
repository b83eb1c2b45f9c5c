//! Draws line charts with charts-rs.

use charts_rs::{Color, LineChart};
use serde_json::json;

use super::chart::{add_description, common_options, json_text};
use super::colours::TEXT_COLOUR;
use super::html::{Figure, legend_html};
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
    /// Whether the drawing has a legend. A page has a legend of HTML above the drawing instead, which can be of several
    /// lines.
    pub(crate) has_legend: bool,
}

/// The colours of the lines. They can be distinguished on light and on dark backgrounds. If there are more lines than
/// colours, the other lines are dashed.
const LINE_COLOURS: [&str; 7] = [
    "#2a7fd0", "#e0751a", "#2f9e44", "#d6453f", "#8f63c7", "#82868c", "#1aa5b8",
];

/// The dashes of the lines, for `stroke-dasharray`.
const DASHES: [&str; 3] = ["", "6 3", "2 3"];

/// The colour and the dashes of the line with this index.
fn line_style(at: usize) -> (&'static str, &'static str) {
    (
        LINE_COLOURS[at % LINE_COLOURS.len()],
        DASHES[at / LINE_COLOURS.len() % DASHES.len()],
    )
}

impl LineData<'_> {
    /// The name of a line in the legend of the drawing, whose boxes have colours but no dashes.
    fn drawn_name(&self, at: usize, name: &str) -> String {
        match line_style(at).1 {
            "" => name.to_owned(),
            _ if !self.has_legend => name.to_owned(),
            _ => format!("{name} (dashed)"),
        }
    }
}

impl Figure for LineData<'_> {
    fn caption(&self) -> &str {
        self.caption
    }

    fn legend_html(&self) -> String {
        if self.has_legend || self.series.len() < 2 {
            return String::new();
        }
        let names = self.series.iter().map(|(name, _)| name.as_str());
        legend_html(names.enumerate().map(|(at, name)| {
            let (colour, dashes) = line_style(at);
            let line =
                format!("stroke=\"{colour}\" stroke-width=\"3\" stroke-dasharray=\"{dashes}\"");
            (name, line)
        }))
    }

    fn draw(&self) -> Result<String, Error> {
        let legend = if self.has_legend {
            22.0 * self.series.len().div_ceil(2) as f64
        } else {
            0.0
        };
        let (width, height) = self.size;
        let mut options = common_options(width, height.unwrap_or(300.0 + legend));
        let series = self.series.iter().enumerate().map(|(at, (name, points))| {
            let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
            let mut line = json!({
                "name": self.drawn_name(at, name), "data": ys, "x_values": xs, "index": at, "step": "start",
                "symbol": null, "label_show": false,
            });
            let (_, dashes) = line_style(at);
            if !dashes.is_empty() {
                line["stroke_dash_array"] = json!(dashes);
            }
            line
        });
        options.insert("series_list".into(), series.collect());
        let colours: Vec<&str> = (0..self.series.len()).map(|at| line_style(at).0).collect();
        options.insert("series_colors".into(), json!(colours));
        options.insert("x_axis_title".into(), json!(self.x_title));
        options.insert(
            "y_axis_configs".into(),
            json!([{
                "axis_font_color": TEXT_COLOUR, "axis_font_size": 13, "axis_title": self.y_title,
                "axis_scale": "log",
            }]),
        );
        options.insert(
            "legend_show".into(),
            json!(self.has_legend && self.series.len() > 1),
        );
        let svg = LineChart::from_json(&json_text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        add_description(svg, self.title, self.caption)
    }
}
