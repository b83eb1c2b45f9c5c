//! End-to-end tests of what users see.

#[cfg(feature = "analytics")]
mod analytics;
mod carried_types;
mod changed_inputs;
mod choose;
mod cli;
#[cfg(feature = "cloud")]
mod cloud;
#[cfg(feature = "cloud")]
mod cloud_folders;
mod columnar;
mod common_types;
mod compare;
mod containers;
mod containers_of_records;
mod copies;
mod documented;
mod duplicates;
mod empty;
mod environment;
mod explain;
mod failed_runs;
mod faults;
mod folders;
mod formats;
mod formats_text;
mod fuzz;
mod generate;
mod golden;
mod hive;
mod hodoku;
mod inferred_types;
mod input_names;
mod inspect;
mod kernels;
mod ladders;
mod leakage;
mod logical_types;
mod logs;
mod many;
mod memory;
mod metrics;
mod mutations;
mod one_table;
mod options;
mod order;
mod partitions;
mod pencil_marks;
mod properties;
mod puzzle_layouts;
mod ratings;
mod record_size;
mod rejects;
mod resume;
mod schema;
#[cfg(feature = "cloud")]
mod server;
mod shards;
mod sizes;
mod spellings;
mod splits;
mod stale_files;
mod tables;
mod terminal;
mod traces;
mod util;
mod validation;
#[cfg(not(feature = "analytics"))]
mod without_analytics;
mod written;
