//! The list of all text formats. To add a format, add a file with a type that implements [`TextFormat`], and a line in
//! [`FORMATS`].

use crate::read::boards::{blocks, opensudoku};
use crate::read::text::json;
use crate::read::text::{csv, hodoku, lines, puzzle_bank, puzzle_count};
use crate::read::text_format::TextFormat;

/// Every text format, in the order in which the formats are tried. The last one accepts every text.
pub(crate) static FORMATS: &[&dyn TextFormat] = &[
    &json::array::Format,
    &json::ndjson::Format,
    &opensudoku::Format,
    &hodoku::Format,
    &puzzle_bank::Format,
    &puzzle_count::Format,
    &csv::Format,
    &blocks::Format,
    &lines::Format,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::bytes::head::Head;
    use crate::read::detect::sniff;
    use crate::read::{InputFormat, ReadOptions};
    use clap::ValueEnum;

    #[test]
    fn every_format_of_text_is_registered_once_and_recognises_its_example() {
        let format_names = InputFormat::value_variants();
        for format in format_names {
            let name = format.to_possible_value().unwrap();
            assert_eq!(name.get_name(), format.id());
            assert!(name.get_help().is_some(), "{}", format.id());
        }
        for (at, format) in FORMATS.iter().enumerate() {
            let id = format.format().id();
            let is_same_format = |other: &&&dyn TextFormat| other.format() == format.format();
            assert_eq!(FORMATS.iter().filter(is_same_format).count(), 1, "{id}");
            assert!(format_names.contains(&format.format()));

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
                let opened_format = format.open(&head, &options).unwrap();
                let body = &text.as_bytes()[opened_format.start.0..];
                let complete = opened_format.reader.cut(body, true);
                assert_eq!(
                    (complete.rows, complete.end),
                    (1, body.len()),
                    "{id}: {text}"
                );
            }
            let empty_head = Head::new("in", b"");
            let accepts_every_text = format
                .detect(&empty_head, &ReadOptions::default())
                .unwrap()
                .is_some();
            assert_eq!(accepts_every_text, at + 1 == FORMATS.len(), "{id}");
        }
    }
}
