//! Tests objects of object stores as inputs and outputs. The tests that need a store only run if
//! `S3_TEST_ENDPOINT` is the address of an S3 server that does not check signatures. `tests/stores/cloud.py`
//! starts such a server.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::cloud::server::{Behaviour, Server, request};
use crate::util::{PUZZLE, TestDir, gzip, numbers, stderr, texts};

/// A text with this many lines. Each line has a puzzle and a number.
pub(crate) fn lines(count: usize) -> String {
    (0..count).map(|n| format!("{PUZZLE} {n}\n")).collect()
}

/// The command with these arguments, with short timeouts for requests to stores.
pub(crate) fn command(dir: &TestDir, arguments: &[&str]) -> Command {
    let mut command = dir.command(arguments);
    command
        .env("PIPELINE_STORE_TIMEOUT", "2")
        .env("AWS_ACCESS_KEY_ID", "test")
        .env("AWS_SECRET_ACCESS_KEY", "test")
        .env("AWS_REGION", "us-east-1")
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    if let Ok(endpoint) = std::env::var("S3_TEST_ENDPOINT") {
        command.env("AWS_ENDPOINT_URL", endpoint);
    }
    command
}

/// Runs the command, and asserts its exit code. Returns standard output and standard error.
pub(crate) fn run(dir: &TestDir, arguments: &[&str], code: i32) -> (String, String) {
    let output = command(dir, arguments).output().unwrap();
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    (String::from_utf8(output.stdout).unwrap(), message)
}

pub(crate) fn rows_in(dir: &TestDir, input: &str) -> u64 {
    let arguments = ["validate", input, "--allow-empty", "--summary", "-"];
    let (summary, _) = run(dir, &arguments, 0);
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    summary["rows_in"].as_u64().unwrap()
}

pub(crate) fn send_signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    Command::new("kill").args([name, &pid]).status().unwrap();
}

pub(crate) fn wait_until(awaited_event: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no {awaited_event}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A bucket for one test; `None` if no store is available.
pub(crate) struct Bucket {
    endpoint: String,
    name: String,
}

impl Bucket {
    pub(crate) fn new(name: &str) -> Option<Bucket> {
        let endpoint = std::env::var("S3_TEST_ENDPOINT").ok()?;
        let name = format!("{name}-{}", std::process::id());
        let bucket = Bucket { endpoint, name };
        assert_eq!(bucket.request("PUT", "", b"").0, 200);
        Some(bucket)
    }

    fn request(&self, method: &str, rest: &str, body: &[u8]) -> (u16, Vec<u8>) {
        let path = format!("/{}{rest}", self.name);
        request(&self.endpoint, method, &path, body)
    }

    pub(crate) fn put(&self, key: &str, bytes: &[u8]) {
        assert_eq!(self.request("PUT", &format!("/{key}"), bytes).0, 200);
    }

    pub(crate) fn get(&self, key: &str) -> Option<Vec<u8>> {
        let (status, bytes) = self.request("GET", &format!("/{key}"), b"");
        (status == 200).then_some(bytes)
    }

    pub(crate) fn url(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.name)
    }

    /// The names of a folder's objects, relative to the folder.
    pub(crate) fn names(&self, folder: &str) -> Vec<String> {
        let (_, xml) = self.request("GET", &format!("?list-type=2&prefix={folder}/"), b"");
        let xml = String::from_utf8(xml).unwrap();
        assert!(!xml.contains("<IsTruncated>true"), "too many for one page");
        let key_elements = xml.split("<Key>").skip(1);
        key_elements
            .map(|rest| rest.split("</Key>").next().unwrap()[folder.len() + 1..].to_owned())
            .collect()
    }

    /// All objects in a folder, with their contents.
    pub(crate) fn tree(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let names = self.names(folder).into_iter();
        let get_object = |name: &str| self.get(&format!("{folder}/{name}")).unwrap();
        names
            .map(|name| (name.clone(), get_object(&name)))
            .collect()
    }

    /// Whether the bucket has incomplete uploads.
    fn has_uploads(&self) -> bool {
        let (_, xml) = self.request("GET", "?uploads", b"");
        String::from_utf8(xml).unwrap().contains("<UploadId>")
    }
}

#[test]
fn a_dataset_is_read_from_objects_and_written_to_objects() {
    let (Some(bucket), dir) = (Bucket::new("whole"), TestDir::new()) else {
        return;
    };
    let text = lines(1000) + "not a puzzle\n";
    bucket.put("in/a.txt.gz", &gzip(text.as_bytes()));
    let (input, output) = (bucket.url("in/a.txt.gz"), bucket.url("out/graded.parquet"));
    let summary = bucket.url("summary.json");
    let arguments = ["grade", &input, "-o", &output, "--summary", &summary];
    run(&dir, &arguments, 0);
    dir.write("graded.parquet", bucket.get("out/graded.parquet").unwrap());
    let table = dir.parquet("graded.parquet");
    assert_eq!(table.num_rows(), 1000);
    assert_eq!(texts(&table, "source")[0].as_deref(), Some(input.as_str()));
    dir.write(
        "bad.parquet",
        bucket.get("out/graded.rejects.parquet").unwrap(),
    );
    assert_eq!(numbers(&dir.parquet("bad.parquet"), "row"), [Some(1000)]);
    let summary_text = String::from_utf8(bucket.get("summary.json").unwrap()).unwrap();
    assert!(summary_text.contains(&output), "{summary_text}");
    assert_eq!(rows_in(&dir, &output), 1000);

    // An existing object is only replaced with `--overwrite`. This also removes the rejects of the old object.
    let (_, message) = run(&dir, &arguments, 4);
    assert!(message.contains("exists already"), "{message}");
    bucket.put("in/a.txt.gz", &gzip(lines(10).as_bytes()));
    run(&dir, &[&arguments[..], &["--overwrite"]].concat(), 0);
    assert_eq!(rows_in(&dir, &output), 10);
    assert_eq!(bucket.get("out/graded.rejects.parquet"), None);
    let (_, message) = run(
        &dir,
        &[
            "convert",
            &input,
            "-o",
            &input,
            "--overwrite",
            "--format",
            "csv",
        ],
        2,
    );
    assert!(message.contains("is an input"), "{message}");

    let (_, message) = run(&dir, &["validate", &bucket.url("none.csv")], 1);
    assert!(message.contains("there is no such object"), "{message}");
    let (_, message) = run(&dir, &["validate", "s3://there-is-none/a.csv"], 1);
    assert!(message.contains("there is no such bucket"), "{message}");
}

#[test]
fn a_large_table_is_uploaded_in_parts() {
    let (Some(bucket), dir) = (Bucket::new("parts"), TestDir::new()) else {
        return;
    };
    dir.write("in.txt", lines(300_000));
    dir.succeed("convert in.txt -o out.csv");
    let output = bucket.url("out.csv");
    run(&dir, &["convert", "in.txt", "-o", &output], 0);
    let bytes = bucket.get("out.csv").unwrap();
    assert!(bytes.len() > 20 << 20, "{}", bytes.len());
    assert!(bytes == dir.read("out.csv"));
    assert!(!bucket.has_uploads());
    run(&dir, &["convert", "in.txt", "-o", &output], 4);
}

/// Starts a run with an endless input, and waits until it has uploaded parts of its output.
fn start_endless_upload(dir: &TestDir, server: &Server, bucket: &Bucket) -> Child {
    let input = server.add("in.txt", Behaviour::Stalls, lines(400_000));
    let arguments = ["convert", &input, "-o", &bucket.url("out.csv")];
    let mut command = command(dir, &arguments);
    let child = command
        .env("PIPELINE_STORE_TIMEOUT", "600")
        .spawn()
        .unwrap();
    wait_until("upload", || bucket.has_uploads());
    child
}

#[test]
fn a_signal_during_an_upload_leaves_neither_object_nor_parts() {
    for (name, code) in [("-TERM", 143), ("-INT", 130)] {
        let (dir, server) = (TestDir::new(), Server::start());
        let Some(bucket) = Bucket::new(&format!("signal{code}")) else {
            return;
        };
        let child = start_endless_upload(&dir, &server, &bucket);
        send_signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(!bucket.has_uploads());
        assert_eq!(bucket.get("out.csv"), None);
    }
}

#[test]
fn a_kill_during_an_upload_leaves_no_object() {
    let (dir, server) = (TestDir::new(), Server::start());
    let Some(bucket) = Bucket::new("kill") else {
        return;
    };
    let mut child = start_endless_upload(&dir, &server, &bucket);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(bucket.get("out.csv"), None);
    // Files that the killed run left do not block the next run.
    dir.write("in.txt", PUZZLE);
    run(
        &dir,
        &["convert", "in.txt", "-o", &bucket.url("out.csv")],
        0,
    );
}

/// If an object is uploaded in one request, the store checks that no object of this name exists. For an upload in
/// parts, the program checks this immediately before it completes the upload.
#[test]
fn an_object_that_appears_meanwhile_is_not_replaced() {
    for (name, rows) in [("race-put", 30_000), ("race-parts", 400_000)] {
        let (dir, server) = (TestDir::new(), Server::start());
        let Some(bucket) = Bucket::new(name) else {
            return;
        };
        let input = server.add("in.txt", Behaviour::Stalls, lines(rows));
        let output = bucket.url("out.csv");
        let arguments = ["convert", &input, "-o", &output, "--progress", "always"];
        let mut child = command(&dir, &arguments)
            .env("PIPELINE_STORE_TIMEOUT", "600")
            .spawn()
            .unwrap();
        // When the progress is shown, the check for an existing output is over.
        let mut message = BufReader::new(child.stderr.take().unwrap());
        message.read_line(&mut String::new()).unwrap();
        if name == "race-parts" {
            wait_until("upload", || bucket.has_uploads());
        }
        bucket.put("out.csv", b"mine");
        server.release();
        let mut remaining_message = String::new();
        message.read_to_string(&mut remaining_message).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(4), "{remaining_message}");
        assert_eq!(bucket.get("out.csv").as_deref(), Some(&b"mine"[..]));
        assert!(!bucket.has_uploads());
    }
}

#[test]
fn objects_are_listed_by_folder_and_by_pattern() {
    use sudoku_pipeline::store::{Location, delete, exists, glob, list, metadata, read};
    let Some(bucket) = Bucket::new("list") else {
        return;
    };
    // Only in this test, the test process itself connects to the store.
    let settings = [
        ("AWS_ENDPOINT_URL", bucket.endpoint.as_str()),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ];
    if settings
        .iter()
        .any(|(name, value)| std::env::var(name).as_deref() != Ok(value))
    {
        panic!("tests/stores/cloud.py sets {settings:?}");
    }
    for key in ["d/b.csv", "d/a.csv.gz", "d/e/c.csv", "db.csv", "x.csv"] {
        bucket.put(key, key.as_bytes());
    }
    let parse_location = |key: &str| Location::parse(&bucket.url(key)).unwrap();
    let file_names = |found: Vec<sudoku_pipeline::store::ListedFile>| {
        found
            .into_iter()
            .map(|found| found.name)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        file_names(list(&parse_location("d")).unwrap()),
        ["a.csv.gz", "b.csv", "e/c.csv"]
    );
    assert_eq!(
        file_names(list(&parse_location("d/e/")).unwrap()),
        ["c.csv"]
    );
    assert_eq!(file_names(list(&parse_location("")).unwrap()).len(), 5);
    assert_eq!(file_names(list(&parse_location("none")).unwrap()).len(), 0);
    assert_eq!(
        file_names(glob(&parse_location("d/*.csv*")).unwrap()),
        ["d/a.csv.gz", "d/b.csv"]
    );
    assert_eq!(
        file_names(glob(&parse_location("d*.csv")).unwrap()),
        ["db.csv"]
    );
    assert_eq!(
        file_names(glob(&parse_location("**/*.csv")).unwrap()).len(),
        4
    );
    let listed_file = glob(&parse_location("x*")).unwrap().remove(0);
    assert_eq!(listed_file.location, parse_location("x.csv"));
    assert_eq!(listed_file.metadata.bytes, Some(5));
    assert!(listed_file.metadata.e_tag.is_some() && listed_file.metadata.last_modified.is_some());
    assert_eq!(
        metadata(&parse_location("x.csv")).unwrap().unwrap().bytes,
        Some(5)
    );
    assert_eq!(
        read(&parse_location("x.csv"), 5).unwrap().as_deref(),
        Some(&b"x.csv"[..])
    );
    delete(&parse_location("x.csv")).unwrap();
    assert!(!exists(&parse_location("x.csv")).unwrap());
    assert_eq!(read(&parse_location("x.csv"), 5).unwrap(), None);
}

mod folders;
mod reading;
mod server;
mod signals;
mod web;
