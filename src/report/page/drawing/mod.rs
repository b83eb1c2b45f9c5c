//! Charts, pieces of HTML, and the names and classes that they show.

pub(crate) mod chart;
pub(crate) mod classes;
pub(crate) mod html;
pub(crate) mod names;
pub(crate) mod raster;
