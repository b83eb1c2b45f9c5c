//! Changes small files of every format, and conditions, at random, and checks the results.
//!
//! ```text
//! seeds, corpus ─ mutate ─▶ bytes ─ check ─▶ rows and rejects, or a refusal
//! ```
//!
//! `FUZZ_INPUTS=N` sets the number of inputs, or `FUZZ_SECONDS=N` the time; `FUZZ_SEED=N` sets the seed. An
//! input that fails is minimised and kept in `target/tmp/fuzz`. If `FUZZ_PYTHON` is a Python interpreter with
//! pyarrow, one test also reads its files with pyarrow.

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
