//! Tests `--where`, `--select`, `--rename`, `--skip`, `--sample` and `--limit`.

use crate::util::{PUZZLE, SOLUTION, TestDir, gzip, numbers, stderr, texts};

/// Writes puzzles of three techniques with notes, a record that is not a puzzle, and a puzzle without a
/// solution.
fn write_dataset(dir: &TestDir) {
    let naked_pair =
        "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........";
    let no_solution = SOLUTION.replacen("53", "55", 1).replacen("678", "...", 1);
    let impossible = format!("12345678.........9{}", ".".repeat(63));
    dir.write(
        "in.csv",
        format!(
            "id,clues,puzzle,rating,note\n\
             0,x,{PUZZLE},1.5,an easy one\n\
             1,,{naked_pair},7.2,\n\
             2,,{no_solution},,conflict\n\
             3,y,{impossible},n/a,nothing\n\
             4,,{PUZZLE},2.5,another\n"
        ),
    );
}

fn kept_ids(condition: &str) -> Vec<String> {
    let dir = TestDir::new();
    write_dataset(&dir);
    dir.succeed(&["grade", "in.csv", "-o", "out.parquet", "--where", condition]);
    let ids = texts(&dir.parquet("out.parquet"), "id");
    ids.into_iter().flatten().collect()
}

#[test]
fn where_keeps_the_rows_that_fulfil_it() {
    assert_eq!(kept_ids("status = 'unique'"), ["0", "1", "4"]);
    assert_eq!(
        kept_ids("technique = 'naked_single' and clues >= 30"),
        ["0", "4"]
    );
    assert_eq!(
        kept_ids("try_cast(rating as double) between 2 and 8"),
        ["1", "4"]
    );
    assert_eq!(kept_ids("rating > '2'"), ["1", "3", "4"]);
    assert_eq!(kept_ids("note like 'an%' or note is null"), ["0", "1", "4"]);
    assert_eq!(kept_ids("not (rank > 2)"), ["0", "4"], "null is not true");
    assert_eq!(kept_ids("rank is null"), ["3"]);
    assert_eq!(kept_ids("input_clues is not null"), ["0", "3"]);
    assert_eq!(
        kept_ids("\"row\" % 2 = 0 AND lower(level) = 'easy'"),
        ["0", "4"]
    );
    assert_eq!(kept_ids("false"), [""; 0]);
}

#[test]
fn filtered_rows_are_counted_separately() {
    let dir = TestDir::new();
    write_dataset(&dir);
    let arguments = ["grade", "in.csv", "-o", "out.csv", "--summary", "s.json"];
    let arguments = [&arguments[..], &["--where", "rank = 2"]].concat();
    let output = dir.run(&arguments);
    let message = stderr(&output);
    assert!(message.contains("5 rows in"), "{message}");
    assert!(
        message.contains("2 written to out.csv, 2 with one solution, 2 filtered out, 1 rejected"),
        "{message}"
    );
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
    for (name, count) in [
        ("rows_in", 5),
        ("rows_out", 2),
        ("rejected", 1),
        ("filtered", 2),
    ] {
        assert_eq!(summary[name], count, "{name}");
    }
    assert_eq!(summary["technique"]["naked_single"], 2);
    assert_eq!(
        summary["status"]["none"], 0,
        "the counts are of the rows written"
    );
}

#[test]
fn an_invalid_condition_is_refused_before_any_work() {
    let dir = TestDir::new();
    write_dataset(&dir);
    for (condition, words) in [
        (
            "rung > 3",
            &[
                "--where, column 1",
                "no column rung",
                "rank",
                "input_clues",
                "rating",
            ][..],
        ),
        (
            "rating > 3",
            &["column 10", "varchar and integer", "cast(rating as double)"],
        ),
        ("rank >", &["column 7: a value is missing at the end"]),
        ("rank || 1 = 1", &["column 6: ||", "docs/filter.md"]),
        ("canonical = 'x'", &["no column canonical"]),
    ] {
        let message = dir.fail(
            &["grade", "in.csv", "-o", "out.csv", "--where", condition],
            2,
        );
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
        assert_eq!(dir.files(), ["in.csv"]);
    }
}

#[test]
fn a_row_whose_condition_cannot_be_evaluated_ends_the_run_and_is_named() {
    let dir = TestDir::new();
    write_dataset(&dir);
    let condition = "cast(rating as double) > 3";
    let message = dir.fail(
        &["convert", "in.csv", "-o", "out.csv", "--where", condition],
        3,
    );
    let expected = "in.csv, row 3: --where, column 1: 'n/a' is not a valid double";
    assert!(message.contains(expected), "{message}");
    assert_eq!(dir.files(), ["in.csv"]);
}

#[test]
fn select_and_rename_shape_the_table() {
    let dir = TestDir::new();
    write_dataset(&dir);
    dir.succeed(&[
        "grade",
        "in.csv",
        "-o",
        "out.csv",
        "--select",
        "technique, input_clues,puzzle,id",
        "--rename",
        "puzzle=board,id=number",
        "--where",
        "rank = 2 and note is not null",
    ]);
    let expected = format!(
        "technique,input_clues,board,number\nnaked_single,x,{PUZZLE},0\nnaked_single,,{PUZZLE},4\n"
    );
    assert_eq!(String::from_utf8(dir.read("out.csv")).unwrap(), expected);

    // Two columns can exchange their names, also through environment variables.
    let arguments = "convert in.csv -o c.parquet --keep id,note";
    let output = dir
        .command(arguments)
        .env("PIPELINE_RENAME", "id=note,note=id")
        .env("PIPELINE_SELECT", "id,note")
        .env("PIPELINE_WHERE", "id > '0'")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let table = dir.parquet("c.parquet");
    assert_eq!(table.schema().field(0).name(), "note");
    let ids: Vec<_> = texts(&table, "note").into_iter().flatten().collect();
    assert_eq!(ids, ["1", "3", "4"]);
}

#[test]
fn columns_are_the_same_whether_selected_or_not() {
    let dir = TestDir::new();
    write_dataset(&dir);
    dir.succeed("grade in.csv -o all.parquet --with canonical");
    dir.succeed((
        "grade in.csv -o some.parquet --with canonical --select waves,canonical,row --where",
        &["status <> 'none'"],
    ));
    let (all, some) = (dir.parquet("all.parquet"), dir.parquet("some.parquet"));
    let names: Vec<_> = some
        .schema()
        .fields()
        .iter()
        .map(|f| f.name().clone())
        .collect();
    assert_eq!(names, ["waves", "canonical", "row"]);
    let kept_rows = [0, 1, 3];
    let rows = numbers(&all, "row");
    assert_eq!(numbers(&some, "row"), kept_rows.map(|at| rows[at]));
    let canonical = texts(&all, "canonical");
    assert_eq!(
        texts(&some, "canonical"),
        kept_rows.map(|at| canonical[at].clone())
    );
    let waves = numbers(&all, "waves");
    assert_eq!(numbers(&some, "waves"), kept_rows.map(|at| waves[at]));
}

#[test]
fn an_unknown_column_is_refused_and_the_known_columns_are_listed() {
    let dir = TestDir::new();
    write_dataset(&dir);
    for (arguments, words) in [
        (
            &["--select", "puzzle,rung"][..],
            &["--select", "no column rung", "technique"][..],
        ),
        (
            &["--select", "puzzle,rank,puzzle"],
            &["puzzle is named twice"],
        ),
        (&["--select", ""], &["--select", "no column"]),
        (
            &["--rename", "rung=step"],
            &["--rename", "no column rung", "technique"],
        ),
        (
            &["--rename", "id=puzzle"],
            &["two columns would be called puzzle"],
        ),
        (&["--rename", "id=a,id=b"], &["id is named twice"]),
        (&["--rename", "id="], &["the new name of id is empty"]),
        (&["--rename", "id"], &["OLD=NEW"]),
        (
            &["--select", "rank", "--rename", "id=a"],
            &["no column id", "its columns are rank"],
        ),
    ] {
        let arguments = [&["grade", "in.csv", "-o", "out.csv"], arguments].concat();
        let message = dir.fail(&arguments, 2);
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
        assert_eq!(dir.files(), ["in.csv"]);
    }
    let message = dir.fail("solve in.csv -o out.txt --select solution", 2);
    assert!(message.contains("needs the column puzzle"), "{message}");
}

/// A CSV table of records with consecutive ids. Every tenth record is not a puzzle.
fn numbered_records(count: usize) -> String {
    let record = |id: usize| match id % 10 {
        7 => format!("{id},bad\n"),
        _ => format!("{id},{PUZZLE}\n"),
    };
    let records: String = (0..count).map(record).collect();
    format!("id,puzzle\n{records}")
}

/// Converts the records with these options. Returns the ids of the rows in the output, and the summary.
fn ids_and_summary(dir: &TestDir, input: &str, options: &[&str]) -> (Vec<u64>, serde_json::Value) {
    let arguments = ["convert", input, "-o", "out.parquet", "--summary", "s.json"];
    let arguments = [&arguments[..], &["--overwrite"], options].concat();
    dir.succeed(&arguments);
    let table = dir.parquet("out.parquet");
    let ids = texts(&table, "id").into_iter().flatten();
    let summary = serde_json::from_slice(&dir.read("s.json")).unwrap();
    (ids.map(|id| id.parse().unwrap()).collect(), summary)
}

#[test]
fn skip_and_limit_take_a_range_of_the_records() {
    let dir = TestDir::new();
    dir.write("in.csv", numbered_records(6_000));
    for (options, range, rejected) in [
        (&["--skip", "3990", "--limit", "20"][..], 3_990..4_010, 2),
        (&["--skip", "5995"], 5_995..6_000, 1),
        (&["--limit", "3"], 0..3, 0),
        (&["--limit", "0"], 0..0, 0),
        (&["--skip", "7000"], 0..0, 0),
    ] {
        let (ids, summary) = ids_and_summary(&dir, "in.csv", options);
        let rows = range.end - range.start;
        let expected: Vec<u64> = range.filter(|id| id % 10 != 7).collect();
        assert_eq!(ids, expected, "{options:?}");
        assert_eq!(summary["rows_in"], rows);
        assert_eq!(summary["rejected"], rejected);
        assert_eq!(dir.exists("out.rejects.parquet"), rejected > 0);
    }
}

#[test]
fn a_sample_is_the_same_for_any_threads_and_formats() {
    let dir = TestDir::new();
    dir.write("in.csv", numbered_records(6_000).replace("bad", PUZZLE));
    dir.succeed("convert in.csv -o in.parquet");
    let sample_options = ["--sample", "0.1", "--seed", "7"];
    let (one, summary) = ids_and_summary(
        &dir,
        "in.csv",
        &[&sample_options[..], &["--threads", "1"]].concat(),
    );
    assert!((500..700).contains(&one.len()), "{}", one.len());
    assert_eq!(summary["rows_in"], one.len());
    let (four, _) = ids_and_summary(
        &dir,
        "in.csv",
        &[&sample_options[..], &["--threads", "4"]].concat(),
    );
    assert_eq!(one, four);
    let (limited, _) = ids_and_summary(
        &dir,
        "in.csv",
        &[&sample_options[..], &["--limit", "50"]].concat(),
    );
    assert_eq!(limited, one[..50], "the limit is of the sample");
    let (skipped, _) = ids_and_summary(
        &dir,
        "in.csv",
        &[&sample_options[..], &["--skip", "3000"]].concat(),
    );
    let ids_after_skip: Vec<_> = one.iter().copied().filter(|id| *id >= 3_000).collect();
    assert_eq!(
        skipped, ids_after_skip,
        "skipping other records changes nothing"
    );
    let (other, _) = ids_and_summary(&dir, "in.csv", &["--sample", "0.1", "--seed", "8"]);
    assert_ne!(one, other);
    let (columnar, _) = ids_and_summary(&dir, "in.parquet", &sample_options);
    assert!((500..700).contains(&columnar.len()), "{}", columnar.len());

    let message = dir.fail("grade in.csv -o x.csv --sample 1.5", 2);
    assert!(message.contains("from 0 to 1"), "{message}");
}

/// Records after the limit are not read, so a gzip file may be damaged there.
#[test]
fn records_after_the_limit_are_not_read() {
    let dir = TestDir::new();
    let text: Vec<u8> = (0..200_000)
        .map(|id| format!("{id},{PUZZLE}\n"))
        .collect::<String>()
        .into();
    let mut compressed = gzip(&[b"id,puzzle\n", &text[..]].concat());
    compressed.truncate(compressed.len() - 20);
    dir.write("cut.csv.gz", compressed);
    let (ids, summary) = ids_and_summary(&dir, "cut.csv.gz", &["--limit", "10"]);
    assert_eq!(ids, (0..10).collect::<Vec<_>>());
    assert_eq!(summary["rows_in"], 10);
    dir.fail("convert cut.csv.gz -o x.csv", 3);
}

/// Regression test: files of a folder without the column that `--keep` names counted as damaged.
#[test]
fn a_kept_column_may_be_missing_in_some_of_the_inputs() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/a.csv", format!("puzzle,id,rating\n{PUZZLE},a,1\n"));
    dir.write("in/b.csv", format!("puzzle,id\n{PUZZLE},b\n"));
    dir.write("in/c.txt", format!("{PUZZLE}\n"));
    dir.write("in/d.ndjson", format!("{{\"puzzle\":\"{PUZZLE}\"}}\n"));
    dir.succeed("convert in/b.csv -o in/e.parquet");
    let keep_going = "convert in -o out.csv --keep rating,ID --keep-going --overwrite";
    for command in ["convert in -o out.csv --keep rating,ID", keep_going] {
        dir.succeed(command);
        let rows = String::from_utf8(dir.read("out.csv"))
            .unwrap()
            .replace(PUZZLE, "P");
        assert_eq!(
            rows, "puzzle,id,rating\nP,a,1\nP,b,\nP,,\nP,,\nP,b,\n",
            "{command}"
        );
    }
    // The column has the type that it has in the others.
    dir.succeed("convert in/a.csv --types rating=int64 -o typed.parquet");
    dir.succeed(&[
        "convert",
        "typed.parquet",
        "in/d.ndjson",
        "-o",
        "typed.csv",
        "--keep",
        "rating",
        "--where",
        "rating = 1",
    ]);
    let rows = String::from_utf8(dir.read("typed.csv")).unwrap();
    assert_eq!(rows, format!("puzzle,rating\n{PUZZLE},1\n"));
    // A name that no input has is still an error, and so is one that the only input lacks.
    std::fs::remove_file(dir.path("in/d.ndjson")).unwrap();
    for (inputs, missing) in [("in", "none_has"), ("in/b.csv", "rating")] {
        let keep = "--keep=rating,none_has";
        let message = dir.fail(&["convert", inputs, "-o", "o.csv", keep], 3);
        assert!(
            message.contains(&format!(
                "no column \"{missing}\"; its columns are puzzle, id"
            )) && message.contains("name one with --keep"),
            "{message}"
        );
        assert!(!dir.path("o.csv").exists());
    }
}
