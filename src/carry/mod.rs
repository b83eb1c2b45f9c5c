//! The types of carried columns: inferred from texts, unified across inputs, and converted without loss.

pub(crate) mod cast;
pub(crate) mod common_type;
pub(crate) mod logical;
pub(crate) mod name_index;
pub(crate) mod text;
mod type_name;

pub use text::ColumnTypes;
pub use type_name::type_name;
