//! Tests of inputs whose records are all rejected: the rejects are kept, and the message speaks of what most have in
//! common.

use crate::util::{PUZZLE, TestDir};

#[test]
fn the_rejects_are_written_although_the_run_fails() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{}\n12\n", PUZZLE.replacen('.', "5", 1)));
    for (command, rejects) in [
        (
            "solve in.txt -o out.csv --rejects rejects.csv",
            "rejects.csv",
        ),
        (
            "convert in.txt -o out.parquet --rejects other.ndjson",
            "other.ndjson",
        ),
    ] {
        let message = dir.fail(command, 3);
        assert!(
            message.contains(&format!("its rejects are in {rejects}")),
            "{message}"
        );
        let text = String::from_utf8(dir.read(rejects)).unwrap();
        assert!(
            text.contains("conflict") && text.contains("wrong_length"),
            "{text}"
        );
    }
    assert!(!dir.exists("out.csv") && !dir.exists("out.parquet"));
    // The same run with a mended input replaces the rejects of the failed one.
    dir.write("in.txt", PUZZLE);
    dir.succeed("solve in.txt -o out.csv --rejects rejects.csv");
    assert_eq!(
        String::from_utf8(dir.read("rejects.csv"))
            .unwrap()
            .lines()
            .count(),
        1
    );
}

#[test]
fn the_message_speaks_of_the_most_frequent_cause() {
    let dir = TestDir::new();
    let conflict = PUZZLE.replacen('.', "5", 1);
    let number = "5.3007e+80";
    for (text, expected, not_expected) in [
        (
            format!("title\n{conflict}\n{conflict}\n"),
            vec![
                ": 2 conflict, 1 wrong_length; the first, on line 2: conflict: 5 is in r1c1",
                "2 of them are grids in which a house has a digit twice",
            ],
            "header line",
        ),
        (
            format!("puzzle\n{number}\n{number}\n12\n"),
            vec!["2 for one cause: they are numbers like 4.0003E+80"],
            "--puzzle-column",
        ),
        (
            "Dear reader\nno puzzles here\n".to_owned(),
            vec![
                "none of its 2 records is a puzzle; the first, on line 1",
                "it was read as lines",
            ],
            "of them are",
        ),
    ] {
        dir.write("in.txt", text);
        let message = dir.fail("solve in.txt -o out.csv", 3);
        for words in expected {
            assert!(message.contains(words), "{words}: {message}");
        }
        let last_line = message
            .lines()
            .rfind(|line| line.contains("none of its"))
            .unwrap();
        assert!(!last_line.contains(not_expected), "{message}");
    }
}
