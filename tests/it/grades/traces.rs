//! Tests `trace`: an independent implementation of the rules checks each step.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated};

/// A board of candidates that only knows the rules of Sudoku, to check the steps of a trace.
struct ReplayBoard {
    candidates: [BTreeSet<u8>; 81],
    digits: [u8; 81],
}

fn cell(name: &str) -> usize {
    let bytes = name.as_bytes();
    assert!(bytes[0] == b'r' && bytes[2] == b'c', "{name}");
    usize::from(bytes[1] - b'1') * 9 + usize::from(bytes[3] - b'1')
}

impl ReplayBoard {
    fn new(puzzle: &str) -> ReplayBoard {
        let mut replay = ReplayBoard {
            candidates: std::array::from_fn(|_| (1..=9).collect()),
            digits: [0; 81],
        };
        for (cell, byte) in puzzle.bytes().enumerate().filter(|(_, byte)| *byte != b'.') {
            replay.place_digit(cell, byte - b'0');
        }
        replay
    }

    fn place_digit(&mut self, cell: usize, digit: u8) {
        assert!(
            self.candidates[cell].contains(&digit),
            "{digit} in cell {cell}"
        );
        self.digits[cell] = digit;
        for peer in 0..81 {
            let box_position = |cell: usize| (cell / 27, cell % 9 / 3);
            if peer == cell {
                self.candidates[cell] = [digit].into();
            } else if peer / 9 == cell / 9
                || peer % 9 == cell % 9
                || box_position(peer) == box_position(cell)
            {
                self.candidates[peer].remove(&digit);
            }
        }
    }

    fn text(&self) -> String {
        let digit = |digit: &u8| match digit {
            0 => '.',
            digit => char::from(b'0' + digit),
        };
        self.digits.iter().map(digit).collect()
    }
}

fn lines(dir: &TestDir, name: &str) -> Vec<Value> {
    let text = String::from_utf8(dir.read(name)).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn string_list(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|text| text.as_str().unwrap())
        .collect()
}

#[test]
fn every_step_can_be_replayed_and_the_last_board_is_the_solution() {
    let dir = TestDir::new();
    let mut rows = generated(&dir, "120");
    rows.push((PUZZLE.to_owned(), SOLUTION.to_owned()));
    // A puzzle that the techniques do not solve without search.
    let hard_puzzle =
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
    rows.push((hard_puzzle.to_owned(), String::new()));
    let puzzles: Vec<_> = rows.iter().map(|(puzzle, _)| puzzle.as_str()).collect();
    dir.write("in.txt", puzzles.join("\n"));
    dir.succeed("trace in.txt -o out.ndjson --threads 1");
    let traces = lines(&dir, "out.ndjson");
    assert_eq!(traces.len(), rows.len());
    let mut techniques = BTreeSet::new();
    for (trace, (puzzle, solution)) in traces.iter().zip(&rows) {
        assert_eq!(trace["puzzle"], puzzle.as_str());
        let solution_in_trace = trace["solution"].as_str().unwrap();
        assert!(solution.is_empty() || solution_in_trace == solution);
        let mut replay = ReplayBoard::new(puzzle);
        let steps = trace["steps"].as_array().unwrap();
        let mut wave = 0;
        for step in steps {
            assert_eq!(step["board_before"], replay.text());
            assert!(step["wave"].as_u64().unwrap() >= wave);
            wave = step["wave"].as_u64().unwrap();
            let placements = string_list(&step["placements"]);
            let eliminations = string_list(&step["eliminations"]);
            assert!(placements.len() + eliminations.len() > 0);
            for elimination in eliminations {
                let (name, digit) = elimination.split_once('-').unwrap();
                let digit: u8 = digit.parse().unwrap();
                assert_ne!(
                    solution_in_trace.as_bytes()[cell(name)],
                    b'0' + digit,
                    "{elimination}"
                );
                replay.candidates[cell(name)].remove(&digit);
            }
            for placement in placements {
                let (name, digit) = placement.split_once('=').unwrap();
                replay.place_digit(cell(name), digit.parse().unwrap());
            }
            assert_eq!(step["board_after"], replay.text());
            assert!(!step["why"].as_str().unwrap().is_empty());
            let technique = step["technique"].as_str().unwrap();
            techniques.insert(technique.to_owned());
            // If the step is a single, the board shows whether it is valid.
            if technique == "naked_single" {
                assert_eq!(string_list(&step["placements"]).len(), 1);
            }
        }
        assert_eq!(replay.text(), solution_in_trace, "{puzzle}");
    }
    for expected in [
        "full_house",
        "naked_single",
        "hidden_single_box",
        "locked_pointing",
    ] {
        assert!(techniques.contains(expected), "{techniques:?}");
    }
    dir.succeed("trace in.txt -o two.ndjson --threads 2");
    assert!(dir.read("two.ndjson") == dir.read("out.ndjson"));
    // The same trace, as columns of a Parquet file.
    dir.succeed("trace in.txt -o out.parquet");
    assert_eq!(dir.parquet("out.parquet").num_rows(), rows.len());
}

#[test]
fn puzzles_without_exactly_one_solution_have_no_steps() {
    let dir = TestDir::new();
    let puzzle_without_solution = format!("12345678.........9{}", ".".repeat(63));
    dir.write(
        "in.txt",
        [
            PUZZLE,
            &".".repeat(81),
            &puzzle_without_solution,
            "1...............",
            "x",
        ]
        .join("\n"),
    );
    let summary = dir.summary("trace in.txt -o out.ndjson");
    assert_eq!(
        (&summary["rows_out"], &summary["rejected"]),
        (&4.into(), &1.into())
    );
    let rows = lines(&dir, "out.ndjson");
    assert!(rows[0]["steps"].is_array());
    for row in &rows[1..] {
        assert!(row["steps"].is_null(), "{row}");
    }
    let summary = dir.summary("trace in.txt -o chat.ndjson --format chat");
    assert_eq!(
        (&summary["rows_out"], &summary["filtered"]),
        (&1.into(), &3.into())
    );
}

#[test]
fn a_chat_has_the_puzzle_as_question_and_the_steps_as_answer() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    dir.succeed("trace in.txt -o chat.ndjson --format chat");
    let rows = lines(&dir, "chat.ndjson");
    let row = rows[0].as_object().unwrap();
    assert_eq!(row.keys().collect::<Vec<_>>(), ["messages"]);
    let messages = row["messages"].as_array().unwrap();
    assert_eq!(
        (&messages[0]["role"], &messages[1]["role"]),
        (&"user".into(), &"assistant".into())
    );
    assert!(
        messages[0]["content"]
            .as_str()
            .unwrap()
            .contains("\n53..7....\n6..195...")
    );
    let answer_text = messages[1]["content"].as_str().unwrap();
    assert!(
        answer_text.starts_with("1. ") && answer_text.contains("\n2. "),
        "{answer_text}"
    );
    assert!(answer_text.contains("r5c5=5"), "{answer_text}");
    assert!(
        answer_text.ends_with("287419635\n345286179"),
        "{answer_text}"
    );
    for options in [
        &["-o", "out.parquet", "--format", "chat"][..],
        &["-o", "out.ndjson", "--format", "chat", "--select", "puzzle"],
        &["-o", "out.csv"],
        &["-o", "out.txt"],
    ] {
        dir.fail(("trace in.txt", options), 2);
    }
}

#[test]
fn backdoors_are_counted_on_request() {
    let dir = TestDir::new();
    let hard_puzzle =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    dir.write("in.txt", [PUZZLE, hard_puzzle, &".".repeat(81)].join("\n"));
    dir.succeed("solve in.txt -o out.parquet --with backdoors");
    let backdoor_counts = crate::util::numbers(&dir.parquet("out.parquet"), "backdoors");
    assert_eq!(backdoor_counts[0], Some(0));
    assert!(backdoor_counts[1] > Some(0));
    assert_eq!(backdoor_counts[2], None);
}

#[test]
fn the_condition_of_a_user_is_read_apart_from_the_condition_that_a_puzzle_is_unique() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("puzzle,id\n{},empty\n{PUZZLE},one\n", "0".repeat(81)),
    );
    dir.write(
        "template.json",
        r#"{"prompt": "{puzzle}", "answer": "{steps}"}"#,
    );
    let formats: [&[&str]; 2] = [&["--format", "chat"], &["--template", "template.json"]];
    for format in formats {
        let arguments = [&["trace", "in.csv", "-o", "out.ndjson", "--where"], format];
        let run = |condition| [arguments[0], &[condition], arguments[1]].concat();
        for (condition, position) in [
            ("id='empty') or (id='empty'", "--where, column 11: )"),
            ("foo = 1", "--where, column 1: there is no column foo"),
            ("id = ", "--where, column "),
        ] {
            let message = dir.fail(&run(condition), 2);
            assert!(message.contains(position), "{condition}: {message}");
            assert!(!dir.exists("out.ndjson"));
        }
        dir.succeed(&[&run("id = 'empty' or id = 'one'")[..], &["--overwrite"]].concat());
        let rows = String::from_utf8(dir.read("out.ndjson")).unwrap();
        assert_eq!(rows.lines().count(), 1, "{rows}");
        assert!(!rows.contains("null"), "{rows}");
        std::fs::remove_file(dir.path("out.ndjson")).unwrap();
    }
}
