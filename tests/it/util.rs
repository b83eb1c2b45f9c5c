//! Helpers for tests: a temporary folder in which the program runs, and functions that read tables.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::compute::concat_batches;
use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

/// A puzzle that naked and hidden singles solve, and its solution.
pub(crate) const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

/// The arguments of a command. They can be a line of words, which is split at its spaces; a list, if arguments
/// contain spaces or are empty; or a pair of two such values.
pub(crate) trait Arguments: Copy + Debug {
    fn list(&self) -> Vec<&str>;
}

impl Arguments for &str {
    fn list(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Arguments for &String {
    fn list(&self) -> Vec<&str> {
        self.split_whitespace().collect()
    }
}

impl Arguments for &[&str] {
    fn list(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<const N: usize> Arguments for &[&str; N] {
    fn list(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl Arguments for &Vec<&str> {
    fn list(&self) -> Vec<&str> {
        self.to_vec()
    }
}

impl<A: Arguments, B: Arguments> Arguments for (A, B) {
    fn list(&self) -> Vec<&str> {
        [self.0.list(), self.1.list()].concat()
    }
}

/// A temporary folder in which a test runs the program.
pub(crate) struct TestDir(TempDir);

impl TestDir {
    pub(crate) fn new() -> TestDir {
        TestDir(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// All files in a folder with their contents, including hidden files.
    pub(crate) fn tree(&self, name: &str) -> BTreeMap<String, Vec<u8>> {
        fn walk(folder: &Path, root: &Path, files: &mut BTreeMap<String, Vec<u8>>) {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, root, files);
                } else {
                    let relative_path = path.strip_prefix(root).unwrap().to_str().unwrap();
                    files.insert(relative_path.to_owned(), std::fs::read(&path).unwrap());
                }
            }
        }
        let mut files = BTreeMap::new();
        let root = self.path(name);
        walk(&root, &root, &mut files);
        files
    }

    /// The names of all files in the folder, without hidden ones.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: impl Arguments) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pipeline"));
        command
            .current_dir(self.0.path())
            .args(arguments.list())
            .env_clear();
        command
    }

    pub(crate) fn run(&self, arguments: impl Arguments) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program with these bytes as standard input.
    pub(crate) fn pipe(&self, arguments: impl Arguments, input: &[u8]) -> Output {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_vec();
        // Another thread writes the input, because otherwise the pipes for input and output could both be full.
        let feeder = std::thread::spawn(move || stdin.write_all(&input));
        let output = child.wait_with_output().unwrap();
        // A run that fails early does not read its input.
        let _ = feeder.join().unwrap();
        output
    }

    /// Runs the program, and asserts that it succeeds. Returns standard output.
    pub(crate) fn succeed(&self, arguments: impl Arguments) -> String {
        let output = self.run(arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            stderr(&output)
        );
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program, and asserts that it fails with this exit code. Returns standard error.
    pub(crate) fn fail(&self, arguments: impl Arguments, code: i32) -> String {
        let output = self.run(arguments);
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(!message.contains("panicked"), "{message}");
        message
    }

    /// Runs a command without an output table. Returns its summary.
    pub(crate) fn summary(&self, arguments: impl Arguments) -> serde_json::Value {
        serde_json::from_str(&self.succeed((arguments, "--summary -"))).unwrap()
    }

    /// The rows of a Parquet file in the folder.
    pub(crate) fn parquet(&self, name: &str) -> RecordBatch {
        parquet(&self.path(name))
    }
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub(crate) fn parquet(path: &Path) -> RecordBatch {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = reader.schema().clone();
    let batches: Vec<_> = reader.build().unwrap().map(Result::unwrap).collect();
    concat_batches(&schema, &batches).unwrap()
}

/// The rows of all Parquet files in a folder, ordered by file name.
pub(crate) fn parquet_below(dir: &TestDir, name: &str) -> Vec<RecordBatch> {
    let files = dir.tree(name).into_keys();
    let part_names = files.filter(|file| file.ends_with(".parquet") && !file.contains("_rejects"));
    part_names
        .map(|file| parquet(&dir.path(name).join(file)))
        .collect()
}

/// The values of a string column.
pub(crate) fn texts(table: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let array = table.column_by_name(column).unwrap().as_string::<i32>();
    array.iter().map(|text| text.map(str::to_owned)).collect()
}

/// The values of an integer column.
pub(crate) fn numbers(table: &RecordBatch, column: &str) -> Vec<Option<u64>> {
    let array = table.column_by_name(column).unwrap();
    let array = arrow::compute::cast(array, &arrow::datatypes::DataType::UInt64).unwrap();
    let array = array.as_primitive::<arrow::datatypes::UInt64Type>();
    (0..array.len())
        .map(|row| array.is_valid(row).then(|| array.value(row)))
        .collect()
}

/// The values of a boolean column.
pub(crate) fn flags(table: &RecordBatch, column: &str) -> Vec<Option<bool>> {
    let array = table.column_by_name(column).unwrap();
    array.as_boolean().iter().collect()
}

/// Generates puzzles, with dots for empty cells, and their solutions.
pub(crate) fn generated(dir: &TestDir, count: &str) -> Vec<(String, String)> {
    let text = dir.succeed(&format!("generate {count} --seed 9 -o - --format csv"));
    let rows = text.lines().skip(1);
    rows.map(|row| row.split_once(',').unwrap())
        .map(|(puzzle, solution)| (puzzle.to_owned(), solution.to_owned()))
        .collect()
}

/// The bytes compressed with gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
