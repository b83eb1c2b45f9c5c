//! Stage 6 of 7: turns the results of the stages before into the columns of the output table.

pub mod class;
pub mod class_key;
pub mod columns;
pub mod copies;
pub mod copy_of;
pub mod filter;
pub(crate) mod hints;
pub mod outcome;
pub mod reject;
pub mod reject_cause;
pub mod row_ratings;
pub mod template;
pub mod validation;
pub(crate) mod written_bytes;

/// The value in the name of a folder for nulls, as in Hive: `level=__HIVE_DEFAULT_PARTITION__`. A
/// text that equals it has an escaped character there.
pub(crate) const NO_FOLDER_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";
