//! Runs the commands of README.md, of the documentation and of all help texts, exactly as they are written.
//!
//! ```text
//! blocks    the commands of a document's blocks of `sh` and `console`, and the examples of a help text
//! files     small files under the names that the commands use
//! shell     runs a command in a folder, and says why it failed
//! ```
//!
//! Blocks in other languages are not run. Crontab, YAML and the Python of Airflow would need a special machine.
//! The Python of docs/python.md and docs/cookbook.md is tested in the Python package, and SQL in the tests of its document.

mod blocks;
mod files;
mod shell;

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::util::TestDir;
use blocks::{Example, examples_of_help, sequences};
use files::Files;

/// The commands in README.md and in the documents. The commands of one block run in the same folder.
#[test]
fn every_command_of_the_documents_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut documents = vec![root.join("README.md")];
    for entry in std::fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            documents.push(path);
        }
    }
    documents.sort();
    let all_examples: Vec<Vec<Example>> = documents
        .iter()
        .flat_map(|path| {
            let name = path.strip_prefix(root).unwrap().display().to_string();
            sequences(&name, &std::fs::read_to_string(path).unwrap())
        })
        .collect();
    assert!(
        all_examples.iter().flatten().count() > 30,
        "{all_examples:?}"
    );
    check(&all_examples);
}

/// The examples in the `--help` of every command. Each runs in its own folder.
#[test]
fn every_example_of_a_help_text_runs() {
    let dir = TestDir::new();
    let help = dir.succeed("--help");
    let names = help.lines().filter_map(|line| {
        let name = line.strip_prefix("  ")?.split_whitespace().next()?;
        let is_command_name = name != "help" && name.chars().all(|c| c.is_ascii_lowercase());
        is_command_name.then_some(name)
    });
    let mut commands = 0;
    let mut all_blocks = Vec::new();
    for name in names {
        let output = (dir.command(&format!("{name} --help")))
            .env("COLUMNS", "1000")
            .output()
            .unwrap();
        // A line of the help may look like the name of a command, but not be one.
        if !output.status.success() {
            continue;
        }
        commands += 1;
        let help = String::from_utf8(output.stdout).unwrap();
        let examples = examples_of_help(name, &help);
        all_blocks.extend(examples.into_iter().map(|example| vec![example]));
    }
    assert!(commands > 12, "{commands} of {help}");
    assert!(all_blocks.len() > 40, "{all_blocks:?}");
    check(&all_blocks);
}

/// Runs each sequence of commands in its own folder, on all cores.
fn check(all: &[Vec<Example>]) {
    let files = Files::new();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(sequence) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let dir = TestDir::new();
                    for example in sequence {
                        if let Err(why) = shell::run(&dir, &files, example) {
                            failures.lock().unwrap().push(format!("{example}\n{why}\n"));
                        }
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().unwrap();
    failures.sort();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}
