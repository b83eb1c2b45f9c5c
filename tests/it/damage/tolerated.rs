//! Tests what an alert sees of damaged inputs: the exit code, the log, the summary and the metrics.

use serde_json::Value;

use crate::util::{PUZZLE, TestDir, gzip, stderr};

/// Writes two whole inputs, one that is cut in its middle, and one that cannot be read at all.
fn write_inputs(dir: &TestDir) {
    std::fs::create_dir(dir.path("in")).unwrap();
    let rows: String = (0..400).map(|id| format!("{PUZZLE},{id}\n")).collect();
    let text = format!("puzzle,id\n{rows}");
    dir.write("in/a.csv", &text);
    dir.write("in/b.csv", &text);
    let compressed = gzip(text.as_bytes());
    dir.write("in/c.csv.gz", &compressed[..compressed.len() / 2]);
    dir.write(
        "in/d.csv.gz",
        "this is not gzip at all, some garbage\n1,2\n",
    );
}

fn metric(dir: &TestDir, name: &str) -> String {
    let text = String::from_utf8(dir.read("m.prom")).unwrap();
    let start = format!("sudoku_pipeline_{name}{{");
    let line = text.lines().find(|line| line.starts_with(&start));
    line.unwrap_or_else(|| panic!("{name} in {text}"))
        .rsplit_once(' ')
        .unwrap()
        .1
        .to_owned()
}

/// Regression test: a run with a third of its inputs unreadable ended with exit code 0, `success 1` and no metric.
#[test]
fn the_exit_code_and_the_metrics_tell_of_damaged_inputs() {
    let dir = TestDir::new();
    write_inputs(&dir);
    let reports = "--summary s.json --metrics m.prom --overwrite";
    for output in ["out/", "out.parquet"] {
        let convert = format!("convert in -o {output} {reports}");
        dir.fail(&convert[..], 3);
        assert_eq!(
            (metric(&dir, "success"), metric(&dir, "exit_code")),
            ("0".into(), "3".into())
        );
        for (options, code) in [
            ("--keep-going", 5),
            ("--max-damaged 1", 5),
            ("--max-damaged 49%", 5),
            ("--max-damaged 2", 0),
            ("--max-damaged 50% --keep-going", 0),
        ] {
            let run = dir.run((&convert[..], options));
            assert_eq!(run.status.code(), Some(code), "{options}: {}", stderr(&run));
            let rows: usize = dir
                .succeed(&format!("convert {output} -o - --format csv --keep none"))
                .lines()
                .count();
            assert!((802..1202).contains(&rows), "{options}: {rows}");
            let summary: Value = serde_json::from_slice(&dir.read("s.json")).unwrap();
            assert_eq!(summary["exit_code"], code);
            assert_eq!(summary["complete"], true);
            assert_eq!(summary["error"].is_null(), code == 0);
            assert_eq!(summary["inputs_damaged"], 2);
            for (name, value) in [
                ("success", i32::from(code == 0)),
                ("exit_code", code),
                ("inputs", 4),
                ("inputs_damaged", 2),
                ("rows_lost_at_least", 1),
                ("rows_kept", 0),
            ] {
                assert_eq!(metric(&dir, name), value.to_string(), "{options}: {name}");
            }
        }
    }
    dir.fail("convert in -o x.csv --max-damaged x", 2);
}

#[test]
fn the_messages_say_what_is_lost_and_the_json_log_has_it_as_fields() {
    let dir = TestDir::new();
    write_inputs(&dir);
    let message = dir.fail("convert in -o out/ --keep-going", 5);
    for part in [
        "lost: the rest of the file, whose size is unknown, and ",
        "its name ends with .gz, but it is not compressed",
        "lost: all of it, not one record was read",
        ", 2 inputs not read to their end",
        "2 of 4 inputs are damaged",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(!message.contains("0 bytes"), "{message}");
    std::fs::remove_file(dir.path("in/d.csv.gz")).unwrap();
    let output = dir.run("convert in -o out/ --resume --prune --keep-going --log-format json");
    assert_eq!(output.status.code(), Some(5));
    let text = stderr(&output);
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}")))
        .collect();
    let damage = lines
        .iter()
        .find(|line| line["source"] == "in/c.csv.gz")
        .unwrap();
    assert_eq!(damage["stored_bytes_unread"], 0);
    assert_eq!(damage["rows_lost_at_least"], 1);
    let done = lines
        .iter()
        .find(|line| line["command"] == "convert")
        .unwrap();
    for (field, value) in [("inputs", 3), ("inputs_kept", 3), ("inputs_damaged", 1)] {
        assert_eq!(done[field], value, "{field}: {done}");
    }
    assert_eq!(done["rows_kept"], done["rows"]);
    assert_eq!(done["output"], "out/");
    let text = done["message"].as_str().unwrap();
    assert!(
        text.starts_with("convert: no new rows in ")
            && text.contains("kept from 3 inputs that were done"),
        "{text}"
    );
    assert!(text.contains(", 1 input not read to its end"), "{text}");
    assert_eq!(lines.last().unwrap()["exit_code"], 5);
}
