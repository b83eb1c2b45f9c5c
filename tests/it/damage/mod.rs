//! Tests with inputs that are damaged, huge or hostile.

mod all_rejected;
mod bad_records;
mod changed_inputs;
mod empty;
mod faults;
mod many;
mod memory;
mod mutations;
mod pieces;
mod record_size;
mod rejects;
mod secrets;
mod tolerated;
mod validation;
mod wide;
