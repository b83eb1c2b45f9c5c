//! Files with every kind of trouble, in every format: no panic, no hang, no memory beyond the bound,
//! and every record is a row or a reject. `MUTATIONS=N` for more of them.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;
use sudoku_core::random::Rng;

use crate::util::{PUZZLE, Place, SOLUTION, gzip};

/// Files that one run reads.
const BATCH: usize = 250;

/// What a run may need at most, whatever it reads.
const PEAK: u64 = 512 << 20;

/// How long a run may take, on a machine that does other things too.
const PATIENCE: Duration = Duration::from_secs(300);

/// A small file in every format that can be read: its name and its bytes.
fn seeds(place: &Place) -> Vec<(String, Vec<u8>)> {
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[row * 9..][..9]).collect();
    let decorated = |row: &&str| format!("|{}|{}|{}|\n", &row[..3], &row[3..6], &row[6..]);
    let decorated: Vec<String> = rows.iter().map(decorated).collect();
    let marks: String = PUZZLE
        .chars()
        .map(|cell| match cell {
            '.' => "123456789".to_owned(),
            digit => ('1'..='9')
                .map(|d| if d == digit { d } else { '.' })
                .collect(),
        })
        .collect();
    let groups: Vec<String> = PUZZLE
        .chars()
        .map(|cell| cell.to_string().replace('.', "123456789"))
        .collect();
    let zeros = PUZZLE.replace('.', "0");
    let grid: Vec<Vec<u32>> = rows
        .iter()
        .map(|row| {
            row.bytes()
                .map(|b| u32::from(b.saturating_sub(b'0')) % 10)
                .collect()
        })
        .collect();
    let texts = [
        ("plain.txt", format!("# list\n{PUZZLE}\n{PUZZLE} # x\n")),
        ("count.txt", format!("2\n{zeros}\n{zeros}\n")),
        ("bank.txt", format!("0000183b305c {zeros}  1.2\n")),
        (
            "hodoku.txt",
            format!(":0000:x:{PUZZLE}:::\n:0300:3:{PUZZLE}:178 242:394:c:\n"),
        ),
        (
            "counted.txt",
            format!("{PUZZLE}:1:{SOLUTION}\n{PUZZLE}:2\n"),
        ),
        (
            "euler.txt",
            format!(
                "Grid 01\n{}\nGrid 02\n{}\n",
                rows.join("\n"),
                rows.join("\n")
            ),
        ),
        (
            "one.sdk",
            format!(
                "#A me\n#D a puzzle\n[Puzzle]\n{}\n[State]\n{}\n",
                rows.join("\n"),
                rows.join("\n")
            ),
        ),
        (
            "one.ss",
            format!(
                "{}---+---+---\n{}---+---+---\n{}",
                decorated[..3].concat(),
                decorated[3..6].concat(),
                decorated[6..].concat()
            ),
        ),
        (
            "open.xml",
            format!(
                "<?xml version=\"1.0\"?>\n<opensudoku><name>n</name><game data=\"{zeros}\"/><!-- <game/> --><game data='{zeros}' note=\"a &gt; b\"/></opensudoku>\n"
            ),
        ),
        ("marks.txt", format!("{marks}\n{marks} x\n")),
        ("groups.txt", groups.join(" ") + "\n"),
        (
            "table.csv",
            format!(
                "id,puzzle,solution,note\n1,{PUZZLE},{SOLUTION},\"a \"\"b\"\"\nc\"\n2,{zeros},,\n"
            ),
        ),
        (
            "table.tsv",
            format!("quizzes\tsolutions\n{zeros}\t{SOLUTION}\n"),
        ),
        (
            "rows.ndjson",
            format!("{{\"puzzle\":\"{PUZZLE}\",\"n\":1.50}}\n{{\"puzzle\":{grid:?},\"n\":null}}\n"),
        ),
    ];
    let mut seeds: Vec<(String, Vec<u8>)> = Vec::new();
    for (name, text) in texts {
        seeds.push((format!("{name}.gz"), gzip(text.as_bytes())));
        seeds.push((
            format!("{name}.zst"),
            zstd::encode_all(text.as_bytes(), 1).unwrap(),
        ));
        let utf16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        seeds.push((
            format!("utf16-{name}"),
            [&[0xff, 0xfe][..], &utf16].concat(),
        ));
        seeds.push((name.to_owned(), text.into_bytes()));
    }
    place.succeed(&["generate", "40", "--seed", "1", "-o", "seed.csv"]);
    for name in ["seed.parquet", "seed.arrow", "seed.arrows"] {
        place.succeed(&["grade", "seed.csv", "-o", name, "--keep", "none"]);
        seeds.push((name.to_owned(), place.read(name)));
    }
    seeds
}

/// One to three changes of a file.
fn mutate(bytes: &mut Vec<u8>, rng: &mut Rng) {
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        let length = (1 + rng.below(64)).min(bytes.len() - at);
        match rng.below(10) {
            0..=2 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            3 => bytes.truncate(at),
            4 => {
                let other = rng.below(bytes.len() + 1);
                let span: Vec<u8> = bytes.splice(at..at + length, []).collect();
                let other = other.min(bytes.len());
                bytes.splice(other..other, span);
            }
            5 => drop(bytes.splice(at..at + length, [])),
            6 => {
                let byte = [0, b'\n', b'"', b'<', b'{', b'.', b'5', 0xff][rng.below(8)];
                let count = [1, 9, 82, 5000][rng.below(4)];
                bytes.splice(at..at, std::iter::repeat_n(byte, count));
            }
            7 => {
                let copy = bytes[at..at + length].repeat(1 + rng.below(50));
                bytes.splice(at..at, copy);
            }
            8 => {
                let random: Vec<u8> = (0..length).map(|_| rng.below(256) as u8).collect();
                bytes.splice(at..at + length, random);
            }
            _ if rng.below(40) == 0 => {
                // A line that no reader may hold.
                let byte = [b'5', b' ', b'"', 0][rng.below(4)];
                bytes.splice(at..at, std::iter::repeat_n(byte, 3 << 20));
            }
            _ => {
                let line_end = [&b"\r\n"[..], b"\r", b"\n\n"][rng.below(3)];
                bytes.splice(at..at, line_end.iter().copied());
            }
        }
    }
}

/// Reads all files of the folder in one run; what its summary says.
fn read(place: &Place, folder: &str, label: &str) -> serde_json::Value {
    let arguments = [
        "convert",
        folder,
        "-o",
        "out.csv",
        "--keep",
        "none",
        "--keep-going",
        "--overwrite",
        "--summary",
        "summary.json",
        "--threads",
        "2",
    ];
    let mut child = place
        .command(&arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Standard error is read as it comes: a full pipe would stop the run.
    let mut stderr = child.stderr.take().unwrap();
    let said = std::thread::spawn(move || {
        let mut said = Vec::new();
        std::io::copy(&mut stderr, &mut said).unwrap();
        String::from_utf8_lossy(&said).into_owned()
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{label}: it hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = said.join().unwrap();
    assert!(!said.contains("panicked"), "{label}: {said}");
    assert_eq!(status.code(), Some(0), "{label}: {said}");
    let summary: serde_json::Value = serde_json::from_slice(&place.read("summary.json")).unwrap();
    let number = |name: &str| summary[name].as_u64().unwrap();
    assert_eq!(
        number("rows_in"),
        number("rows_out") + number("rejected"),
        "{label}"
    );
    assert!(
        number("peak_memory_bytes") < PEAK,
        "{label}: {}",
        number("peak_memory_bytes")
    );
    let table = place.read("out.csv");
    let lines = table.iter().filter(|byte| **byte == b'\n').count() as u64;
    assert_eq!(lines, number("rows_out") + 1, "{label}");
    summary
}

#[test]
fn whatever_is_wrong_with_a_file_every_record_is_a_row_or_a_reject() {
    let count: usize = std::env::var("MUTATIONS").map_or(1000, |count| count.parse().unwrap());
    let place = Place::new();
    let seeds = seeds(&place);
    let seed = 77;
    let mut totals = [0; 3];
    for batch in 0..count.div_ceil(BATCH) {
        let _ = std::fs::remove_dir_all(place.path("raw"));
        std::fs::create_dir(place.path("raw")).unwrap();
        for file in 0..BATCH {
            let number = batch * BATCH + file;
            let mut rng = Rng::for_item(seed, number as u64);
            let (name, bytes) = &seeds[number % seeds.len()];
            let mut bytes = bytes.clone();
            mutate(&mut bytes, &mut rng);
            place.write(&format!("raw/{file:04}-{name}"), bytes);
        }
        let label = format!("seed {seed}, batch {batch} of {BATCH} files");
        let summary = read(&place, "raw", &label);
        let number = |name: &str| summary[name].as_u64().unwrap();
        totals[0] += number("rows_out");
        totals[1] += number("rejected");
        totals[2] += summary["damaged"].as_array().unwrap().len() as u64;
    }
    let [rows, rejects, damaged] = totals;
    eprintln!(
        "{} mutated files of {} seeds: {rows} rows, {rejects} rejects, {damaged} damaged files",
        count.div_ceil(BATCH) * BATCH,
        seeds.len()
    );
    assert!(rows > 0 && rejects > 0 && damaged > 0);
}

/// So many bytes, again and again the same, as a gzip file of a thousandth of that.
fn bomb(place: &Place, name: &str, head: &str, unit: &[u8], bytes: u64) {
    let file = BufWriter::new(File::create(place.path(name)).unwrap());
    let mut encoder = GzEncoder::new(file, Compression::fast());
    encoder.write_all(head.as_bytes()).unwrap();
    let block = unit.repeat((1 << 20) / unit.len());
    for _ in 0..bytes / block.len() as u64 {
        encoder.write_all(&block).unwrap();
    }
    encoder.finish().unwrap().flush().unwrap();
}

/// Zip bombs, and lines without end. `BOMB_BYTES=N`: how large they are when inflated.
#[test]
fn files_that_inflate_without_end_need_no_memory() {
    let bytes = std::env::var("BOMB_BYTES").map_or(6 << 20, |bytes| bytes.parse().unwrap());
    let place = Place::new();
    std::fs::create_dir(place.path("raw")).unwrap();
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
        bomb(&place, &format!("raw/{name}"), head, unit, bytes);
    }
    let zeros = std::io::Read::take(std::io::repeat(0), bytes);
    let file = File::create(place.path("raw/zero.txt.zst")).unwrap();
    zstd::stream::copy_encode(zeros, file, 1).unwrap();
    let twice = gzip(&place.read("raw/line.txt.gz"));
    place.write("raw/twice.txt.gz", twice);
    let start = Instant::now();
    let summary = read(&place, "raw", "bombs");
    let peak = summary["peak_memory_bytes"].as_u64().unwrap() >> 20;
    eprintln!(
        "{} files of {bytes} bytes each: {peak} MiB, {:?}",
        summary["inputs"].as_array().unwrap().len(),
        start.elapsed()
    );
    assert!(peak < 200, "{peak} MiB");
}
