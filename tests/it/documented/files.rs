//! Makes small files with the names that the documentation uses. The extension determines the format. Files
//! with names such as `test` get puzzles that no other file has.

use std::path::Path;

use serde_json::json;

use crate::tables::{digits, npy};
use crate::util::{PUZZLE, SOLUTION, TestDir, gzip};

/// Makes the files from the rows of two datasets that have no puzzle in common.
pub(super) struct Files {
    dataset: Dataset,
    other_dataset: Dataset,
}

struct Dataset {
    dir: TestDir,
}

/// A function that makes the content of a file from a dataset.
type MakeContent = fn(&Dataset) -> Vec<u8>;

/// File names whose content does not follow from their extension, each with the function that makes the
/// content.
const SPECIAL_NAMES: &[(&str, MakeContent)] = &[
    ("puzzle.txt", |_| PUZZLE.into()),
    ("lists.csv", |_| {
        let rows = PUZZLE.as_bytes().chunks(9).map(|row| {
            let cells = row.iter().map(|cell| format!(" {}", char::from(*cell)));
            format!(
                "[{}]",
                cells.collect::<String>().replace('.', "0").trim_start()
            )
        });
        let grid = rows.collect::<Vec<_>>().join("\n ");
        format!("grid,solution\n\"[{grid}]\",{SOLUTION}\n").into_bytes()
    }),
    ("forum.txt", |own| {
        let lines = own.text("set.txt");
        let lines = lines.lines().map(|line| format!("{line} ; ER 7.1\n"));
        lines.collect::<String>().into_bytes()
    }),
    ("strange.csv", |own| {
        let text = own.text("set.csv").replace(',', "~");
        text.replacen("puzzle", "start", 1).into_bytes()
    }),
    ("runs.parquet", |own| own.dir.read("runs.parquet")),
    ("predictions.txt", |own| {
        own.predictions(|_, right| format!("{right}\n"))
    }),
    ("patterns.txt", |_| {
        let mark_cell = |cell| if cell == '.' { '.' } else { 'x' };
        PUZZLE
            .chars()
            .map(mark_cell)
            .collect::<String>()
            .into_bytes()
    }),
    ("exam.csv", |own| {
        let dataset_text = own.text("set.csv");
        let puzzles = dataset_text
            .lines()
            .skip(1)
            .filter_map(|row| row.split(',').next());
        let rows = puzzles
            .enumerate()
            .map(|(id, puzzle)| format!("{id},{puzzle}\n"));
        format!("id,puzzle\n{}", rows.collect::<String>()).into_bytes()
    }),
    ("model.ndjson", |own| {
        own.predictions(|id, right| format!("{}\n", json!({"id": id, "output": right})))
    }),
    ("answers.ndjson", |_| {
        let answer_text = format!("It is {SOLUTION}.");
        json!({"puzzle": PUZZLE, "response": answer_text})
            .to_string()
            .into_bytes()
    }),
    ("rollouts.ndjson", |_| {
        let moves = ["r5c5=5", "r1c3=2", "r1c3=4"];
        let rollout = json!({"puzzle": PUZZLE, "moves": moves});
        rollout.to_string().into_bytes()
    }),
    ("template.json", |_| {
        br#"{"prompt": "Solve {puzzle}", "answer": "{steps}\n{solution}"}"#.to_vec()
    }),
    ("new.npy", |_| tokens(SOLUTION)),
    ("old.npy", |_| tokens(PUZZLE)),
];

/// A NumPy array with one row: the digits of the grid, each plus 1.
fn tokens(grid: &str) -> Vec<u8> {
    let tokens: Vec<u8> = digits(grid).iter().map(|digit| digit + 1).collect();
    npy("|u1", "(1, 81)", &tokens)
}

impl Files {
    pub(super) fn new() -> Files {
        let dir = TestDir::new();
        let csv = dir.succeed("generate 24 --seed 9 -o - --output-format csv");
        let rows: Vec<&str> = csv.lines().skip(1).collect();
        let (one, other) = rows.split_at(rows.len() / 2);
        Files {
            dataset: Dataset::new(one),
            other_dataset: Dataset::new(other),
        }
    }

    /// Makes a file or folder with this name. If the name is a pattern, makes files that match it. Does nothing if the
    /// name exists, or if its extension is unknown.
    pub(super) fn make(&self, dir: &TestDir, name: &str) {
        let other_dataset_names = ["test", "predictions", "theirs", "b.", "yesterday"];
        let dataset = if other_dataset_names.iter().any(|part| name.contains(part)) {
            &self.other_dataset
        } else {
            &self.dataset
        };
        if dir.exists(name) {
            return;
        }
        match name.strip_suffix('/') {
            Some(folder) if folder.starts_with("graded") => {
                let set = dataset.dir.path("set.csv");
                dir.succeed(&["grade", set.to_str().unwrap(), "-o", name]);
            }
            Some(folder) => {
                dataset.write(dir, &format!("{folder}/a.csv.gz"));
                dataset.write(dir, &format!("{folder}/more.parquet"));
            }
            None if name.contains('*') => {
                for stem in ["a", "more"] {
                    dataset.write(dir, &name.replace('*', stem));
                }
            }
            None => dataset.write(dir, name),
        }
    }
}

impl Dataset {
    fn new(rows: &[&str]) -> Dataset {
        let dir = TestDir::new();
        let labels = ["easy", "medium", "hard"].into_iter().cycle();
        let rows = rows.iter().zip(labels).zip(1..);
        let rows = rows.map(|((row, label), n)| format!("{row},{label},{n}\n"));
        let header = "puzzle,solution,difficulty,rating\n".to_owned();
        dir.write("set.csv", header + &rows.collect::<String>());
        for output in [
            &["convert", "set.csv", "-o", "set.txt"][..],
            &["convert", "set.csv", "-o", "set.ndjson"],
            &["convert", "set.csv", "-o", "set.tsv"],
            &["convert", "set.csv", "-o", "set.arrow"],
            &["grade", "set.csv", "-o", "set.parquet"],
            &[
                "grade",
                "set.csv",
                "-o",
                "unused.csv",
                "--report",
                "set.json",
            ],
            &[
                "compare",
                "set.csv",
                "-o",
                "runs.parquet",
                "--solvers",
                "lanes,dlx",
            ],
        ] {
            dir.succeed(output);
        }
        Dataset { dir }
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.dir.read(name)).unwrap()
    }

    /// A text with a line for each row. `line` makes the line from the number and the solution of the row.
    fn predictions(&self, line: impl Fn(usize, &str) -> String) -> Vec<u8> {
        let rows = self.text("set.csv");
        let rows = rows.lines().skip(1).enumerate();
        let lines = rows.map(|(id, row)| line(id, row.split(',').nth(1).unwrap_or_default()));
        lines.collect::<String>().into_bytes()
    }

    /// Writes a file with the content that its name requires.
    fn write(&self, dir: &TestDir, name: &str) {
        let special = SPECIAL_NAMES.iter().find(|(own, _)| *own == name);
        let name_without_gz = name.strip_suffix(".gz").unwrap_or(name);
        let extension = Path::new(name_without_gz)
            .extension()
            .and_then(|own| own.to_str());
        let bytes = match (special, extension) {
            (Some((_, make)), _) => make(self),
            (
                None,
                Some(kind @ ("txt" | "csv" | "tsv" | "ndjson" | "arrow" | "parquet" | "json")),
            ) => self.dir.read(&format!("set.{kind}")),
            _ => return,
        };
        let bytes = if name_without_gz == name {
            bytes
        } else {
            gzip(&bytes)
        };
        if let Some(folder) = dir.path(name).parent() {
            std::fs::create_dir_all(folder).unwrap();
        }
        dir.write(name, bytes);
    }
}
