//! Tests files of every format that change while they are being read.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use sudoku_core::random::Rng;
use sudoku_pipeline::formats::open;
use sudoku_pipeline::read::ReadOptions;

use super::readers::{folder, seeds};

/// A run must not succeed if its input changes during the run, whatever the format and the position of the change.
#[test]
fn a_file_that_changes_while_it_is_read_is_an_error_worth_a_retry() {
    let folder = folder();
    let seeds = seeds();
    let seed = 34;
    let mut changed_count = 0;
    for number in 0..400 {
        let mut rng = Rng::for_item(seed, number);
        let chosen_seed = &seeds[rng.below(seeds.len())];
        let path = folder.path().join(&chosen_seed.name);
        std::fs::write(&path, &chosen_seed.bytes).unwrap();
        let Ok(mut input) = open(path.to_str().unwrap(), &ReadOptions::default()) else {
            continue;
        };
        for _ in 0..rng.below(3) {
            let _ = input.source.next(Vec::new());
        }
        let length = chosen_seed.bytes.len();
        let kind = rng.below(3);
        let mut file = File::options()
            .append(kind == 0)
            .write(true)
            .open(&path)
            .unwrap();
        match kind {
            0 => file
                .write_all(&chosen_seed.bytes[rng.below(length + 1)..])
                .unwrap(),
            1 => file.set_len(rng.below(length + 1) as u64).unwrap(),
            _ => file.write_all(&[rng.next_u64() as u8]).unwrap(),
        }
        // The times of files are too coarse for a test, so the time is set explicitly.
        let modified = file.metadata().unwrap().modified().unwrap();
        file.set_modified(modified + Duration::from_secs(1))
            .unwrap();
        let error = loop {
            match input.source.next(Vec::new()) {
                Ok(Some(_)) => {}
                Ok(None) => panic!(
                    "seed {seed}, number {number}: {} ended well",
                    chosen_seed.name
                ),
                Err(error) => break error,
            }
        };
        assert_eq!(
            error.exit_code(),
            1,
            "seed {seed}, number {number}: {error}"
        );
        changed_count += 1;
    }
    assert!(changed_count > 200, "{changed_count}");
}
