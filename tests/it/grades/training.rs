//! Tests folders of arrays for training scripts, which can be read and written.

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated};

/// Writes a dataset in the layout of published training data: questions and answers with a rating.
fn write_dataset(dir: &TestDir, name: &str, rows: &[(String, String)]) {
    let lines = rows.iter();
    let lines = lines.map(|(puzzle, solution)| format!("forum,{puzzle},{solution},3\n"));
    let text: String = lines.collect();
    dir.write(name, format!("source,question,answer,rating\n{text}"));
}

/// The header of a NumPy array file, and the bytes of its data.
fn array_file(dir: &TestDir, name: &str) -> (String, Vec<u8>) {
    let bytes = dir.read(name);
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "{name}");
    let header_end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(header_end % 64, 0);
    let header = String::from_utf8(bytes[10..header_end].to_vec()).unwrap();
    (header, bytes[header_end..].to_vec())
}

fn numbers(dir: &TestDir, name: &str) -> Vec<i32> {
    let (header, data) = array_file(dir, name);
    let numbers: Vec<i32> = (data.as_chunks::<4>().0.iter())
        .map(|bytes| i32::from_le_bytes(*bytes))
        .collect();
    let header_start = format!(
        "{{'descr': '<i4', 'fortran_order': False, 'shape': ({},), }}",
        numbers.len()
    );
    assert!(header.starts_with(&header_start), "{header}");
    numbers
}

fn tokens(rows: &[(String, String)], solutions: bool) -> Vec<u8> {
    let texts = rows
        .iter()
        .map(|(puzzle, solution)| if solutions { solution } else { puzzle });
    let token = |cell: u8| if cell == b'.' { 1 } else { cell - b'0' + 1 };
    texts.flat_map(|text| text.bytes().map(token)).collect()
}

fn puzzles(dir: &TestDir, name: &str) -> Vec<(String, String)> {
    let text = String::from_utf8(dir.read(name)).unwrap();
    let rows = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').unwrap());
    rows.map(|(puzzle, solution)| (puzzle.to_owned(), solution.to_owned()))
        .collect()
}

#[test]
fn a_folder_of_arrays_is_like_that_of_the_published_builder() {
    let dir = TestDir::new();
    let rows = generated(&dir, "30");
    write_dataset(&dir, "train.csv", &rows);
    dir.succeed("convert train.csv -o data/train --format hrm");
    let array_path = |name: &str| format!("data/train/all__{name}.npy");
    for (name, solutions) in [("inputs", false), ("labels", true)] {
        let (header, data) = array_file(&dir, &array_path(name));
        let header_start = "{'descr': '|u1', 'fortran_order': False, 'shape': (30, 81), }";
        assert!(header.starts_with(header_start), "{header}");
        assert!(data == tokens(&rows, solutions), "{name}");
    }
    let zero_to_thirty: Vec<i32> = (0..=30).collect();
    assert_eq!(numbers(&dir, &array_path("puzzle_indices")), zero_to_thirty);
    assert_eq!(numbers(&dir, &array_path("group_indices")), zero_to_thirty);
    assert_eq!(numbers(&dir, &array_path("puzzle_identifiers")), [0; 30]);
    let sizes: Value = serde_json::from_slice(&dir.read("data/train/dataset.json")).unwrap();
    let expected = serde_json::json!({
        "pad_id": 0, "ignore_label_id": 0, "blank_identifier_id": 0, "vocab_size": 11,
        "seq_len": 81, "num_puzzle_identifiers": 1, "total_groups": 30,
        "mean_puzzle_examples": 1.0, "total_puzzles": 30, "sets": ["all"],
    });
    assert_eq!(sizes, expected);

    // The path of the dataset can be its folder, the folder that contains it, or its array file.
    for input in ["data/train", "data/", "data/train/all__inputs.npy"] {
        dir.succeed(&format!("convert {input} -o back.csv --overwrite"));
        assert_eq!(puzzles(&dir, "back.csv"), rows, "{input}");
    }
    dir.fail("convert train.csv -o data/train --format hrm", 4);
    let second_convert = [
        "convert",
        "train.csv",
        "-o",
        "data/train/",
        "--format",
        "hrm",
        "--overwrite",
    ];
    dir.succeed(&second_convert);
    dir.succeed("validate data/train");
}

#[test]
fn a_split_and_an_audit_write_a_folder_for_each_part() {
    let dir = TestDir::new();
    let rows = generated(&dir, "40");
    write_dataset(&dir, "all.csv", &rows);
    let split_options = "--into train=rest,test=10 --format hrm";
    dir.succeed(("split all.csv -o data/", split_options));
    assert_eq!(dir.read("data/identifiers.json"), b"[\"<blank>\"]");
    assert_eq!(numbers(&dir, "data/test/all__group_indices.npy").len(), 11);
    dir.succeed("convert data/ -o back.csv");
    let sorted_rows = |mut rows: Vec<(String, String)>| {
        rows.sort();
        rows
    };
    assert_eq!(sorted_rows(puzzles(&dir, "back.csv")), sorted_rows(rows));
    let audit_command = "audit data/train data/test -o clean/ --format hrm";
    let summary = dir.summary(audit_command);
    assert_eq!(summary["rows_out"], 40);
    assert_eq!(
        dir.read("clean/train/all__inputs.npy"),
        dir.read("data/train/all__inputs.npy")
    );
    dir.succeed("overlap clean/train clean/test --max 0");
}

#[test]
fn the_copies_of_a_puzzle_form_a_group() {
    let dir = TestDir::new();
    let rows = generated(&dir, "7");
    write_dataset(&dir, "train.csv", &rows);
    let options = ["--copies", "3", "--with-original", "--seed", "1"];
    let convert_with_groups = |output: &str, more: &[&str]| {
        dir.succeed(&[&["augment", "train.csv", "-o", output], &options[..], more].concat());
    };
    convert_with_groups("data/train", &["--format", "hrm"]);
    let groups: Vec<i32> = (0..=7).map(|group| 4 * group).collect();
    assert_eq!(numbers(&dir, "data/train/all__group_indices.npy"), groups);
    assert_eq!(
        numbers(&dir, "data/train/all__puzzle_indices.npy").len(),
        29
    );
    // The table that `augment` has written is converted to the same arrays, with any number of threads.
    convert_with_groups("copies.csv", &[]);
    for threads in ["1", "3"] {
        let command_line = "convert copies.csv -o again --format hrm --overwrite";
        dir.succeed(&format!("{command_line} --threads {threads}"));
        for name in ["inputs", "labels", "group_indices"] {
            assert_eq!(
                dir.read(&format!("again/all__{name}.npy")),
                dir.read(&format!("data/train/all__{name}.npy"))
            );
        }
    }
}

#[test]
fn errors_explain_why_arrays_cannot_be_written_or_read() {
    let dir = TestDir::new();
    dir.write("puzzles.txt", PUZZLE);
    dir.write(
        "some.csv",
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n"),
    );
    dir.write("set.csv", format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"));
    dir.write(
        "small.csv",
        "puzzle,solution\n1...............,1234341221434321\n",
    );
    let hrm = ["--format", "hrm"];
    for (arguments, text) in [
        (
            &["convert", "puzzles.txt", "-o", "a"][..],
            "needs solutions",
        ),
        (
            &["convert", "some.csv", "-o", "a"],
            "row 1 of the output has no solution",
        ),
        (&["convert", "set.csv", "small.csv", "-o", "a"], "16 cells"),
        (&["convert", "set.csv", "-o", "-"], "standard output"),
        (&["generate", "3", "-o", "a"], "is a folder"),
        (&["grade", "set.csv", "-o", "a"], "can hold only puzzles"),
    ] {
        let message = dir.fail(&[arguments, &hrm].concat(), 2);
        assert!(message.contains(text), "{arguments:?}: {message}");
        assert!(!dir.exists("a"), "{arguments:?}");
    }
    dir.succeed("convert small.csv -o small --format hrm");
    dir.succeed("convert small -o back.csv");
    assert_eq!(dir.read("back.csv"), dir.read("small.csv"));
    dir.succeed("convert set.csv -o data --format hrm");
    let labels = dir.read("data/all__labels.npy");
    dir.write("data/all__labels.npy", &labels[..labels.len() - 9]);
    let message = dir.fail("convert data -o back2.csv", 3);
    assert!(message.contains("cut short"), "{message}");
    dir.write("data/all__labels.npy", dir.read("small/all__labels.npy"));
    std::fs::copy(
        dir.path("small/all__inputs.npy"),
        dir.path("data/all__inputs.npy"),
    )
    .unwrap();
    dir.succeed("convert data -o back3.csv");
}

#[test]
fn a_template_makes_prompts_and_answers() {
    let dir = TestDir::new();
    dir.write(
        "set.csv",
        format!("prompt,id\n{PUZZLE},a\n{},b\n", ".".repeat(81)),
    );
    dir.write(
        "t.json",
        r#"{"prompt": "Solve {puzzle}", "completion": "{steps}\n{{{solution}}}"}"#,
    );
    let command_line = "trace set.csv --puzzle-column prompt --template t.json -o";
    dir.succeed(&format!("{command_line} out.ndjson"));
    let text = String::from_utf8(dir.read("out.ndjson")).unwrap();
    // A puzzle with several solutions is left out, as in the format `chat`.
    assert_eq!(text.lines().count(), 1);
    let line: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(line.as_object().unwrap().len(), 2);
    assert_eq!(line["prompt"], format!("Solve {PUZZLE}"));
    let completion = line["completion"].as_str().unwrap();
    assert!(completion.starts_with("1. "), "{completion}");
    assert!(
        completion.ends_with(&format!("\n{{{SOLUTION}}}")),
        "{completion}"
    );
    // The texts that a template makes can be columns of any format.
    dir.succeed(&format!("{command_line} out.csv"));
    for (template, text) in [
        ("[]", "no JSON object"),
        (r#"{"a": "{clues}"}"#, "no placeholder {clues}"),
        (r#"{"a": 1}"#, "is no text"),
    ] {
        dir.write("bad.json", template);
        let command_line = "trace set.csv --template bad.json -o bad.ndjson";
        let message = dir.fail(command_line, 2);
        assert!(
            message.contains(text) && message.contains("bad.json"),
            "{message}"
        );
    }
}

#[test]
fn hints_add_cells_of_the_solution_as_clues() {
    let dir = TestDir::new();
    let rows = generated(&dir, "20");
    write_dataset(&dir, "set.csv", &rows);
    let clue_count = |text: &str| text.bytes().filter(|cell| *cell != b'.').count();
    let mut last_rows = rows.clone();
    for hints in ["1", "5", "20", "64"] {
        let command_line = "convert set.csv -o more.csv --overwrite --keep none";
        dir.succeed((command_line, &["--hints", hints]));
        let rows_with_hints = puzzles(&dir, "more.csv");
        assert_eq!(rows_with_hints.len(), rows.len());
        for (((puzzle, solution), (before, _)), (own, _)) in
            rows_with_hints.iter().zip(&last_rows).zip(&rows)
        {
            let wanted_clues = (clue_count(own) + hints.parse::<usize>().unwrap()).min(81);
            assert_eq!(clue_count(puzzle), wanted_clues);
            let keeps_digit = |(one, other): (u8, u8)| one == b'.' || one == other;
            assert!(before.bytes().zip(puzzle.bytes()).all(keeps_digit));
            assert!(puzzle.bytes().zip(solution.bytes()).all(keeps_digit));
        }
        last_rows = rows_with_hints;
    }
    // With `--hints`, puzzles without exactly one solution are copied unchanged.
    dir.write("several.txt", ".".repeat(81));
    dir.succeed("convert several.txt -o same.txt --hints 9");
    assert_eq!(
        dir.read("same.txt").trim_ascii_end(),
        dir.read("several.txt")
    );
    dir.fail("convert set.csv -o x.csv --hints 0", 2);
}

/// Regression test: puzzles of other sizes had null messages.
#[test]
fn chats_leave_out_puzzles_of_other_sizes() {
    let dir = TestDir::new();
    dir.write("mixed.txt", format!("{PUZZLE}\n1234341221434.21\n"));
    dir.succeed("trace mixed.txt -o chat.ndjson --format chat");
    let chat = String::from_utf8(dir.read("chat.ndjson")).unwrap();
    assert_eq!(chat.lines().count(), 1, "{chat}");
    assert!(!chat.contains("null"), "{chat}");
}
