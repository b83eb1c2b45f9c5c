//! Tests of the files that runs write, and of runs that fail or are resumed.

mod among_inputs;
mod any_threads;
mod commits;
mod failed_runs;
mod folders;
mod foreign_folders;
mod hive;
mod new_columns;
mod order;
mod partitions;
mod resume;
mod resumed_pieces;
mod same_inputs;
mod shard_agreement;
mod shards;
mod stale_files;
mod standard_output;
mod written;
