//! Tests of zip archives with several files, and of files of other programs that are refused by their names.

use std::io::Write;

use flate2::Crc;

use crate::util::{PUZZLE, SOLUTION, TestDir, gzip};

/// A zip archive of these files, which are compressed.
pub(super) fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in files {
        let mut crc = Crc::new();
        crc.update(content);
        let level = flate2::Compression::default();
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), level);
        encoder.write_all(content).unwrap();
        let data = encoder.finish().unwrap();
        let mut fields = vec![20, 0, 0, 0, 8, 0, 0, 0, 0, 0];
        fields.extend(crc.sum().to_le_bytes());
        fields.extend((data.len() as u32).to_le_bytes());
        fields.extend((content.len() as u32).to_le_bytes());
        fields.extend((name.len() as u16).to_le_bytes());
        fields.extend([0, 0]);
        let offset = (bytes.len() as u32).to_le_bytes();
        bytes.extend([b"PK\x03\x04", &fields[..], name.as_bytes(), &data].concat());
        directory.extend([b"PK\x01\x02\x14\0", &fields[..], &[0; 10], &offset].concat());
        directory.extend(name.as_bytes());
    }
    let count = (files.len() as u16).to_le_bytes();
    let (size, start) = (directory.len() as u32, bytes.len() as u32);
    bytes.extend(directory);
    bytes.extend([&b"PK\x05\x06\0\0\0\0"[..], &count, &count].concat());
    bytes.extend([&size.to_le_bytes()[..], &start.to_le_bytes(), &[0, 0]].concat());
    bytes
}

fn csv(rows: usize) -> String {
    format!(
        "puzzle,solution\n{}",
        format!("{PUZZLE},{SOLUTION}\n").repeat(rows)
    )
}

#[test]
fn each_file_of_a_zip_archive_is_a_source() {
    let dir = TestDir::new();
    let archive = zip(&[
        ("set/", b""),
        ("set/test.csv", csv(1).as_bytes()),
        (
            "set/a train.ndjson",
            format!("{{\"puzzle\":\"{PUZZLE}\"}}\n")
                .repeat(2)
                .as_bytes(),
        ),
        ("set/README.md", b"# Puzzles"),
        ("__MACOSX/set/._test.csv", b"of macOS"),
        ("set/.DS_Store", b"of macOS"),
    ]);
    dir.write("a.zip", &archive);
    std::fs::create_dir(dir.path("in")).unwrap();
    dir.write("in/b.zip", &archive);
    dir.write("in/c.csv", csv(1));
    let select = ["--select", "source,row"];
    let rows = dir.succeed(("grade a.zip -o - --format csv", &select));
    let expected = "source,row\na.zip/set/a train.ndjson,0\na.zip/set/a train.ndjson,1\na.zip/set/test.csv,0\n";
    assert_eq!(rows, expected);
    // A file of the archive can be named, and a folder with archives can be read.
    let rows = dir.succeed(("grade a.zip/set/test.csv -o - --format csv", &select));
    assert_eq!(rows, "source,row\na.zip/set/test.csv,0\n");
    let rows = dir.succeed(("grade in -o - --format csv", &select));
    let sources: Vec<&str> = rows
        .lines()
        .skip(1)
        .map(|row| row.split_once(',').unwrap().0)
        .collect();
    let b = "in/b.zip/set/";
    let train = format!("{b}a train.ndjson");
    assert_eq!(
        sources,
        [&train, &train, &format!("{b}test.csv"), "in/c.csv"]
    );
    let summary = dir.summary("validate a.zip");
    assert_eq!(
        (&summary["rows_in"], &summary["skipped_names"]),
        (&3.into(), &2.into())
    );
    assert!(dir.succeed("inspect a.zip/set/test.csv").contains("zip"));
    assert!(
        dir.fail("convert a.zip/none.csv -o x.csv", 2)
            .contains("no such file")
    );
}

#[test]
fn the_files_of_an_archive_can_be_resumed_and_sharded() {
    let dir = TestDir::new();
    let files = [("x.csv", csv(1)), ("y.csv", csv(2)), ("z.csv", csv(3))];
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(name, text)| (*name, text.as_bytes()))
        .collect();
    dir.write("a.zip", zip(&files));
    dir.succeed("convert a.zip -o out/ --format csv");
    let summary = dir.summary("convert a.zip -o out/ --format csv --resume");
    assert_eq!(summary["rows_in"], 6);
    assert_eq!(
        dir.tree("out")
            .keys()
            .filter(|name| name.ends_with(".csv"))
            .count(),
        3
    );
    let rows: u64 = (0..2)
        .map(|shard| {
            let summary = dir.summary(&format!(
                "convert a.zip -o s/ --format csv --shard {shard}/2"
            ));
            summary["rows_in"].as_u64().unwrap()
        })
        .sum();
    assert_eq!(rows, 6);
}

#[test]
fn what_is_in_an_archive_is_refused_by_its_name() {
    let dir = TestDir::new();
    let inner = zip(&[("x.csv", csv(1).as_bytes()), ("y.csv", csv(1).as_bytes())]);
    for (name, bytes, expected) in [
        (
            "b.zip",
            inner,
            "a.zip/b.zip: this is a zip archive inside gzip, zstd or zip",
        ),
        (
            "b.csv.gz",
            gzip(csv(1).as_bytes()),
            "a.zip/b.csv.gz: this is gzip inside",
        ),
        (
            "b.parquet",
            b"PAR1".repeat(9),
            "a.zip/b.parquet: this is Parquet inside",
        ),
        (
            "b.csv",
            POINTER.as_bytes().to_vec(),
            "a.zip/b.csv: this is a pointer of Git LFS",
        ),
    ] {
        dir.write(
            "a.zip",
            zip(&[(name, &bytes), ("a.csv", csv(1).as_bytes())]),
        );
        let message = dir.fail("convert a.zip -o out.csv", 3);
        assert!(message.contains(expected), "{name}: {message}");
        assert!(!dir.exists("out.csv"));
    }
    let mut damaged = zip(&[("a.csv", csv(9).as_bytes()), ("b.csv", csv(1).as_bytes())]);
    damaged[40] ^= 0x55;
    dir.write("a.zip", damaged);
    let keep = "convert a.zip -o kept/ --max-damaged 1 --allow-empty --format csv";
    let kept: u64 = (0..2)
        .map(|shard| {
            dir.summary(&format!("{keep} --shard {shard}/2"))["rows_in"]
                .as_u64()
                .unwrap()
        })
        .sum();
    assert!(kept <= 10, "{kept}");
    assert!(
        dir.fail("convert a.zip -o out.csv", 3)
            .contains("a.zip/a.csv: at byte")
    );
}

const POINTER: &str = "version https://git-lfs.github.com/spec/v1\n\
                       oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n\
                       size 12345\n";

#[test]
fn a_pointer_of_git_lfs_is_named_whatever_the_file_is_called() {
    let dir = TestDir::new();
    for name in [
        "a.csv",
        "a.parquet",
        "a.arrow",
        "a.npy",
        "a.npz",
        "a.zip",
        "a.csv.gz",
        "a.txt",
        "a",
    ] {
        dir.write(name, POINTER);
        let message = dir.fail(&format!("convert {name} -o out.csv"), 3);
        let expected = format!("{name}: this is a pointer of Git LFS, not the data: git lfs pull");
        assert!(message.contains(&expected), "{message}");
    }
}

#[test]
fn files_of_other_programs_are_refused_by_their_names() {
    let dir = TestDir::new();
    let torch = zip(&[
        ("archive/data.pkl", b"\x80\x02}q"),
        ("archive/data/0", &[0; 81]),
    ]);
    let sheet = zip(&[
        ("mimetype", b"application/vnd.oasis"),
        ("content.xml", b"<a/>"),
    ]);
    let safetensors = [&20_u64.to_le_bytes()[..], b"{\"x\":{\"dtype\":1}}  "].concat();
    for (name, bytes, expected) in [
        (
            "f.pt",
            torch.clone(),
            "this is a PyTorch file, which is not read: save its arrays as .npy",
        ),
        ("pytorch_model.bin", torch, "a PyTorch file"),
        (
            "f.pth",
            b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02".to_vec(),
            "an old PyTorch file",
        ),
        ("f.ods", sheet, "an Excel or OpenDocument file"),
        ("f.safetensors", safetensors, "a safetensors file"),
        ("f.rds", gzip(b"X\n\0\0\0\x03\0\x04"), "R's RDS"),
        ("f.RData", gzip(b"RDX3\nX\n"), "R's RData"),
        (
            "f.mat",
            b"MATLAB 5.0 MAT-file, Platform: GLNXA64".to_vec(),
            "a MATLAB file",
        ),
        ("f.h5", b"\x89HDF\r\n\x1a\n\0".to_vec(), "HDF5"),
        (
            "f.csv.gz",
            csv(1).into_bytes(),
            "its name ends with .gz, but it is not compressed",
        ),
        (
            "f.csv.bz2",
            csv(1).into_bytes(),
            "its name ends with .bz2, but it is not compressed",
        ),
    ] {
        dir.write(name, bytes);
        let message = dir.fail(&format!("convert {name} -o out.csv"), 3);
        assert!(message.contains(expected), "{name}: {message}");
        assert!(!dir.exists("out.csv"));
    }
    let rows = dir.succeed("convert f.csv.gz --input-format csv -o - --format csv");
    assert_eq!(rows.lines().count(), 2);
}

#[test]
fn puzzles_of_a_variant_are_a_warning_once() {
    let dir = TestDir::new();
    let line = |rules: &str| {
        format!("{{\"puzzle\":\"{PUZZLE}\",\"{rules}\":\"knights\",\"visual_elements\":\"[]\"}}\n")
    };
    dir.write("a.ndjson", line("rules"));
    dir.write("b.ndjson", line("rules"));
    let output = dir.run("solve a.ndjson b.ndjson -o - --format csv");
    assert!(output.status.success());
    let message = String::from_utf8(output.stderr).unwrap();
    let warning = "a.ndjson: its puzzles may be of a variant, by the names of its columns (rules, visual_elements)";
    assert_eq!(
        message.matches("may be of a variant").count(),
        1,
        "{message}"
    );
    assert!(message.contains(warning), "{message}");
    dir.write("c.csv", format!("puzzle,level\n{PUZZLE},hard\n"));
    let output = dir.run("solve c.csv -o - --format csv");
    assert!(
        !String::from_utf8(output.stderr)
            .unwrap()
            .contains("variant")
    );
}
