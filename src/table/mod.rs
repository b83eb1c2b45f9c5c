//! Converts the results for each record to the columns of the output table.

pub mod class;
pub mod class_key;
pub mod column;
pub mod columns;
pub mod copies;
pub mod copy_of;
pub mod filter;
pub(crate) mod hints;
pub mod input_column;
pub mod judged;
pub mod layout;
pub mod outcome;
pub mod reject;
pub mod reject_cause;
pub mod row_ratings;
pub mod template;
pub mod validation;
pub mod view;
pub(crate) mod written_bytes;

/// The folder name that stands for null in partition folders, as in Hive: `level=__HIVE_DEFAULT_PARTITION__`. If a
/// value is this text itself, one of its characters is escaped.
pub(crate) const NO_FOLDER_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";
