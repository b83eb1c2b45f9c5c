//! Tests that gzip and zstd files of several members, which workers decompress, give the same output with any number of
//! threads.

use std::io::Write;

use flate2::{Compression, GzBuilder};

use crate::util::{PUZZLE, SOLUTION, TestDir, gzip, stderr};

/// The numbers of threads. With one, the reader thread decompresses all members.
const THREADS: [&str; 5] = ["1", "2", "3", "7", "16"];

/// A table whose puzzles have different digits. Some are no puzzles, and some fields have line ends.
fn table(rows: usize) -> Vec<u8> {
    let mut text = b"puzzle,solution,note\r\n".to_vec();
    for row in 0..rows {
        let rename = |grid: &str| -> String {
            let digits = grid.bytes().map(|cell| match cell {
                b'1'..=b'9' => b'1' + (cell - b'1' + (row % 9) as u8) % 9,
                blank => blank,
            });
            digits.map(char::from).collect()
        };
        let (puzzle, solution) = (rename(PUZZLE), rename(SOLUTION));
        let record = match row % 977 {
            5 => "no puzzle,,\r\n".to_owned(),
            6 => format!("{puzzle},{solution},\"two\r\nlines, {row}\"\r\n"),
            _ => format!("{puzzle},{solution},{row}\r\n"),
        };
        text.extend(record.into_bytes());
    }
    text
}

/// A gzip member whose header states its size, as this program writes it (`IG`), or as in BGZF files (`BC`).
fn sized_member(text: &[u8], id: &str) -> Vec<u8> {
    let member = |size: usize| {
        let field = match id {
            "BC" => [
                &b"BC\x02\0"[..],
                &(size as u16).wrapping_sub(1).to_le_bytes(),
            ]
            .concat(),
            _ => [&b"IG\x04\0"[..], &(size as u32).to_le_bytes()].concat(),
        };
        let builder = GzBuilder::new().extra(field);
        let mut encoder = builder.write(Vec::new(), Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    member(member(0).len())
}

fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).unwrap()
}

/// The table as files of members, which end anywhere: within rows, and within line ends.
fn files(text: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let parts = |size: usize| text.chunks(size);
    let bgzf: Vec<_> = parts(60_000).map(|part| sized_member(part, "BC")).collect();
    let bgzf_end = sized_member(b"", "BC");
    let mixed = parts(50_001).enumerate().map(|(at, part)| match at % 4 {
        0 => gzip(part),
        1 => [sized_member(b"", "IG"), sized_member(part, "IG")].concat(),
        _ => sized_member(part, "IG"),
    });
    let rows = text.split_inclusive(|byte| *byte == b'\n');
    let frames = parts(100_003).enumerate().map(|(at, part)| match at % 3 {
        0 => zstd::encode_all(part, 1).unwrap(),
        1 => [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..], &frame(part)].concat(),
        _ => frame(part),
    });
    vec![
        (
            "ours.csv.gz",
            parts(700_001)
                .map(|part| sized_member(part, "IG"))
                .collect::<Vec<_>>()
                .concat(),
        ),
        ("bgzf.csv.gz", [bgzf.concat(), bgzf_end].concat()),
        ("mixed.csv.gz", mixed.collect::<Vec<_>>().concat()),
        (
            "rows.csv.gz",
            rows.map(|row| sized_member(row, "IG"))
                .collect::<Vec<_>>()
                .concat(),
        ),
        (
            "padded.csv.gz",
            [
                gzip(&text[..200]),
                sized_member(&text[200..], "IG"),
                vec![0; 5000],
            ]
            .concat(),
        ),
        ("frames.csv.zst", frames.collect::<Vec<_>>().concat()),
    ]
}

#[test]
fn the_output_is_the_same_with_any_number_of_threads() {
    let dir = TestDir::new();
    let text = table(9_000);
    dir.write("plain.csv", &text);
    for (name, bytes) in files(&text) {
        dir.write(name, bytes);
        for options in [
            "",
            "--limit 5000",
            "--skip 4000 --limit 3001",
            "--sample 0.1 --seed 3",
            "--where puzzle<'5'",
            "--memory-limit 80MiB",
        ] {
            let run = |input: &str, threads: &str| {
                dir.succeed(&format!(
                    "convert {input} -q {options} -o out.csv --rejects rejects.csv --threads {threads} --overwrite"
                ));
                let rejects = String::from_utf8(dir.read("rejects.csv")).unwrap();
                (dir.read("out.csv"), rejects.replace(input, ""))
            };
            let (rows, rejects) = run("plain.csv", "1");
            let outputs = THREADS.map(|threads| run(name, threads));
            for output in &outputs {
                assert!(*output == outputs[0], "{name} {options}");
                // A sample depends on the name of the input.
                let is_same = (&output.0, &output.1) == (&rows, &rejects);
                assert!(is_same || options.contains("sample"), "{name} {options}");
            }
        }
    }
}

#[test]
fn a_file_from_a_pipe_is_read_in_the_same_way() {
    let dir = TestDir::new();
    let text = table(9_000);
    dir.write("plain.csv", &text);
    let expected = dir.succeed("convert plain.csv -q -o - --format csv");
    for (name, bytes) in files(&text) {
        for threads in THREADS {
            let arguments = format!("convert - -q -o - --format csv --threads {threads}");
            let output = dir.pipe(&arguments, &bytes);
            assert!(output.status.success(), "{}", stderr(&output));
            assert!(output.stdout == expected.as_bytes(), "{name} {threads}");
        }
    }
}

#[test]
fn damage_in_a_member_keeps_the_rows_before_it_with_any_number_of_threads() {
    let dir = TestDir::new();
    let text = table(6_000);
    dir.write("b.csv", table(500));
    for (name, bytes) in files(&text) {
        let input = format!("a{}", &name[name.find('.').unwrap()..]);
        // In each member of the larger ones.
        for step in 0..4 {
            let mut damaged = bytes.clone();
            let at = 300 + step * (bytes.len() - 400) / 4;
            if step == 2 {
                damaged.truncate(at);
            } else {
                damaged[at] ^= 0x55;
            }
            dir.write(&input, damaged);
            for options in ["", "--keep-going", "--keep-going --skip 30 --limit 5500"] {
                let outcomes = ["1", "2", "7"].map(|threads| {
                    let output = dir.run(&format!(
                        "convert {input} b.csv -q {options} -o out.csv --summary s.json --threads {threads} --overwrite"
                    ));
                    let rows = std::fs::read(dir.path("out.csv")).ok();
                    let summary = std::fs::read(dir.path("s.json")).unwrap_or_default();
                    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap_or_default();
                    let counts = ["rows_in", "rejects", "damaged"];
                    let counts = counts.map(|name| summary[name].clone());
                    for file in ["out.csv", "s.json"] {
                        let _ = std::fs::remove_file(dir.path(file));
                    }
                    (output.status.code(), stderr(&output), rows, counts)
                });
                for outcome in &outcomes {
                    assert!(
                        outcome == &outcomes[0],
                        "{name}, byte {at}, {options}: {:?}, {:?}",
                        (&outcome.1, &outcome.3),
                        (&outcomes[0].1, &outcomes[0].3)
                    );
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_stopped_by_damage_is_resumed_with_other_threads_and_in_shards() {
    let dir = TestDir::new();
    let whole = files(&table(6_000));
    for (name, bytes) in &whole {
        dir.write(name, bytes);
    }
    let names = whole
        .iter()
        .map(|(name, _)| *name)
        .collect::<Vec<_>>()
        .join(" ");
    let run = format!("convert {names} --format csv --compression gzip");
    dir.succeed(&format!("{run} -o expected/ --threads 1"));
    let (name, bytes) = &whole[1];
    let mut damaged = bytes.clone();
    damaged[bytes.len() / 2] ^= 1;
    dir.write(name, damaged);
    dir.fail(&format!("{run} -o out/ --threads 3"), 3);
    dir.write(name, bytes);
    dir.succeed(&format!("{run} -o out/ --resume --threads 7"));
    for (shard, threads) in [("0/2", 2), ("1/2", 16)] {
        dir.succeed(&format!(
            "{run} -o shards/ --resume --shard {shard} --threads {threads}"
        ));
    }
    let tables = |folder: &str| {
        let files = dir.tree(folder).into_iter();
        files
            .filter(|(name, _)| name.ends_with(".csv.gz"))
            .map(|(_, bytes)| bytes)
            .collect::<Vec<_>>()
    };
    assert_eq!(tables("expected").len(), whole.len());
    assert!(tables("expected") == tables("out"));
    assert!(tables("expected") == tables("shards"));
}

/// The files that this program writes state the sizes of their members, and any gzip reader reads them whole.
#[test]
fn written_files_have_members_with_sizes() {
    let dir = TestDir::new();
    dir.write("in.csv", table(9_000));
    dir.succeed("convert in.csv -o out.csv -q");
    for (name, threads) in [("out.csv.gz", 2), ("out.csv.zst", 3)] {
        dir.succeed(&format!("convert in.csv -o {name} -q --threads {threads}"));
        let bytes = dir.read(name);
        let mut text = Vec::new();
        if name.ends_with("gz") {
            let mut decoder = flate2::read::MultiGzDecoder::new(&bytes[..]);
            std::io::Read::read_to_end(&mut decoder, &mut text).unwrap();
            let mut rest = &bytes[..];
            let mut members = 0;
            while let Some(size) = rest.get(16..20) {
                assert_eq!(&rest[10..16], b"\x08\0IG\x04\0");
                rest = &rest[u32::from_le_bytes(size.try_into().unwrap()) as usize..];
                members += 1;
            }
            assert!(members > 1 && rest.is_empty(), "{members}");
        } else {
            let stated = zstd::zstd_safe::get_frame_content_size(&bytes).unwrap();
            assert!(stated.is_some_and(|size| size > 100_000), "{stated:?}");
            text = zstd::decode_all(&bytes[..]).unwrap();
        }
        assert!(text == dir.read("out.csv"), "{name}");
    }
}
