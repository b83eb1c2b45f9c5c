//! The types of carried columns, which are input columns that are copied to the output. The types are inferred from
//! texts and unified across inputs, and values are converted without loss.

pub(crate) mod cast;
pub(crate) mod common_type;
pub(crate) mod field_names;
pub(crate) mod logical;
pub(crate) mod name_index;
pub(crate) mod parts;
pub(crate) mod text;
mod type_name;
pub(crate) mod widening;

pub use text::ColumnTypes;
pub use type_name::{named_types, type_name};
pub(crate) use type_name::{timestamp_type, timestamptz_type};
