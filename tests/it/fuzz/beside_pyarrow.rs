//! Compares reading with pyarrow: if pyarrow reads a changed file, this program reads the same records, or
//! refuses the file.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};

use super::check::{ReadOutcome, check};
use super::effort::{Case, Effort, kept_inputs_folder, try_inputs};
use super::readers::{folder, make, thread_path};
use super::{Seed, columnar, texts};

/// A Python process that reads files with pyarrow, and answers with a line of JSON for each file.
struct PyarrowProcess {
    child: Child,
    peer_input: ChildStdin,
    peer_output: BufReader<ChildStdout>,
}

impl PyarrowProcess {
    fn start(python: &str) -> PyarrowProcess {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pyarrow_rows.py");
        let mut child = Command::new(python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("FUZZ_PYTHON={python}: {error}"));
        let peer_input = child.stdin.take().unwrap();
        let peer_output = BufReader::new(child.stdout.take().unwrap());
        PyarrowProcess {
            child,
            peer_input,
            peer_output,
        }
    }

    /// Asks pyarrow to read a file. Returns `None` if this ended the Python process.
    fn ask(&mut self, question: &Value) -> Option<Value> {
        let write_result = writeln!(self.peer_input, "{question}");
        let mut line = String::new();
        let read_result = write_result.and_then(|()| self.peer_output.read_line(&mut line));
        if read_result.unwrap_or(0) == 0 {
            let _ = self.child.wait();
            return None;
        }
        Some(serde_json::from_str(&line).unwrap())
    }
}

/// Compares the results of both readers. Returns a word for the kind of result.
fn compare(outcome: &ReadOutcome, bytes: &[u8], answer: Option<&Value>) -> String {
    let format = match outcome.format {
        "" => "unknown",
        format => format,
    };
    let our_answer = match &outcome.refused {
        None => "read",
        Some(_) => "refused",
    };
    let Some(answer) = answer else {
        return format!("{format}: {our_answer}, pyarrow crashed");
    };
    let Some(rows) = answer["rows"].as_u64() else {
        return format!("{format}: {our_answer}, pyarrow refused");
    };
    let is_text = matches!(format, "csv" | "ndjson");
    let mut pairs = bytes.windows(2);
    let has_lone_carriage_return = is_text
        && (bytes.last() == Some(&b'\r') || pairs.any(|pair| pair[0] == b'\r' && pair[1] != b'\n'));
    if let Some((code, message)) = &outcome.refused {
        assert!(matches!(code, 2 | 3), "{message}");
        return format!("{format}: refused, pyarrow read");
    }
    if outcome.broken > 0 {
        // A line with an open quote, or with half of an object, is rejected by this program, which continues
        // with the next line. pyarrow reads on to the closing quote or bracket.
        return format!("{format}: both read, a line here is a reject");
    }
    if format == "csv" && bytes.trim_ascii_start().starts_with(b"#") {
        return format!("{format}: both read, the first line is a comment here");
    }
    let mut lines = bytes.split(|byte| *byte == b'\n');
    let first_line = lines.find(|line| !matches!(*line, [] | [b'\r']));
    if format == "csv" && first_line.is_some_and(|line| line.trim_ascii().is_empty()) {
        return format!("{format}: both read, a line of blanks stands over the header here");
    }
    // pyarrow takes every first line for the names of the columns.
    let is_cell = |byte: &u8| byte.is_ascii_digit() || b".*_-xX? ".contains(byte);
    let has_grid = |line: &[u8]| {
        let mut fields = line.split(|byte| !is_cell(byte));
        line.starts_with(b"sep=")
            || line.starts_with(b"SEP=")
            || fields.any(|field| field.len() >= 16)
    };
    if format == "csv" && outcome.records != rows && first_line.is_some_and(has_grid) {
        return format!("{format}: both read, a table without a header here");
    }
    if has_lone_carriage_return {
        // This program treats a lone carriage return like any other character.
        return format!(
            "{format}: both read, with carriage returns that pyarrow takes for line ends"
        );
    }
    assert_eq!(
        outcome.records, rows,
        "{format}: records, and rows of pyarrow"
    );
    if let (Some(puzzles), Some(theirs)) = (outcome.puzzles, answer["puzzles"].as_u64()) {
        assert_eq!(
            u64::from(puzzles),
            theirs,
            "{format}: the sum over the puzzles, and pyarrow's"
        );
    }
    format!("{format}: both read")
}

/// The seeds in formats that pyarrow can read.
fn seeds_for_both() -> Vec<Seed> {
    let tables = texts().into_iter().filter(|seed| {
        [".csv", ".tsv", ".ndjson"]
            .iter()
            .any(|ending| seed.name.ends_with(ending))
    });
    let mut seeds: Vec<Seed> = tables.collect();
    seeds.extend(seeds.clone());
    seeds.extend(columnar());
    seeds
}

/// The files that only one of the two readers accepts. For each reason of the other reader to refuse them: the number
/// of files, and the path of the first one.
type Disagreements = BTreeMap<String, (u64, PathBuf)>;

/// The reason why one reader refuses a file that the other reader accepts; `None` if both agree. Numbers in the reason
/// are removed.
fn disagreement(outcome: &ReadOutcome, answer: &Value) -> Option<String> {
    let reason_without_numbers = |message: &str| -> String {
        // The message of pyarrow after ` got` quotes the row, so it is cut off.
        let reason = message.split(" got").next().unwrap_or_default();
        let words_without_paths = reason.split_whitespace().filter(|word| !word.contains('/'));
        let words_without_paths = words_without_paths.collect::<Vec<_>>().join(" ");
        words_without_paths
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .take(90)
            .collect()
    };
    match (&outcome.refused, answer["rows"].is_null()) {
        (None, true) => {
            let reason = answer["refused"].as_str().unwrap_or_default();
            Some(format!(
                "read here, refused by pyarrow: {}",
                reason_without_numbers(reason)
            ))
        }
        (Some((_, message)), false) => Some(format!(
            "refused here, read by pyarrow: {}",
            reason_without_numbers(message)
        )),
        _ => None,
    }
}

fn keep_disagreement(case: &Case, reason: String, judged: &Mutex<Disagreements>) {
    let mut judged_files = judged.lock().unwrap();
    let count = judged_files.len();
    let (times, _) = judged_files.entry(reason).or_insert_with(|| {
        let path = kept_inputs_folder()
            .join("judge")
            .join(format!("{count}-{}", case.name));
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &case.bytes).unwrap();
        (0, path)
    });
    *times += 1;
}

#[test]
fn files_that_pyarrow_reads_are_read_or_refused() {
    let Ok(python) = std::env::var("FUZZ_PYTHON") else {
        eprintln!("without FUZZ_PYTHON=PYTHON there is no pyarrow to compare with");
        return;
    };
    let effort = Effort::from_environment(2000);
    let seeds = seeds_for_both();
    let folder = folder();
    let free_processes: Mutex<Vec<PyarrowProcess>> = Mutex::new(Vec::new());
    let judged_files = Mutex::new(BTreeMap::new());
    let tried_count = try_inputs(
        "beside pyarrow",
        effort,
        |number| make(&seeds, effort.seed, number),
        |case| {
            let path = thread_path(folder.path(), &case.name);
            std::fs::write(&path, &case.bytes).unwrap();
            let outcome = check(&path, &case.bytes, None);
            let ending = case.name.rsplit('.').next().unwrap_or_default();
            let format_by_name = match ending {
                "tsv" => "csv",
                "arrows" => "arrow",
                ending => ending,
            };
            let format = match outcome.format {
                "" => format_by_name,
                format => format,
            };
            let question = json!({
                "path": path,
                "format": format,
                "columns": outcome.columns,
                "puzzle": outcome.puzzle_column,
                "delimiter": outcome.delimiter,
            });
            let process = free_processes.lock().unwrap().pop();
            let mut process = process.unwrap_or_else(|| PyarrowProcess::start(&python));
            let peer_answer = process.ask(&question);
            if peer_answer.is_some() {
                free_processes.lock().unwrap().push(process);
            }
            std::fs::remove_file(&path).unwrap();
            let word = compare(&outcome, &case.bytes, peer_answer.as_ref());
            if let Some(reason) = peer_answer.and_then(|answer| disagreement(&outcome, &answer)) {
                keep_disagreement(case, format!("{ending}: {reason}"), &judged_files);
            }
            word
        },
    );
    for (reason, (times, path)) in judged_files.into_inner().unwrap() {
        eprintln!("{times} files, {reason}: {}", path.display());
    }
    let counts = tried_count.counts_by_result();
    assert!(
        counts.keys().any(|word| word.contains("both read")),
        "{counts:?}"
    );
}
