//! Random changes of small files of every format, and of conditions, with what must come of them.
//!
//! ```text
//! seeds, corpus ─ mutate ─▶ bytes ─ check ─▶ rows and rejects, or a refusal
//! ```
//!
//! `FUZZ_INPUTS=N` or `FUZZ_SECONDS=N` says how much is tried, `FUZZ_SEED=N` what is tried. An input
//! that fails is made smaller and kept below `target/tmp/fuzz`. `FUZZ_PYTHON=PYTHON`, a Python with
//! pyarrow, reads the files of one test a second time.

mod beside_pyarrow;
mod check;
mod conditions;
mod corpus;
mod cover;
mod effort;
mod laws;
mod mutate;
mod readers;
mod seeds;
mod shrink;

pub(crate) use mutate::mutate;
pub(crate) use seeds::{Seed, columnar, packed_texts, texts};
