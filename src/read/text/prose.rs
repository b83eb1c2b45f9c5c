//! Tells sentences with commas apart from a table.
//!
//! ```text
//! It was late, and nobody spoke.        id,name,year
//! Then, at last, the door opened.       1,"Smith, J.",1999
//! They all rose, slowly.                2,Jones,2001
//! ```
//!
//! All records of a table have as many fields as its header, but the number of commas differs from sentence to
//! sentence. The check is only used for commands that accept tables without puzzles.

use crate::read::bytes::head::Head;
use crate::read::text::header::{Header, header};

/// The maximum number of records that are compared with the header.
const MOST_RECORDS: usize = 200;

/// A field with at least this many words is probably a part of a sentence, so it is not a column name.
const CLAUSE_WORDS: usize = 3;

/// If this many records have as many fields as the header, the text is a table, however much the header looks like
/// prose.
const ENOUGH_RECORDS: usize = 3;

/// Whether the text consists of sentences, although its first line was parsed as the column names `names`.
pub(super) fn is_prose(head: &Head<'_>, names: &Header) -> bool {
    let width = names.names.len();
    let (mut fitting, mut others, mut ending) = (0, 0, 0);
    let mut record_start = names.end;
    while record_start < head.bytes.len() && fitting + others < MOST_RECORDS {
        let record = header(head.bytes, record_start, names.delimiter);
        if record.end <= record_start || record.end >= head.bytes.len() && !head.is_all {
            break;
        }
        record_start = record.end;
        if record.names.iter().all(String::is_empty) && record.names.len() == 1 {
            continue;
        }
        if record.names.len() == width {
            fitting += 1;
        } else {
            others += 1;
        }
        ending += usize::from(record.names.last().is_some_and(String::is_empty));
    }
    if others > fitting && (has_clause(&names.names, 2) || ends_as_sentence(&names.names)) {
        return true;
    }
    // Lines of verse often end with a comma, which gives an empty last name. In a table, all records would end so.
    let is_verse = names.names.last().is_some_and(String::is_empty);
    let is_verse = is_verse && has_clause(&names.names, CLAUSE_WORDS);
    if is_verse && ending < fitting + others {
        return true;
    }
    let is_sentence = ends_as_sentence(&names.names) && has_clause(&names.names, CLAUSE_WORDS);
    is_sentence && (fitting < ENOUGH_RECORDS || width == 1)
}

/// Whether one of the names has at least `least` words.
fn has_clause(names: &[String], least: usize) -> bool {
    let word_count = |name: &String| name.split_whitespace().count();
    names.iter().any(|name| word_count(name) >= least)
}

fn ends_as_sentence(names: &[String]) -> bool {
    let last_name = names.last().map_or("", String::as_str);
    let last_name = last_name.trim_end_matches(['"', '”', '’', ')']);
    last_name.ends_with(['.', '!', '?', ':', '…'])
}

#[cfg(test)]
mod tests {
    use crate::read::ReadOptions;
    use crate::read::bytes::head::Head;
    use crate::read::text::first_line::{FirstLine, first_line};

    fn is_table(text: &str) -> bool {
        let options = ReadOptions {
            any_table: true,
            ..ReadOptions::default()
        };
        matches!(
            first_line(&Head::new("in", text.as_bytes()), &options),
            FirstLine::Names(_)
        )
    }

    /// Regression test: sentences with commas were read as a table, and `stats` described them.
    #[test]
    fn sentences_with_commas_are_no_table() {
        for prose in [
            "It was late, and nobody spoke.\nThen, at last, the door opened.\nThey all rose.\n",
            "Dear Sir, I have the honour to write to you.\n",
            "Dear Sir, I have the honour\nto write to you.\nYours, faithfully, a reader.\n",
            "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you.\n",
            "He said: \u{201c}No, I will not.\u{201d}\nShe left.\n",
            "Nothing here, nothing there, and so on.\n\nA second paragraph has no such mark.\n\nNor has the third one.\n",
            "First, a list; then, another: of three, or four.\nIt ends; it began.\n",
            "This is the first sentence. This is the second.\nAnd a third one.\nOne more.\nLast.\n",
        ] {
            assert!(!is_table(prose), "{prose}");
        }
    }

    #[test]
    fn tables_of_one_column_and_of_several_are_tables() {
        for table in [
            "id,name\n1,a\n2,b\n",
            "id,name\n",
            "name, age\nBob, 3\n",
            "id,text\n1,\"It was late, and nobody spoke.\"\n2,\"Yes, no, and perhaps.\"\n",
            "id,text\n1,\"a line\n\nand another, with a comma\"\n2,b\n",
            "Name,No.\nBob,3\n",
            "puzzle id,is it an easy one?\n1,yes\n2,no\n3,no\n",
            "a,b,c,\n1,2,3,\n4,5,6,\n",
            "the number of givens,\n1,\n2,\n",
            "a;b\n1,5;2,5\n3,5;4,5\n",
            "a,b\n1,2\n1,2,3\n4,5\n6,7\n",
            "a,b\n1\n",
            "clues\n17\n18\n",
            "level\neasy\n",
            "number of givens\n17\n",
            "a\tb\n1, 2 and 3\tc\n",
        ] {
            assert!(is_table(table), "{table}");
        }
    }
}
