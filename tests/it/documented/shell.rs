//! Runs the commands of the documentation with a shell, in a folder with the files that they read.

use std::process::{Command, Stdio};

use super::blocks::Example;
use super::files::Files;
use crate::util::{TestDir, stderr};

/// Commands that contain one of these words are not run. Each word has the reason beside it.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds, tests or measures the project"),
    (
        "pip ",
        "installs the Python package, which has tests of its own",
    ),
    ("python", "needs the Python package, pyarrow or DuckDB"),
    ("venv-pack ", "needs the Python package and a cluster"),
    ("spark-submit ", "needs Spark"),
    ("docker ", "needs Docker"),
    (
        "duckdb ",
        "needs DuckDB, which runs the statements of docs/sql.md in a test of its own",
    ),
    ("://", "needs an object store or a server"),
];

/// Parts of commands that are replaced before they are run, each with its replacement.
const REPLACEMENTS: &[(&str, &str)] = &[
    // `/usr/bin/time` only measures the run, and is not installed on all machines.
    ("/usr/bin/time -v ", ""),
    // The test files have only a few rows.
    ("train=rest,test=1000", "train=rest,test=5"),
];

/// The maximum number of puzzles that a command generates. Each takes some milliseconds, or more if the command
/// has conditions.
const MOST_GENERATED: u32 = 12;

/// Options whose value is a file that the command writes.
const OUTPUTS: &[&str] = &[
    "-o",
    "--output",
    "--rejects",
    "--duplicates",
    "--summary",
    "--metrics",
    "--report",
    "--extract-report",
    "--card",
    ">",
    ">>",
    "2>",
    "2>>",
];

/// Extensions of files that a command can read.
const EXTENSIONS: &[&str] = &[
    ".txt", ".npy", ".csv", ".tsv", ".ndjson", ".json", ".arrow", ".parquet", ".gz", "/",
];

/// Creates the inputs of a command, and runs it in a folder. The error describes the problem.
pub(super) fn run(dir: &TestDir, files: &Files, example: &Example) -> Result<(), String> {
    let command_text = &example.command;
    if NOT_RUN
        .iter()
        .any(|(words, _)| command_text.contains(words))
    {
        return Ok(());
    }
    let mut command = command_text.clone();
    for (from, to) in REPLACEMENTS {
        command = command.replace(from, to);
    }
    let command_words = words(&command);
    let (words, command) = up_to_missing_program(&command_words, command);
    let command = with_fewer_puzzles(&words, command);
    let outputs: Vec<&String> = (words.iter().zip(words.iter().skip(1)))
        .filter(|(option, _)| OUTPUTS.contains(&option.as_str()))
        .map(|(_, file)| file)
        .collect();
    for word in &words {
        let word = word.trim_end_matches(';');
        let is_file = EXTENSIONS.iter().any(|end| word.ends_with(end)) && !word.starts_with('-');
        if is_file && !outputs.iter().any(|own| own.trim_end_matches(';') == word) {
            files.make(dir, word);
        }
    }
    let bin = dir.path(".bin");
    std::fs::create_dir_all(&bin).unwrap();
    // A link with the name `pipeline` to the binary is put into a folder of the search path.
    let _ = std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_pipeline"), bin.join("pipeline"));
    let data_folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    let _ = std::os::unix::fs::symlink(data_folder, dir.path("data"));
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(dir.path("."))
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("HOME", dir.path("."))
        .env("SLURM_ARRAY_TASK_ID", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let message = stderr(&output);
    let printed = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) if !example.output.is_empty() && printed != example.output => Err(format!(
            "it prints\n{printed}instead of\n{}",
            example.output
        )),
        Some(0) => Ok(()),
        // The text near the command says that the exit code is this one.
        Some(code) if command_text.contains(&format!("exit code {code}")) => Ok(()),
        code => Err(format!("exit code {code:?}: {}", message.trim())),
    }
}

/// The command up to its first pipe to a program that is not installed, or its first redirection to a path outside of
/// the folder: as words, and as a line.
fn up_to_missing_program(words: &[String], command: String) -> (Vec<String>, String) {
    for (at, word) in words.iter().enumerate() {
        let Some(next) = words.get(at + 1) else { break };
        let is_missing = word == "|" && !is_installed(next);
        let writes_elsewhere = word.starts_with('>') && next.starts_with(['/', '~']);
        if is_missing || writes_elsewhere {
            let redirect = format!(" {word} {next}");
            let redirect_start = command.find(&redirect).unwrap_or(command.len());
            return (words[..at].to_vec(), command[..redirect_start].to_owned());
        }
    }
    (words.to_vec(), command)
}

fn is_installed(program: &str) -> bool {
    let folders = ["/usr/bin", "/bin"];
    let mut paths = folders
        .map(|folder| std::path::Path::new(folder).join(program))
        .into_iter();
    paths.any(|path| path.exists())
}

fn with_fewer_puzzles(words: &[String], command: String) -> String {
    let number = match words {
        [program, name, number, ..] if program == "pipeline" && name == "generate" => number,
        _ => return command,
    };
    match number.parse::<u32>() {
        Ok(many) if many > MOST_GENERATED => {
            command.replacen(number.as_str(), &MOST_GENERATED.to_string(), 1)
        }
        _ => command,
    }
}

/// The words of a command without quotes, up to a comment.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn commands_are_split_like_a_shell_does() {
    let parsed_words = words("pipeline grade 'a b/*.csv' -o x.csv --where \"se > 7\"  # why 'not");
    let expected = [
        "pipeline",
        "grade",
        "a b/*.csv",
        "-o",
        "x.csv",
        "--where",
        "se > 7",
    ];
    assert_eq!(parsed_words, expected);
}
