//! Runs a command inside another program, such as Python: with its own flag to stop, and without standard output,
//! environment variables and signal handlers.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

#[cfg(doc)]
use sudoku_pipeline::job::RunOptions;
use sudoku_pipeline::store::ScratchFolder;

use super::call_words::CallError;
use super::commands::Command;
use super::host::{self, Printed};
use super::run::CalledAudit;
use super::terminal::{bug_report, log, warnings};

/// The call of a command by another program.
pub struct Call {
    /// The name of the command, such as `dedup`.
    pub command: String,
    /// The options, such as `--by=exact`, then `--` and the inputs.
    pub words: Vec<String>,
    /// The folder for temporary inputs and for the outputs, whose files are not synced to disk. Tables and messages show
    /// the names of files there without the folder. A table of rejects there is only written if there are rejects.
    pub folder: PathBuf,
    /// Whether the log, and the progress if `words` ask for it, are written to standard error. Otherwise nothing is, and the
    /// warnings are returned.
    pub logs: bool,
    /// The caller stores a signal's number here to end the run.
    pub stop: Arc<AtomicUsize>,
    /// Whether the run takes place on this thread, which makes it short if the inputs are small and in `folder`: see
    /// [`RunOptions::on_caller`]. Commands that read tables, such as `stats`, start threads all the same.
    pub on_caller: bool,
}

/// What a called command has said.
#[derive(Default)]
pub struct Said {
    /// The text that the command line would print to standard output.
    pub printed: Printed,
    /// The warnings that the command line would log.
    pub warnings: Vec<String>,
    /// The summary of the run as JSON, as `--summary` writes it; `None` for commands that do not have this option.
    pub summary: Option<String>,
    /// For `audit`, its results, from which the texts are made that the command line writes to the folder.
    pub audit: Option<CalledAudit>,
}

/// Runs a command on this thread, and returns what it has said. The outputs are those that the words name.
///
/// # Errors
/// The words are wrong, or the command fails.
pub fn call(call: Call) -> Result<Said, CallError> {
    let folder = ScratchFolder::new(call.folder);
    let command = Command::from_words(&call.command, &call.words)?;
    let called = host::Called {
        stop: call.stop,
        on_caller: call.on_caller,
        kept: host::Kept::default(),
    };
    let ((result, warnings), kept) = host::called(called, || {
        let run = || bug_report::caught(|| command.run());
        if call.logs {
            (log::with_text_log(run), Vec::new())
        } else {
            warnings::collected(run)
        }
    });
    drop(folder);
    result?;
    Ok(Said {
        printed: kept.printed,
        warnings,
        summary: kept.summary,
        audit: kept.audit,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use sudoku_pipeline::error::exit_code;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn call_in(folder: PathBuf, command: &str, words: &[&str]) -> Result<String, CallError> {
        let said = call(Call {
            command: command.to_owned(),
            words: words.iter().map(|&word| word.to_owned()).collect(),
            folder,
            logs: false,
            stop: Arc::default(),
            on_caller: false,
        });
        said.map(|said| said.printed.text())
    }

    #[test]
    fn a_call_writes_its_files_and_returns_its_text() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("input.csv"), format!("puzzle\n{PUZZLE}\n{PUZZLE}\n")).unwrap();
        let called = |command: &str, words: &[&str]| {
            call_in(folder.path().to_owned(), command, words).unwrap()
        };
        let output = format!("--output={}", path("unique.csv"));
        let duplicates = format!("--duplicates={}", path("duplicates.csv"));
        let rejects = format!("--rejects={}", path("rejects.csv"));
        let input = path("input.csv");
        let words = [&output[..], &duplicates, &rejects, "--", &input];
        let printed = called("dedup", &words);
        assert_eq!(printed, "");
        let unique = fs::read_to_string(path("unique.csv")).unwrap();
        assert_eq!(unique.lines().count(), 2);
        // The first row of the class is shown by the name of its input.
        let duplicates = fs::read_to_string(path("duplicates.csv")).unwrap();
        assert!(duplicates.contains(",input,"), "{duplicates}");
        assert!(!folder.path().join("rejects.csv").exists());
        let text = called("overlap", &["--", &path("input.csv"), &path("unique.csv")]);
        assert!(text.contains("isomorph"), "{text}");
        let text = called("stats", &["--", &path("unique.csv")]);
        assert!(text.contains("rows"), "{text}");
        assert!(!host::is_called());
    }

    #[test]
    fn the_texts_of_an_audit_are_made_after_the_call() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("input.csv"), format!("puzzle\n{PUZZLE}\n{PUZZLE}\n")).unwrap();
        let words = [
            format!("--output={}", path("audit")),
            "--format=csv".to_owned(),
            "--".to_owned(),
            format!("all={}", path("input.csv")),
        ];
        let said = call(Call {
            command: "audit".to_owned(),
            words: words.to_vec(),
            folder: folder.path().to_owned(),
            logs: false,
            stop: Arc::default(),
            on_caller: true,
        });
        let texts = said.unwrap().audit.unwrap().texts().unwrap();
        assert!(
            texts.card.contains("1 of 2 records stays"),
            "{}",
            texts.card
        );
        assert!(texts.page.starts_with("<!DOCTYPE html>") && texts.picture.starts_with("<svg"));
        let mut names: Vec<_> = (fs::read_dir(path("audit")).unwrap())
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(names, ["_removed.csv", "all.csv"]);
    }

    #[test]
    fn errors_have_the_exit_codes_of_the_command_line() {
        let folder = tempfile::tempdir().unwrap();
        let error = |command: &str, words: &[&str]| {
            let error = call_in(folder.path().to_owned(), command, words).unwrap_err();
            (error.exit_code, error.message)
        };
        let (code, message) = error("augment", &["--copies=0", "--output=a.csv", "--", "a"]);
        assert_eq!(code, exit_code::USAGE, "{message}");
        let (code, message) = error("shell", &[]);
        assert_eq!(code, exit_code::USAGE, "{message}");
        let missing = folder.path().join("missing.csv").display().to_string();
        let (code, message) = error("overlap", &["--", &missing, &missing]);
        assert!(
            code != 0 && message.contains("missing"),
            "{code}: {message}"
        );
    }
}
