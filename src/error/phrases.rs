//! Phrases of messages that depend on numbers or names.

/// The start of the message about an input of which no record is a puzzle.
pub(super) fn none_is_a_puzzle(records: u64) -> String {
    match records {
        1 => "its only record is not a puzzle".to_owned(),
        records => format!("none of its {records} records is a puzzle"),
    }
}

/// The column names, as text for a message. Only the first names are listed: a file that is not a table can seem to
/// have very many columns.
pub(super) fn list_columns(columns: &[String]) -> String {
    const MOST: usize = 40;
    let shorten = |name: &String| match name.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.clone(),
    };
    let mut names: Vec<_> = columns.iter().take(MOST).map(shorten).collect();
    if columns.len() > MOST {
        names.push(format!("and {} more", columns.len() - MOST));
    }
    names.join(", ")
}

/// A column whose name is like that of a puzzle column: `board_str`, `start_grid`.
pub(super) fn like_a_puzzle(columns: &[String]) -> Option<&str> {
    const PARTS: [&str; 5] = ["puzzle", "quiz", "board", "grid", "sudoku"];
    let is_like = |name: &&String| {
        let name = name.to_lowercase();
        PARTS.iter().any(|part| name.contains(part))
    };
    columns.iter().find(is_like).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use crate::error::{Error, GenerateError, NotValid, OutputError, PredictionError};

    #[test]
    fn messages_about_one_have_the_noun_and_the_verb_of_one() {
        let errors: [(Error, &str); 7] = [
            (
                Error::NoPuzzle {
                    source_name: "a.csv".into(),
                    records: 1,
                    what: String::new(),
                    kept_in: None,
                },
                "a.csv: its only record is not a puzzle;",
            ),
            (
                Error::Interrupted {
                    signal: 15,
                    rows: 1,
                    left: String::new(),
                },
                "after 1 row;",
            ),
            (
                GenerateError::FewerNear {
                    wanted: 1,
                    found: 0,
                    kept: String::new(),
                }
                .into(),
                "found 0 of 1 puzzle:",
            ),
            (
                Error::TooManyRejects {
                    rejects: 1,
                    rows: 1,
                    limit: "0".into(),
                    kept_in: None,
                },
                "1 of 1 record rejected",
            ),
            (
                Error::TooFewRows { rows: 1, wanted: 2 },
                "parts of 2 rows together, but there is only 1",
            ),
            (
                NotValid {
                    rows: 1,
                    failures: vec![(1, "given up")],
                }
                .into(),
                "not valid: of 1 row 1 given up",
            ),
            (
                PredictionError::TooMany {
                    source_name: "b.csv".into(),
                    predictions: 2,
                    puzzles: "a.csv".into(),
                    records: 1,
                }
                .into(),
                "has 2 predictions, but a.csv has 1 record:",
            ),
        ];
        for (error, expected) in errors {
            let message = error.to_string();
            assert!(message.contains(expected), "{message}");
        }
        let gone = OutputError::GoneInputs {
            path: "out".into(),
            inputs: 1,
            first: "a.csv".into(),
        };
        let message = gone.to_string();
        assert!(message.contains("1 input that is gone"), "{message}");
    }
}
