//! Runs every reader on files with random changes.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use sudoku_core::random::Rng;
use sudoku_pipeline::read::InputFormat;
use tempfile::TempDir;

use super::check::{ReadOutcome, check};
use super::effort::{Case, Effort, try_inputs};
use super::{Seed, arrays, columnar, corpus, mutate, packed_texts, texts};

/// A folder for the many small files of a test. It is in memory if the system supports this.
pub(crate) fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    }
    .unwrap()
}

/// The files that the test changes. Text files are listed three times, columnar files twice, and compressed
/// texts, arrays and the corpus once.
pub(crate) fn seeds() -> Vec<Seed> {
    let mut seeds = packed_texts();
    for _ in 0..3 {
        seeds.extend(texts());
    }
    for _ in 0..2 {
        seeds.extend(columnar());
    }
    seeds.extend(arrays());
    seeds.extend(corpus::files());
    seeds
}

/// Makes the changed file number `number` from one of the seeds.
pub(crate) fn make(seeds: &[Seed], seed: u64, number: u64) -> Case {
    let mut rng = Rng::for_item(seed, number);
    let Seed { name, bytes } = &seeds[rng.below(seeds.len())];
    let other_bytes = &seeds[rng.below(seeds.len())].bytes;
    let mut bytes = bytes.clone();
    mutate(&mut bytes, other_bytes, &mut rng);
    Case {
        name: name.clone(),
        bytes,
    }
}

/// The path of the file that a thread uses.
pub(crate) fn thread_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{:?}-{name}", std::thread::current().id()))
}

/// Writes a file, reads it, and deletes it.
fn read_case(folder: &Path, case: &Case, format: Option<InputFormat>) -> ReadOutcome {
    let path = thread_path(folder, &case.name);
    std::fs::write(&path, &case.bytes).unwrap();
    let outcome = check(&path, &case.bytes, format);
    std::fs::remove_file(&path).unwrap();
    outcome
}

fn result_word(outcome: &ReadOutcome) -> String {
    match &outcome.refused {
        None => format!("{} read", outcome.format),
        Some((code, _)) if outcome.format.is_empty() => format!("refused with {code}"),
        Some((code, _)) => format!("{} refused with {code}", outcome.format),
    }
}

#[test]
fn any_file_is_rows_and_rejects_or_a_refusal() {
    let effort = Effort::from_environment(3000);
    let seeds = seeds();
    let folder = folder();
    let counts = try_inputs(
        "readers",
        effort,
        |number| make(&seeds, effort.seed, number),
        |case| {
            let first_outcome = read_case(folder.path(), case, None);
            // The format depends only on the bytes, so that it stays the same while an input is minimised.
            let byte_sum = case.bytes.iter().fold(0, |byte_sum: usize, byte| {
                byte_sum * 31 % 65_521 + usize::from(*byte)
            });
            if byte_sum.is_multiple_of(4) {
                // Some files are read with a given format, as with `--input-format`, which may be wrong for the file.
                let formats = InputFormat::value_variants();
                read_case(
                    folder.path(),
                    case,
                    Some(formats[byte_sum / 4 % formats.len()]),
                );
            }
            result_word(&first_outcome)
        },
    )
    .counts_by_result();
    let count_with_word = |word: &str| {
        counts
            .iter()
            .filter(|(key, _)| key.contains(word))
            .map(|(_, n)| n)
            .sum::<u64>()
    };
    assert!(
        count_with_word("read") > 0 && count_with_word("refused") > 0,
        "{counts:?}"
    );
}
