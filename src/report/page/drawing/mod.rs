//! Draws charts and pieces of HTML, and chooses the colours and the ranges that they show.

pub(crate) mod chart;
pub(crate) mod classes;
pub(crate) mod colours;
pub(crate) mod heat_map;
pub(crate) mod html;
pub(crate) mod line_chart;
pub(crate) mod names;
pub(crate) mod raster;
