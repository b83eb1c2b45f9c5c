//! Tests runs with many rejects, the probable causes of rejects that the log names, and wrong given
//! solutions.

use serde_json::{Value, json};

use crate::util::{PUZZLE, SOLUTION, TestDir, generated, stderr, texts};

/// Puzzles as a spreadsheet would write them: numbers without leading zeros.
fn puzzles_as_numbers(dir: &TestDir, count: &str) -> String {
    let rows = generated(dir, count).into_iter().map(|(puzzle, _)| {
        let digits = puzzle.replace('.', "0");
        format!("{}\n", digits.trim_start_matches('0'))
    });
    format!("puzzle\n{}", rows.collect::<String>())
}

#[test]
fn lost_leading_zeros_are_named_and_most_records_rejected_fail_the_run() {
    let dir = TestDir::new();
    let text = puzzles_as_numbers(&dir, "60");
    let shortened_count = text.lines().skip(1).filter(|line| line.len() < 81).count();
    assert!(
        shortened_count > 30,
        "{shortened_count} of the puzzles begin with an empty cell"
    );
    dir.write("in.csv", &text);
    let message = dir.fail("convert in.csv -o out.parquet", 3);
    for words in [
        format!("{shortened_count} of 60 records rejected, but --max-rejects allows 50 %"),
        format!(
            "{shortened_count} of 60 records are rejected for one cause: they are 60 to 80 digits"
        ),
        "leading zeros were lost".to_owned(),
    ] {
        assert!(message.contains(&words), "{words}: {message}");
    }
    assert!(!dir.exists("out.parquet"));
    let rejects = dir.parquet("out.rejects.parquet");
    let messages = texts(&rejects, "message");
    assert!(
        messages[0]
            .as_deref()
            .unwrap()
            .ends_with("; its leading zeros were lost"),
        "{messages:?}"
    );

    // With `--max-rejects`, the user accepts that most records are rejected.
    let arguments = ["convert", "in.csv", "-o", "out.parquet", "--overwrite"];
    let accepting_arguments = [&arguments[..], &["--max-rejects", "100%"]].concat();
    let summary = dir.summary(&accepting_arguments);
    assert_eq!(
        summary["reject_causes"],
        json!({ "leading_zeros_lost": shortened_count })
    );
    assert_eq!(summary["rows_out"], 60 - shortened_count);
    dir.succeed(&[&arguments[..], &["--allow-empty"]].concat());
    // The limit on rejects applies to all inputs of a folder together.
    dir.write(
        "good.csv",
        format!("puzzle\n{}", format!("{PUZZLE}\n").repeat(100)),
    );
    dir.succeed("convert in.csv good.csv -o parts/");
    dir.fail("convert in.csv -o few/", 3);
}

#[test]
fn digits_that_were_written_as_a_number_are_named() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle\n{PUZZLE}\n4.00300020000001E+80\n"),
    );
    let message = stderr(&dir.run("convert in.csv -o out.csv"));
    assert!(
        message.contains("scientific_notation") || message.contains("4.0003E+80"),
        "{message}"
    );
}

#[test]
fn a_few_rejects_never_fail_a_run_and_validate_lists_all() {
    let dir = TestDir::new();
    dir.write("few.txt", format!("{PUZZLE}\n{}", "nonsense\n".repeat(10)));
    dir.succeed("convert few.txt -o out.csv");
    dir.write("many.txt", format!("{PUZZLE}\n{}", "nonsense\n".repeat(11)));
    for command in ["convert", "grade", "solve", "dedup", "augment"] {
        let copies: &[&str] = if command == "augment" {
            &["--copies", "1"]
        } else {
            &[]
        };
        dir.fail(
            &[&[command, "many.txt", "-o", "no.csv"], copies].concat(),
            3,
        );
        assert!(!dir.exists("no.csv"), "{command}");
        std::fs::remove_file(dir.path("no.rejects.csv")).unwrap();
    }
    let message = dir.fail("validate many.txt -o bad.csv", 3);
    assert!(message.contains("11 wrong_length"), "{message}");
    assert_eq!(
        dir.read("bad.csv")
            .iter()
            .filter(|byte| **byte == b'\n')
            .count(),
        12
    );
}

/// A table with correct, wrong, malformed and missing solutions. One puzzle has two solutions, and its
/// given solution is wrong.
fn with_wrong_solutions() -> String {
    let wrong_solution = SOLUTION.replacen("534", "543", 1);
    let several_solutions = format!("12{}", ".".repeat(79));
    format!(
        "puzzle,solution,name\n{PUZZLE},{SOLUTION},right\n{PUZZLE},{wrong_solution},wrong\n{PUZZLE},7,malformed\n\
         {PUZZLE},,absent\n{several_solutions},{SOLUTION},several\n"
    )
}

#[test]
fn wrong_solutions_are_in_the_summary_line_and_may_fail_the_run() {
    let dir = TestDir::new();
    dir.write("in.csv", with_wrong_solutions());
    for command in ["convert", "solve", "grade", "dedup", "augment"] {
        let output_name = format!("{command}.csv");
        let arguments = [command, "in.csv", "-o", &output_name];
        let arguments = match command {
            "augment" => [&arguments[..], &["--copies", "3"]].concat(),
            "dedup" => [&arguments[..], &["--by", "exact"]].concat(),
            _ => arguments.to_vec(),
        };
        for limit in ["2", "59%"] {
            let message = dir.fail(&[&arguments[..], &["--max-wrong", limit]].concat(), 3);
            assert!(
                message
                    .contains("3 of 5 records have a wrong solution given, but --max-wrong allows"),
                "{command}: {message}"
            );
            assert!(!dir.exists(&output_name), "{command}");
        }
        let output = dir.run(&[&arguments[..], &["--max-wrong", "3"]].concat());
        assert!(output.status.success());
        let message = stderr(&output);
        assert!(
            message.contains("3 with a wrong solution given"),
            "{command}: {message}"
        );
    }
    let split_arguments = [
        "split",
        "in.csv",
        "-o",
        "sets/",
        "--into",
        "all=1",
        "--max-wrong",
        "0",
    ];
    dir.fail(&split_arguments, 3);
    assert!(!dir.exists("sets/all.csv"));
}

#[test]
fn wrong_solutions_are_fixed_on_request() {
    let dir = TestDir::new();
    dir.write("in.csv", with_wrong_solutions());
    let rows = |file: &str, column: &str| {
        let table = dir.parquet(file);
        let names = texts(&table, "name").into_iter().map(Option::unwrap);
        names.zip(texts(&table, column)).collect::<Vec<_>>()
    };
    let expected: Vec<_> = ["right", "wrong", "malformed", "absent", "several"]
        .into_iter()
        .map(|name| {
            let is_fixed = !["absent", "several"].contains(&name);
            (name.to_owned(), is_fixed.then(|| SOLUTION.to_owned()))
        })
        .collect();
    for (command, options) in [
        ("convert", &[][..]),
        ("dedup", &["--by", "solution"]),
        ("split", &["--into", "all=1", "--format", "parquet"]),
    ] {
        let output_name = if command == "split" {
            "sets/"
        } else {
            "out.parquet"
        };
        let arguments = [
            command,
            "in.csv",
            "-o",
            output_name,
            "--overwrite",
            "--fix-solutions",
        ];
        let arguments = [&arguments[..], options, &["--max-wrong", "0"]].concat();
        let summary: Value = dir.summary(&arguments);
        assert_eq!(
            summary["solutions_fixed"],
            json!({ "replaced": 2, "removed": 1 }),
            "{command}"
        );
        let message = stderr(&dir.run(&arguments));
        assert!(
            message.contains("2 wrong solutions replaced and 1 removed"),
            "{message}"
        );
        let table = if command == "split" {
            "sets/all.parquet"
        } else {
            output_name
        };
        match command {
            // All puzzles except the last one have equal solutions.
            "dedup" => assert_eq!(rows(table, "solution").len(), 2),
            _ => assert_eq!(rows(table, "solution"), expected),
        }
    }
    dir.succeed("augment in.csv -o more.parquet --copies 2 --fix-solutions");
    dir.succeed("solve more.parquet -o checked.parquet");
    let verdicts = rows("checked.parquet", "solution_given");
    for (name, verdict) in &verdicts {
        let expected = match name.as_str() {
            "absent" | "several" => None,
            _ => Some("correct"),
        };
        assert_eq!(verdict.as_deref(), expected, "{name}");
    }
    assert_eq!(verdicts.len(), 10);
    // A resumed run also counts the solutions that were replaced in kept parts.
    let folder = ["convert", "in.csv", "-o", "parts/", "--fix-solutions"];
    dir.succeed(&folder);
    let resumed = dir.summary(&[&folder[..], &["--resume"]].concat());
    assert_eq!(
        resumed["solutions_fixed"],
        json!({ "replaced": 2, "removed": 1 })
    );
}
