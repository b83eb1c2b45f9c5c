//! Many inputs in one run.

use crate::util::{PUZZLE, Place, SOLUTION, gzip, numbers, texts};

/// Writes three inputs in three formats, with different columns.
fn three(place: &Place) {
    std::fs::create_dir_all(place.path("raw/more")).unwrap();
    place.write("raw/b.csv", format!("puzzle,rating,id\n{PUZZLE},1.5,7\n"));
    place.write(
        "raw/a.txt.gz",
        gzip(format!("{PUZZLE} first\n12\n{PUZZLE}\n").as_bytes()),
    );
    place.write(
        "raw/more/c.csv",
        format!("id;quizzes;solutions\n8;{PUZZLE};{SOLUTION}\n"),
    );
    place.write("raw/_notes.txt", "not data");
}

#[test]
fn files_folders_and_patterns_become_one_table() {
    let place = Place::new();
    three(&place);
    for inputs in [
        &["raw"] as &[_],
        &["raw/"],
        &["raw/a*", "raw/b.csv", "raw/more"],
        &["raw/*.txt.gz", "raw/b.csv", "raw/**/c.csv"],
    ] {
        let arguments = [&["grade"], inputs, &["-o", "out.parquet", "--overwrite"]].concat();
        place.succeed(&arguments);
        let table = place.parquet("out.parquet");
        let sources: Vec<_> = texts(&table, "source").into_iter().flatten().collect();
        let expected = [
            "raw/a.txt.gz",
            "raw/a.txt.gz",
            "raw/b.csv",
            "raw/more/c.csv",
        ];
        assert_eq!(sources, expected, "{inputs:?}");
        assert_eq!(numbers(&table, "row"), [Some(0), Some(2), Some(0), Some(0)]);
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(texts(&table, "comment"), [some("first"), None, None, None]);
        assert_eq!(texts(&table, "rating"), [None, None, some("1.5"), None]);
        assert_eq!(texts(&table, "id"), [None, None, some("7"), some("8")]);
        assert_eq!(
            texts(&table, "solution_given"),
            [None, None, None, some("correct")]
        );
        let rejects = place.parquet("out.rejects.parquet");
        assert_eq!(texts(&rejects, "source"), [some("raw/a.txt.gz")]);
    }
    let one = place.summary("validate raw/b.csv raw/more/c.csv");
    assert_eq!(one["rows_in"], 2);
    assert_eq!(one["inputs"][1]["source"], "raw/more/c.csv");
}

#[test]
fn columns_of_one_name_come_together_whatever_their_types() {
    let place = Place::new();
    place.write("a.csv", format!("puzzle,rating\n{PUZZLE},1.5\n"));
    place.succeed("convert a.csv -o a.parquet");
    place.write("b.txt", PUZZLE);
    place.succeed("grade b.txt -o b.parquet");
    // The column `row` is a number in this program's tables, and text in this input.
    place.write("c.csv", format!("row,puzzle\nx,{PUZZLE}\n"));
    place.succeed("convert a.parquet b.parquet c.csv -o out.parquet");
    let table = place.parquet("out.parquet");
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(&table, "row"), [None, some("0"), some("x")]);
    assert_eq!(texts(&table, "rating"), [some("1.5"), None, None]);
}

#[test]
fn inputs_that_are_not_there_or_twice_there_are_refused() {
    let place = Place::new();
    three(&place);
    let said = place.fail("grade raw/b.csv raw -o out.csv", 2);
    assert!(said.contains("raw/b.csv is named twice"), "{said}");
    let said = place.fail("grade raw/*.parquet -o out.csv", 3);
    assert!(said.contains("raw/*.parquet"), "{said}");
    let said = place.fail("grade raw missing.csv -o out.csv", 2);
    assert!(said.contains("missing.csv"), "{said}");
    let said = place.fail("grade raw -o raw/more/", 2);
    assert!(said.contains("raw/more/ is in raw"), "{said}");
    assert!(!place.exists("out.csv"));
}

#[test]
fn threads_do_not_change_the_table_of_many_inputs() {
    let place = Place::new();
    std::fs::create_dir(place.path("raw")).unwrap();
    for part in 0..12 {
        let (count, seed) = (100 * (part % 4), part.to_string());
        let name = format!("raw/{part:02}.csv");
        place.succeed(&["generate", &count.to_string(), "--seed", &seed, "-o", &name]);
    }
    for threads in ["1", "5"] {
        let output = format!("{threads}.parquet");
        place.succeed(&format!("grade raw -o {output} --threads {threads}"));
        place.succeed(&[
            "grade",
            "raw",
            "-o",
            &format!("{threads}/"),
            "--threads",
            threads,
        ]);
    }
    assert!(place.read("1.parquet") == place.read("5.parquet"));
    assert!(place.tree("1") == place.tree("5"));
    assert_eq!(place.parquet("1.parquet").num_rows(), 1800);
}

#[test]
fn a_run_with_too_many_rejects_fails_and_leaves_them() {
    let place = Place::new();
    place.write("in.txt", format!("{PUZZLE}\n").repeat(99) + "bad\n");
    let run = |limit| {
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
        place.succeed(&run(limit));
    }
    std::fs::remove_file(place.path("out.parquet")).unwrap();
    std::fs::remove_file(place.path("out.rejects.parquet")).unwrap();
    for limit in ["0", "0.9%", "0%"] {
        let said = place.fail(&run(limit), 3);
        assert!(said.contains("1 of 100 records rejected"), "{said}");
        // The hidden file tells the next run that it may remove these rejects.
        let left = [".out.parquet.lock", "in.txt", "out.rejects.parquet"];
        assert_eq!(place.files(), left);
    }
    place.fail(&run("x"), 2);
}

#[test]
fn what_can_be_read_of_damaged_inputs_is_kept_on_demand() {
    let place = Place::new();
    let text: String = (0..3000).map(|id| format!("{PUZZLE} {id}\n")).collect();
    let whole = gzip(text.as_bytes());
    std::fs::create_dir(place.path("raw")).unwrap();
    place.write("raw/a.txt", PUZZLE);
    place.write("raw/b.txt.gz", &whole[..whole.len() / 2]);
    let mut crc = whole.clone();
    let at = crc.len() - 8;
    crc[at] ^= 1;
    place.write("raw/c.txt.gz", &crc);
    place.write("raw/d.csv", "id,clues\n1,24\n");
    place.write("raw/e.parquet", "no parquet");
    place.write("raw/f.txt", PUZZLE);
    for output in ["out.parquet", "out/"] {
        let said = place.fail(&format!("grade raw -o {output}"), 3);
        assert!(said.contains("raw/d.csv"), "{said}");
        let arguments = format!("grade raw -o {output} --keep-going --summary s.json");
        let output = place.run(&arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        assert_eq!(said.matches("damaged: ").count(), 4, "{said}");
        let lost = said.lines().filter(|line| line.contains("lost: all of it"));
        assert_eq!(
            lost.count(),
            2,
            "d.csv and e.parquet cannot be opened: {said}"
        );
        let summary: serde_json::Value = serde_json::from_slice(&place.read("s.json")).unwrap();
        std::fs::remove_file(place.path("s.json")).unwrap();
        let damaged = summary["damaged"].as_array().unwrap();
        let sources: Vec<_> = damaged.iter().map(|input| &input["source"]).collect();
        assert_eq!(
            sources,
            ["raw/b.txt.gz", "raw/c.txt.gz", "raw/d.csv", "raw/e.parquet"]
        );
        assert!(
            damaged[0]["message"]
                .as_str()
                .unwrap()
                .contains("truncated")
        );
        assert!(damaged[0]["bytes_dropped"].as_u64().unwrap() < 100);
        assert_eq!(
            damaged[0]["stored_bytes_unread"], 0,
            "there is no more of it"
        );
        assert!(damaged[1]["message"].as_str().unwrap().contains("checksum"));
        assert_eq!(damaged[2]["stored_bytes_unread"], 14);
        let nothing_read = damaged.iter().map(|input| input["nothing_read"] == true);
        assert_eq!(nothing_read.collect::<Vec<_>>(), [false, false, true, true]);
        let rows = summary["rows_out"].as_u64().unwrap();
        // All rows of `c`, whose text is intact, and about half of the rows of `b`.
        assert!((3002 + 1000..3002 + 2000).contains(&rows), "{rows}");
    }
    let rows: usize = crate::util::parquet_below(&place, "out")
        .iter()
        .map(arrow::array::RecordBatch::num_rows)
        .sum();
    assert_eq!(rows, place.parquet("out.parquet").num_rows());
}

/// A pipe can only be read once, so it must be opened only once.
#[cfg(unix)]
#[test]
fn named_pipes_are_inputs_like_files() {
    let place = Place::new();
    let names = ["a", "b"];
    let feeders = names.map(|name| {
        let path = place.path(name);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let rows = format!("puzzle,from\n{}", format!("{PUZZLE},{name}\n").repeat(3000));
        std::thread::spawn(move || std::fs::write(path, rows).unwrap())
    });
    place.succeed("convert a b -o out.csv");
    for feeder in feeders {
        feeder.join().unwrap();
    }
    let table = String::from_utf8(place.read("out.csv")).unwrap();
    for name in names {
        let rows = table
            .lines()
            .filter(|row| row.ends_with(&format!(",{name}")));
        assert_eq!(rows.count(), 3000, "{name}");
    }
}

/// A column with different types in the inputs keeps all values, or the run fails with a message.
#[test]
fn numbers_of_several_types_keep_their_values() {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Float64Array, Int64Array, StringArray};
    let place = Place::new();
    let write = |name: &str, numbers: ArrayRef| {
        let puzzles: ArrayRef = Arc::new(StringArray::from(vec![PUZZLE; numbers.len()]));
        let batch = crate::tables::batch(vec![("n", numbers), ("puzzle", puzzles)]);
        let properties = parquet::file::properties::WriterProperties::default();
        place.write(name, crate::tables::parquet(&batch, properties));
    };
    write("a.parquet", Arc::new(Int64Array::from(vec![Some(7), None])));
    write("b.parquet", Arc::new(Float64Array::from(vec![0.5])));
    write("c.parquet", Arc::new(Int64Array::from(vec![(1 << 53) + 1])));
    place.succeed("convert a.parquet b.parquet -o out.csv");
    let table = String::from_utf8(place.read("out.csv")).unwrap();
    let expected = format!("n,puzzle\n7.0,{PUZZLE}\n,{PUZZLE}\n0.5,{PUZZLE}\n");
    assert_eq!(table, expected);
    let said = place.fail("convert b.parquet c.parquet -o x.csv", 3);
    assert!(said.contains("c.parquet: column n"), "{said}");
}
