//! Tests the files from which `evaluate` reads predictions, and how it sees that they are in the order of the puzzles.

use crate::tables::{digits, npy, npz};
use crate::util::{TestDir, generated, gzip, stderr, texts};

/// Puzzles of a test set, and a file `test.csv` with them.
fn test_set(dir: &TestDir) -> Vec<(String, String)> {
    let puzzles = generated(dir, "6");
    let rows = puzzles
        .iter()
        .enumerate()
        .map(|(at, (puzzle, _))| format!("n{at},{puzzle}\n"));
    dir.write(
        "test.csv",
        format!("id,puzzle\n{}", rows.collect::<String>()),
    );
    puzzles
}

fn board(grid: &str) -> String {
    let rows = (0..9).map(|row| format!("{}\n", &grid[9 * row..][..9]));
    rows.collect()
}

fn all_digits<'a>(grids: impl IntoIterator<Item = &'a String>) -> Vec<u8> {
    grids.into_iter().flat_map(|grid| digits(grid)).collect()
}

#[test]
fn an_archive_of_arrays_has_predictions_and_their_keys() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let grids = all_digits(puzzles.iter().rev().map(|(_, solution)| solution));
    let ids: Vec<u8> = (0..6).rev().flat_map(|id| [b'n', b'0' + id]).collect();
    for deflated in [false, true] {
        let arrays = [
            ("prediction", npy("|u1", "(6, 81)", &grids)),
            ("id", npy("|S2", "(6,)", &ids)),
        ];
        dir.write("model.npz", npz(&arrays, deflated));
        dir.succeed("evaluate test.csv model.npz --key id --min-exact 6");
        let message = dir.fail("evaluate test.csv model.npz", 3);
        assert!(message.contains("--key id"), "{message}");
    }
}

/// A board of several lines was as many predictions as it has lines.
#[test]
fn boards_are_predictions() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let boards: Vec<String> = puzzles
        .iter()
        .map(|(_, solution)| board(solution))
        .collect();
    let titled = |(at, board): (usize, &String)| format!("Grid {at:02}\n{board}");
    dir.write(
        "model.euler",
        boards.iter().enumerate().map(titled).collect::<String>(),
    );
    dir.write("model.sdk", boards.join("\n"));
    dir.write("bars.ss", boards.join("\n").replace('\n', "|\n"));
    for (file, arguments) in [
        ("model.euler", ""),
        ("model.sdk", ""),
        ("model.sdk", " --prediction-format blocks"),
    ] {
        dir.succeed(&format!(
            "evaluate test.csv {file} --min-exact 6{arguments}"
        ));
    }
    for format in ["sdk", "ss", "opensudoku", "hodoku"] {
        let example = match format {
            "sdk" | "ss" => board(&puzzles[0].1),
            "hodoku" => format!(":0000:x:{}:::\n", puzzles[0].1),
            _ => format!("<opensudoku><game data=\"{}\"/></opensudoku>", puzzles[0].1),
        };
        dir.write("one", example);
        dir.succeed("evaluate test.csv one --limit 1 --min-exact 1");
    }
}

/// The second grid of a pair is the prediction, and the first shows to which puzzle it belongs.
#[test]
fn pairs_of_an_array_are_puzzles_and_predictions() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let pairs = all_digits(
        puzzles
            .iter()
            .flat_map(|(puzzle, solution)| [puzzle, solution]),
    );
    dir.write("pairs.npy", npy("|u1", "(6, 2, 81)", &pairs));
    dir.succeed("evaluate test.csv pairs.npy --min-exact 6");
    let other_order: Vec<u8> = pairs.rchunks(162).flatten().copied().collect();
    dir.write("pairs.npy", npy("|u1", "(6, 2, 81)", &other_order));
    let message = dir.fail("evaluate test.csv pairs.npy", 3);
    assert!(
        message.contains("row 0 of pairs.npy is about another puzzle"),
        "{message}"
    );
}

#[test]
fn quoted_predictions_of_one_column_can_have_several_lines() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let mut rows: Vec<String> = puzzles
        .iter()
        .map(|(_, solution)| format!("\"The \"\"answer\"\", in rows:\n{}\"\n", board(solution)))
        .collect();
    rows[1] = format!("Here, it is: {}\n", puzzles[1].1);
    rows[2] = "\n".to_owned();
    rows[3] = "\"\"\n".to_owned();
    for header in ["response", "\"Prediction\"", "\u{feff}output"] {
        dir.write("model.csv", format!("{header}\n{}", rows.concat()));
        dir.succeed("evaluate test.csv model.csv --extract -o judged.parquet -f");
        let verdicts = texts(&dir.parquet("judged.parquet"), "verdict");
        let expected = [
            "solution", "solution", "missing", "missing", "solution", "solution",
        ];
        assert_eq!(
            verdicts,
            expected.map(|verdict| Some(verdict.to_owned())),
            "{header}"
        );
        let column = header.trim_start_matches('\u{feff}').trim_matches('"');
        let arguments = "evaluate test.csv model.csv --extract --min-exact 4 --prediction-column";
        dir.succeed((arguments, column));
    }
}

/// A column of puzzles beside the predictions proves their order, whatever other columns say.
#[test]
fn puzzles_beside_predictions_show_their_order() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let row = |id: usize, (puzzle, solution): &(String, String)| {
        // Other programs write empty cells in another way.
        format!("{id},{},{solution}\n", puzzle.replace('.', "0"))
    };
    let table = |order: &[usize], header: &str| {
        let rows = order
            .iter()
            .enumerate()
            .map(|(id, at)| row(id, &puzzles[*at]));
        format!("{header}\n{}", rows.collect::<String>())
    };
    // The ids are those of another table, and the puzzles are the same.
    dir.write(
        "same.csv",
        table(&[0, 1, 2, 3, 4, 5], "id,puzzle,prediction"),
    );
    dir.succeed("evaluate test.csv same.csv --min-exact 6");
    // Two puzzles are exchanged: too few for a check that looks at the verdicts.
    dir.write(
        "other.csv",
        table(&[0, 1, 2, 4, 3, 5], "index,puzzle,prediction"),
    );
    for arguments in ["", " --prediction-column prediction", " --against same.csv"] {
        let message = dir.fail(
            &format!("evaluate test.csv other.csv -o judged.csv{arguments}"),
            3,
        );
        assert!(
            message.contains("row 3 of other.csv is about another puzzle")
                && message.contains("--key puzzle"),
            "{message}"
        );
        assert!(!dir.exists("judged.csv"));
    }
    dir.succeed("evaluate test.csv other.csv --key puzzle --min-exact 6");
    // A prompt is no puzzle, and says nothing about the order.
    dir.write(
        "prompts.csv",
        table(&[0, 1, 2, 3, 4, 5], "n,puzzle,prediction").replace(",0", ",Solve: 0"),
    );
    let output = dir.run("evaluate test.csv prompts.csv --min-exact 6");
    assert!(output.status.success(), "{}", stderr(&output));
}

/// Regression test: a column that no object of NDJSON has, or keys that no puzzle has, gave 0.00 % with exit code 0.
#[test]
fn names_and_keys_that_nothing_has_are_errors() {
    let dir = TestDir::new();
    let puzzles: String = generated(&dir, "3")
        .iter()
        .enumerate()
        .fold(String::from("id,puzzle\n"), |text, (id, (puzzle, _))| {
            text + &format!("{id},{puzzle}\n")
        });
    dir.write("puzzles.csv", puzzles);
    let answers = |key: fn(usize) -> String| {
        let lines = (0..3).map(|id| format!("{{\"id\": \"{}\", \"answer\": \"1\"}}\n", key(id)));
        lines.collect::<String>()
    };
    dir.write("answers.ndjson", answers(|id| id.to_string()));
    dir.write("padded.ndjson", answers(|id| format!("{id:03}")));
    for (arguments, expected) in [
        (
            "answers.ndjson --key id --prediction-column reply",
            "no column \"reply\"; its columns are id, answer; name one with --prediction-column",
        ),
        (
            "answers.ndjson --key puzzle",
            "no column \"puzzle\"; its columns are id, answer; name one with --key",
        ),
        (
            "padded.ndjson --key id",
            "no prediction has the id of a puzzle: \"000\" in the predictions, and \"0\" in the puzzles",
        ),
    ] {
        let arguments = format!("evaluate puzzles.csv {arguments} -o judged.csv");
        let message = dir.fail(&arguments, 3);
        assert!(message.contains(expected), "{arguments}: {message}");
    }
    dir.succeed("evaluate puzzles.csv answers.ndjson --key ID -o judged.parquet");
    assert_eq!(dir.parquet("judged.parquet").num_rows(), 3);
}

/// Regression test: the column that `--prediction-column` named was also read as the given solutions because of its name.
#[test]
fn a_column_of_predictions_is_no_column_of_solutions() {
    let dir = TestDir::new();
    let (puzzle, solution) = generated(&dir, "1").remove(0);
    let rows = format!("puzzle,answer\n{puzzle},{solution}\n{puzzle},I cannot solve it.\n");
    dir.write("answers.csv", rows);
    let summary = dir.summary(
        "evaluate answers.csv --prediction-column answer --extract --max-wrong 0 -o judged.parquet",
    );
    assert_eq!(summary["evaluation"]["exact"], 1);
    let judged = dir.parquet("judged.parquet");
    assert_eq!(texts(&judged, "solution_given"), [None, None]);
    let verdicts = texts(&judged, "verdict");
    assert_eq!(verdicts[0].as_deref(), Some("solution"));
    assert_eq!(verdicts[1].as_deref(), Some("unparsable"));
}

/// A failed copy of the predictions was judged as if every prediction were missing, with exit code 0.
#[test]
fn predictions_without_a_byte_are_refused() {
    let dir = TestDir::new();
    let puzzles = test_set(&dir);
    let solutions: Vec<&str> = puzzles
        .iter()
        .map(|(_, solution)| solution.as_str())
        .collect();
    dir.write("model.txt", solutions.join("\n"));
    dir.write("empty.txt", "");
    dir.write("empty.ndjson.gz", gzip(b""));
    for predictions in [
        "empty.txt",
        "empty.ndjson.gz",
        "empty.txt --key id",
        "empty.txt --prediction-column reply",
        "empty.txt --extract",
        "empty.txt --steps moves",
        "model.txt --against empty.txt",
        "empty.txt --keep-going",
    ] {
        let arguments = format!("evaluate test.csv {predictions} -o judged.csv");
        let message = dir.fail(&arguments, 3);
        assert!(
            message.contains("it is empty (0 bytes)") && message.contains("--allow-empty"),
            "{arguments}: {message}"
        );
        assert!(!dir.exists("judged.csv"), "{arguments}");
    }
    let summary = dir.summary("evaluate test.csv empty.txt --allow-empty -o judged.csv");
    assert_eq!(summary["evaluation"]["missing"], 6);

    let output = dir.pipe("evaluate test.csv -", b"");
    assert_eq!(output.status.code(), Some(3));
    let message = stderr(&output);
    assert!(message.contains("standard input: it is empty"), "{message}");
    let output = dir.pipe("evaluate test.csv - --allow-empty", b"");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}
