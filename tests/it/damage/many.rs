//! Tests runs with many inputs: how they become one table, and what happens to those that are damaged or
//! missing.

use crate::util::{PUZZLE, SOLUTION, TestDir, gzip, numbers, texts};

/// Writes three inputs in three formats, with different columns.
fn write_three_inputs(dir: &TestDir) {
    std::fs::create_dir_all(dir.path("raw/more")).unwrap();
    dir.write("raw/b.csv", format!("puzzle,rating,id\n{PUZZLE},1.5,7\n"));
    dir.write(
        "raw/a.txt.gz",
        gzip(format!("{PUZZLE} first\n12\n{PUZZLE}\n").as_bytes()),
    );
    dir.write(
        "raw/more/c.csv",
        format!("id;quizzes;solutions\n8;{PUZZLE};{SOLUTION}\n"),
    );
    dir.write("raw/_notes.txt", "not data");
}

#[test]
fn files_folders_and_patterns_become_one_table() {
    let dir = TestDir::new();
    write_three_inputs(&dir);
    for inputs in [
        &["raw"] as &[_],
        &["raw/"],
        &["raw/a*", "raw/b.csv", "raw/more"],
        &["raw/*.txt.gz", "raw/b.csv", "raw/**/c.csv"],
    ] {
        let arguments = [&["grade"], inputs, &["-o", "out.parquet", "--overwrite"]].concat();
        dir.succeed(&arguments);
        let table = dir.parquet("out.parquet");
        let sources: Vec<_> = texts(&table, "source").into_iter().flatten().collect();
        let expected = [
            "raw/a.txt.gz",
            "raw/a.txt.gz",
            "raw/b.csv",
            "raw/more/c.csv",
        ];
        assert_eq!(sources, expected, "{inputs:?}");
        assert_eq!(numbers(&table, "row"), [Some(0), Some(2), Some(0), Some(0)]);
        let some_text = |text: &str| Some(text.to_owned());
        assert_eq!(
            texts(&table, "comment"),
            [some_text("first"), None, None, None]
        );
        assert_eq!(
            texts(&table, "rating"),
            [None, None, some_text("1.5"), None]
        );
        assert_eq!(
            texts(&table, "id"),
            [None, None, some_text("7"), some_text("8")]
        );
        assert_eq!(
            texts(&table, "solution_given"),
            [None, None, None, some_text("correct")]
        );
        let rejects = dir.parquet("out.rejects.parquet");
        assert_eq!(texts(&rejects, "source"), [some_text("raw/a.txt.gz")]);
    }
    let summary_of_named = dir.summary("validate raw/b.csv raw/more/c.csv");
    assert_eq!(summary_of_named["rows_in"], 2);
    assert_eq!(summary_of_named["inputs"][1]["source"], "raw/more/c.csv");
}

#[test]
fn columns_with_the_same_name_become_one_column_whatever_their_types() {
    let dir = TestDir::new();
    dir.write("a.csv", format!("puzzle,rating\n{PUZZLE},1.5\n"));
    dir.succeed("convert a.csv -o a.parquet");
    dir.write("b.txt", PUZZLE);
    dir.succeed("grade b.txt -o b.parquet");
    // The column `row` contains numbers in this program's tables, but text in this input.
    dir.write("c.csv", format!("row,puzzle\nx,{PUZZLE}\n"));
    dir.succeed("convert a.parquet b.parquet c.csv -o out.parquet");
    let table = dir.parquet("out.parquet");
    let some_text = |text: &str| Some(text.to_owned());
    assert_eq!(texts(&table, "row"), [None, some_text("0"), some_text("x")]);
    assert_eq!(texts(&table, "rating"), [some_text("1.5"), None, None]);
}

#[test]
fn missing_and_repeated_inputs_are_refused() {
    let dir = TestDir::new();
    write_three_inputs(&dir);
    let message = dir.fail("grade raw/b.csv raw -o out.csv", 2);
    assert!(message.contains("raw/b.csv is named twice"), "{message}");
    let message = dir.fail("grade raw/*.parquet -o out.csv", 3);
    assert!(message.contains("raw/*.parquet"), "{message}");
    let message = dir.fail("grade raw missing.csv -o out.csv", 2);
    assert!(message.contains("missing.csv"), "{message}");
    let message = dir.fail("grade raw -o raw/more/", 2);
    assert!(message.contains("raw/more/ is in raw"), "{message}");
    assert!(!dir.exists("out.csv"));
}

#[test]
fn threads_do_not_change_the_table_of_many_inputs() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    for part in 0..12 {
        let (count, seed) = (100 * (part % 4), part.to_string());
        let name = format!("raw/{part:02}.csv");
        dir.succeed(&["generate", &count.to_string(), "--seed", &seed, "-o", &name]);
    }
    for threads in ["1", "5"] {
        let output = format!("{threads}.parquet");
        dir.succeed(&format!("grade raw -o {output} --threads {threads}"));
        dir.succeed(&[
            "grade",
            "raw",
            "-o",
            &format!("{threads}/"),
            "--threads",
            threads,
        ]);
    }
    assert!(dir.read("1.parquet") == dir.read("5.parquet"));
    assert!(dir.tree("1") == dir.tree("5"));
    assert_eq!(dir.parquet("1.parquet").num_rows(), 1800);
}

#[test]
fn a_run_with_too_many_rejects_fails_and_keeps_the_rejects() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(99) + "bad\n");
    let arguments_with_limit = |limit| {
        [
            "grade",
            "in.txt",
            "-o",
            "out.parquet",
            "--overwrite",
            "--max-rejects",
            limit,
        ]
    };
    for limit in ["1", "5", "1%", "100%"] {
        dir.succeed(&arguments_with_limit(limit));
    }
    std::fs::remove_file(dir.path("out.parquet")).unwrap();
    std::fs::remove_file(dir.path("out.rejects.parquet")).unwrap();
    for limit in ["0", "0.9%", "0%"] {
        let message = dir.fail(&arguments_with_limit(limit), 3);
        assert!(message.contains("1 of 100 records rejected"), "{message}");
        // The hidden file tells the next run that it may remove the rejects.
        let expected_files = [".out.parquet.lock", "in.txt", "out.rejects.parquet"];
        assert_eq!(dir.files(), expected_files);
    }
    dir.fail(&arguments_with_limit("x"), 2);
}

#[test]
fn the_readable_rows_of_damaged_inputs_are_kept_on_request() {
    let dir = TestDir::new();
    let text: String = (0..3000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    let compressed = gzip(text.as_bytes());
    std::fs::create_dir(dir.path("raw")).unwrap();
    dir.write("raw/a.txt", PUZZLE);
    dir.write("raw/b.txt.gz", &compressed[..compressed.len() / 2]);
    let mut wrong_checksum = compressed.clone();
    let checksum_offset = wrong_checksum.len() - 8;
    wrong_checksum[checksum_offset] ^= 1;
    dir.write("raw/c.txt.gz", &wrong_checksum);
    dir.write("raw/d.csv", "id,clues\n1,24\n");
    dir.write("raw/e.parquet", "no parquet");
    dir.write("raw/f.txt", PUZZLE);
    for output in ["out.parquet", "out/"] {
        let message = dir.fail(&format!("grade raw -o {output}"), 3);
        assert!(message.contains("raw/d.csv"), "{message}");
        let arguments = format!("grade raw -o {output} --keep-going --summary s.json");
        let output = dir.run(&arguments);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(5), "{message}");
        assert_eq!(message.matches("damaged: ").count(), 4, "{message}");
        assert!(
            message.contains("4 of 6 inputs are damaged, and what could be read of them is written: --max-damaged allows 0"),
            "{message}"
        );
        assert!(
            message.contains("lost: the rest of the file, whose size is unknown, and "),
            "{message}"
        );
        let lost_bytes = message
            .lines()
            .filter(|line| line.contains("lost: all of it"));
        assert_eq!(
            lost_bytes.count(),
            2,
            "d.csv and e.parquet cannot be opened: {message}"
        );
        let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
        std::fs::remove_file(dir.path("s.json")).unwrap();
        assert_eq!(
            (&summary["exit_code"], &summary["complete"]),
            (&5.into(), &true.into())
        );
        assert_eq!(
            (&summary["inputs_damaged"], &summary["rows_lost_at_least"]),
            (&4.into(), &1.into())
        );
        let damaged_inputs = summary["damaged"].as_array().unwrap();
        let sources: Vec<_> = damaged_inputs
            .iter()
            .map(|input| &input["source"])
            .collect();
        assert_eq!(
            sources,
            ["raw/b.txt.gz", "raw/c.txt.gz", "raw/d.csv", "raw/e.parquet"]
        );
        assert!(
            damaged_inputs[0]["message"]
                .as_str()
                .unwrap()
                .contains("truncated")
        );
        assert!(damaged_inputs[0]["bytes_dropped"].as_u64().unwrap() < 100);
        assert_eq!(
            damaged_inputs[0]["stored_bytes_unread"], 0,
            "there is no more of it"
        );
        assert!(
            damaged_inputs[1]["message"]
                .as_str()
                .unwrap()
                .contains("checksum")
        );
        assert_eq!(damaged_inputs[2]["stored_bytes_unread"], 14);
        let nothing_read = damaged_inputs
            .iter()
            .map(|input| input["nothing_read"] == true);
        assert_eq!(nothing_read.collect::<Vec<_>>(), [false, false, true, true]);
        let rows = summary["rows_out"].as_u64().unwrap();
        // The output has all rows of `c`, whose only fault is its checksum, and about half of the rows of `b`, which is
        // cut.
        assert!((3002 + 1000..3002 + 2000).contains(&rows), "{rows}");
    }
    let rows: usize = crate::util::parquet_below(&dir, "out")
        .iter()
        .map(arrow::array::RecordBatch::num_rows)
        .sum();
    assert_eq!(rows, dir.parquet("out.parquet").num_rows());
}

/// A pipe can be read only once, so the run must open it only once.
#[cfg(unix)]
#[test]
fn named_pipes_are_inputs_like_files() {
    let dir = TestDir::new();
    let names = ["a", "b"];
    let feeders = names.map(|name| {
        let path = dir.path(name);
        let mkfifo_status = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(mkfifo_status.unwrap().success());
        let rows = format!("puzzle,from\n{}", format!("{PUZZLE},{name}\n").repeat(3000));
        std::thread::spawn(move || std::fs::write(path, rows).unwrap())
    });
    dir.succeed("convert a b -o out.csv");
    for feeder in feeders {
        feeder.join().unwrap();
    }
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    for name in names {
        let rows = table
            .lines()
            .filter(|row| row.ends_with(&format!(",{name}")));
        assert_eq!(rows.count(), 3000, "{name}");
    }
}

/// If the types of a column differ between inputs, all values are kept, or the run fails with a message.
#[test]
fn numbers_of_several_types_keep_their_values() {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int64Array, StringArray};
    let dir = TestDir::new();
    let write_parquet = |name: &str, numbers: ArrayRef| {
        let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; numbers.len()]));
        let batch = crate::tables::batch(vec![("n", numbers), ("puzzle", puzzles)]);
        let properties = parquet::file::properties::WriterProperties::default();
        dir.write(name, crate::tables::parquet(&batch, properties));
    };
    write_parquet("a.parquet", Arc::new(Int64Array::from(vec![Some(7), None])));
    write_parquet("b.parquet", Arc::new(Float64Array::from(vec![0.5])));
    write_parquet("c.parquet", Arc::new(Int64Array::from(vec![(1 << 53) + 1])));
    dir.succeed("convert a.parquet b.parquet -o out.csv");
    let table = String::from_utf8(dir.read("out.csv")).unwrap();
    let expected = format!("n,puzzle\n7.0,{PUZZLE}\n,{PUZZLE}\n0.5,{PUZZLE}\n");
    assert_eq!(table, expected);
    let message = dir.fail("convert b.parquet c.parquet -o x.csv", 3);
    assert!(message.contains("c.parquet: column n"), "{message}");
}
