//! Tests `--max-record-bytes`, the maximum length of a record in text formats.

use crate::util::{PUZZLE, TestDir, stderr};

/// Writes a CSV table whose first record has a note of 3 MiB. Also writes the same records as NDJSON.
fn write_long_records(dir: &TestDir) {
    let long_note = "x".repeat(3 << 20);
    dir.write(
        "in.csv",
        format!("note,puzzle\n\"{long_note}\",{PUZZLE}\nshort,{PUZZLE}\n"),
    );
    let line = |note: &str| format!("{{\"puzzle\":\"{PUZZLE}\",\"note\":\"{note}\"}}\n");
    dir.write(
        "in.ndjson",
        line("short") + &line(&long_note) + &line("short"),
    );
    dir.write("first.ndjson", line(&long_note) + &line("short"));
    let array = format!("[\n{},{}]\n", line(&long_note), line("short"));
    dir.write("first.json", array);
    dir.write("in.txt", format!("{PUZZLE} # {long_note}\n{PUZZLE}\n"));
    let rows = (0..9).map(|row| &PUZZLE[9 * row..][..9]);
    let board = rows.collect::<Vec<_>>().join("\n");
    dir.write("in.sdk", format!("{board}\n\n[{long_note}\n\n{board}\n"));
}

#[test]
fn a_record_that_is_too_long_is_rejected_with_the_option_that_allows_it() {
    let dir = TestDir::new();
    write_long_records(&dir);
    for (input, words) in [
        (
            "in.csv",
            "a quoted field is not closed within 1048576 bytes",
        ),
        ("in.ndjson", "a record must be shorter than 1048576"),
        ("in.txt", "a record must be shorter than 1048576"),
        ("in.sdk", "a record must be shorter than 1048576"),
    ] {
        let arguments = format!("convert {input} -o out.csv --overwrite");
        dir.succeed(&format!("{arguments} --rejects bad.csv"));
        let reject_text = String::from_utf8(dir.read("bad.csv")).unwrap();
        assert_eq!(
            reject_text.matches("truncated_record").count(),
            1,
            "{input}"
        );
        assert!(
            reject_text.contains(words) && reject_text.contains("--max-record-bytes raises"),
            "{input}"
        );
    }
    // Regression test: a long element of a JSON array ended the run.
    let object = |note: &str| format!("{{\"puzzle\":\"{PUZZLE}\",\"note\":\"{note}\"}}");
    for long in [
        object(&"x],\\\"{".repeat(400_000)),
        format!("[{}]", "[],{}, \"]\",".repeat(300_000)),
        "5".repeat(3 << 20),
    ] {
        for elements in [
            [object("a"), long.clone(), object("b")],
            [object("a"), object("b"), long.clone()],
        ] {
            let text = format!("[{}\n]\n", elements.join(",\n"));
            dir.write("in.json", &text);
            let convert_arguments = [
                "convert",
                "in.json",
                "-o",
                "out.csv",
                "--overwrite",
                "--rejects",
                "bad.csv",
            ];
            let summary = dir.summary(&convert_arguments);
            assert_eq!(
                (&summary["rows_out"], &summary["rejected"]),
                (&2.into(), &1.into())
            );
            let rejects_text = String::from_utf8(dir.read("bad.csv")).unwrap();
            let expected_message = "an element of the array is not closed within 1048576 bytes";
            assert!(
                rejects_text.contains(expected_message)
                    && rejects_text.contains("truncated_record")
            );
            // A text that ends within an element is truncated, which is an error.
            dir.write("cut.json", &text[..text.len() - 3]);
            dir.fail("convert cut.json -o none.csv", 3);
        }
    }
    for input in ["first.ndjson", "first.json"] {
        let message = dir.fail(&format!("convert {input} -o none.csv"), 3);
        assert!(message.contains("--max-record-bytes"), "{message}");
    }
}

#[test]
fn the_limit_of_a_record_can_be_raised() {
    let dir = TestDir::new();
    write_long_records(&dir);
    for (input, rows) in [
        ("in.csv", 2),
        ("in.ndjson", 3),
        ("first.ndjson", 2),
        ("first.json", 2),
        ("in.txt", 2),
    ] {
        let arguments = format!("convert {input} -o out.csv --overwrite");
        let summary = dir.summary(&format!("{arguments} --max-record-bytes 4MiB"));
        assert_eq!(summary["rows_out"], rows, "{input}");
        assert!(dir.read("out.csv").len() > 3 << 20, "{input}");
    }
    let mut command = dir.command("convert in.csv -o none.csv");
    let output = command
        .env("PIPELINE_MAX_RECORD_BYTES", "1KiB")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "less than a batch of text");
    let options_with_little_memory = ["--max-record-bytes", "1GiB", "--memory-limit", "256MiB"];
    let message = dir.fail(
        ("convert in.csv -o none.csv", &options_with_little_memory),
        2,
    );
    assert!(
        message.contains("no room for two such records"),
        "{message}"
    );
}

/// Regression test: the memory for the texts of a batch of rejects was reserved as if each were as long as the first.
#[test]
fn one_long_reject_does_not_reserve_memory_for_all() {
    let dir = TestDir::new();
    let text = format!("{}\n{}", "x".repeat(60_000_000), "bad\n".repeat(60_000));
    dir.write("long.txt", text);
    let arguments =
        "convert long.txt -o out.csv --max-record-bytes 64MiB --allow-empty --memory-limit 1GiB";
    let run = dir.run(&format!(
        "{arguments} --rejects bad.csv --input-format lines"
    ));
    assert!(
        run.status.code().is_some_and(|code| code < 6),
        "{}",
        stderr(&run)
    );
    let rejects = dir.read("bad.csv");
    let lines = rejects.iter().filter(|byte| **byte == b'\n').count();
    assert!(lines > 60_000, "{lines}");
}
