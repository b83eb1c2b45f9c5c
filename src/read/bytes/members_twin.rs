//! A slow, simple implementation of the decompression of gzip and zstd files, by one thread and as a stream. The tests
//! compare it with the real one, with and without workers, for whole and damaged files.

mod files;

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use flate2::bufread::GzDecoder;
use rayon::ThreadPool;

use super::stored::{CountingReader, InputBytes, InputCompression};
use super::stored_bytes::READ_SIZE;
use crate::read::workers::{Reserved, Workers};
use files::{damage, gzip_file, sized_member, small_files, zstd_file, zstd_frame};
use sudoku_core::random::Rng;

/// Reads the members of a gzip file one after the other.
struct SlowGzip<R>(Option<GzDecoder<R>>);

impl<R: BufRead> Read for SlowGzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read_bytes = member.read(buffer)?;
            if read_bytes > 0 || buffer.is_empty() {
                return Ok(read_bytes);
            }
            self.0 = match self.0.take() {
                Some(done) => next_member(done.into_inner())?,
                None => None,
            };
        }
        Ok(0)
    }
}

fn next_member<R: BufRead>(mut rest: R) -> io::Result<Option<GzDecoder<R>>> {
    loop {
        match rest.fill_buf()?.first() {
            None => return Ok(None),
            Some(0) => rest.consume(1),
            Some(0x1f) => return Ok(Some(GzDecoder::new(rest))),
            Some(_) => {
                let problem = "bytes that are not gzip follow its last member";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
        }
    }
}

/// Opens a file with the slow implementation.
fn open_slowly(file: &[u8], source: Source) -> InputBytes {
    let bytes_read = Arc::<AtomicU64>::default();
    let (magic, rest) = source.split(file);
    let stored = CountingReader {
        inner: Cursor::new(magic).chain(BufReader::with_capacity(READ_SIZE, rest)),
        bytes_read: Arc::clone(&bytes_read),
    };
    let compression = InputCompression::from_magic(file);
    match compression {
        InputCompression::Gzip => {
            let reader = SlowGzip(Some(GzDecoder::new(stored)));
            InputBytes::decompressed_by(reader, compression, bytes_read)
        }
        _ => {
            let reader = zstd::stream::read::Decoder::with_buffer(stored).unwrap();
            InputBytes::decompressed_by(reader, compression, bytes_read)
        }
    }
}

/// How the bytes of a file are read: at most so many at a time.
#[derive(Clone, Copy)]
struct Source {
    seed: u64,
    most_bytes: usize,
}

impl Source {
    /// The first bytes, and the others.
    fn split(self, file: &[u8]) -> (Vec<u8>, impl Read + Send + 'static) {
        let (magic, rest) = file.split_at(file.len().min(8));
        let rest = SourceReader {
            bytes: rest.to_vec(),
            at: 0,
            most_bytes: self.most_bytes,
            rng: Rng::new(self.seed),
        };
        (magic.to_vec(), rest)
    }
}

struct SourceReader {
    bytes: Vec<u8>,
    at: usize,
    most_bytes: usize,
    rng: Rng,
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let size = 1 + self.rng.below(self.most_bytes);
        let mut rest = &self.bytes[self.at..];
        let read_bytes = rest.read(&mut buffer[..size.min(READ_SIZE)])?;
        self.at += read_bytes;
        Ok(read_bytes)
    }
}

/// Workers of a test: a pool, or none that ever starts a task.
struct TestWorkers {
    pool: Option<Arc<ThreadPool>>,
    most_tasks: usize,
}

/// The number of tasks of all tests.
static TASKS: AtomicUsize = AtomicUsize::new(0);

impl Workers for TestWorkers {
    fn most_tasks(&self) -> usize {
        self.most_tasks
    }

    fn reserve(&self) -> Option<Reserved> {
        Some(Box::new(()))
    }

    fn start(&self, task: Box<dyn FnOnce() + Send>) {
        TASKS.fetch_add(1, Ordering::Relaxed);
        if let Some(pool) = &self.pool {
            pool.spawn_fifo(task);
        }
    }
}

/// What a run gets from a file: its text, the error, and the number of bytes that were read.
#[derive(PartialEq)]
struct Outcome {
    text: Vec<u8>,
    error: Option<String>,
    bytes_read: u64,
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (text, bytes_read) = (self.text.len(), self.bytes_read);
        write!(f, "{text} bytes of text, {:?}, {bytes_read}", self.error)
    }
}

/// Reads a file in windows of this size, each of which is filled before the next, as the chunker does.
fn read(mut input: InputBytes, window: usize) -> Outcome {
    let mut text = Vec::new();
    let mut buffer = vec![0; window];
    let mut filled = 0;
    let error = loop {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break None,
            Ok(read_bytes) => filled += read_bytes,
            Err(error) => break Some(error.to_string()),
        }
        if filled == window {
            text.extend_from_slice(&buffer);
            filled = 0;
        }
    };
    text.extend_from_slice(&buffer[..filled]);
    Outcome {
        text,
        error,
        bytes_read: input.bytes_read().load(Ordering::Relaxed),
    }
}

/// Reads a file in each way, and asserts that all give the same as the slow one.
fn check(
    file: &[u8],
    source: Source,
    window: usize,
    pool: &Arc<ThreadPool>,
    case: &str,
) -> Outcome {
    let expected = read(open_slowly(file, source), window);
    let pool = Some(Arc::clone(pool));
    for (pool, most_tasks) in [(None, 0), (None, 3), (pool.clone(), 1), (pool, 5)] {
        let (magic, rest) = source.split(file);
        let mut input = InputBytes::new("in", &magic, rest).unwrap();
        if most_tasks > 0 {
            let workers: Arc<dyn Workers> = Arc::new(TestWorkers { pool, most_tasks });
            input.use_workers(&workers);
        }
        let found = read(input, window);
        assert!(
            found == expected,
            "{case}, {most_tasks} tasks: {found:?}, expected {expected:?}"
        );
    }
    expected
}

fn pool() -> Arc<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    Arc::new(pool.unwrap())
}

#[test]
fn files_of_members_are_read_as_by_one_thread() {
    let seed = std::env::var("MEMBERS_SEED").map_or(11, |seed| seed.parse().unwrap());
    let cases = std::env::var("MEMBERS_CASES").map_or(150, |cases| cases.parse().unwrap());
    let pool = pool();
    let (mut whole, mut damaged) = (0, 0);
    for number in 0..cases {
        let mut rng = Rng::for_item(seed, number);
        let tame = rng.below(2) == 0;
        let mut file = match rng.below(2) {
            0 => gzip_file(&mut rng, tame),
            _ => zstd_file(&mut rng, tame),
        };
        for is_damaged in [false, true] {
            if is_damaged {
                damage(&mut file, &mut rng);
            }
            let source = Source {
                seed: rng.below(1 << 30) as u64,
                most_bytes: [READ_SIZE, READ_SIZE, 3000, 20][rng.below(4)],
            };
            let window = [128 * 1024, 100, 7000][rng.below(3)];
            let case = format!("seed {seed}, case {number}, damaged: {is_damaged}");
            let outcome = check(&file, source, window, &pool, &case);
            whole += usize::from(outcome.error.is_none() && !outcome.text.is_empty());
            damaged += usize::from(outcome.error.is_some() && !outcome.text.is_empty());
            assert!(is_damaged || !tame || outcome.error.is_none(), "{case}");
        }
    }
    assert!(whole > 60 && damaged > 20, "{whole} {damaged}");
    let tasks = TASKS.load(Ordering::Relaxed);
    assert!(tasks > 1000, "{tasks} tasks");
}

#[test]
fn a_file_that_is_cut_anywhere_gives_the_rows_before_the_cut() {
    let pool = pool();
    for file in small_files() {
        for size in 4..file.len() {
            let source = Source {
                seed: size as u64,
                most_bytes: 30,
            };
            let case = format!("{size} of {} bytes", file.len());
            check(&file[..size], source, 1 << 17, &pool, &case);
        }
    }
}

#[test]
fn a_bit_that_is_flipped_anywhere_gives_the_rows_before_it_and_its_error() {
    let pool = pool();
    let mut errors = 0;
    for mut file in small_files() {
        for at in 4..file.len() {
            for bit in [0, 2, 7] {
                file[at] ^= 1 << bit;
                let source = Source {
                    seed: at as u64,
                    most_bytes: READ_SIZE,
                };
                let outcome = check(&file, source, 30, &pool, &format!("byte {at}, bit {bit}"));
                errors += usize::from(outcome.error.is_some());
                file[at] ^= 1 << bit;
            }
        }
    }
    assert!(errors > 500, "{errors}");
}

/// Members that inflate to more than they state, and to more than fits into memory.
#[test]
fn bombs_are_decompressed_as_streams() {
    let pool = pool();
    let first = sized_member(b"53..7....\n", b"IG", None, 6, 0);
    let text = vec![b'.'; 9 << 20];
    let mut bomb = sized_member(&text, b"IG", None, 6, 0);
    let large = [first.clone(), bomb.clone(), first.clone()].concat();
    let size_at = bomb.len() - 4;
    bomb[size_at..].copy_from_slice(&100u32.to_le_bytes());
    let lying = [first.clone(), bomb, first].concat();
    let frame = zstd_frame(&text, false, true);
    let frames = [zstd_frame(b"53..7....\n", true, true), frame.clone(), frame].concat();
    for (file, is_whole) in [(large, true), (lying, false), (frames, true)] {
        let source = Source {
            seed: 1,
            most_bytes: READ_SIZE,
        };
        let outcome = check(&file, source, 1 << 17, &pool, "a bomb");
        assert_eq!(outcome.error.is_none(), is_whole, "{outcome:?}");
        assert!(outcome.text.len() >= text.len(), "{outcome:?}");
    }
}
