//! Tests how `evaluate` matches predictions with puzzles: by row or by a key, from files and pipes.

use crate::tables::{digits, npy};
use crate::util::{PUZZLE, SOLUTION, TestDir, generated, stderr, texts};

#[test]
fn predictions_that_do_not_match_the_puzzles_are_errors_with_advice() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n"));
    dir.write("two.txt", format!("{SOLUTION}\n{SOLUTION}\n"));
    let message = dir.fail("evaluate test.csv two.txt -o judged.csv", 3);
    assert!(
        message.contains("two.txt has 2 predictions") && message.contains("--key"),
        "{message}"
    );
    assert!(!dir.exists("judged.csv"));

    // Regression test: the predictions were compared with themselves, and all were correct.
    dir.write("one.txt", SOLUTION);
    let message = dir.fail("evaluate one.txt test.csv -o judged.csv", 3);
    assert!(message.contains("name the puzzles first"), "{message}");
    assert!(!dir.exists("judged.csv"));
    dir.write(
        "three.csv",
        format!("puzzle\n{PUZZLE}\n{PUZZLE}\n{PUZZLE}\n"),
    );
    dir.write("few.txt", format!("{SOLUTION}\nThe answer is {SOLUTION}\n"));
    let message = stderr(&dir.run("evaluate three.csv few.txt -o judged.csv"));
    assert!(
        message.contains("1 of 3 puzzles has no prediction"),
        "{message}"
    );
    assert!(
        message.contains("--extract finds the grid in a longer text"),
        "{message}"
    );

    dir.write("two.csv", format!("prediction\n{SOLUTION}\n"));
    dir.write("other.csv", "a,b\n1,2\n");
    let message = dir.fail("evaluate test.csv other.csv", 3);
    assert!(
        message.contains("--prediction-column") && message.contains("a, b"),
        "{message}"
    );
    let message = dir.fail("evaluate test.csv two.txt --key id", 3);
    assert!(message.contains("--key"), "{message}");
    dir.fail("evaluate test.csv", 3);
    dir.fail("evaluate test.csv two.txt two.txt", 2);
    dir.fail("evaluate -", 2);
    dir.fail("evaluate test.csv none.txt", 2);
    let message = dir.fail("evaluate test.csv two.csv -o two.csv -f", 2);
    assert!(message.contains("is an input"), "{message}");
}

/// Regression test: a first answer of a few digits was read as the number of predictions, so all other
/// predictions were shifted by one row.
#[test]
fn each_line_is_the_prediction_of_its_row() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    for (text, verdicts) in [
        (format!("1\n{SOLUTION}\n"), ["unparsable", "solution"]),
        (format!("# no\n{SOLUTION}\n"), ["unparsable", "solution"]),
        (format!("\n{SOLUTION}\n"), ["missing", "solution"]),
        (format!("{SOLUTION}\n\n\n\n"), ["solution", "missing"]),
        (
            format!("{SOLUTION}\r\n{SOLUTION}\r\n\r\n"),
            ["solution", "solution"],
        ),
        (format!("\u{feff}{SOLUTION}\n?"), ["solution", "unparsable"]),
        ("\n\n".to_owned(), ["missing", "missing"]),
    ] {
        dir.write("lines.txt", &text);
        let arguments = "evaluate test.csv lines.txt -o judged.parquet -f";
        dir.succeed(arguments);
        let verdict_texts = texts(&dir.parquet("judged.parquet"), "verdict");
        assert_eq!(
            verdict_texts,
            verdicts.map(|verdict| Some(verdict.to_owned())),
            "{text:?}"
        );
    }
}

/// Regression test: detecting the format consumed the first predictions of a pipe.
#[test]
fn predictions_can_come_from_standard_input() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n"));
    for text in [
        format!("{SOLUTION}\n"),
        format!("id,prediction\n1,{SOLUTION}\n"),
        format!("{{\"output\":\"{SOLUTION}\"}}\n"),
    ] {
        let arguments = "evaluate test.csv - --min-exact 1";
        let evaluated = dir.pipe(arguments, text.as_bytes());
        assert!(evaluated.status.success(), "{text}: {evaluated:?}");
    }
}

/// Regression test: the pipe was read twice, so all predictions were missing the second time.
#[test]
fn a_pipe_is_not_read_twice() {
    let dir = TestDir::new();
    let table = format!("puzzle,prediction\n{PUZZLE},{SOLUTION}\n");
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n"));
    for run in [
        &["evaluate", "-"][..],
        &["evaluate", "/dev/stdin"],
        &["evaluate", "-", "-"],
        &["evaluate", "test.csv", "-", "--against", "-"],
    ] {
        let output = dir.pipe(run, table.as_bytes());
        assert_eq!(output.status.code(), Some(2), "{run:?}: {output:?}");
    }
}

/// Sentences with commas look like a table, but no column has a well-known name for predictions. The message names the
/// option that reads each line as a prediction.
#[test]
fn sentences_are_read_line_by_line_if_asked_for() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n"));
    dir.write("message.txt", format!("Sure, here it is: {SOLUTION}\n"));
    let arguments = "evaluate test.csv message.txt --extract --min-exact 1";
    let message = dir.fail(arguments, 3);
    assert!(message.contains("--prediction-format lines"), "{message}");
    dir.succeed(&format!("{arguments} --prediction-format lines"));
}

#[test]
fn arrays_of_tokens_are_predictions() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n"));
    let tokens: Vec<u8> = digits(SOLUTION).iter().map(|digit| digit + 1).collect();
    dir.write("model.npy", npy("|u1", "(1, 81)", &tokens));
    let arguments = "evaluate test.csv model.npy --token-offset 1 --min-exact 1";
    dir.succeed(arguments);
}

/// Regression test: predictions in another order were judged by row, and nearly all of them were wrong.
#[test]
fn predictions_in_another_order_are_an_error_that_names_the_key() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "6");
    let mut test = "id,puzzle\n".to_owned();
    let mut same_order = "id,prediction\n".to_owned();
    for (at, (puzzle, solution)) in puzzles.iter().enumerate() {
        test += &format!("n{at},{puzzle}\n");
        same_order += &format!("n{at},{solution}\n");
    }
    let mut lines: Vec<&str> = same_order.lines().collect();
    lines.swap(3, 4);
    dir.write("test.csv", test);
    dir.write("shuffled.csv", lines.join("\n"));
    dir.write("same.csv", &same_order);
    let message = dir.fail("evaluate test.csv shuffled.csv -o judged.csv", 3);
    assert!(
        message.contains("row 2") && message.contains("--key id"),
        "{message}"
    );
    assert!(!dir.exists("judged.csv"));
    dir.fail(
        "evaluate test.csv shuffled.csv --prediction-column prediction",
        3,
    );
    dir.fail("evaluate test.csv same.csv --against shuffled.csv", 3);
    dir.succeed("evaluate test.csv same.csv --min-exact 6");
    dir.succeed("evaluate test.csv shuffled.csv --key id --min-exact 6");

    dir.write(
        "twice.csv",
        format!(
            "id,puzzle\nn0,{0}\nn1,{1}\nn0,{1}\n",
            puzzles[0].0, puzzles[1].0
        ),
    );
    dir.write("keys.csv", format!("id,prediction\nn0,{SOLUTION}\n"));
    let message = dir.fail("evaluate twice.csv keys.csv --key id", 3);
    assert!(
        message.contains("row 0") && message.contains("row 2") && message.contains("\"n0\""),
        "{message}"
    );
}

/// Regression test: a header of one column was the first prediction, and empty lines between JSON objects were skipped.
#[test]
fn one_column_and_empty_lines_do_not_shift_predictions() {
    let dir = TestDir::new();
    dir.write(
        "test.csv",
        format!("puzzle\n{PUZZLE}\n{PUZZLE}\n{PUZZLE}\n"),
    );
    for text in [
        format!("prediction\n\n{SOLUTION}\n"),
        format!("\"Solution\"\n\"\"\n\"{SOLUTION}\"\n"),
        format!("\n{{\"output\":\"{SOLUTION}\"}}\n"),
    ] {
        dir.write("model", &text);
        dir.succeed("evaluate test.csv model -o judged.parquet -f");
        let verdicts = texts(&dir.parquet("judged.parquet"), "verdict");
        let expected = ["missing", "solution", "missing"];
        assert_eq!(verdicts, expected.map(|one| Some(one.to_owned())), "{text}");
    }
}

/// Regression test: without a common column, right solutions in another order were judged as wrong, with exit code 0.
#[test]
fn solutions_of_other_puzzles_are_an_error_without_a_key() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "8");
    let rows = puzzles.iter().map(|(puzzle, _)| format!("{puzzle}\n"));
    dir.write("test.txt", rows.collect::<String>());
    let solutions: Vec<&str> = puzzles.iter().map(|(_, solution)| &solution[..]).collect();
    let mut moved = solutions.clone();
    moved.rotate_left(1);
    dir.write("moved.txt", moved.join("\n"));
    let message = dir.fail("evaluate test.txt moved.txt -o judged.csv", 3);
    assert!(
        message.contains("8 of 8 predictions are solutions of other puzzles")
            && message.contains("--key id"),
        "{message}"
    );
    assert!(!dir.exists("judged.csv"));
    // A single prediction of this kind is judged.
    let mut one = solutions;
    one[3] = one[4];
    dir.write("one.txt", one.join("\n"));
    dir.succeed("evaluate test.txt one.txt --min-exact 7");
}

/// Regression test: a model that gave every puzzle the same answer was refused as a file in another order.
#[test]
fn repeated_solutions_of_other_puzzles_are_judged() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "12");
    let rows = puzzles.iter().map(|(puzzle, _)| format!("{puzzle}\n"));
    dir.write("test.txt", rows.collect::<String>());
    dir.write("repeated.txt", format!("{}\n", puzzles[0].1).repeat(12));
    let output = dir.run("evaluate test.txt repeated.txt -o judged.parquet");
    let log = stderr(&output);
    assert!(output.status.success(), "{log}");
    assert!(
        log.contains(
            "11 of 12 predictions are solutions of other puzzles, but only 1 different grid"
        ),
        "{log}"
    );
    let verdicts = texts(&dir.parquet("judged.parquet"), "verdict");
    let right = verdicts.iter().flatten().filter(|one| *one == "solution");
    assert_eq!(right.count(), 1);
    // In a column of the puzzles, a prediction belongs to its puzzle in any case.
    let moved = (0..12).map(|row| {
        let solution = &puzzles[(row + 1) % 12].1;
        format!("{},{solution}\n", puzzles[row].0)
    });
    let moved: String = moved.collect();
    dir.write("beside.csv", format!("puzzle,prediction\n{moved}"));
    dir.succeed("evaluate beside.csv");
}

/// Regression test: one wrong 10 in each array made tokens of all digits, and tokens were read without a warning.
#[test]
fn arrays_are_tokens_only_with_clear_evidence_and_a_warning() {
    let dir = TestDir::new();
    let puzzles = generated(&dir, "12");
    let rows = puzzles.iter().map(|(puzzle, _)| format!("{puzzle}\n"));
    dir.write("test.txt", rows.collect::<String>());
    let solutions = || puzzles.iter().flat_map(|(_, solution)| digits(solution));
    let judge = |cells: Vec<u8>, options: &str| {
        dir.write("model.npy", npy("|u1", "(12, 81)", &cells));
        let output = dir.run(&format!(
            "evaluate test.txt model.npy -o judged.parquet -f {options}"
        ));
        assert!(output.status.success(), "{}", stderr(&output));
        let verdicts = texts(&dir.parquet("judged.parquet"), "verdict");
        let right = verdicts.iter().flatten().filter(|one| *one == "solution");
        (right.count(), verdicts[1].clone().unwrap(), stderr(&output))
    };
    let (right, _, log) = judge(solutions().collect(), "");
    assert!(right == 12 && !log.contains("token-offset"), "{log}");
    // Tokens.
    let (right, _, log) = judge(solutions().map(|digit| digit + 1).collect(), "");
    assert!(
        right == 12 && log.contains("--prediction-token-offset 1"),
        "{log}"
    );
    let tokens = solutions().map(|digit| digit + 1).collect();
    let (right, _, log) = judge(tokens, "--prediction-token-offset 1");
    assert!(
        right == 12 && !log.contains("unlike in the puzzles"),
        "{log}"
    );
    // A wrong 10 in each grid.
    let mut wrong: Vec<u8> = solutions().collect();
    wrong.iter_mut().step_by(81).for_each(|cell| *cell = 10);
    let (right, verdict, log) = judge(wrong, "");
    assert_eq!((right, verdict.as_str()), (0, "unparsable"));
    assert!(
        log.contains("0 of the first 12 predictions are grids")
            && log.contains("12 predictions are no grid")
            && !log.contains("--extract"),
        "{log}"
    );
    // A padding of 0 in tokens.
    let mut padded: Vec<u8> = solutions().map(|digit| digit + 1).collect();
    padded[3] = 0;
    let (right, _, log) = judge(padded.clone(), "");
    assert!(
        right == 0 && log.contains("--prediction-token-offset 1"),
        "{log}"
    );
    // The puzzles are tokens too.
    let cells = puzzles.iter().flat_map(|(puzzle, _)| puzzle.bytes());
    let token = |cell: u8| if cell == b'.' { 1 } else { cell - b'0' + 1 };
    let cells: Vec<u8> = cells.map(token).collect();
    dir.write("tokens.npy", npy("|u1", "(12, 81)", &cells));
    dir.write("model.npy", npy("|u1", "(12, 81)", &padded));
    let output = dir.run("evaluate tokens.npy model.npy --min-exact 11");
    let log = stderr(&output);
    assert!(
        output.status.success() && !log.contains("token-offset"),
        "{log}"
    );
}

/// Regression test: a second model with fewer predictions lost the other rows without a warning.
#[test]
fn fewer_predictions_of_the_second_model_are_a_warning() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    dir.write("both.txt", format!("{SOLUTION}\n{SOLUTION}\n"));
    dir.write("one.txt", format!("{SOLUTION}\n"));
    let log = stderr(&dir.run("evaluate test.csv both.txt --against one.txt"));
    assert!(
        log.contains("--against: 1 of 2 puzzles has no prediction"),
        "{log}"
    );
    let log = stderr(&dir.run("evaluate test.csv both.txt --against both.txt"));
    assert!(!log.contains("no prediction"), "{log}");
}

/// Regression test: a prediction of NDJSON that is null lost its key, so that the error named another reason.
#[test]
fn a_null_prediction_keeps_its_key_in_every_format() {
    let dir = TestDir::new();
    dir.write("test.csv", format!("id,puzzle\na,{PUZZLE}\nb,{PUZZLE}\n"));
    dir.write(
        "nulls.ndjson",
        "{\"id\":\"a\",\"answer\":null}\n{\"id\":\"b\",\"answer\":null}\n",
    );
    dir.write("nulls.csv", "id,answer\na,\nb,\n");
    for predictions in ["nulls.ndjson", "nulls.csv"] {
        dir.succeed(&format!(
            "evaluate test.csv {predictions} --key id --prediction-column answer -o judged.parquet -f"
        ));
        let verdicts = texts(&dir.parquet("judged.parquet"), "verdict");
        assert_eq!(
            verdicts,
            [Some("missing".to_owned()), Some("missing".to_owned())],
            "{predictions}"
        );
    }
}
