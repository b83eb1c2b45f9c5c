//! Tests `evaluate --steps`, which judges each move of a sequence, and `trace --format steps-npy`.

use serde_json::{Value, json};

use crate::tables::npy;
use crate::util::{PUZZLE, SOLUTION, TestDir, flags, numbers, texts};

/// The rows of NDJSON on standard output.
fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines().filter(|line| line.starts_with('{'));
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The example of docs/training.md: a file with one record, whose only list has the moves.
#[test]
fn a_file_with_one_record_is_no_object_of_columns() {
    let dir = TestDir::new();
    let record = json!({"puzzle": PUZZLE, "moves": ["r5c5=5", "r1c3=2", "r1c3=4"]});
    dir.write("rollouts.ndjson", record.to_string());
    let arguments = "--steps moves --max-rank 15 --moves -o - --format ndjson";
    let judged = rows(&dir.succeed(&format!("evaluate rollouts.ndjson {arguments}")));
    assert_eq!(judged.len(), 1);
    assert_eq!(
        (&judged[0]["move_count"], &judged[0]["first_wrong_move"]),
        (&json!(3), &json!(2))
    );
}

#[test]
fn each_move_is_judged_and_counted() {
    let dir = TestDir::new();
    let moves = [
        json!("r5c5=5, r1c3=1, r1c3=4, r5c5=5, r10c1=3, r5c2<>5"),
        json!([]),
        Value::Null,
        json!("nothing"),
    ];
    let lines: String = moves
        .iter()
        .map(|moves| format!("{}\n", json!({"puzzle": PUZZLE, "answer": moves})))
        .collect();
    dir.write("rollouts.ndjson", lines);
    let judged = rows(&dir.succeed(
        "evaluate rollouts.ndjson --steps answer --max-rank 4 --moves -o - --format ndjson",
    ));
    let first = &judged[0];
    let mut board = PUZZLE.to_owned();
    for (cell, digit) in [(40, "5"), (2, "4")] {
        board.replace_range(cell..=cell, digit);
    }
    for (column, expected) in [
        ("prediction", json!(board)),
        ("verdict", json!("incomplete")),
        ("steps_form", json!("moves")),
        ("move_count", json!(6)),
        ("first_wrong_move", json!(2)),
        ("implied_share", json!(1.0 / 6.0)),
        ("true_share", json!(1.0 / 6.0)),
        ("possible_share", json!(0.0)),
        ("false_share", json!(1.0 / 6.0)),
        ("repeated_share", json!(2.0 / 6.0)),
        ("illegal_share", json!(1.0 / 6.0)),
        ("is_solvable", json!(true)),
        ("reward", json!((1.0 - 1.0 + 0.5 - 1.0) / 51.0)),
    ] {
        assert_eq!(first[column], expected, "{column}");
    }
    let listed = first["judged_moves"].as_array().unwrap();
    let verdicts: Vec<String> = listed
        .iter()
        .map(|judged| format!("{} {}", judged["move"], judged["verdict"]).replace('"', ""))
        .collect();
    assert_eq!(
        verdicts,
        [
            "r5c5=5 implied",
            "r1c3=1 false",
            "r1c3=4 true",
            "r5c5=5 repeated",
            "r10c1=3 illegal",
            "r5c2<>5 repeated",
        ]
    );
    assert_eq!(listed[0]["technique"], "naked_single");
    assert_eq!(
        (&listed[0]["rank"], &listed[1]["rank"]),
        (&json!(2), &Value::Null)
    );
    let output = "-o judged.parquet --summary summary.json";
    let printed = dir.succeed(&*format!(
        "evaluate rollouts.ndjson --steps answer --max-rank 4 {output}"
    ));
    let sentence =
        "2 sequences: 1 without a wrong move, 2 after which the board still has a solution";
    assert!(printed.contains(sentence), "{printed}");
    let summary: Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    let steps = &summary["evaluation"]["steps"];
    for (name, count) in [
        ("sequences", 2),
        ("without_wrong", 1),
        ("solvable", 2),
        ("moves", 6),
        ("repeated", 2),
        ("possible", 0),
    ] {
        assert_eq!(steps[name], count, "{name}");
    }
    // No moves: the board is the puzzle.
    assert_eq!(
        (
            &judged[1]["move_count"],
            &judged[1]["reward"],
            &judged[1]["implied_share"]
        ),
        (&json!(0), &json!(0.0), &Value::Null)
    );
    assert_eq!(judged[2]["verdict"], "missing");
    assert_eq!(judged[3]["verdict"], "unparsable");
    assert_eq!(
        judged[3]["prediction_error"],
        "the text has neither moves such as r1c3=4 nor boards"
    );
    assert_eq!(judged[3]["move_count"], Value::Null);
}

#[test]
fn the_steps_that_trace_writes_are_implied_and_solve_the_puzzle() {
    let dir = TestDir::new();
    let levels = include_str!("../../../data/levels.txt");
    let puzzles: Vec<&str> = levels.lines().filter(|line| line.len() == 81).collect();
    // Four of each level below extreme, whose steps take long without optimisation.
    let puzzles: Vec<&str> = puzzles
        .chunks(6)
        .take(4)
        .flat_map(|own| &own[..4])
        .copied()
        .collect();
    dir.write("puzzles.txt", puzzles.join("\n"));
    for (trace, evaluate, form) in [
        (
            "steps.npy --format steps-npy",
            "steps.npy --steps steps",
            "array",
        ),
        ("steps.parquet", "steps.parquet --steps steps", "step_table"),
        ("steps.ndjson", "steps.ndjson --steps steps", "step_table"),
        (
            "chat.ndjson --format chat",
            "chat.ndjson --steps messages",
            "messages",
        ),
    ] {
        dir.succeed(&*format!("trace puzzles.txt -f -o {trace}"));
        dir.succeed(&*format!(
            "evaluate puzzles.txt {evaluate} -o judged.parquet -f"
        ));
        let judged = dir.parquet("judged.parquet");
        let forms = texts(&judged, "steps_form");
        assert!(
            forms.iter().all(|own| own.as_deref() == Some(form)),
            "{forms:?}"
        );
        assert_eq!(
            flags(&judged, "is_exact"),
            vec![Some(true); puzzles.len()],
            "{form}"
        );
        assert_eq!(
            numbers(&judged, "first_wrong_move"),
            vec![None; puzzles.len()]
        );
        let selected = "--select reward,true_share,false_share -o - --format ndjson";
        for row in rows(&dir.succeed(&*format!("evaluate puzzles.txt {evaluate} {selected}"))) {
            assert_eq!(row["reward"], 1.0, "{form}: {row}");
            assert_eq!(
                (&row["true_share"], &row["false_share"]),
                (&json!(0.0), &json!(0.0))
            );
        }
    }
    // The array has the clues in row order, and the ranks are those of the judged moves.
    let array = dir.read("steps.npy");
    let data = &array[array.len() - 325 * puzzles.len()..];
    assert!(String::from_utf8_lossy(&array[..128]).contains("'shape': (16, 325)"));
    for (puzzle, record) in puzzles.iter().zip(data.chunks_exact(325)) {
        let clues = puzzle.bytes().enumerate().filter(|(_, cell)| *cell != b'.');
        let clues: Vec<[u8; 4]> = clues
            .map(|(at, cell)| [(at / 9) as u8, (at % 9) as u8, cell - b'0', 0])
            .collect();
        assert_eq!(usize::from(record[0]), clues.len());
        assert_eq!(record[1..][..4 * clues.len()], clues.concat());
        assert!(
            record[1 + 4 * clues.len()..]
                .chunks(4)
                .all(|cell| cell[3] > 0)
        );
    }
    dir.succeed("evaluate puzzles.txt steps.npy --steps steps --moves -o moves.ndjson -f");
    let judged = String::from_utf8(dir.read("moves.ndjson")).unwrap();
    for (row, record) in rows(&judged).iter().zip(data.chunks_exact(325)) {
        let placed = record[1..].chunks(4).skip(usize::from(record[0]));
        for (judged, cell) in row["judged_moves"].as_array().unwrap().iter().zip(placed) {
            assert_eq!(judged["rank"], cell[3], "{judged}");
        }
    }
}

#[test]
fn arrays_with_wrong_moves_are_judged() {
    let dir = TestDir::new();
    dir.write("puzzle.txt", PUZZLE);
    let clues: Vec<usize> = (0..81).filter(|at| &PUZZLE[*at..=*at] != ".").collect();
    let mut record = vec![clues.len() as u8];
    for at in &clues {
        let digit = PUZZLE.as_bytes()[*at] - b'0';
        record.extend([(*at / 9) as u8, (*at % 9) as u8, digit, 0]);
    }
    record.extend([4, 4, 5, 2, 4, 4, 7, 2, 200, 4, 1, 1]);
    record.resize(325, 0);
    dir.write("steps.npy", npy("|u1", "(1, 325)", &record));
    let judged =
        rows(&dir.succeed("evaluate puzzle.txt steps.npy --steps steps -o - --format ndjson"));
    assert_eq!(judged[0]["move_count"], 3);
    assert_eq!(judged[0]["first_wrong_move"], 2);
    assert_eq!(judged[0]["illegal_share"], 2.0 / 3.0);
}

#[test]
fn puzzles_and_options_that_do_not_fit_are_refused() {
    let dir = TestDir::new();
    dir.write(
        "moves.csv",
        format!("puzzle,moves\n{PUZZLE},r1c3=4\n1...............,r1c3=4\n{SOLUTION},r1c1=5\n"),
    );
    let judged = rows(&dir.succeed("evaluate moves.csv --steps moves -o - --format ndjson"));
    assert_eq!(
        judged[1]["prediction_error"],
        "moves are judged on 9 × 9 puzzles"
    );
    assert_eq!(judged[2]["repeated_share"], 1.0);
    for (options, message) in [
        (
            "--steps moves --moves -o judged.csv",
            "csv cannot hold lists",
        ),
        ("--max-rank 4", "--steps"),
        ("--moves", "--steps"),
        ("--steps moves --extract", "cannot be used with"),
        ("--steps moves --max-rank 43", "43"),
    ] {
        let message_text = dir.fail(&*format!("evaluate moves.csv {options}"), 2);
        assert!(message_text.contains(message), "{options}: {message_text}");
    }
    let message = dir.fail("evaluate moves.csv --steps steps", 3);
    assert!(message.contains("steps"), "{message}");
    dir.fail("trace moves.csv -o steps.txt --format steps-npy", 2);
}
