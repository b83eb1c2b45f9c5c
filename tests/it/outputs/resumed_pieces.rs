//! Tests runs over Parquet files that are stopped within a file, whose pieces workers decode, and resumed with another
//! number of threads. `KILLS=N` sets the number of runs that are stopped.

use super::resume::kill_after;
use crate::inputs::pieces::{parquet_in_groups, table};
use crate::util::TestDir;

const RUN: [&str; 4] = ["grade", "in", "--ladder", "basic"];

#[test]
fn a_run_that_is_stopped_within_a_file_is_resumed_with_other_threads() {
    let kills = std::env::var("KILLS").map_or(4, |kills| kills.parse().unwrap());
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    let table = table(24_000);
    for (file, groups) in [
        [1, 9_000, 0, 2_000],
        [5_000, 5_000, 1, 1],
        [4_097, 0, 0, 8_000],
    ]
    .iter()
    .enumerate()
    {
        let part = table.slice(file * 100, groups.iter().sum());
        dir.write(
            &format!("in/{file}.parquet"),
            parquet_in_groups(&part, groups),
        );
    }
    let arguments = |output: &'static str, threads: &'static str| {
        let output = ["-o", output, "--threads", threads];
        [&RUN[..], &output, &["--resume"]].concat()
    };
    let start = std::time::Instant::now();
    dir.succeed(&arguments("whole/", "2"));
    let millis = start.elapsed().as_millis() as u64;
    let parts = |folder: &str| {
        let mut files = dir.tree(folder);
        files.retain(|name, _| name.ends_with(".parquet"));
        files
    };
    let expected = parts("whole");
    assert_eq!(expected.len(), 3);
    let seed = 56;
    let mut rng = sudoku_core::random::Rng::new(seed);
    let mut stopped = 0;
    for kill in 0..kills {
        let threads = ["1", "2", "7"][kill % 3];
        let signal = ["-INT", "-KILL"][kill / 3 % 2];
        let time = rng.below(millis as usize + 1) as u64;
        eprintln!("seed {seed}, kill {kill}: {signal} after {time} ms, {threads} threads");
        let code = kill_after(&dir, &arguments("out/", threads), time, signal);
        stopped += usize::from(code != Some(0));
        dir.succeed(&arguments("out/", ["16", "3"][kill % 2]));
        assert!(parts("out") == expected, "kill {kill}");
        std::fs::remove_dir_all(dir.path("out")).unwrap();
    }
    assert!(stopped > 0, "no run was stopped");
}
