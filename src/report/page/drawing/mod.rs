//! Draws charts and writes pieces of HTML.

mod axis_names;
pub(crate) mod chart;
pub(crate) mod classes;
pub(crate) mod code;
pub(crate) mod colours;
pub(crate) mod heat_map;
pub(crate) mod html;
pub(crate) mod line_chart;
pub(crate) mod names;
pub(crate) mod raster;
