//! A slow, simple implementation of the decompression of gzip and zstd files, by one thread and as a stream. The tests
//! compare it with the real one, with and without workers, for whole and damaged files.

use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use flate2::bufread::GzDecoder;
use flate2::{Compression, GzBuilder};
use rayon::ThreadPool;

use super::stored::{CountingReader, InputBytes, InputCompression};
use super::stored_bytes::READ_SIZE;
use crate::read::workers::{Reserved, Workers};
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

/// A text of rows, which begins and ends anywhere in a row.
fn some_text(rng: &mut Rng) -> Vec<u8> {
    let size = match rng.below(12) {
        0 => 0,
        1 => 1,
        2 => 85,
        3 => rng.below(400_000),
        _ => rng.below(4_000),
    };
    let is_repeated = rng.below(8) == 0;
    let mut text = Vec::new();
    for at in 0..size {
        text.push(match (at + size) % 85 {
            81 => b',',
            83 => b'\r',
            84 => b'\n',
            _ if is_repeated => b'.',
            _ => b'0' + rng.below(10) as u8,
        });
    }
    text
}

/// A gzip member with these fields in its header.
fn gzip_member(text: &[u8], fields: Option<&[u8]>, name: Option<&str>, level: u32) -> Vec<u8> {
    let mut builder = GzBuilder::new();
    if let Some(fields) = fields {
        builder = builder.extra(fields);
    }
    if let Some(name) = name {
        builder = builder.filename(name);
    }
    let mut encoder = builder.write(Vec::new(), Compression::new(level));
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A member whose header states its size, changed by `error`.
fn sized_member(text: &[u8], id: &[u8; 2], name: Option<&str>, level: u32, error: i64) -> Vec<u8> {
    let field = |size: usize| {
        let size = (size as i64 + error).max(0);
        let size = match id {
            b"BC" => (size as u16).wrapping_sub(1).to_le_bytes().to_vec(),
            _ => (size as u32).to_le_bytes().to_vec(),
        };
        let other_field = b"xy\x01\0z".to_vec();
        let length = vec![size.len() as u8, 0];
        [other_field, id.to_vec(), length, size].concat()
    };
    let size = gzip_member(text, Some(&field(0)), name, level).len();
    gzip_member(text, Some(&field(size)), name, level)
}

/// The empty member at the end of a BGZF file.
const BGZF_END: [u8; 28] = [
    0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 6, 0, b'B', b'C', 2, 0, 0x1b, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    0, 0,
];

/// A gzip file of members of all kinds. Those of `tame` files have right sizes.
fn gzip_file(rng: &mut Rng, tame: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for _ in 0..=rng.below(14) {
        let text = some_text(rng);
        let level = [0, 1, 6][rng.below(3)];
        let name = (rng.below(5) == 0).then_some("a.csv");
        let kinds = if tame { 8 } else { 12 };
        file.extend(match rng.below(kinds) {
            0 => gzip_member(&text, None, name, level),
            1..=4 => sized_member(&text, b"IG", name, level, 0),
            5 | 6 => sized_member(&text[..text.len().min(60_000)], b"BC", name, level, 0),
            7 => BGZF_END.to_vec(),
            8 => sized_member(&text, b"IG", name, level, rng.below(41) as i64 - 20),
            9 => vec![0; rng.below(40)],
            10 => sized_member(&text, b"IG", None, level, 1 << 31),
            _ => gzip_member(&text, Some(b"IG\x04"), name, level),
        });
    }
    if !file.starts_with(&[0x1f, 0x8b]) {
        file.splice(..0, gzip_member(b"a,b\n", None, None, 6));
    }
    if rng.below(4) == 0 {
        file.extend(BGZF_END);
    }
    file
}

/// A zstd frame, with or without the size of its text and a checksum.
fn zstd_frame(text: &[u8], has_size: bool, has_checksum: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(has_checksum).unwrap();
    let size = has_size.then_some(text.len() as u64);
    encoder.set_pledged_src_size(size).unwrap();
    encoder.include_contentsize(has_size).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// A frame that decoders skip.
fn skippable_frame(size: usize) -> Vec<u8> {
    let length = (size as u32).to_le_bytes();
    [&[0x53, 0x2a, 0x4d, 0x18][..], &length, &vec![7; size]].concat()
}

fn zstd_file(rng: &mut Rng, tame: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for _ in 0..=rng.below(14) {
        let text = some_text(rng);
        let has_checksum = rng.below(2) == 0;
        file.extend(match rng.below(if tame { 9 } else { 10 }) {
            0..=3 => zstd_frame(&text, true, has_checksum),
            4..=6 => zstd_frame(&text, false, has_checksum),
            7 => zstd::bulk::compress(&text, 3).unwrap(),
            8 => skippable_frame(rng.below(60)),
            // A frame that needs a dictionary.
            _ => [0x28, 0xb5, 0x2f, 0xfd, 1, 0x40, 7, 7 << 3 | 1, 0, 0].to_vec(),
        });
    }
    file
}

/// Damages a file: flips bits, cuts it, or adds bytes to it.
fn damage(file: &mut Vec<u8>, rng: &mut Rng) {
    match rng.below(8) {
        0 => file.truncate(8 + rng.below(file.len())),
        1 => file.extend_from_slice(b"what is this?"),
        _ => {
            for _ in 0..=rng.below(2) {
                let at = rng.below(file.len()).max(4);
                if let Some(byte) = file.get_mut(at) {
                    *byte ^= 1 << rng.below(8);
                }
            }
        }
    }
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

/// Small files with several members of each kind.
fn small_files() -> [Vec<u8>; 3] {
    let rows = [
        "53..7....,1\r\n",
        "6..195...,2\r",
        "\n.98....6.,3\r\n",
        "8...6...3,4",
    ];
    let ours = rows.map(|row| sized_member(row.as_bytes(), b"IG", None, 6, 0));
    let bgzf = rows.map(|row| sized_member(row.as_bytes(), b"BC", None, 6, 0));
    let frames = rows.map(|row| zstd_frame(row.as_bytes(), true, row.len() % 2 == 0));
    let unsized_frame = zstd_frame(b"\n5.......7,5\n", false, true);
    [
        ours.concat(),
        [&bgzf.concat()[..], &BGZF_END].concat(),
        [frames.concat(), skippable_frame(3), unsized_frame].concat(),
    ]
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
