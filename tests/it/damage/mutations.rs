//! Tests damaged files of every format. The program must not panic, loop forever or exceed its memory, and must
//! report every record as a row or a reject. `MUTATIONS=N` sets the number of files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use sudoku_core::random::Rng;

use crate::fuzz::{Seed, columnar, mutate, packed_texts, texts};
use crate::util::{TestDir, gzip};

/// The number of damaged files that one run of the program reads.
const FILES_PER_RUN: usize = 250;

/// The memory limit of one run of the program, in bytes.
const MEMORY_LIMIT: u64 = 512 << 20;

/// The time limit of one run of the program, which allows for a busy machine.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// A small file in each input format, including compressed files and tables of this program.
fn seeds(dir: &TestDir) -> Vec<Seed> {
    let mut seeds = [texts(), packed_texts(), columnar()].concat();
    dir.succeed("generate 40 --seed 1 -o seed.csv");
    for name in ["seed.parquet", "seed.arrow", "seed.arrows"] {
        dir.succeed(&format!("grade seed.csv -o {name} --keep none"));
        seeds.push(Seed {
            name: name.to_owned(),
            bytes: dir.read(name),
        });
    }
    seeds
}

/// Reads all files of a folder in one run, and returns the summary.
fn read_folder(dir: &TestDir, folder: &str, label: &str) -> serde_json::Value {
    let arguments = [
        "convert",
        folder,
        "-o",
        "out.csv",
        "--keep",
        "none",
        "--max-damaged=100%",
        "--allow-empty",
        "--overwrite",
        "--summary",
        "summary.json",
        "--threads",
        "2",
    ];
    let mut child = dir
        .command(&arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Standard error is read all the time, because the run would block on a full pipe.
    let mut stderr = child.stderr.take().unwrap();
    let stderr_reader = std::thread::spawn(move || {
        let mut message = Vec::new();
        std::io::copy(&mut stderr, &mut message).unwrap();
        String::from_utf8_lossy(&message).into_owned()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > TIME_LIMIT {
            child.kill().unwrap();
            panic!("{label}: it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let message = stderr_reader.join().unwrap();
    assert!(!message.contains("panicked"), "{label}: {message}");
    let control_character = message.chars().find(|c| c.is_control() && *c != '\n');
    assert!(
        control_character.is_none(),
        "{label}: {control_character:?} in a message"
    );
    assert_eq!(status.code(), Some(0), "{label}: {message}");
    let summary: serde_json::Value = serde_json::from_slice(&dir.read("summary.json")).unwrap();
    let get_count = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!(
        get_count("rows_in"),
        get_count("rows_out") + get_count("rejected"),
        "{label}"
    );
    assert!(
        get_count("peak_memory_bytes") < MEMORY_LIMIT,
        "{label}: {}",
        get_count("peak_memory_bytes")
    );
    let table = dir.read("out.csv");
    let lines = table.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(lines, get_count("rows_out") + 1, "{label}");
    summary
}

#[test]
fn every_record_of_a_damaged_file_is_a_row_or_a_reject() {
    let count: usize = std::env::var("MUTATIONS").map_or(1000, |count| count.parse().unwrap());
    let dir = TestDir::new();
    let seeds = seeds(&dir);
    let seed = 77;
    let mut totals = [0; 3];
    for batch in 0..count.div_ceil(FILES_PER_RUN) {
        let _ = std::fs::remove_dir_all(dir.path("raw"));
        std::fs::create_dir(dir.path("raw")).unwrap();
        for file in 0..FILES_PER_RUN {
            let number = batch * FILES_PER_RUN + file;
            let mut rng = Rng::for_item(seed, number as u64);
            let Seed { name, bytes } = &seeds[number % seeds.len()];
            let other_bytes = &seeds[rng.below(seeds.len())].bytes;
            let mut bytes = bytes.clone();
            mutate(&mut bytes, other_bytes, &mut rng);
            dir.write(&format!("raw/{file:04}-{name}"), bytes);
        }
        let label = format!("seed {seed}, batch {batch} of {FILES_PER_RUN} files");
        let summary = read_folder(&dir, "raw", &label);
        let get_count = |name: &str| summary[name].as_u64().unwrap();
        totals[0] += get_count("rows_out");
        totals[1] += get_count("rejected");
        totals[2] += summary["damaged"].as_array().unwrap().len() as u64;
    }
    let [rows, rejects, damaged] = totals;
    eprintln!(
        "{} mutated files of {} seeds: {rows} rows, {rejects} rejects, {damaged} damaged files",
        count.div_ceil(FILES_PER_RUN) * FILES_PER_RUN,
        seeds.len()
    );
    assert!(rows > 0 && rejects > 0 && damaged > 0);
}

/// Writes a gzip file that becomes a thousand times larger when it is decompressed: `head`, and then `unit`
/// again and again.
fn write_bomb(dir: &TestDir, name: &str, head: &str, unit: &[u8], bytes: u64) {
    let file = BufWriter::new(File::create(dir.path(name)).unwrap());
    let mut encoder = GzEncoder::new(file, Compression::fast());
    encoder.write_all(head.as_bytes()).unwrap();
    let block = unit.repeat((1 << 20) / unit.len());
    for _ in 0..bytes / block.len() as u64 {
        encoder.write_all(&block).unwrap();
    }
    encoder.finish().unwrap().flush().unwrap();
}

/// Tests compression bombs, and lines that never end. `BOMB_BYTES=N` sets their decompressed size.
#[test]
fn compression_bombs_and_endless_lines_do_not_exceed_the_memory_limit() {
    let bytes = std::env::var("BOMB_BYTES").map_or(6 << 20, |bytes| bytes.parse().unwrap());
    let dir = TestDir::new();
    std::fs::create_dir(dir.path("raw")).unwrap();
    let header = "puzzle,note\n";
    for (name, head, unit) in [
        ("line.txt.gz", "", &b"5"[..]),
        ("points.txt.gz", "", b"."),
        ("nul.txt.gz", "", b"\0"),
        ("blank.txt.gz", "", b"\n"),
        ("comment.txt.gz", "#", b"x"),
        ("comments.txt.gz", "", b"#\n"),
        ("quote.csv.gz", header, b"\""),
        ("open.csv.gz", "puzzle,note\n\"", b"x\n"),
        ("fields.csv.gz", header, b","),
        ("object.ndjson.gz", "{\"puzzle\":\"x\"}\n", b"{"),
        ("nested.ndjson.gz", "{\"puzzle\":\"x\"}\n{\"puzzle\":", b"["),
        ("text.ndjson.gz", "{\"puzzle\":\"x\"}\n{\"puzzle\":\"", b"x"),
        ("board.sdk.gz", "[Puzzle]\n", b"1........\n"),
        ("titles.sdk.gz", "Grid 01\n", b"Grid\n"),
        ("short.txt.gz", "", b"x\n"),
        ("short.ndjson.gz", "{\"puzzle\":\"x\"}\n", b"{\n"),
        ("games.xml.gz", "<opensudoku>", b"<game/>"),
        ("rules.ss.gz", "*---+---+---*\n", b"---+---+---\n"),
        ("tag.xml.gz", "<opensudoku><game data=\"", b"1"),
        ("tags.xml.gz", "<opensudoku>", b"<a>"),
        ("note.xml.gz", "<opensudoku><!--", b"x"),
    ] {
        write_bomb(&dir, &format!("raw/{name}"), head, unit, bytes);
    }
    let zeros = std::io::Read::take(std::io::repeat(0), bytes);
    let file = File::create(dir.path("raw/zero.txt.zst")).unwrap();
    zstd::stream::copy_encode(zeros, file, 1).unwrap();
    let twice_compressed = gzip(&dir.read("raw/line.txt.gz"));
    dir.write("raw/twice.txt.gz", twice_compressed);
    let start = Instant::now();
    let summary = read_folder(&dir, "raw", "bombs");
    let peak = summary["peak_memory_bytes"].as_u64().unwrap() >> 20;
    eprintln!(
        "{} files of {bytes} bytes each: {peak} MiB, {:?}",
        summary["inputs"].as_array().unwrap().len(),
        start.elapsed()
    );
    assert!(peak < 200, "{peak} MiB");
}
