//! Random changes of small files of every format, and of conditions, and checks of the results.
//!
//! ```text
//! seeds, corpus ─ mutate ─▶ bytes ─ check ─▶ rows and rejects, or a refusal
//! ```
//!
//! `FUZZ_INPUTS=N` sets the number of inputs, or `FUZZ_SECONDS=N` the time; `FUZZ_SEED=N` sets the seed. An
//! input that fails is minimised and kept in `target/tmp/fuzz`. With `FUZZ_PYTHON=PYTHON`, a Python interpreter
//! with pyarrow, the files of one test are read by pyarrow too.

mod beside_pyarrow;
mod changes;
mod check;
mod conditions;
mod corpus;
mod cover;
mod effort;
mod folders;
mod laws;
mod mutate;
mod pairs;
mod readers;
mod seeds;
mod shrink;

pub(crate) use mutate::mutate;
pub(crate) use seeds::{Seed, arrays, columnar, packed_texts, texts};
