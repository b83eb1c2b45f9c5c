//! Tests `generate`: seeds, lines as output, the columns of grades and ratings, and minimal puzzles.

use crate::util::{TestDir, flags, numbers, stderr, texts};

/// Regression test: the command was refused without `--seed`, and without `-o`.
#[test]
fn without_options_a_random_seed_is_printed_and_lines_are_written() {
    let dir = TestDir::new();
    let output = dir.run("generate 3");
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(lines.lines().count(), 3);
    assert!(lines.lines().all(|line| line.len() == 81), "{lines}");
    let message = stderr(&output);
    let seed = message.split("--seed ").nth(1).unwrap();
    let seed = seed.split(' ').next().unwrap();
    assert_eq!(dir.succeed(&format!("generate 3 --seed {seed}")), lines);
    let other_run = dir.run("generate 3");
    assert_ne!(
        other_run.stdout, output.stdout,
        "another run draws another seed"
    );

    // A random seed is also stored in the metadata.
    let message = stderr(&dir.run("generate 1 -o out.arrow"));
    let seed = message.split("--seed ").nth(1).unwrap();
    let seed = seed.split(' ').next().unwrap();
    let arrow_text = String::from_utf8_lossy(&dir.read("out.arrow")).into_owned();
    assert!(
        arrow_text.contains("pipeline.seed") && arrow_text.contains(seed),
        "{seed}"
    );

    let csv = dir.succeed("generate 2 --seed 1 --format csv");
    assert!(csv.starts_with("puzzle,solution\n"), "{csv}");
    let message = dir.fail("generate 2 --skip 3", 2);
    assert!(message.contains("give --seed too"), "{message}");
}

/// Regression test: generated puzzles had to be graded again to know their level, technique
/// or rating.
#[test]
fn the_grade_and_the_rating_of_a_target_are_the_columns_of_grade() {
    let dir = TestDir::new();
    for (target, graded) in [
        (["--level", "medium"], 6),
        (["--technique", "naked_pair"], 6),
        (["--se", "2.6..3.4"], 10),
    ] {
        let generate_arguments = "generate 6 --seed 8 -o made.parquet --overwrite";
        dir.succeed((generate_arguments, &target));
        let made_table = dir.parquet("made.parquet");
        assert_eq!(made_table.num_columns(), 2 + graded, "{target:?}");
        let grade_command =
            "grade made.parquet -o graded.parquet --overwrite --with se --keep none";
        dir.succeed(grade_command);
        let graded = dir.parquet("graded.parquet");
        for field in made_table.schema().fields() {
            let name = field.name();
            assert_eq!(
                made_table.column_by_name(name),
                graded.column_by_name(name),
                "{target:?} {name}"
            );
        }
        match target {
            ["--level", level] => {
                assert!(
                    texts(&made_table, "level")
                        .iter()
                        .all(|own| own.as_deref() == Some(level))
                );
            }
            ["--technique", id] => {
                assert!(
                    texts(&made_table, "technique")
                        .iter()
                        .all(|own| own.as_deref() == Some(id))
                );
                assert!(numbers(&made_table, "rank").iter().all(Option::is_some));
            }
            _ => {
                let status = texts(&made_table, "se_status");
                assert!(status.iter().all(|own| own.as_deref() == Some("rated")));
            }
        }
    }
    // The format `lines` has no columns for grades, and puzzles are not graded if no option asks for a level or rating.
    let lines = dir.succeed("generate 2 --seed 8 --level easy");
    assert!(lines.lines().all(|line| line.len() == 81), "{lines}");
    let sized_arguments = [
        "generate", "2", "--seed", "8", "--size", "6", "--level", "easy",
    ];
    let csv = dir.succeed(&[&sized_arguments[..], &["--format", "csv"]].concat());
    assert!(
        csv.starts_with("puzzle,solution,technique,rank,level,"),
        "{csv}"
    );
    assert!(
        csv.lines().skip(1).all(|row| row.contains(",easy,")),
        "{csv}"
    );
}

/// Regression test: most puzzles of a level are not minimal, and nothing said so.
#[test]
fn minimal_puzzles_are_made_on_request_and_the_help_says_when_they_are_not() {
    let dir = TestDir::new();
    let count_minimal = |options: &[&str]| {
        let generate_arguments = [
            "generate",
            "12",
            "--seed",
            "8",
            "-o",
            "made.csv",
            "--overwrite",
        ];
        dir.succeed(&[&generate_arguments, options].concat());
        let grade_command = "grade made.csv -o graded.parquet --overwrite --with minimal";
        dir.succeed(grade_command);
        let flags = flags(&dir.parquet("graded.parquet"), "minimal");
        flags.into_iter().filter(|flag| *flag == Some(true)).count()
    };
    assert_eq!(count_minimal(&[]), 12);
    for target in [
        ["--level", "easy"],
        ["--technique", "naked_pair"],
        ["--symmetry", "rotational"],
    ] {
        assert!(count_minimal(&target) < 12, "{target:?}");
        assert_eq!(
            count_minimal(&[&target[..], &["--minimal"]].concat()),
            12,
            "{target:?}"
        );
    }
    let help = dir.succeed("generate --help");
    assert!(help.contains("most of them are not"), "{help}");
    let message = dir.fail("generate 1 --minimal --solutions 2", 2);
    assert!(
        message.contains("only a puzzle with one solution is minimal"),
        "{message}"
    );
}

mod runs;
mod starts;
