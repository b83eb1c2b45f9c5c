//! Tests of the columns and the types of tables.

mod carried_types;
mod choose;
mod common_types;
mod dataset_columns;
mod inferred_types;
mod logical_types;
mod one_table;
mod schema;
mod struct_fields;
mod written_names;
