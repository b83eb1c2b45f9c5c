//! Tests inputs on web servers: broken connections, changed files, secrets in addresses.

use std::fmt::Write;

use sudoku_core::random::Rng;

use crate::cloud::server::{Behaviour, Server};
use crate::cloud::{command, lines, rows_in, run, send_signal, wait_until};
use crate::util::{PUZZLE, TestDir, gzip, stderr, texts};

/// Asserts that the run fails with this exit code and these words in its message, and leaves no files.
fn assert_refused(dir: &TestDir, input: &str, code: i32, words: &[&str]) {
    let (_, message) = run(dir, &["convert", input, "-o", "out.csv"], code);
    for word in words {
        assert!(message.contains(word), "{word}: {message}");
    }
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn a_text_on_a_web_server_is_read() {
    let (dir, server) = (TestDir::new(), Server::start());
    let text = lines(40_000);
    for (name, manner, bytes) in [
        ("good.txt", Behaviour::Good, text.clone().into_bytes()),
        ("good.txt.gz", Behaviour::Good, gzip(text.as_bytes())),
        ("whole.txt", Behaviour::Whole, text.clone().into_bytes()),
        ("empty.txt", Behaviour::Good, Vec::new()),
    ] {
        let rows = if bytes.is_empty() { 0 } else { 40_000 };
        let url = server.add(name, manner, bytes);
        assert_eq!(rows_in(&dir, &format!("{url}?token=1")), rows, "{name}");
        assert_eq!(server.requests(name), 1);
    }
}

#[test]
fn a_broken_download_is_resumed_where_it_was_cut() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::CutOnce, lines(40_000));
    assert_eq!(rows_in(&dir, &url), 40_000);
    assert_eq!(server.requests("a.txt"), 2);
}

#[test]
fn a_download_that_cannot_be_resumed_is_an_error_to_retry() {
    let (dir, server) = (TestDir::new(), Server::start());
    let compressed = gzip(lines(40_000).as_bytes());
    let whole_url = server.add("whole.txt.gz", Behaviour::WholeCut, compressed.clone());
    assert_refused(
        &dir,
        &whole_url,
        1,
        &[&whole_url, "cut after", "does not send the rest"],
    );
    let changing_url = server.add("changes.txt.gz", Behaviour::Changes, compressed.clone());
    assert_refused(&dir, &changing_url, 1, &[&changing_url, "it changed while"]);
    let always_cut_url = server.add("always.txt.gz", Behaviour::CutAlways, compressed.clone());
    assert_refused(
        &dir,
        &always_cut_url,
        1,
        &[&always_cut_url, "given up after 9000 of"],
    );
    // The file on the server is truncated. It is received completely, so its data is damaged.
    let truncated_url = server.add(
        "cut.txt.gz",
        Behaviour::Good,
        &compressed[..compressed.len() / 2],
    );
    assert_refused(
        &dir,
        &truncated_url,
        3,
        &[&truncated_url, "truncated", "byte"],
    );
}

#[test]
fn a_server_that_always_fails_ends_the_run_after_a_bounded_time() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::Fails, "");
    assert_refused(&dir, &url, 1, &[&url, "500", "why?"]);
    assert!(server.requests("a.txt") > 1, "it is tried again");
    let url = server.add("b.txt", Behaviour::Hangs, "");
    assert_refused(&dir, &url, 1, &[&url, "timed out"]);
}

#[test]
fn secrets_in_an_address_are_not_shown() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::Good, format!("{PUZZLE}\n{PUZZLE}.\n"));
    let secret = format!("{url}?X-Amz-Signature=secret");
    run(
        &dir,
        &["grade", &secret, "-o", "out.parquet", "--summary", "s.json"],
        0,
    );
    let table = dir.parquet("out.parquet");
    assert_eq!(texts(&table, "source"), [Some(url.clone())]);
    for file in dir.files() {
        let bytes = dir.read(&file);
        assert!(!bytes.windows(6).any(|text| text == b"secret"), "{file}");
    }
    let url = server.add("b.txt", Behaviour::Fails, "");
    let (_, message) = run(&dir, &["validate", &format!("{url}?secret")], 1);
    assert!(!message.contains("secret"), "{message}");
}

#[test]
fn a_signal_ends_the_waiting_for_a_server() {
    let (dir, server) = (TestDir::new(), Server::start());
    let url = server.add("a.txt", Behaviour::Hangs, "");
    let child = command(&dir, &["grade", &url, "-o", "out.csv"])
        .env("PIPELINE_STORE_TIMEOUT", "600")
        .spawn()
        .unwrap();
    wait_until("request", || server.requests("a.txt") > 0);
    send_signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
}

/// A table with eight columns of numbers that do not compress.
fn incompressible_table(rows: usize) -> String {
    let mut rng = Rng::for_item(1, 1);
    let mut text = String::from("puzzle,a,b,c,d,e,f,g,h\n");
    for _ in 0..rows {
        text += PUZZLE;
        for _ in 0..8 {
            write!(text, ",{:016x}", rng.next_u64()).unwrap();
        }
        text += "\n";
    }
    text
}

/// Many small reads of columns are combined into few requests.
#[test]
fn parquet_on_a_web_server_is_read_in_few_requests() {
    let (dir, server) = (TestDir::new(), Server::start());
    dir.write("a.csv", incompressible_table(60_000));
    dir.succeed("convert a.csv -o a.parquet");
    let bytes = dir.read("a.parquet");
    let megabytes = bytes.len() >> 20;
    let url = server.add("a.parquet", Behaviour::Good, bytes.clone());
    run(&dir, &["convert", &url, "-o", "b.parquet"], 0);
    assert_eq!(dir.parquet("b.parquet").num_rows(), 60_000);
    let requests = server.requests("a.parquet");
    eprintln!("{requests} requests for {megabytes} MiB");
    assert!(
        megabytes >= 3 && requests <= 8 + 4 * megabytes,
        "{requests}"
    );

    let whole_url = server.add("whole.parquet", Behaviour::Whole, bytes.clone());
    let (_, message) = run(&dir, &["validate", &whole_url], 1);
    assert!(message.contains("download the file first"), "{message}");
    let truncated_url = server.add("cut.parquet", Behaviour::Good, &bytes[..bytes.len() / 2]);
    let (_, message) = run(&dir, &["validate", &truncated_url], 3);
    assert!(message.contains("damaged or cut short"), "{message}");
}

#[test]
fn a_web_server_is_not_written_to() {
    let dir = TestDir::new();
    dir.write("in.txt", PUZZLE);
    for output in [
        "http://127.0.0.1:1/a.csv",
        "http://127.0.0.1:1/a/",
        "ftp://host/a.csv",
    ] {
        run(
            &dir,
            &["convert", "in.txt", "-o", output, "--format", "csv"],
            2,
        );
    }
}
