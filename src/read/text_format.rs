//! What a text format is, and all of them.

use arrow::datatypes::FieldRef;

use super::{ColumnInfo, InputFormat, Parse, ReadOptions};
use crate::error::Error;
use crate::read::boards::blocks;
use crate::read::boards::opensudoku;
use crate::read::input::chunker::Cut;
use crate::read::input::sniff::{HEAD, Head};
use crate::read::text::csv;
use crate::read::text::hodoku;
use crate::read::text::json_array;
use crate::read::text::lines;
use crate::read::text::ndjson;
use crate::read::text::puzzle_bank;
use crate::read::text::puzzle_count;

/// Every text format, in the order in which a text is asked whether it is of it. The last takes
/// every text.
pub(crate) static FORMATS: &[&dyn TextFormat] = &[
    &json_array::Format,
    &ndjson::Format,
    &opensudoku::Format,
    &hodoku::Format,
    &puzzle_bank::Format,
    &puzzle_count::Format,
    &csv::Format,
    &blocks::Format,
    &lines::Format,
];

/// A text format: how it is recognised, and what reads it.
pub(crate) trait TextFormat: Sync {
    /// Its name.
    fn format(&self) -> InputFormat;

    /// Whether its columns are found by name, so that options can name them.
    fn has_header(&self) -> bool {
        false
    }

    /// How many of the first bytes [`open`](TextFormat::open) looks at.
    fn head_bytes(&self, _: &ReadOptions) -> usize {
        HEAD
    }

    /// What in these first bytes makes them a text of this format, if they are.
    fn detect(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Option<String>, Error>;

    /// The reader of a text that starts like this.
    fn open(&self, head: &Head<'_>, options: &ReadOptions) -> Result<Opened, Error>;

    /// A text of this format with one record, for tests.
    #[cfg(test)]
    fn example(&self) -> String;
}

/// What cuts a text and takes it apart.
pub(crate) trait TextReader: Cut + Parse {}

impl<R: Cut + Parse> TextReader for R {}

/// A text format with what the head and the options make of it.
pub(crate) struct Opened {
    pub reader: std::sync::Arc<dyn TextReader>,
    /// Where the first record starts, in bytes and in lines.
    pub start: (usize, u64),
    pub carried: Vec<FieldRef>,
    pub columns: Vec<ColumnInfo>,
    pub has_solutions: bool,
    pub delimiter: Option<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::input::sniff;
    use clap::ValueEnum;

    #[test]
    fn every_format_of_text_is_registered_once_and_recognises_its_example() {
        let named = InputFormat::value_variants();
        for format in named {
            let name = format.to_possible_value().unwrap();
            assert_eq!(name.get_name(), format.id());
            assert!(name.get_help().is_some(), "{}", format.id());
        }
        for (at, format) in FORMATS.iter().enumerate() {
            let id = format.format().id();
            let same = |other: &&&dyn TextFormat| other.format() == format.format();
            assert_eq!(FORMATS.iter().filter(same).count(), 1, "{id}");
            assert!(named.contains(&format.format()));

            let example = format.example();
            for text in [
                example.clone(),
                format!("\u{feff}{example}"),
                example.replace('\n', "\r\n"),
            ] {
                let head = Head::new("in", text.as_bytes());
                let options = ReadOptions::default();
                let (found, why) = sniff::text(&head, &options).unwrap();
                assert_eq!(found.format().id(), id, "{why}: {text}");
                assert!(!why.is_empty());
                let opened = format.open(&head, &options).unwrap();
                let body = &text.as_bytes()[opened.start.0..];
                let whole = opened.reader.cut(body, true);
                assert_eq!((whole.rows, whole.end), (1, body.len()), "{id}: {text}");
            }
            let none = Head::new("in", b"");
            let takes_all = format
                .detect(&none, &ReadOptions::default())
                .unwrap()
                .is_some();
            assert_eq!(takes_all, at + 1 == FORMATS.len(), "{id}");
        }
    }
}
