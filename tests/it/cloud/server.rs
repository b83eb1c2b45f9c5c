//! A web server for tests that fails in the way that a test requests, and a function that sends requests to an object
//! store.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How the server answers requests for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Behaviour {
    /// Sends the file, or the range of the file that was requested.
    Good,
    /// Like `Good`, but the first answer breaks off in the middle.
    CutOnce,
    /// Each answer breaks off after a few bytes.
    CutAlways,
    /// Sends the whole file. Supports neither ranges nor versions.
    Whole,
    /// Like `Whole`, but the answer breaks off in the middle.
    WholeCut,
    /// Like `CutOnce`, but the file has changed when it is requested again.
    Changes,
    /// Sends the file, but holds back the last byte until `release` is called.
    Stalls,
    /// Accepts the request, and never answers.
    Hangs,
    /// Responds with status 500.
    Fails,
    /// Like `Good`, but each answer states a new version (ETag) of the file.
    Renewed,
    /// Sends the file in chunks, without its length.
    Chunked,
    /// Like `Chunked`, but the answer breaks off in the middle.
    ChunkedCut,
    /// Sends the file without its length, and closes the connection after it.
    Unsized,
    /// If the whole file is requested, sends its first half, with the status of a partial answer.
    FirstHalf,
    /// Sends the file only to the user `user` with the password `p@ss`.
    Private,
}

struct File {
    manner: Behaviour,
    bytes: Vec<u8>,
    requests: usize,
}

pub(crate) struct Server {
    address: String,
    files: Arc<Mutex<HashMap<String, File>>>,
    released: Arc<AtomicBool>,
}

impl Server {
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let files = Arc::new(Mutex::new(HashMap::new()));
        let released = Arc::new(AtomicBool::new(false));
        let (shared, flag) = (files.clone(), released.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (files, released) = (shared.clone(), flag.clone());
                std::thread::spawn(move || {
                    // The client may close the connection at any time.
                    let _ = answer_request(stream.unwrap(), &files, &released);
                });
            }
        });
        Server {
            address,
            files,
            released,
        }
    }

    /// Adds a file, and returns its address.
    pub(crate) fn add(&self, name: &str, manner: Behaviour, bytes: impl Into<Vec<u8>>) -> String {
        let file = File {
            manner,
            bytes: bytes.into(),
            requests: 0,
        };
        self.files.lock().unwrap().insert(name.to_owned(), file);
        format!("http://{}/{name}", self.address)
    }

    /// The number of requests for a file.
    pub(crate) fn requests(&self, name: &str) -> usize {
        self.files.lock().unwrap()[name].requests
    }

    /// Lets the server send the last byte of the answers of `Stalls`.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Relaxed);
    }
}

fn answer_request(
    mut stream: TcpStream,
    files: &Mutex<HashMap<String, File>>,
    released: &AtomicBool,
) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let request_line = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let mut range = None;
    let mut is_user = false;
    for line in lines {
        let line = line?.to_ascii_lowercase();
        if let Some(asked) = line.strip_prefix("range: bytes=") {
            let (start, end) = asked.split_once('-').unwrap();
            range = Some((start.parse().unwrap(), end.parse::<usize>().unwrap() + 1));
        }
        // `user:p@ss` in Base64, in lower case.
        is_user |= line == "authorization: basic dxnlcjpwqhnz";
        if line.is_empty() {
            break;
        }
    }
    let mut request_words = request_line.split(' ');
    let is_head = request_words.next() == Some("HEAD");
    let path = request_words
        .next()
        .unwrap_or_default()
        .split('?')
        .next()
        .unwrap();
    let (manner, bytes, request) = {
        let mut files = files.lock().unwrap();
        let Some(file) = files.get_mut(&path[1..]) else {
            return write!(
                stream,
                "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
            );
        };
        file.requests += 1;
        (file.manner, file.bytes.clone(), file.requests)
    };
    match manner {
        Behaviour::Hangs => std::thread::sleep(Duration::from_secs(600)),
        Behaviour::Fails => {
            let text = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 4\r\n\r\nwhy?";
            return write!(stream, "{text}");
        }
        Behaviour::Private if !is_user => {
            let text = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
            return write!(stream, "{text}");
        }
        Behaviour::Chunked | Behaviour::ChunkedCut => {
            let response_head =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
            write!(stream, "{response_head}")?;
            let sent_length = match manner {
                Behaviour::Chunked => bytes.len(),
                _ => bytes.len() / 2,
            };
            for chunk in bytes[..sent_length].chunks(1000).filter(|_| !is_head) {
                write!(stream, "{:x}\r\n", chunk.len())?;
                stream.write_all(chunk)?;
                write!(stream, "\r\n")?;
            }
            if sent_length == bytes.len() && !is_head {
                write!(stream, "0\r\n\r\n")?;
            }
            return Ok(());
        }
        Behaviour::Unsized => {
            write!(stream, "HTTP/1.0 200 OK\r\n\r\n")?;
            return if is_head {
                Ok(())
            } else {
                stream.write_all(&bytes)
            };
        }
        Behaviour::FirstHalf => {
            let (half, size) = (bytes.len() / 2, bytes.len());
            write!(
                stream,
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-{}/{size}\r\n\
                 Content-Length: {half}\r\nConnection: close\r\n\r\n",
                half - 1
            )?;
            return stream.write_all(&bytes[..half]);
        }
        _ => {}
    }
    let knows_parts = !matches!(manner, Behaviour::Whole | Behaviour::WholeCut);
    let (start, end) = range.filter(|_| knows_parts).unwrap_or((0, bytes.len()));
    // An answer of `Stalls` announces one byte more than it sends at first.
    let announced_length = end - start + usize::from(manner == Behaviour::Stalls);
    if range.is_some() && knows_parts {
        write!(stream, "HTTP/1.1 206 Partial Content\r\n")?;
        let (last, size) = (end - 1, bytes.len());
        write!(stream, "Content-Range: bytes {start}-{last}/{size}\r\n")?;
    } else {
        write!(stream, "HTTP/1.1 200 OK\r\n")?;
    }
    if knows_parts && manner != Behaviour::CutAlways {
        let version = if matches!(manner, Behaviour::Changes | Behaviour::Renewed) {
            request
        } else {
            1
        };
        write!(stream, "ETag: \"v{version}\"\r\n")?;
    }
    write!(
        stream,
        "Content-Length: {announced_length}\r\nConnection: close\r\n\r\n"
    )?;
    if is_head {
        return Ok(());
    }
    let cut_length = match manner {
        Behaviour::CutOnce | Behaviour::Changes if request == 1 => (end - start) / 2,
        Behaviour::WholeCut => (end - start) / 2,
        Behaviour::CutAlways => (end - start).min(1000),
        _ => end - start,
    };
    stream.write_all(&bytes[start..start + cut_length])?;
    while manner == Behaviour::Stalls && !released.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(10));
    }
    if manner == Behaviour::Stalls {
        stream.write_all(b"\n")?;
    }
    Ok(())
}

/// Sends a request without a signature to the S3 server of the tests. Returns the status and the body.
pub(crate) fn request(endpoint: &str, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
    let host = endpoint.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\n\
         Authorization: AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request\r\n\
         Connection: close\r\n\r\n"
    )
    .unwrap();
    stream.write_all(body).unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let head_end = response
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .unwrap();
    let status = std::str::from_utf8(&response[9..12])
        .unwrap()
        .parse()
        .unwrap();
    (status, response.split_off(head_end + 4))
}
