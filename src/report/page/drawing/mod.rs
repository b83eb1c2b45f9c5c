//! Charts, pieces of HTML, and the names and classes that they show.

pub(crate) mod bins;
pub(crate) mod chart;
pub(crate) mod classes;
pub(crate) mod html;
pub(crate) mod names;
pub(crate) mod percent;
pub(crate) mod raster;
