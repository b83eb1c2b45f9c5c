//! Tests the options that `generate` shares with other commands: signals, `--memory-limit`, `--skip`
//! instead of `--resume`, and invalid values.

use std::time::Duration;

use crate::util::{PUZZLE, TestDir, stderr};

/// A full grid, from which puzzles are made.
const GRID: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// A pattern with 17 clues. Hardly any puzzle with this pattern has exactly one solution.
const RARE_PATTERN: &str =
    "...x.x..........xxx............x.x........x...x..x....x......xx..xx........x..x..";

/// A number of puzzles that takes longer than a test can wait.
const TOO_MANY_PUZZLES: &str = "1000000000";

fn dir_with_inputs() -> TestDir {
    let dir = TestDir::new();
    dir.write("grids.txt", format!("{GRID}\n").repeat(3));
    dir.write("puzzles.txt", format!("{PUZZLE}\n"));
    dir.write("patterns.txt", format!("{RARE_PATTERN}\n").repeat(3));
    dir
}

#[test]
fn a_signal_ends_each_way_of_generating_and_leaves_nothing() {
    let option_sets: [&[&str]; 12] = [
        &[
            TOO_MANY_PUZZLES,
            "--level",
            "hard",
            "--symmetry",
            "rotational",
        ],
        &[TOO_MANY_PUZZLES, "--technique", "jellyfish"],
        &[TOO_MANY_PUZZLES, "--se", "7.0..7.5", "--minimal"],
        &[TOO_MANY_PUZZLES, "--hodoku-score", "2000..3000"],
        &[TOO_MANY_PUZZLES, "--solutions", "3", "--clues", "20"],
        &[TOO_MANY_PUZZLES, "--size", "16"],
        &[TOO_MANY_PUZZLES, "--from", "grids.txt"],
        &[
            TOO_MANY_PUZZLES,
            "--pattern",
            RARE_PATTERN,
            "--max-attempts",
            "4000000000",
        ],
        &[
            TOO_MANY_PUZZLES,
            "--pattern",
            "patterns.txt",
            "--max-attempts",
            "4000000000",
        ],
        &["--near", "puzzles.txt", "--swap", "3"],
        &[TOO_MANY_PUZZLES, "--near", "puzzles.txt", "--swap", "3"],
        &[TOO_MANY_PUZZLES, "--mix", "easy=0.5,hard=0.5"],
    ];
    for (at, way) in option_sets.iter().enumerate() {
        let (signal, code) = [("-INT", 130), ("-TERM", 143)][at % 2];
        let dir = dir_with_inputs();
        let files_before = dir.files();
        let options = "generate --seed 1 -o out.csv";
        let mut child = dir
            .command((options, *way))
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let has_started = || {
            let mut names = dir.files().into_iter();
            names.any(|name| name.starts_with(".out.csv."))
        };
        while !has_started() {
            assert_eq!(child.try_wait().unwrap(), None, "{way:?}");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(50));
        let pid = child.id().to_string();
        let mut kill = std::process::Command::new("kill");
        kill.args([signal, &pid]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{way:?}: {message}");
        assert!(message.contains("stopped by SIG"), "{way:?}: {message}");
        assert_eq!(dir.files(), files_before, "{way:?}");
    }
}

#[test]
fn a_memory_limit_is_kept_and_does_not_change_the_output() {
    let dir = dir_with_inputs();
    let option_sets: [&[&str]; 9] = [
        &["40", "--level", "hard", "--symmetry", "rotational"],
        &["3", "--technique", "naked_pair"],
        &["10", "--se", "2.0..3.0", "--minimal"],
        &["40", "--solutions", "2"],
        &["3", "--size", "16"],
        &["300", "--from", "grids.txt"],
        &["10", "--pattern", PUZZLE],
        &["--near", "puzzles.txt"],
        &["100", "--mix", "easy=0.5,hard=0.5"],
    ];
    for way in option_sets {
        let run_with_limit = |name: &str, limit: &[&str]| {
            let options = ["generate", "--seed", "1", "-o", name, "--threads", "2"];
            dir.succeed(&[&options, way, limit].concat());
            dir.read(name)
        };
        let without_limit = run_with_limit("free.parquet", &["--overwrite"]);
        let limit = ["--overwrite", "--memory-limit", "96MiB"];
        assert!(
            run_with_limit("limited.parquet", &limit) == without_limit,
            "{way:?}"
        );
    }
    let arguments = [
        "generate",
        "1",
        "--from",
        "grids.txt",
        "--memory-limit",
        "1KiB",
    ];
    let message = dir.fail(&arguments, 2);
    assert!(message.contains("--memory-limit"), "{message}");
}

/// A series is continued with `--skip`, so `--resume` is not accepted.
#[test]
fn generating_is_resumed_by_skipping() {
    let dir = dir_with_inputs();
    for way in [
        &["4", "--from", "grids.txt"][..],
        &["4", "--pattern", PUZZLE],
        &["4", "--near", "puzzles.txt"],
        &["4", "--mix", "easy=1"],
    ] {
        let resumed = ["generate", "--seed", "1", "-o", "out.csv", "--resume"];
        let message = dir.fail(&[&resumed, way].concat(), 2);
        assert!(
            message.contains("unexpected argument '--resume'"),
            "{message}"
        );
    }
    for way in [
        &["--pattern", PUZZLE][..],
        &["--mix", "easy=0.5,medium=0.5"],
        &["--level", "hard", "--symmetry", "rotational"],
        &["--technique", "naked_pair"],
        &["--se", "2.0..3.0", "--minimal"],
        &["--hodoku-level", "easy"],
        &["--solutions", "2"],
        &["--clues", "30"],
        &["--size", "16"],
    ] {
        let generate_range = |range: &[&str]| {
            let options = ["generate", "--seed", "1", "--format", "lines"];
            dir.succeed(&[&options, way, range].concat())
        };
        let series_output = generate_range(&["4"]);
        assert_eq!(
            generate_range(&["2"]) + &generate_range(&["2", "--skip", "2"]),
            series_output,
            "{way:?}"
        );
    }
    let arguments_with_skip = [
        "generate",
        "4",
        "--seed",
        "1",
        "--from",
        "grids.txt",
        "--skip",
        "2",
    ];
    let message = dir.fail(&arguments_with_skip, 2);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn input_from_which_no_puzzle_can_be_made_is_named() {
    let dir = dir_with_inputs();
    dir.write("empty.txt", "");
    dir.write("header.csv", "puzzle,id\n");
    dir.write("text.txt", "no puzzle\n");
    dir.write("sixteen.txt", format!("{}\n", ".".repeat(256)));
    dir.write(
        "two.txt",
        format!("{}\n", PUZZLE.replace(['5', '6', '7'], ".")),
    );
    for (name, why) in [
        (
            "empty.txt",
            "empty.txt: it has no puzzle to generate others from",
        ),
        (
            "header.csv",
            "header.csv: it has no puzzle to generate others from",
        ),
        ("text.txt", "text.txt, row 0"),
        ("sixteen.txt", "sixteen.txt, row 0: only 9 × 9 puzzles"),
        (
            "two.txt",
            "two.txt, row 0: the puzzle must have exactly one solution",
        ),
    ] {
        for option in ["--from", "--near"] {
            let message = dir.fail(&format!("generate 2 --seed 1 {option} {name}"), 3);
            assert!(message.contains(why), "{option} {name}: {message}");
            assert!(
                !message.contains("--allow-empty"),
                "{option} {name}: {message}"
            );
        }
    }
    let pattern_arguments = ["generate", "2", "--seed", "1", "--pattern", "empty.txt"];
    let message = dir.fail(&pattern_arguments, 2);
    assert!(message.contains("empty.txt has no pattern"), "{message}");
    for option in ["--from", "--near"] {
        let message = dir.fail(&format!("generate 2 --seed 1 {option} none.txt"), 1);
        assert!(message.contains("none.txt"), "{message}");
    }
}
