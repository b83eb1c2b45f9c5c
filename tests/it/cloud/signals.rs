//! Tests what a signal leaves in an object store while a run waits for a request that changes the store. The tests only
//! run if `S3_TEST_ENDPOINT` is the address of an S3 server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::cloud::{Bucket, command, lines, send_signal, wait_until};
use crate::util::{TestDir, stderr};

/// A proxy before the store, which forwards some requests late.
struct SlowProxy {
    address: String,
    /// Whether a request that is forwarded late has arrived.
    has_begun: Arc<AtomicBool>,
}

impl SlowProxy {
    /// Starts a proxy that waits `delay` before it forwards a request whose first line has both texts.
    fn start(method: &'static str, text: &'static str, delay: Duration) -> SlowProxy {
        let endpoint = std::env::var("S3_TEST_ENDPOINT").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let has_begun = Arc::new(AtomicBool::new(false));
        let begun = Arc::clone(&has_begun);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (begun, endpoint) = (Arc::clone(&begun), endpoint.clone());
                std::thread::spawn(move || {
                    let is_late = |line: &str| line.starts_with(method) && line.contains(text);
                    // The client may close the connection at any time.
                    let _ = forward(stream?, &endpoint, |line| {
                        if is_late(line) {
                            begun.store(true, Ordering::Relaxed);
                            std::thread::sleep(delay);
                        }
                    });
                    std::io::Result::Ok(())
                });
            }
        });
        SlowProxy { address, has_begun }
    }
}

/// Forwards one request of a connection to the store, and its answer back.
fn forward(stream: TcpStream, endpoint: &str, before: impl Fn(&str)) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
        if !lower.starts_with("connection:") {
            head += &line;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    before(head.lines().next().unwrap_or_default());
    let mut store = TcpStream::connect(endpoint.strip_prefix("http://").unwrap())?;
    write!(store, "{head}Connection: close\r\n\r\n")?;
    store.write_all(&body)?;
    let mut answer = Vec::new();
    store.read_to_end(&mut answer)?;
    let mut stream = stream;
    stream.write_all(&answer)
}

/// Runs the command through the proxy, sends a signal while a late request is under way, and returns the exit code and
/// the messages.
fn run_until_signal(dir: &TestDir, arguments: &[&str], proxy: &SlowProxy) -> (i32, String) {
    let child = command(dir, arguments)
        .env("AWS_ENDPOINT_URL", &proxy.address)
        .spawn()
        .unwrap();
    wait_until("late request", || proxy.has_begun.load(Ordering::Relaxed));
    send_signal(&child, "-TERM");
    let output = child.wait_with_output().unwrap();
    (output.status.code().unwrap(), stderr(&output))
}

/// Regression test: after the signal every later request ended at once, also those that undo. The run ended with exit
/// 1 and left its parts and its claim.
#[test]
fn a_signal_while_a_part_is_put_undoes_the_run() {
    let Some(bucket) = Bucket::new("signal-part") else {
        return;
    };
    for name in ["a", "b", "c"] {
        bucket.put(&format!("in/{name}.csv"), lines(20).as_bytes());
    }
    for (late, output) in [("/out/", "out/"), ("o.csv", "P/o.csv")] {
        let dir = TestDir::new();
        let proxy = SlowProxy::start("PUT", late, Duration::from_millis(300));
        let (input, output) = (bucket.url("in/"), bucket.url(output));
        let (code, message) = run_until_signal(&dir, &["convert", &input, "-o", &output], &proxy);
        assert_eq!(code, 143, "{message}");
        assert!(!message.contains("could not be"), "{message}");
        assert_eq!(bucket.names("out"), [""; 0], "{message}");
        assert_eq!(bucket.names("P"), [""; 0], "{message}");
    }
}

/// Regression test: the put of the table was not awaited. If it took effect after the next run had undone the other
/// files, the table was there alone, and every later run ended with exit 4.
#[test]
fn a_signal_while_the_table_is_put_leaves_all_files_or_none() {
    let (Some(bucket), dir) = (Bucket::new("signal-table"), TestDir::new()) else {
        return;
    };
    bucket.put("in/a.csv", (lines(20) + &lines(20)).as_bytes());
    let proxy = SlowProxy::start("PUT", "/P/o.csv", Duration::from_millis(300));
    let (input, output) = (bucket.url("in/"), bucket.url("P/o.csv"));
    let duplicates = bucket.url("P/d.csv");
    let arguments = ["dedup", &input, "-o", &output, "--duplicates", &duplicates];
    let (code, message) = run_until_signal(&dir, &arguments, &proxy);
    let names = bucket.names("P");
    match code {
        0 => assert_eq!(names, ["d.csv", "o.csv"], "{message}"),
        143 => assert_eq!(names, [""; 0], "{message}"),
        _ => panic!("{code}: {message}"),
    }
}

/// Regression test: an upload whose start was under way remained open, without a message.
#[test]
fn a_signal_while_an_upload_starts_leaves_no_upload() {
    let (Some(bucket), dir) = (Bucket::new("signal-start"), TestDir::new()) else {
        return;
    };
    dir.write("in.txt", lines(300_000));
    let proxy = SlowProxy::start("POST", "?uploads", Duration::from_millis(500));
    let output = bucket.url("out.csv");
    let arguments = ["convert", "in.txt", "-o", &output];
    let (code, message) = run_until_signal(&dir, &arguments, &proxy);
    assert_eq!(code, 143, "{message}");
    assert!(!bucket.has_uploads(), "{message}");
    assert_eq!(bucket.get("out.csv"), None);
}
