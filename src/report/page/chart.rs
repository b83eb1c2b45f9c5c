//! Charts: drawn by charts-rs, in the colours of the page.

use charts_rs::{BarChart, Color, HeatmapChart, HorizontalBarChart, svg_with_accessibility};
use serde_json::{Map, Value, json};

use crate::error::{AnalysisError, Error};

/// Colours that stand for variables of the page's style, and are replaced by them.
const COLOURS: [(&str, &str); 11] = [
    ("#10a001", "--soft"),
    ("#10a002", "--rule"),
    ("#10a004", "--ink"),
    ("#10b001", "--side-0"),
    ("#10b002", "--side-1"),
    ("#10c001", "--level-0"),
    ("#10c002", "--level-1"),
    ("#10c003", "--level-2"),
    ("#10c004", "--level-3"),
    ("#10c005", "--level-4"),
    ("#10c006", "--level-5"),
];

const TEXT: &str = "#10a001";
const RULE: &str = "#10a002";
const INK: &str = "#10a004";

/// The colours of the first and the second dataset.
pub(super) const SIDES: [&str; 2] = ["#10b001", "#10b002"];
/// The colours of the levels, and of what lies beyond.
pub(super) const LEVELS: [&str; 6] = [
    "#10c001", "#10c002", "#10c003", "#10c004", "#10c005", "#10c006",
];

/// What a chart shows.
pub(super) struct Chart<'a> {
    /// What it is, for those who cannot see it.
    pub(super) title: &'a str,
    /// What can be seen in it, likewise.
    pub(super) description: String,
    /// The categories.
    pub(super) categories: Vec<String>,
    /// Names and values of the series, one value for each category.
    pub(super) series: Vec<(String, Vec<f64>)>,
    /// A colour for each series.
    pub(super) colours: Vec<&'static str>,
    /// The title of the axis of categories.
    pub(super) category_title: &'a str,
    /// The title of the axis of values.
    pub(super) value_title: &'a str,
    /// The unit of the values, written behind them.
    pub(super) unit: &'a str,
    /// Whether the axis of values has a logarithmic scale.
    pub(super) is_log: bool,
    /// Whether series lie on each other, as shares of 100 %.
    pub(super) is_stacked: bool,
    /// Whether values are written at their bars.
    pub(super) has_labels: bool,
}

impl Default for Chart<'_> {
    fn default() -> Self {
        Chart {
            title: "",
            description: String::new(),
            categories: Vec::new(),
            series: Vec::new(),
            colours: SIDES.to_vec(),
            category_title: "",
            value_title: "",
            unit: "%",
            is_log: false,
            is_stacked: false,
            has_labels: false,
        }
    }
}

/// What all charts have.
fn common(width: f64, height: f64) -> Map<String, Value> {
    let options = json!({
        "width": width, "height": height, "compact": true, "theme": "light",
        "font_family": "Roboto",
        "margin": {"left": 4, "top": 24, "right": 12, "bottom": 4},
        "title_font_color": TEXT, "legend_font_color": TEXT, "x_axis_font_color": TEXT,
        "x_axis_stroke_color": RULE, "grid_stroke_color": RULE,
        "x_axis_font_size": 13, "legend_font_size": 13, "series_label_font_size": 12,
        "series_label_font_color": TEXT, "legend_category": "rect",
    });
    match options {
        Value::Object(options) => options,
        _ => Map::new(),
    }
}

impl Chart<'_> {
    fn options(&self, height: f64) -> Map<String, Value> {
        let mut options = common(720.0, height);
        let series = self.series.iter().zip(&self.colours).enumerate();
        let series: Vec<Value> = series
            .map(|(at, ((name, data), _))| {
                // There is no place for 0 on a logarithmic scale.
                let value =
                    |value: &f64| json!(Some(*value).filter(|value| !self.is_log || *value > 0.0));
                let data: Vec<Value> = data.iter().map(value).collect();
                let mut one =
                    json!({"name": name, "data": data, "index": at, "label_show": self.has_labels});
                if self.is_stacked {
                    one["stack"] = json!("all");
                }
                one
            })
            .collect();
        options.insert("series_list".into(), json!(series));
        options.insert("series_colors".into(), json!(self.colours));
        options.insert(
            "series_label_formatter".into(),
            json!(format!("{{c}}{}", self.unit)),
        );
        options.insert("x_axis_data".into(), json!(self.categories));
        options.insert("legend_show".into(), json!(self.series.len() > 1));
        if self.is_stacked {
            options.insert("stack_percent".into(), json!(true));
        }
        options
    }

    /// Bars beside each other, the categories from left to right.
    pub(super) fn bars(&self) -> Result<String, Error> {
        let mut options = self.options(340.0);
        let mut axis = json!({
            "axis_font_color": TEXT, "axis_font_size": 13, "axis_title": self.value_title,
            "axis_formatter": format!("{{c}}{}", self.unit), "axis_split_number": 5,
        });
        if self.is_log {
            axis["axis_scale"] = json!("log");
        } else {
            axis["axis_min"] = json!(0);
        }
        self.end_at_all(&mut axis);
        options.insert("y_axis_configs".into(), json!([axis]));
        options.insert("x_axis_title".into(), json!(self.category_title));
        // Names that would touch each other in the page's font are smaller.
        let letters = self.categories.iter().map(|name| name.chars().count());
        if letters.max().unwrap_or(0) * self.categories.len() > 72 {
            options.insert("x_axis_font_size".into(), json!(11));
        }
        self.drawn(BarChart::from_json(&text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        }))
    }

    /// Bars below each other, the first category at the top.
    pub(super) fn rows(&self) -> Result<String, Error> {
        let of_series = match self.is_stacked {
            true => 1,
            false => self.series.len(),
        };
        let lines = self.categories.len() * (1 + of_series);
        let legend = if self.series.len() > 1 { 30.0 } else { 0.0 };
        let mut options = self.options(70.0 + legend + 13.0 * lines as f64);
        // The library measures names in its own font; the page's may be wider.
        let longest = self
            .categories
            .iter()
            .map(|name| name.chars().count())
            .max();
        let width = 14.0 + 7.8 * longest.unwrap_or(0) as f64;
        let mut axis = json!({"axis_font_color": TEXT, "axis_font_size": 13, "axis_width": width});
        self.end_at_all(&mut axis);
        options.insert("y_axis_configs".into(), json!([axis]));
        // The value of the longest bar stands behind it.
        options["margin"]["right"] = json!(48);
        // The library's first category is at the bottom.
        for key in ["x_axis_data", "series_list"] {
            match (key, options.get_mut(key)) {
                ("x_axis_data", Some(Value::Array(names))) => names.reverse(),
                (_, Some(Value::Array(series))) => {
                    for data in series
                        .iter_mut()
                        .filter_map(|one| one["data"].as_array_mut())
                    {
                        data.reverse();
                    }
                }
                _ => {}
            }
        }
        options.insert("x_axis_title".into(), json!(self.value_title));
        self.drawn(
            HorizontalBarChart::from_json(&text(options)).and_then(|mut chart| {
                chart.background_color = Color::transparent();
                chart.svg()
            }),
        )
    }

    /// Ends the axis of shares at 100 %, where the library would take the next round number, 120 %.
    fn end_at_all(&self, axis: &mut Value) {
        let values = self.series.iter().flat_map(|(_, values)| values);
        if self.unit == "%" && !self.is_log && values.copied().fold(0.0, f64::max) > 80.0 {
            axis["axis_max"] = json!(100);
            axis["axis_split_number"] = json!(5);
        }
    }

    fn drawn(&self, svg: charts_rs::Result<String>) -> Result<String, Error> {
        finished(svg, self.title, &self.description)
    }
}

/// A grid of values: rows of cells, the first row at the top.
pub(super) struct HeatMap<'a> {
    /// Its width and height, in pixels.
    pub(super) size: (f64, f64),
    pub(super) title: &'a str,
    pub(super) description: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<String>,
    pub(super) values: Vec<Vec<f64>>,
    pub(super) column_title: &'a str,
    pub(super) row_title: &'a str,
    /// The values shown as blank paper and in the full colour.
    pub(super) range: (f64, f64),
    pub(super) colour: &'static str,
}

impl HeatMap<'_> {
    pub(super) fn heat_map(&self) -> Result<String, Error> {
        let mut options = common(self.size.0, self.size.1);
        let width = self.columns.len();
        let (least, most) = self.range;
        // The rows of the library go from the bottom up.
        let data: Vec<Value> = (self.values.iter().rev().enumerate())
            .flat_map(|(row, values)| {
                let cells = values.iter().enumerate();
                cells.map(move |(column, value)| json!([row * width + column, value]))
            })
            .collect();
        let rows: Vec<&String> = self.rows.iter().rev().collect();
        options.insert("x_axis_data".into(), json!(self.columns));
        options.insert("x_axis_title".into(), json!(self.column_title));
        options.insert("y_axis_data".into(), json!(rows));
        options.insert(
            "y_axis_configs".into(),
            json!([{"axis_font_color": TEXT, "axis_font_size": 13, "axis_title": self.row_title}]),
        );
        // The left margin is the place that names have beside what the library measures.
        let longest = self.rows.iter().map(|name| name.chars().count()).max();
        options["margin"]["left"] = json!(4 + longest.unwrap_or(0));
        options.insert("legend_show".into(), json!(false));
        let colour = |alpha: &str| format!("{}{alpha}", self.colour);
        options.insert(
            "series".into(),
            json!({
                "data": data, "min": least, "max": most.max(least + 1e-6),
                "min_color": colour("0d"), "max_color": colour("a0"),
                "min_font_color": INK, "max_font_color": INK,
            }),
        );
        let svg = HeatmapChart::from_json(&text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        finished(svg, self.title, &self.description)
    }
}

fn text(options: Map<String, Value>) -> String {
    Value::Object(options).to_string()
}

/// The drawing with what it shows, in the colours of the page.
fn finished(
    svg: charts_rs::Result<String>,
    title: &str,
    description: &str,
) -> Result<String, Error> {
    let svg = svg.map_err(|error| AnalysisError::Chart {
        cause: error.to_string(),
    })?;
    let mut svg = svg_with_accessibility(&svg, title, description);
    for (colour, variable) in COLOURS {
        let variable = format!("var({variable})");
        svg = svg
            .replace(colour, &variable)
            .replace(&colour.to_uppercase(), &variable);
    }
    Ok(svg)
}
