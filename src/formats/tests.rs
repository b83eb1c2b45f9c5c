//! Checks every entry of the registry.

use std::collections::HashSet;

use super::*;
use crate::read::ReadOptions;
use crate::read::bytes::head::Head;
use crate::read::format::Turn;

#[test]
fn ids_names_and_endings_are_unique_and_documented() {
    let is_sentence_part = |doc: &str| !doc.is_empty() && !doc.ends_with('.');
    let mut names = HashSet::new();
    for format in input_formats() {
        assert!(is_sentence_part(format.doc), "{format}");
        let readers = [
            format.file.is_some(),
            format.bytes.is_some(),
            format.text.is_some(),
        ];
        assert!(readers.contains(&true), "{format} has a reader");
        for name in format.aliases.iter().chain([&format.id]) {
            assert!(names.insert(*name), "{name}");
        }
        assert_eq!(InputFormat::from_id(format.id), Some(format));
    }
    let mut ids = HashSet::new();
    for format in output_formats() {
        assert!(is_sentence_part(format.doc), "{}", format.id);
        assert!(ids.insert(format.id), "{}", format.id);
        for ending in format.endings {
            assert_eq!(OutputFormat::from_ending(ending), Some(format));
            assert_eq!(*ending, ending.to_ascii_lowercase());
        }
    }
    assert_eq!(OutputFormat::from_ending("PQ"), Some(OutputFormat::PARQUET));
    assert_eq!(OutputFormat::from_ending("what"), None);
}

#[test]
fn every_text_format_recognises_its_example() {
    let texts = || input_formats().filter_map(|format| Some((format, format.text?)));
    for (format, text_format) in texts() {
        let id = format.id;
        let example = text_format.example();
        for text in [
            example.clone(),
            format!("\u{feff}{example}"),
            example.replace('\n', "\r\n"),
        ] {
            let head = Head::new("in", text.as_bytes());
            let options = ReadOptions::default();
            let (found, _, why) = sniff::text(&head, &options).unwrap();
            assert_eq!(found, format, "{why}: {text}");
            assert!(!why.is_empty());
            let opened_format = text_format.open(&head, &options).unwrap();
            let body = &text.as_bytes()[opened_format.start.0..];
            let complete = opened_format.reader.cut(body, true);
            assert_eq!(
                (complete.rows, complete.end),
                (1, body.len()),
                "{id}: {text}"
            );
        }
        let empty_head = Head::new("in", b"");
        let detected = text_format.detect(&empty_head, &ReadOptions::default());
        let accepts_every_text = detected.unwrap().is_some();
        assert_eq!(accepts_every_text, text_format.turn() == Turn::Any, "{id}");
    }
    let last = texts().filter(|(_, text_format)| text_format.turn() == Turn::Any);
    assert_eq!(last.count(), 1);
}

/// Where a command writes the rows of an input in the input's own format, the format holds the same columns.
#[test]
fn every_input_has_an_output_format() {
    let named = |ending: &str| OutputFormat::from_ending(ending);
    for (input, ending, expected) in [
        ("csv", "csv", "csv"),
        ("csv", "tsv", "tsv"),
        ("csv", "txt", "csv"),
        ("json", "json", "ndjson"),
        ("ndjson", "csv", "ndjson"),
        ("arrow", "feather", "arrow"),
        ("arrow", "arrows", "arrow-stream"),
        ("lines", "sdm", "lines"),
        ("blocks", "sdk", "lines"),
        ("npy", "npy", "npy"),
        ("npz", "npz", "parquet"),
        ("parquet", "pq", "parquet"),
        ("hodoku", "txt", "csv"),
        ("puzzle_bank", "txt", "csv"),
    ] {
        let format = InputFormat::from_id(input).unwrap();
        let written = format.output_format(named(ending));
        assert_eq!(written.id, expected, "{input} {ending}");
    }
}
