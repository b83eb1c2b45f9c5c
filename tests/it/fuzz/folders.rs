//! Tests folders with random names. The test knows which files must be read, and with which columns.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use sudoku_core::random::Rng;
use sudoku_pipeline::formats::open;
use sudoku_pipeline::read::{Carried, Input, ReadOptions, SkippedNames, expand};

use super::effort::{Case, Effort, try_inputs};
use super::readers::folder;
use crate::util::PUZZLE;

/// The name of a folder. If it is a partition folder, also its partition column and the value of that column.
type Folder = (&'static [u8], Option<(&'static str, Option<&'static str>)>);

const FOLDERS: [Folder; 26] = [
    (b"plain", None),
    (b"_k=1", Some(("_k", Some("1")))),
    (b"k=1.tmp", Some(("k", Some("1.tmp")))),
    (b"k=1", Some(("k", Some("1")))),
    (b"K=2", Some(("K", Some("2")))),
    (b"k=__HIVE_DEFAULT_PARTITION__", Some(("k", None))),
    (
        b"k=%5F_HIVE_DEFAULT_PARTITION__",
        Some(("k", Some("__HIVE_DEFAULT_PARTITION__"))),
    ),
    (b"n%20o=a%2Fb", Some(("n o", Some("a/b")))),
    (b"x=", Some(("x", Some("")))),
    (b"x=%zz", Some(("x", Some("%zz")))),
    (b"x=%ff", Some(("x", Some("%ff")))),
    (b"x=%", Some(("x", Some("%")))),
    (b"y=a=b", Some(("y", Some("a=b")))),
    (b"=x", None),
    (b"=", None),
    (b"caf\xe9", None),
    (b"z=\xff", None),
    (b"\xff=z", None),
    ("漢=字".as_bytes(), Some(("漢", Some("字")))),
    (b"a\nb=c\td", Some(("a\nb", Some("c\td")))),
    (b" s = t ", Some((" s ", Some(" t ")))),
    (b"-d=-1", Some(("-d", Some("-1")))),
    (b"e=%2e%2E", Some(("e", Some("..")))),
    (b"q=_x", Some(("q", Some("_x")))),
    // These folder names are also the names of columns in the files.
    (b"id=7", None),
    (b"Puzzle=7", None),
];

const NO_DATA_FOLDERS: [&[u8]; 3] = [b"_hidden", b".git", b"_k"];

const FILES: [&[u8]; 10] = [
    b"a.csv",
    b"part-0",
    b"b\xff.csv",
    b"k=3.csv",
    b"*.csv",
    b"[x].csv",
    b"?",
    b" .csv",
    b"-",
    b"\n.csv",
];

const NO_DATA_FILES: [&[u8]; 9] = [
    b"c.csv.tmp",
    b"d.bak",
    b"e~",
    b"_SUCCESS",
    b".crc",
    b"x.TMP",
    b"n.swp",
    b"g.csv.part",
    b"\xff.old",
];

/// A file that the test writes: its path in the folder, whether it is read as data, and its partition columns.
struct PlantedFile {
    path: PathBuf,
    is_data: bool,
    columns: Vec<(&'static str, Option<&'static str>)>,
}

/// Makes a list of files from random bytes. Each line of the bytes is a file, and the bytes of the line select
/// names of folders and of the file.
fn planted_files(bytes: &[u8]) -> Vec<PlantedFile> {
    let mut paths = BTreeSet::new();
    let lines = bytes.split(|byte| *byte == b'\n').take(8);
    let files = lines.filter_map(|line| {
        let (file, folders) = line.split_last()?;
        let mut planted = PlantedFile {
            path: PathBuf::new(),
            is_data: true,
            columns: Vec::new(),
        };
        for at in folders.iter().take(6).map(|byte| usize::from(*byte)) {
            if at < 16 {
                let name = NO_DATA_FOLDERS[at % NO_DATA_FOLDERS.len()];
                planted.path.push(OsStr::from_bytes(name));
                planted.is_data = false;
                continue;
            }
            let (name, column) = FOLDERS[at % FOLDERS.len()];
            planted.path.push(OsStr::from_bytes(name));
            if let Some((name, value)) = column {
                // If several nested folders name the same column, the value of the innermost folder counts.
                let columns = &mut planted.columns;
                columns.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
                columns.push((name, value));
            }
        }
        let name_index = usize::from(*file);
        let name = if name_index < 64 {
            NO_DATA_FILES[name_index % NO_DATA_FILES.len()]
        } else {
            FILES[name_index % FILES.len()]
        };
        planted.is_data &= name_index >= 64;
        planted.path.push(OsStr::from_bytes(name));
        paths.insert(planted.path.clone()).then_some(planted)
    });
    files.collect()
}

/// The id in the only row of a file.
fn read_only_id(input: &mut Input) -> usize {
    let batch = input.source.next(Vec::new()).unwrap().unwrap();
    let records = input.parser.parse(&batch).unwrap();
    let Carried::Text { fields, .. } = &records.carried else {
        panic!("a CSV file has texts");
    };
    fields[0].as_deref().unwrap().parse().unwrap()
}

fn check(root: &std::path::Path, bytes: &[u8]) -> String {
    let root = tempfile::tempdir_in(root).unwrap();
    let files = planted_files(bytes);
    for (id, file) in files.iter().enumerate() {
        let path = root.path().join(&file.path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("id,puzzle\n{id},{PUZZLE}\n")).unwrap();
    }
    let argument = root.path().to_str().unwrap().to_owned();
    let expanded = expand(&[argument]).unwrap();
    let mut ids = Vec::new();
    for path in &expanded.inputs {
        let mut input = open(path, &ReadOptions::default()).unwrap();
        let id = read_only_id(&mut input);
        let columns = input.folders.iter();
        let columns = columns.map(|column| (column.name.as_str(), column.value.as_deref()));
        let columns: BTreeSet<_> = columns.collect();
        let expected: BTreeSet<_> = files[id].columns.iter().copied().collect();
        assert_eq!(columns, expected, "{path}");
        ids.push(id);
    }
    let expected = (0..files.len()).filter(|id| files[*id].is_data);
    ids.sort_unstable();
    assert_eq!(ids, expected.collect::<Vec<_>>(), "the files that are data");
    let skipped_count: usize = expanded.skipped.iter().map(SkippedNames::count).sum();
    match (ids.len(), skipped_count) {
        (0, _) => "no data".to_owned(),
        (_, 0) => "all data".to_owned(),
        _ => "some data".to_owned(),
    }
}

#[test]
fn a_folder_is_the_files_and_columns_that_its_names_say() {
    let effort = Effort::from_environment(1000).reduced(20);
    let root = folder();
    let tried_count = try_inputs(
        "folders",
        effort,
        |number| {
            let mut rng = Rng::for_item(effort.seed, number);
            let mut bytes = Vec::new();
            for _ in 0..=rng.below(5) {
                bytes.extend((0..=rng.below(4)).map(|_| rng.below(256) as u8));
                bytes.push(b'\n');
            }
            Case {
                name: "folder".to_owned(),
                bytes,
            }
        },
        |case| check(root.path(), &case.bytes),
    );
    let counts = tried_count.counts_by_result();
    assert!(counts.contains_key("some data"), "{counts:?}");
}
