//! Draws bar charts with charts-rs, and has the functions that all kinds of charts share.
//!
//! A chart is 400 units wide, so that it fits on the screen of a telephone. A page shows charts side by side.

use charts_rs::{BarChart, Color, HorizontalBarChart, svg_with_accessibility};
use serde_json::{Map, Value, json};

use super::axis_names::{align_names_right, centre_texts};
use super::colours::{DATASET_COLOURS, RULE_COLOUR, TEXT_COLOUR};
use super::html::{Figure, escape_html, legend_html};
use crate::error::{AnalysisError, Error};
use crate::report::sheets::percent::percent_texts;
use crate::report::sheets::{decimals_of, number_text};

/// A placeholder for the label of a bar. It is replaced after the chart has been drawn, because the library would round
/// a share of 0.04 % to 0.
pub(super) const LABEL_PLACEHOLDER: &str = "@@@@@@";

/// The size of the names of categories if there are many of them.
pub(super) const SMALL_FONT_SIZE: f64 = 11.0;

/// The width of a chart in units of the SVG.
pub(crate) const CHART_WIDTH: f64 = 400.0;

/// The data and the texts of a bar chart.
pub(crate) struct Chart<'a> {
    /// The title of the chart for screen readers.
    pub(crate) title: &'a str,
    /// The caption below the chart, which is also the description for screen readers.
    pub(crate) caption: String,
    /// The names of the categories, one for each bar or group of bars.
    pub(crate) category_names: Vec<String>,
    /// The data series. Each has a name, and one value per category.
    pub(crate) series: Vec<(String, Vec<f64>)>,
    /// The colour of each series.
    pub(crate) series_colours: Vec<&'static str>,
    /// The colour of each category, for a chart with one series; empty if all bars have the same colour.
    pub(crate) bar_colours: Vec<&'static str>,
    /// The width of the chart and its height; `None` for the height that the categories need.
    pub(crate) width_and_height: (f64, Option<f64>),
    /// The title of the axis along which the categories are.
    pub(crate) category_title: &'a str,
    /// The title of the axis that shows the values.
    pub(crate) value_title: &'a str,
    /// The unit of the values, which is shown after each value.
    pub(crate) value_unit: &'a str,
    /// Whether the bars are horizontal, with the first category at the top. Vertical bars are from left to right.
    pub(crate) is_horizontal: bool,
    /// Whether the axis of values is logarithmic.
    pub(crate) is_logarithmic: bool,
    /// Whether the series are stacked, as shares of 100 %.
    pub(crate) is_stacked: bool,
    /// Whether the values are written beside the bars.
    pub(crate) has_labels: bool,
}

impl Default for Chart<'_> {
    fn default() -> Self {
        Chart {
            title: "",
            caption: String::new(),
            category_names: Vec::new(),
            series: Vec::new(),
            series_colours: DATASET_COLOURS.to_vec(),
            bar_colours: Vec::new(),
            width_and_height: (CHART_WIDTH, None),
            category_title: "",
            value_title: "",
            value_unit: "%",
            is_horizontal: false,
            is_logarithmic: false,
            is_stacked: false,
            has_labels: false,
        }
    }
}

/// The options of charts-rs that all charts share.
pub(super) fn common_options(width: f64, height: f64) -> Map<String, Value> {
    let options = json!({
        "width": width, "height": height, "compact": true, "theme": "light",
        "font_family": "Roboto",
        "margin": {"left": 4, "top": 24, "right": 12, "bottom": 4},
        "title_font_color": TEXT_COLOUR, "legend_font_color": TEXT_COLOUR, "x_axis_font_color": TEXT_COLOUR,
        "x_axis_stroke_color": RULE_COLOUR, "grid_stroke_color": RULE_COLOUR,
        "x_axis_font_size": 13, "legend_font_size": 13, "series_label_font_size": 12,
        "series_label_font_color": TEXT_COLOUR, "legend_category": "rect",
    });
    match options {
        Value::Object(options) => options,
        _ => Map::new(),
    }
}

impl Figure for Chart<'_> {
    fn caption(&self) -> &str {
        &self.caption
    }

    fn legend_html(&self) -> String {
        // The page explains the colours of levels beside the heading of the section.
        if self.series.len() < 2 || self.is_stacked || self.draws_legend() {
            return String::new();
        }
        let names = self.series.iter().map(|(name, _)| name.as_str());
        legend_html(names.zip(&self.series_colours).map(|(name, colour)| {
            let line = format!("stroke=\"{colour}\" stroke-width=\"8\"");
            (name, line)
        }))
    }

    fn draw(&self) -> Result<String, Error> {
        if self.is_horizontal {
            self.draw_horizontal_bars()
        } else {
            self.draw_vertical_bars()
        }
    }
}

impl Chart<'_> {
    /// Whether the drawing has a legend. A page has legends of HTML outside of its drawings instead, because the
    /// library places the names by their width in its own font.
    fn draws_legend(&self) -> bool {
        self.series.len() > 1 && self.width_and_height.1.is_some()
    }

    fn chart_options(&self, height: f64) -> Map<String, Value> {
        let (width, asked) = self.width_and_height;
        let mut options = common_options(width, asked.unwrap_or(height));
        let series = self.series.iter().zip(&self.series_colours).enumerate();
        let series: Vec<Value> = series
            .map(|(at, ((name, data), _))| {
                // 0 has no position on a logarithmic scale, so its bar is left out.
                let drawn_value = |value: &f64| {
                    json!(Some(*value).filter(|value| !self.is_logarithmic || *value > 0.0))
                };
                let data: Vec<Value> = data.iter().map(drawn_value).collect();
                let mut series_json =
                    json!({"name": name, "data": data, "index": at, "label_show": self.has_labels});
                if self.is_stacked {
                    series_json["stack"] = json!("all");
                }
                if self.series.len() == 1 && !self.bar_colours.is_empty() {
                    series_json["colors"] = json!(self.bar_colours);
                }
                series_json
            })
            .collect();
        options.insert("series_list".into(), json!(series));
        options.insert("series_colors".into(), json!(self.series_colours));
        options.insert("series_label_formatter".into(), json!(LABEL_PLACEHOLDER));
        options.insert("x_axis_data".into(), json!(self.category_names));
        options.insert("legend_show".into(), json!(self.draws_legend()));
        if self.is_stacked {
            options.insert("stack_percent".into(), json!(true));
        }
        options
    }

    fn draw_vertical_bars(&self) -> Result<String, Error> {
        let mut options = self.chart_options(260.0);
        let mut axis = json!({
            "axis_font_color": TEXT_COLOUR, "axis_font_size": 13, "axis_title": self.value_title,
            "axis_formatter": format!("{{c}}{}", self.value_unit), "axis_split_number": 5,
        });
        if self.is_logarithmic {
            axis["axis_scale"] = json!("log");
            // The axis starts at a power of ten. If that were the least value, its bar would have no height.
            let values = self.series.iter().flat_map(|(_, values)| values);
            let least_value = values
                .copied()
                .filter(|value| *value > 0.0)
                .reduce(f64::min);
            if let Some(least_value) = least_value {
                axis["axis_min"] = json!(least_value / 2.0);
            }
        } else {
            axis["axis_min"] = json!(0);
        }
        self.end_axis_at_100_percent(&mut axis);
        options.insert("y_axis_configs".into(), json!([axis]));
        options.insert("x_axis_title".into(), json!(self.category_title));
        // If the names of the categories would touch each other, their font is smaller than the font of the page.
        let letters = self.category_names.iter().map(|name| name.chars().count());
        if letters.max().unwrap_or(0) * self.category_names.len() > 40 {
            options.insert("x_axis_font_size".into(), json!(SMALL_FONT_SIZE));
        }
        let width = self.width_and_height.0;
        let svg = BarChart::from_json(&json_text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        // The library positions texts by their width in its own font. This is corrected here.
        let svg = svg.map(|svg| centre_texts(&svg, &self.category_names, width));
        let labels = self.bar_labels(self.series.iter().flat_map(|(_, values)| values));
        self.with_bar_labels(svg, labels)
    }

    fn draw_horizontal_bars(&self) -> Result<String, Error> {
        let of_series = if self.is_stacked {
            1
        } else {
            self.series.len()
        };
        // If there are few bars, they are drawn thicker, so that their labels fit.
        let group_width = match self.category_names.len() {
            0..8 => (9.5 * (1 + of_series) as f64).max(26.0),
            _ => 9.5 * (1 + of_series) as f64,
        };
        let legend = if self.draws_legend() { 30.0 } else { 0.0 };
        let mut options =
            self.chart_options(64.0 + legend + group_width * self.category_names.len() as f64);
        let mut axis = json!({"axis_font_color": TEXT_COLOUR, "axis_font_size": 13});
        self.end_axis_at_100_percent(&mut axis);
        options.insert("y_axis_configs".into(), json!([axis]));
        // The library measures names in its own font, which may be narrower than the font of the page, so the
        // margin is computed here.
        let longest = self.category_names.iter().map(|name| name.chars().count());
        options["margin"]["left"] = json!(4 + longest.max().unwrap_or(0));
        // The right margin must have room for the label of the longest bar.
        options["margin"]["right"] = json!(64);
        // The library draws the first category at the bottom.
        for key in ["x_axis_data", "series_list"] {
            match (key, options.get_mut(key)) {
                ("x_axis_data", Some(Value::Array(names))) => names.reverse(),
                (_, Some(Value::Array(series))) => {
                    for one in series {
                        for key in ["data", "colors"] {
                            if let Some(list) = one.get_mut(key).and_then(Value::as_array_mut) {
                                list.reverse();
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        options.insert("x_axis_title".into(), json!(self.value_title));
        let svg = HorizontalBarChart::from_json(&json_text(options)).and_then(|mut chart| {
            chart.background_color = Color::transparent();
            chart.svg()
        });
        // The library positions the names of categories by their width in its own font. This is corrected here.
        let svg = svg.map(|svg| align_names_right(&svg, &self.category_names));
        let series = self.series.iter();
        let labels = self.bar_labels(series.flat_map(|(_, values)| values.iter().rev()));
        self.with_bar_labels(svg, labels)
    }

    /// The labels of the bars: the values as text. They are in the order in which the bars are drawn.
    fn bar_labels<'v>(&self, values: impl Iterator<Item = &'v f64>) -> Vec<String> {
        let values: Vec<f64> = values.copied().collect();
        match self.value_unit {
            _ if !self.has_labels => Vec::new(),
            "%" => percent_texts(&values),
            _ => number_texts(&values),
        }
    }

    /// Ends the axis of shares at 100 %. The library would round it up to 120 %.
    fn end_axis_at_100_percent(&self, axis: &mut Value) {
        let values = self.series.iter().flat_map(|(_, values)| values);
        if self.value_unit == "%"
            && !self.is_logarithmic
            && values.copied().fold(0.0, f64::max) > 80.0
        {
            axis["axis_max"] = json!(100);
            axis["axis_split_number"] = json!(5);
        }
    }

    /// Replaces the placeholders of bar labels in the SVG of the chart.
    fn with_bar_labels(
        &self,
        svg: charts_rs::Result<String>,
        labels: Vec<String>,
    ) -> Result<String, Error> {
        let svg = add_description(svg, self.title, &self.caption)?;
        let mut svg_parts = svg.split(LABEL_PLACEHOLDER);
        let mut labelled = svg_parts.next().unwrap_or_default().to_owned();
        let mut labels = labels.into_iter();
        for part in svg_parts {
            let label = labels.next().unwrap_or_default();
            labelled += &escape_html(&label);
            labelled += part;
        }
        Ok(labelled)
    }
}

/// The numbers of one chart as texts, with the same number of decimals. Whole numbers have none.
pub(super) fn number_texts(numbers: &[f64]) -> Vec<String> {
    let decimals = if numbers.iter().all(|number| number.fract() == 0.0) {
        0
    } else {
        decimals_of(numbers.iter().copied())
    };
    let text = |number: &f64| number_text(*number, decimals);
    numbers.iter().map(text).collect()
}

pub(super) fn json_text(options: Map<String, Value>) -> String {
    Value::Object(options).to_string()
}

/// Adds a title and a description for screen readers to the SVG of a chart.
pub(super) fn add_description(
    svg: charts_rs::Result<String>,
    title: &str,
    description: &str,
) -> Result<String, Error> {
    let svg = svg.map_err(|error| AnalysisError::Chart {
        cause: error.to_string(),
    })?;
    Ok(svg_with_accessibility(&svg, title, description))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression test: the least share of a logarithmic axis was its floor, so that 3 of 300 puzzles had no bar.
    #[test]
    fn the_least_value_of_a_logarithmic_axis_has_a_bar() {
        let chart = Chart {
            category_names: vec!["0".to_owned(), "1".to_owned(), "2–3".to_owned()],
            series: vec![("share".to_owned(), vec![990_000.0, 10_000.0, 0.0])],
            value_unit: "",
            is_logarithmic: true,
            ..Chart::default()
        };
        let svg = chart.draw().unwrap();
        let number = |text: &str| -> Option<f64> {
            let end = text.find(|c: char| c != '.' && !c.is_ascii_digit());
            text[..end.unwrap_or(text.len())].parse().ok()
        };
        // The outline of a bar: `M85.9 159.7h17.9V209H85.9z`, or with the relative `v49.3`.
        let heights = svg.split("<path d=\"M").skip(1).filter_map(|path| {
            let (outline, attributes) = path.split_once('"')?;
            let is_bar = attributes.split('>').next()?.contains("data-series");
            let (_, top) = outline.split_once(' ')?;
            let height = match (top.split_once('v'), top.split_once('V')) {
                (Some((_, height)), _) => number(height)?,
                (_, Some((_, bottom))) => number(bottom)? - number(top)?,
                _ => return None,
            };
            is_bar.then_some(height)
        });
        let heights: Vec<f64> = heights.collect();
        assert_eq!(heights.len(), 2, "{svg}");
        assert!(heights.iter().all(|height| *height > 20.0), "{heights:?}");
    }
}
