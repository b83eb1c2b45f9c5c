//! What a text file is, from its first bytes.

use super::{InputFormat, ReadOptions};
use crate::error::Error;

/// Names of puzzle columns, the first in this order that a header has. `clues` is a count.
const PUZZLE_COLUMNS: [&str; 8] = [
    "puzzle",
    "quizzes",
    "quiz",
    "question",
    "grid",
    "board",
    "sudoku",
    "initial_board",
];

/// Names of solution columns.
const SOLUTION_COLUMNS: [&str; 3] = ["solution", "solutions", "answer"];

/// What may stand between the fields of a header.
const DELIMITERS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// A text format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextFormat {
    Lines,
    Csv { delimiter: u8 },
}

/// Where the puzzle and the solution are among the columns of a table.
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    pub(super) puzzle: usize,
    pub(super) solution: Option<usize>,
}

/// Tells lines from CSV.
pub(super) fn sniff(text: &[u8], options: &ReadOptions) -> TextFormat {
    if options.format == Some(InputFormat::Lines) {
        return TextFormat::Lines;
    }
    let first = text
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !is_blank_or_comment(line))
        .unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let split = |delimiter: u8| -> Vec<&str> {
        let fields = first.split(char::from(delimiter));
        fields
            .map(|field| field.trim().trim_matches('"').trim())
            .collect()
    };
    // A delimiter with which the header has the wanted column.
    let has_puzzles = |delimiter: &u8| match &options.puzzle_column {
        Some(name) => split(*delimiter).contains(&name.as_str()),
        None => split(*delimiter)
            .iter()
            .any(|name| is_one_of(&PUZZLE_COLUMNS, name)),
    };
    if let Some(delimiter) = DELIMITERS.into_iter().find(has_puzzles) {
        return TextFormat::Csv { delimiter };
    }
    let delimiter = DELIMITERS
        .into_iter()
        .max_by_key(|delimiter| (split(*delimiter).len(), *delimiter == b','))
        .unwrap_or(b',');
    let fields = split(delimiter);
    let looks_like_header = fields.len() > 1
        && !looks_like_grid(first.as_bytes())
        && fields
            .iter()
            .any(|field| field.chars().any(char::is_alphabetic))
        && !fields.iter().any(|field| looks_like_grid(field.as_bytes()));
    if options.format == Some(InputFormat::Csv)
        || options.puzzle_column.is_some()
        || looks_like_header
    {
        TextFormat::Csv { delimiter }
    } else {
        TextFormat::Lines
    }
}

/// Lines before the header, or between puzzles, that are neither.
pub(super) fn is_blank_or_comment(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    line.is_empty() || line.starts_with(b"#")
}

/// How many bytes a byte order mark takes; UTF-16 is refused.
pub(super) fn byte_order_mark(source: &str, head: &[u8]) -> Result<usize, Error> {
    match head {
        [0xef, 0xbb, 0xbf, ..] => Ok(3),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err(Error::UnknownFormat {
            source_name: source.to_owned(),
            what: "the text is UTF-16: convert it to UTF-8 first".into(),
        }),
        _ => Ok(0),
    }
}

/// Eighty-one cells at the start.
fn looks_like_grid(text: &[u8]) -> bool {
    text.get(..81).is_some_and(|cells| {
        cells
            .iter()
            .all(|byte| b"123456789.0*_-xX? ".contains(byte))
    })
}

fn is_one_of(known: &[&str], name: &str) -> bool {
    known.iter().any(|known| known.eq_ignore_ascii_case(name))
}

impl Columns {
    /// Finds the columns by the options, or by the known names.
    pub(super) fn find(
        source: &str,
        names: Vec<String>,
        options: &ReadOptions,
    ) -> Result<Columns, Error> {
        let missing = |wanted: String, flag| Error::NoColumn {
            source_name: source.to_owned(),
            wanted,
            columns: names.clone(),
            flag,
        };
        let named = |name: &String, flag| {
            names
                .iter()
                .position(|column| column == name)
                .ok_or_else(|| missing(format!("column {name:?}"), flag))
        };
        let known = |known: &[&str]| {
            known.iter().find_map(|known| {
                names
                    .iter()
                    .position(|name| name.eq_ignore_ascii_case(known))
            })
        };
        let puzzle = match &options.puzzle_column {
            Some(name) => named(name, "--puzzle-column")?,
            None => known(&PUZZLE_COLUMNS)
                .ok_or_else(|| missing("puzzle column".into(), "--puzzle-column"))?,
        };
        let solution = match &options.solution_column {
            Some(name) => Some(named(name, "--solution-column")?),
            None => known(&SOLUTION_COLUMNS).filter(|column| *column != puzzle),
        };
        if let super::Keep::Only(kept) = &options.keep {
            for name in kept {
                named(name, "--keep")?;
            }
        }
        Ok(Columns {
            names,
            puzzle,
            solution,
        })
    }

    /// The columns carried through: their places, and their names, made unique.
    pub(super) fn carried(&self, keep: &super::Keep) -> Vec<(usize, String)> {
        let mut carried: Vec<(usize, String)> = Vec::new();
        for (at, name) in self.names.iter().enumerate() {
            let wanted = match keep {
                super::Keep::All => true,
                super::Keep::None => false,
                super::Keep::Only(names) => names.contains(name),
            };
            if !wanted || at == self.puzzle || Some(at) == self.solution {
                continue;
            }
            let mut unique = name.clone();
            let mut count = 1;
            while carried.iter().any(|(_, other)| *other == unique) {
                count += 1;
                unique = format!("{name}_{count}");
            }
            carried.push((at, unique));
        }
        carried
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The delimiter, the puzzle column, the solution column.
    fn kind(head: &str) -> String {
        let options = ReadOptions::default();
        let start = byte_order_mark("in", head.as_bytes()).unwrap();
        let TextFormat::Csv { delimiter } = sniff(&head.as_bytes()[start..], &options) else {
            return "lines".into();
        };
        let names = head[start..].trim().split(char::from(delimiter));
        let names = names
            .map(|name| name.trim_matches('"').to_owned())
            .collect();
        match Columns::find("in", names, &options) {
            Ok(columns) => {
                let solution = columns.solution.map(|at| columns.names[at].as_str());
                let puzzle = &columns.names[columns.puzzle];
                format!("{} {puzzle} {solution:?}", char::from(delimiter))
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn headers_are_recognised_and_clues_is_never_a_board() {
        let grid = ".".repeat(81);
        assert_eq!(kind(&grid), "lines");
        assert_eq!(kind(&format!("# a comment\n\n{grid} 7.5")), "lines");
        assert_eq!(kind(""), "lines");
        assert_eq!(
            kind("quizzes,solutions\n"),
            r#", quizzes Some("solutions")"#
        );
        assert_eq!(kind("id\tPuzzle\tclues\n"), "\t Puzzle None");
        assert_eq!(
            kind("source;question;answer;rating"),
            r#"; question Some("answer")"#
        );
        assert_eq!(
            kind("\u{feff}\"puzzle\",\"solution\""),
            r#", puzzle Some("solution")"#
        );
        assert_eq!(kind("puzzle\n"), ", puzzle None");
        assert_eq!(
            kind("id,clues\n"),
            "in: no puzzle column; its columns are id, clues; name one with --puzzle-column"
        );
    }
}
