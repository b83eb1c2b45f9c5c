//! Any condition is an error or keeps what logic demands.
#![no_main]

#[path = "../it/fuzz/laws.rs"]
mod laws;

use std::sync::LazyLock;

use arrow::array::RecordBatch;

static TABLE: LazyLock<RecordBatch> = LazyLock::new(laws::table);

libfuzzer_sys::fuzz_target!(|text: &str| {
    laws::check(text, &TABLE);
});
