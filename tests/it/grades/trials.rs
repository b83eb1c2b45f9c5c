//! Tests `--with te`: the column with the depth of trial and error that a puzzle needs.

use crate::util::{PUZZLE, TestDir, numbers, texts};

const DEEP_PUZZLE: &str =
    "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";

#[test]
fn the_depth_is_a_column_and_a_condition_with_any_kernel() {
    let dir = TestDir::new();
    dir.write("in.txt", [PUZZLE, DEEP_PUZZLE, &".".repeat(81)].join("\n"));
    for (kernel, command) in [("", "grade"), ("portable", "solve"), ("scalar", "grade")] {
        let args = [
            command,
            "in.txt",
            "-o",
            "out.parquet",
            "--with",
            "te",
            "--overwrite",
        ];
        let mut run = dir.command(&args);
        assert!(
            run.env("PIPELINE_KERNEL", kernel)
                .status()
                .unwrap()
                .success()
        );
        let table = dir.parquet("out.parquet");
        assert_eq!(numbers(&table, "te_depth"), [Some(0), Some(2), None]);
        let status = texts(&table, "te_status");
        assert_eq!(status, [Some("known".into()), Some("known".into()), None]);
    }
    let condition = "te_depth >= 2 and te_status = 'known'";
    let args = ["grade", "in.txt", "-o", "deep.csv", "--with", "te"];
    dir.succeed(
        &[
            &args[..],
            &["--where", condition, "--select", "puzzle,te_depth"],
        ]
        .concat(),
    );
    let deep_rows = String::from_utf8(dir.read("deep.csv")).unwrap();
    assert_eq!(deep_rows, format!("puzzle,te_depth\n{DEEP_PUZZLE},2\n"));
}

#[test]
fn explanations_have_the_depth() {
    let dir = TestDir::new();
    let text = dir.succeed(&format!("explain {DEEP_PUZZLE} --brief"));
    let line = text
        .lines()
        .find(|line| line.trim().starts_with("te_depth"));
    assert_eq!(line.unwrap().split_whitespace().nth(1), Some("2"), "{text}");
    let json = dir.succeed(&format!("explain {PUZZLE} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["te_depth"], &json["te_status"]),
        (&0.into(), &"known".into())
    );
}
