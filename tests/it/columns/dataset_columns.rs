//! Tests outputs that are datasets like the input. They keep the names and the order of the columns,
//! use the requested character for empty cells, and can be NumPy arrays.

use std::process::Command;

use serde_json::Value;

use crate::util::{PUZZLE, SOLUTION, TestDir, generated, numbers, stderr, texts};

fn names(dir: &TestDir, file: &str) -> Vec<String> {
    let table = dir.parquet(file);
    let fields = table.schema().fields().clone();
    fields.iter().map(|field| field.name().clone()).collect()
}

fn first_line(dir: &TestDir, file: &str) -> String {
    let text = String::from_utf8(dir.read(file)).unwrap();
    text.lines().next().unwrap().to_owned()
}

const HEADER: &str = "source,question,answer,rating";

fn write_dataset(dir: &TestDir) -> String {
    let rows = generated(dir, "5").into_iter();
    let rows = rows.map(|(puzzle, solution)| format!("made,{puzzle},{solution},3\n"));
    format!("{HEADER}\n{}", rows.collect::<String>())
}

#[test]
fn datasets_keep_the_names_and_the_order_of_their_columns() {
    let dir = TestDir::new();
    let text = write_dataset(&dir);
    dir.write("in.csv", &text);
    dir.succeed("convert in.csv -o out.csv");
    assert_eq!(String::from_utf8(dir.read("out.csv")).unwrap(), text);
    dir.succeed("dedup in.csv -o unique.csv --duplicates again.csv");
    assert_eq!(first_line(&dir, "unique.csv"), HEADER);
    assert_eq!(
        first_line(&dir, "again.csv"),
        "source,row,first_source,first_row,input_source,question,answer,rating"
    );
    dir.succeed("split in.csv -o sets/ --into all=1 --format csv");
    assert_eq!(String::from_utf8(dir.read("sets/all.csv")).unwrap(), text);
    dir.succeed("augment in.csv -o more.csv --copies 2");
    assert_eq!(
        first_line(&dir, "more.csv"),
        format!("{HEADER},group,copy,transformation")
    );
    // The output can be read again in every format.
    for out in ["out.parquet", "out.ndjson", "out.arrow", "out.tsv"] {
        dir.succeed(&format!("convert in.csv -o {out}"));
        dir.succeed(&format!("convert {out} -o back.csv --overwrite"));
        assert_eq!(
            String::from_utf8(dir.read("back.csv")).unwrap(),
            text,
            "{out}"
        );
    }
    // With `--schema canonical`, the columns get the names that this program uses.
    dir.succeed("convert in.csv -o ours.csv --schema canonical");
    assert_eq!(
        first_line(&dir, "ours.csv"),
        "source,rating,puzzle,solution"
    );
    // `grade` writes the columns that it adds at fixed positions.
    dir.succeed("grade in.csv -o graded.csv");
    assert!(
        first_line(&dir, "graded.csv").starts_with("source,row,input_source,rating,puzzle,status,")
    );
    // Conditions and selections use the column names of the output.
    let arguments = [
        "convert",
        "in.csv",
        "-o",
        "some.csv",
        "--where",
        "length = 1",
        "--overwrite",
    ];
    dir.fail(&arguments, 2);
    let select_arguments = ["--select", "answer,question", "--rename", "answer=solution"];
    dir.succeed(("convert in.csv -o some.csv", &select_arguments));
    assert_eq!(first_line(&dir, "some.csv"), "solution,question");
    // `inspect` shows the columns that `convert` writes.
    let inspected: Value = serde_json::from_str(&dir.succeed("inspect in.csv --json")).unwrap();
    assert_eq!(
        inspected["convert_columns"],
        serde_json::json!(["source", "question", "answer", "rating"])
    );
}

#[test]
fn formats_of_puzzles_need_no_name_for_them() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("id,quizzes,solutions\n1,{PUZZLE},{SOLUTION}\n"),
    );
    dir.succeed("convert in.csv -o out.txt");
    assert_eq!(
        String::from_utf8(dir.read("out.txt")).unwrap(),
        format!("{PUZZLE},{SOLUTION}\n")
    );
    dir.succeed("convert in.csv -o out.sdk");
    dir.succeed("convert in.csv -o parts/ --format lines --partition-by id");
    let arguments = "convert in.csv -o no.txt --rename quizzes=start";
    let message = dir.fail(arguments, 2);
    assert!(message.contains("do not rename it"), "{message}");
}

#[test]
fn inputs_with_other_names_get_the_names_of_this_program() {
    let dir = TestDir::new();
    dir.write("a.csv", format!("quiz,id\n{PUZZLE},1\n"));
    dir.write("b.csv", format!("id,Board\n2,{PUZZLE}\n"));
    dir.write("c.csv", format!("note,QUIZ,id\nx,{PUZZLE},3\n"));
    dir.write("d.txt", format!("{PUZZLE} four\n"));
    let output = dir.run("convert a.csv b.csv -o ab.parquet");
    let message = stderr(&output);
    assert!(
        message.contains("b.csv calls a column Board, and an input before it quiz"),
        "{message}"
    );
    assert_eq!(names(&dir, "ab.parquet"), ["id", "puzzle"]);
    // The names of the first input are kept, even if later inputs have them in another case or order, or have no
    // names.
    dir.succeed("convert a.csv c.csv d.txt -o acd.parquet");
    assert_eq!(
        names(&dir, "acd.parquet"),
        ["quiz", "id", "note", "comment"]
    );
    let table = dir.parquet("acd.parquet");
    assert_eq!(
        texts(&table, "id"),
        [Some("1".to_owned()), Some("3".to_owned()), None]
    );
    // If no input has column names, the columns get the names of this program.
    dir.succeed("convert d.txt -o d.parquet");
    assert_eq!(names(&dir, "d.parquet"), ["comment", "puzzle"]);
    // A puzzle inside a struct is not a column of its own, so there is no name to keep.
    dir.write(
        "e.ndjson",
        format!("{{\"game\": {{\"board\": \"{PUZZLE}\"}}, \"id\": 1}}\n"),
    );
    dir.succeed("convert e.ndjson -o e.parquet --puzzle-column game.board");
    assert!(names(&dir, "e.parquet").contains(&"puzzle".to_owned()));
}

#[test]
fn an_empty_cell_has_the_character_that_is_asked_for() {
    let dir = TestDir::new();
    let zeros = PUZZLE.replace('.', "0");
    let pencil_marks = format!("12.......{}", "123456789".repeat(80));
    let puzzle_of_4 = "1.34.2..3...4...";
    dir.write(
        "in.csv",
        format!("puzzle,id\n{PUZZLE},1\n{pencil_marks},2\n{puzzle_of_4},3\n"),
    );
    dir.succeed("convert in.csv -o out.csv --blank 0");
    let text = String::from_utf8(dir.read("out.csv")).unwrap();
    let expected = [&pencil_marks, puzzle_of_4].map(|text| text.replace('.', "0"));
    assert_eq!(
        text,
        format!(
            "puzzle,id\n{zeros},1\n{},2\n{},3\n",
            expected[0], expected[1]
        )
    );
    // Reading the output gives the same puzzles.
    dir.succeed("convert out.csv -o back.csv");
    assert_eq!(
        String::from_utf8(dir.read("back.csv")).unwrap(),
        format!("puzzle,id\n{PUZZLE},1\n{pencil_marks},2\n{puzzle_of_4},3\n")
    );
    let arguments = "augment in.csv -o lines.txt --copies 1 --blank _";
    dir.succeed(&format!("{arguments} --limit 1"));
    let line = String::from_utf8(dir.read("lines.txt")).unwrap();
    assert_eq!(line.matches('_').count(), PUZZLE.matches('.').count());
    for (out, blank) in [
        ("a.csv", "00"),
        ("a.csv", "1"),
        ("a.csv", " "),
        ("a.sdk", "0"),
        ("a.npy", "_"),
    ] {
        dir.fail(&format!("convert in.csv -o {out} --blank {blank}"), 2);
    }
}

#[test]
fn temporary_files_of_arrays_are_in_the_folder_of_the_output() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"));
    for output in ["out.npy", "arrays/ --format hrm"] {
        let arguments = format!("convert in.csv -o {output}");
        let mut command = dir.command(&arguments);
        let output = command.env("TMPDIR", "/no/such/folder").output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
}

#[test]
fn an_array_to_standard_output_has_its_temporary_file_in_the_temporary_folder() {
    let dir = TestDir::new();
    dir.write("in.csv", format!("puzzle\n{PUZZLE}\n"));
    let mut command = dir.command("convert in.csv -o - --format npy");
    let output = command.env("TMPDIR", "/no/such/folder").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains("/no/such/folder"), "{message}");
}

#[test]
fn arrays_hold_digits_and_are_read_again() {
    let dir = TestDir::new();
    let puzzles: Vec<String> = generated(&dir, "700")
        .into_iter()
        .map(|(puzzle, _)| puzzle)
        .collect();
    dir.write("in.txt", puzzles.join("\n"));
    let arguments = "convert in.txt -o out.npy";
    dir.succeed(&format!("{arguments} --threads 1"));
    let bytes = dir.read("out.npy");
    let text = String::from_utf8_lossy(&bytes[..128]).into_owned();
    assert!(
        text.contains("'descr': '|u1', 'fortran_order': False, 'shape': (700, 81)"),
        "{text}"
    );
    assert_eq!(bytes.len() % 64, (700 * 81) % 64);
    assert_eq!(
        bytes[bytes.len() - 700 * 81],
        puzzles[0].replace('.', "0").as_bytes()[0] - b'0'
    );
    dir.succeed("convert out.npy -o back.txt");
    assert_eq!(
        String::from_utf8(dir.read("back.txt")).unwrap(),
        puzzles.join("\n") + "\n"
    );
    dir.succeed("convert in.txt -o two.npy --threads 2");
    assert!(dir.read("two.npy") == bytes);
    let piped = dir.run("convert in.txt -o - --format npy");
    assert!(piped.stdout == bytes);
    // Each part of a folder is an array.
    dir.succeed("convert in.txt -o parts/ --format npy --max-rows-per-file 400");
    assert_eq!(
        dir.tree("parts")
            .keys()
            .filter(|name| name.ends_with(".npy"))
            .count(),
        2
    );

    let grid_of_16 = format!("1.3A{}G", ".".repeat(251));
    dir.write("large.txt", &grid_of_16);
    dir.succeed("convert large.txt -o large.npy");
    let bytes = dir.read("large.npy");
    assert_eq!(bytes[bytes.len() - 256..][..4], [1, 0, 3, 10]);

    // 16 grids of 4 × 4 must not be read as one grid of 16 × 16.
    dir.write("small.txt", "1.34.2..3...4...\n".repeat(16));
    dir.succeed("convert small.txt -o small.npy");
    dir.succeed("convert small.npy -o small.csv");
    assert_eq!(
        dir.read("small.csv")
            .iter()
            .filter(|byte| **byte == b'\n')
            .count(),
        17
    );

    let pencil_marks = format!("12.......{}", "123456789".repeat(80));
    for (rows, words) in [
        (
            format!("{PUZZLE}\n{grid_of_16}\n"),
            "row 1 of the output has 256 cells, and the rows before it have 81",
        ),
        (
            format!("{PUZZLE}\n{pencil_marks}\n"),
            "row 1 of the output has pencil marks",
        ),
    ] {
        dir.write("mixed.txt", rows);
        let message = dir.fail("convert mixed.txt -o no.npy", 2);
        assert!(message.contains(words), "{message}");
        assert!(!dir.exists("no.npy"));
    }
    dir.write("empty.csv", "puzzle\n");
    dir.succeed("convert empty.csv -o empty.npy --allow-empty");
    assert_eq!(dir.read("empty.npy").len() % 64, 0);
    dir.fail("grade in.txt -o graded.npy", 2);
}

#[test]
fn solutions_are_the_second_half_of_a_pair() {
    let dir = TestDir::new();
    dir.write(
        "in.csv",
        format!("quizzes,solutions\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n"),
    );
    dir.succeed("convert in.csv -o pairs.npy");
    let bytes = dir.read("pairs.npy");
    assert!(String::from_utf8_lossy(&bytes[..128]).contains("'shape': (2, 2, 81)"));
    let to_digits = |text: &str| {
        text.replace('.', "0")
            .bytes()
            .map(|digit| digit - b'0')
            .collect()
    };
    let rows: Vec<Vec<u8>> = bytes[bytes.len() - 4 * 81..]
        .chunks(81)
        .map(<[u8]>::to_vec)
        .collect();
    let expected: Vec<Vec<u8>> = vec![
        to_digits(PUZZLE),
        to_digits(SOLUTION),
        to_digits(PUZZLE),
        vec![0; 81],
    ];
    assert_eq!(rows, expected);
    dir.succeed("convert pairs.npy -o back.csv");
    assert_eq!(
        String::from_utf8(dir.read("back.csv")).unwrap(),
        format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n")
    );
    // `solve` fills in missing solutions.
    dir.succeed("solve in.csv -o solved.npy");
    let bytes = dir.read("solved.npy");
    assert!(bytes.ends_with(&expected[1]));

    // If NumPy is installed, it must read the same array.
    let program = "import numpy; a = numpy.load('pairs.npy'); \
                   print(a.shape, a.dtype, a[:, 1].sum(), a[0, 0, :2])";
    let python = Command::new("python3")
        .args(["-c", program])
        .current_dir(dir.path(""))
        .output();
    if let Some(output) = python.ok().filter(|output| output.status.success()) {
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            "(2, 2, 81) uint8 405 [5 3]\n"
        );
    }
}

#[test]
fn augment_writes_the_originals_too() {
    let dir = TestDir::new();
    // `augment` makes no copies of the 16 × 16 grid, because isomorphs of this size are not supported.
    let grid_of_16 = format!("G1{}", ".".repeat(254));
    dir.write(
        "in.csv",
        format!(
            "puzzle,id\n{PUZZLE},1\n{grid_of_16},2\n{},3\n",
            ".".repeat(81)
        ),
    );
    let arguments = "augment in.csv --copies 3 --seed 4";
    let without_rename = dir.summary(&format!("{arguments} -o without.parquet"));
    let summary = dir.summary(&format!("{arguments} -o with.parquet --with-original"));
    for name in ["rows_in", "copies", "with_fewer_copies"] {
        assert_eq!(summary[name], without_rename[name], "{name}");
    }
    assert_eq!(summary["originals"], 3);
    assert_eq!(summary["rows_out"], 3 + 3);
    let table = dir.parquet("with.parquet");
    assert_eq!(
        numbers(&table, "copy"),
        [Some(0), Some(1), Some(2), Some(3), None, Some(0)]
    );
    let (puzzles, made) = (texts(&table, "puzzle"), texts(&table, "transformation"));
    assert_eq!(puzzles[0].as_deref(), Some(PUZZLE));
    assert_eq!(
        made[0].as_deref(),
        Some("123456789 r123456789 c123456789 -")
    );
    assert_eq!(puzzles[4].as_deref(), Some(grid_of_16.as_str()));
    // The copies do not depend on `--with-original`, which also writes the originals.
    assert_eq!(
        puzzles[1..4],
        texts(&dir.parquet("without.parquet"), "puzzle")[..3]
    );
    let groups = texts(&table, "group");
    assert!(groups[..4].iter().all(|group| group == &groups[0]) && groups[4].is_none());
}
