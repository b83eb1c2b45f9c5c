//! Documents of one JSON object, whose records are under one of its keys, or whose values are columns.
//!
//! ```text
//! {"data": [{"puzzle": …}, …], "version": 2}             records under a key
//! {"features": […], "rows": [{"row_idx": 0, "row": …}]}   rows of Hugging Face's API
//! {"0": {"puzzle": …}, "1": {"puzzle": …}}                records by their names
//! {"puzzle": […], "solution": […]}                         columns
//! {"puzzle": {"0": …, "1": …}, "solution": {…}}            columns of pandas
//! {"columns": […], "index": […], "data": [[…], …]}         pandas with orient="split"
//! ```
//!
//! Such a document is read into memory, and converted to a text with an object in each line.

use crate::carry::text::json_keys::{array_elements, keys_and_values};
use crate::read::ReadOptions;
use crate::read::columns::PUZZLE_NAMES;
use crate::read::text::json::elements::{ElementStop, element};
use crate::read::text::json::grids::is_whole_grid;

/// The maximum size of a document in bytes.
pub(crate) const MOST_DOCUMENT_BYTES: usize = 256 << 20;

/// A document as a text with an object in each line.
pub(crate) struct Converted {
    pub(crate) lines: String,
    /// The reason why the document has these records, as a sentence.
    pub(crate) why: String,
    /// The keys whose values are neither records nor columns.
    pub(crate) left_out: Vec<String>,
}

/// Whether a text with these first bytes may be one JSON object. `is_all` says whether they are the whole text.
pub(crate) fn may_be_document(head: &[u8], is_all: bool) -> bool {
    let text = head.trim_ascii();
    let has_key = text
        .strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""));
    if !has_key {
        return false;
    }
    let first = element(text, 0);
    first.stop == ElementStop::Cut && (!is_all || first.end == text.len())
}

/// Converts a document; `None` if the text is one record, or no JSON object. The error says why the records cannot be
/// chosen.
pub(crate) fn convert(text: &str, options: &ReadOptions) -> Result<Option<Converted>, String> {
    let Ok(pairs) = keys_and_values(text.trim_start_matches('\u{feff}')) else {
        return Ok(None);
    };
    let document = Document { pairs, options };
    if document.is_record() {
        return Ok(None);
    }
    if let Some(converted) = document.split_columns() {
        return Ok(Some(converted));
    }
    if let Some(converted) = document.records()? {
        return Ok(Some(converted));
    }
    Ok(document.columns().or_else(|| document.named_records()))
}

struct Document<'a> {
    pairs: Vec<(String, &'a str)>,
    options: &'a ReadOptions,
}

/// A value on one line. Line ends are never within texts of JSON.
fn on_one_line(json: &str) -> String {
    json.replace(['\n', '\r'], " ")
}

fn quoted(key: &str) -> String {
    serde_json::Value::from(key).to_string()
}

impl<'a> Document<'a> {
    fn is_puzzle_key(&self, key: &str) -> bool {
        match &self.options.puzzle_column {
            Some(name) => name == key || name.split('.').next() == Some(key),
            None => PUZZLE_NAMES.contains(&key.trim().to_ascii_lowercase().as_str()),
        }
    }

    /// Whether the document itself is a record: the value of its puzzle is a text, a number or a grid.
    fn is_record(&self) -> bool {
        self.pairs.iter().any(|(key, value)| {
            let is_text =
                value.starts_with('"') || value.starts_with(|first: char| first.is_ascii_digit());
            self.is_puzzle_key(key) && (is_text || is_whole_grid(value))
        })
    }

    /// Whether the JSON value is an object with a puzzle.
    fn has_puzzle(&self, json: &str) -> bool {
        keys_and_values(json)
            .is_ok_and(|pairs| pairs.iter().any(|(key, _)| self.is_puzzle_key(key)))
    }

    /// The document whose records are `lines`, from the values of the keys for which `is_used` is true.
    fn converted(
        &self,
        lines: impl Iterator<Item = String>,
        why: String,
        is_used: impl Fn(&str) -> bool,
    ) -> Converted {
        let unused = self.pairs.iter().filter(|(key, _)| !is_used(key));
        Converted {
            lines: lines.map(|line| line + "\n").collect(),
            why,
            left_out: unused.map(|(key, _)| key.clone()).collect(),
        }
    }

    /// The objects in an array under a key.
    fn records(&self) -> Result<Option<Converted>, String> {
        let arrays = self.pairs.iter().filter_map(|(key, value)| {
            let elements = array_elements(value).ok()?;
            elements
                .first()?
                .starts_with('{')
                .then_some((key, elements))
        });
        let mut arrays: Vec<(&String, Vec<&str>)> = arrays.collect();
        let row = ["row".to_owned()];
        let inner = |element: &'a str| {
            crate::carry::text::json_keys::value_at_path(element, &row)
                .filter(|row| row.starts_with('{'))
        };
        if let Some(at) = arrays.iter().position(|(key, elements)| {
            key.as_str() == "rows" && elements.iter().all(|element| inner(element).is_some())
        }) {
            let (key, elements) = arrays.swap_remove(at);
            let lines = elements
                .into_iter()
                .map(|element| on_one_line(inner(element).unwrap_or(element)));
            let why = "it is a JSON object with the rows of Hugging Face's API".to_owned();
            return Ok(Some(self.converted(lines, why, |own| own == key)));
        }
        if arrays.len() > 1 {
            let with_puzzles = |(_, elements): &(&String, Vec<&str>)| self.has_puzzle(elements[0]);
            if arrays.iter().any(with_puzzles) {
                arrays.retain(with_puzzles);
            }
        }
        match arrays.as_slice() {
            [] => Ok(None),
            // An array of objects for the cells of one puzzle.
            [(key, elements)] if self.is_puzzle_key(key) && !self.has_puzzle(elements[0]) => {
                Ok(None)
            }
            [(key, elements)] => {
                let lines = elements.iter().map(|element| on_one_line(element));
                let why = format!("it is a JSON object with records under the key {key:?}");
                Ok(Some(self.converted(lines, why, |own| own == key.as_str())))
            }
            [(first, _), ..] => {
                let keys: Vec<&str> = arrays.iter().map(|(key, _)| key.as_str()).collect();
                Err(format!(
                    "it is a JSON object with records under several keys ({}): jq -c '.{first}[]' writes those of one, \
                     an object in each line",
                    keys.join(", ")
                ))
            }
        }
    }

    /// The values of a column: the elements of an array, or the values of an object as pandas writes it.
    fn column(json: &'a str) -> Option<Vec<&'a str>> {
        match json.as_bytes().first()? {
            b'[' => array_elements(json).ok(),
            b'{' => {
                let pairs = keys_and_values(json).ok()?;
                let mut numbers = pairs.iter().map(|(key, _)| key.parse::<u64>());
                let is_index = numbers.all(|number| number.is_ok());
                is_index.then(|| pairs.into_iter().map(|(_, value)| value).collect())
            }
            _ => None,
        }
    }

    /// Columns of the same length, one of which has grids. An object with a grid as a text is a record, whatever lists it
    /// has.
    fn columns(&self) -> Option<Converted> {
        let is_grid_text = |value: &&str| value.starts_with('"') && is_whole_grid(value);
        if self.pairs.iter().any(|(_, value)| is_grid_text(&&**value)) {
            return None;
        }
        let columns = self.pairs.iter().filter_map(|(key, value)| {
            let column = Self::column(value).filter(|column| !column.is_empty())?;
            Some((key.clone(), column))
        });
        let columns: Vec<(String, Vec<&str>)> = columns.collect();
        let with_grids = |(_, column): &&(String, Vec<&str>)| {
            column.iter().take(10).any(|value| is_whole_grid(value))
        };
        let named = columns.iter().find(|(key, _)| self.is_puzzle_key(key));
        let mut grids = columns.iter().filter(with_grids);
        let (puzzle, values) = match (named, grids.next(), grids.next()) {
            (Some(named), ..) => named,
            // A single column of grids has the puzzles, whatever its name.
            (None, Some(only), None) => only,
            _ => return None,
        };
        let count = values.len();
        let own_name = if self.is_puzzle_key(puzzle) {
            puzzle.as_str()
        } else {
            "puzzle"
        };
        let used: Vec<&(String, Vec<&str>)> = columns
            .iter()
            .filter(|(_, column)| column.len() == count)
            .collect();
        let lines = (0..count).map(|row| {
            let fields = used.iter().map(|(key, column)| {
                let key = if key == puzzle { own_name } else { key };
                format!("{}: {}", quoted(key), on_one_line(column[row]))
            });
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        });
        let lines: Vec<String> = lines.collect();
        let why = "it is a JSON object of columns".to_owned();
        let is_used = |own: &str| used.iter().any(|(key, _)| key == own);
        Some(self.converted(lines.into_iter(), why, is_used))
    }

    /// The rows of pandas with `orient="split"`.
    fn split_columns(&self) -> Option<Converted> {
        let value = |wanted: &str| {
            let (_, value) = self.pairs.iter().find(|(key, _)| key == wanted)?;
            array_elements(value).ok()
        };
        let (names, rows) = (value("columns")?, value("data")?);
        let rows: Option<Vec<Vec<&str>>> = rows
            .into_iter()
            .map(|row| {
                array_elements(row)
                    .ok()
                    .filter(|row| row.len() == names.len())
            })
            .collect();
        let rows = rows.filter(|_| names.iter().all(|name| name.starts_with('"')))?;
        let lines = rows.iter().map(|row| {
            let fields = names.iter().zip(row);
            let fields = fields.map(|(name, value)| format!("{name}: {}", on_one_line(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(", "))
        });
        let why = "it is a JSON object with columns and their rows".to_owned();
        let lines: Vec<String> = lines.collect();
        let is_used = |own: &str| ["columns", "data", "index"].contains(&own);
        Some(self.converted(lines.into_iter(), why, is_used))
    }

    /// Records by their names: each value is an object with a puzzle.
    fn named_records(&self) -> Option<Converted> {
        let are_records = !self.pairs.is_empty()
            && self.pairs.iter().all(|(_, value)| value.starts_with('{'))
            && self.has_puzzle(self.pairs[0].1);
        are_records.then(|| {
            let lines = self.pairs.iter().map(|(_, value)| on_one_line(value));
            let why = "it is a JSON object of records".to_owned();
            self.converted(lines, why, |_| true)
        })
    }
}
