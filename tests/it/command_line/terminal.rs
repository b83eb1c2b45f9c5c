//! Tests what a terminal shows, with a pseudo terminal, and that special characters in names do not reach it.

use std::process::Command;

use crate::util::{PUZZLE, TestDir, stderr};

/// The lines that a terminal of 80 columns shows after a command. `None` if the program `script`, which opens
/// the terminal, is not installed.
fn screen(dir: &TestDir, arguments: &str) -> Option<Vec<String>> {
    let pipeline = env!("CARGO_BIN_EXE_pipeline");
    let command = format!("stty cols 80 rows 24; exec '{pipeline}' {arguments}");
    let output = Command::new("script")
        .args(["-qec", &command, "/dev/null"])
        .current_dir(dir.path("."))
        .env("TERM", "xterm")
        .output();
    match output {
        Ok(output) => Some(screen_lines(&String::from_utf8_lossy(&output.stdout))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => panic!("{error}"),
    }
}

/// Interprets a text with the control sequences that the progress line uses. Returns the lines on the screen.
fn screen_lines(text: &str) -> Vec<String> {
    let mut lines = vec![Vec::new()];
    let (mut row, mut column) = (0_usize, 0_usize);
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\r' => column = 0,
            '\n' => row += 1,
            '\x1b' => {
                let sequence: String = characters.by_ref().take(1).collect();
                assert_eq!(sequence, "[", "{text:?}");
                let mut count = String::new();
                let end_character = characters.by_ref().find(|next| {
                    let ends_sequence = next.is_ascii_alphabetic();
                    if !ends_sequence {
                        count.push(*next);
                    }
                    ends_sequence
                });
                match end_character {
                    Some('A') => row = row.saturating_sub(count.parse().unwrap_or(1)),
                    Some('K') if count == "2" => lines[row].clear(),
                    Some('K') => lines[row].truncate(column),
                    Some('m') => {}
                    other => panic!("{other:?} in {text:?}"),
                }
            }
            character => {
                let line = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = character;
                column += 1;
            }
        }
        lines.resize(lines.len().max(row + 1), Vec::new());
    }
    lines.into_iter().map(String::from_iter).collect()
}

/// Regression test: log messages and rows on standard output moved the progress bar, and a copy of it
/// remained on the screen.
#[test]
fn the_progress_bar_is_removed_at_the_end() {
    let dir = TestDir::new();
    let empty_grid = ".".repeat(81);
    dir.write(
        "in.txt",
        format!("{PUZZLE}\n{empty_grid}\nshort\n").repeat(700),
    );
    for arguments in [
        "validate in.txt --progress always",
        "validate in.txt",
        "solve in.txt -o - --format csv --select puzzle,status",
        "convert in.txt -o - --format csv",
        "convert in.txt -o out.csv",
    ] {
        let Some(lines) = screen(&dir, arguments) else {
            return;
        };
        let is_bar =
            |line: &&String| line.contains('█') || line.contains('░') || line.contains(" % ");
        assert_eq!(lines.iter().find(is_bar), None, "{arguments}");
        let has_summary = lines.iter().any(|line| line.contains("2,100 rows in "));
        assert!(has_summary, "{arguments}: {lines:?}");
    }
}

/// After `grade`, a terminal shows the levels as bars. A log that is not a terminal does not.
#[test]
fn a_terminal_shows_the_levels_and_a_log_does_not() {
    let dir = TestDir::new();
    let hard_puzzle =
        "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    dir.write(
        "in.txt",
        format!("{PUZZLE}\n{PUZZLE}\n{PUZZLE}\n{hard_puzzle}\n"),
    );
    let techniques = "hardest technique: naked_single 75.0 %, ";
    if let Some(lines) = screen(&dir, "grade in.txt -o t.csv") {
        let line_starting_with = |start: &str| {
            lines
                .iter()
                .find(|line| line.trim_start().starts_with(start))
        };
        let easy_line = line_starting_with("easy ").unwrap_or_else(|| panic!("{lines:?}"));
        assert!(
            easy_line.contains("██▌") && easy_line.ends_with(" 75.0 %            3"),
            "{easy_line}"
        );
        let unfair = line_starting_with("unfair ").unwrap();
        assert!(
            unfair.ends_with("  0.0 %            0") && !unfair.contains('█'),
            "{unfair}"
        );
        assert!(line_starting_with(techniques).is_some(), "{lines:?}");
        assert_eq!(line_starting_with("beyond"), None);
        let mut figure_lines = lines.iter().filter(|line| !line.starts_with("grade:"));
        assert!(
            figure_lines.all(|line| line.chars().count() < 80),
            "{lines:?}"
        );
        let quiet_screen = screen(&dir, "grade in.txt -o q.csv --quiet").unwrap();
        assert!(
            !quiet_screen.iter().any(|line| line.contains('%')),
            "{quiet_screen:?}"
        );
    }
    let message = stderr(&dir.run("grade in.txt -o l.csv"));
    assert_eq!(message.lines().count(), 1, "{message}");
    let message = stderr(&dir.run("grade in.txt -o v.csv --verbose"));
    assert!(message.contains(techniques), "{message}");
    let summary = dir.succeed("grade in.txt -o s.csv --summary -");
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    assert_eq!(summary["level"]["easy"], 3);
}

/// Regression test: invisible characters that change the writing direction reached the terminal.
#[test]
fn marks_of_the_writing_direction_are_escaped() {
    let dir = TestDir::new();
    let control_characters = [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{2029}', '\u{202e}', '\u{2066}', '\u{2069}',
        '\u{9b}', '\x1b',
    ];
    for mark in control_characters {
        let name = format!("in{mark}txt.csv");
        dir.write(
            &name,
            format!("id{mark}x,puzzle\n1,{PUZZLE}\n2,s{mark}hort\n"),
        );
        let wrong_name = format!("x{mark}y");
        let where_ = format!("x{mark}y = 1");
        for arguments in [
            &["convert", &name, "-o", "-", "--format", "lines"][..],
            &["inspect", &name],
            &["grade", &wrong_name, "-o", "x.csv"],
            &["grade", &name, "-o", &wrong_name],
            &["grade", &name, "-o", "x.csv", "--where", &where_],
            &["grade", &name, "-o", "x.csv", "--ladder", &wrong_name],
            &["schema", &wrong_name],
            &["explain", &wrong_name],
            &["overlap", &name, &wrong_name],
        ] {
            let output = dir.run(arguments);
            let message = stderr(&output) + &String::from_utf8_lossy(&output.stdout);
            assert!(!message.contains(mark), "{arguments:?}: {message:?}");
        }
    }
}

/// Regression test: SIGXFSZ ended every command without a message, and left its temporary file.
#[test]
fn a_file_size_limit_is_an_error_with_a_message() {
    let dir = TestDir::new();
    dir.write("in.txt", format!("{PUZZLE}\n").repeat(20_000));
    let pipeline = env!("CARGO_BIN_EXE_pipeline");
    for output in ["out.csv", "out.parquet", "out/"] {
        let command = format!(
            "ulimit -f 1; exec '{pipeline}' grade in.txt -o {output} --memory-limit 256MiB"
        );
        let output = Command::new("sh")
            .args(["-c", &command])
            .current_dir(dir.path("."))
            .output()
            .unwrap();
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("File too large"), "{message}");
        let files_left = dir.tree(".").into_keys();
        let files_left: Vec<_> = files_left
            .filter(|name| !name.ends_with("in.txt"))
            .collect();
        assert!(files_left.is_empty(), "{files_left:?}");
    }
}
