//! Parses records that are JSON objects. The keys of the first objects are the columns.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::datatypes::{DataType, Field, FieldRef};
use memchr::memchr;

use crate::carry::text::json_keys::{self, KeyPositions};
use crate::carry::text::{ColumnTypes, InferredType, RequestedTypes, Syntax};
use crate::error::Error;
use crate::options::KEEP;
use crate::read::bytes::head::Head;
use crate::read::columns::{Columns, choose, find_named};
use crate::read::grids::NumberSymbols;
use crate::read::text::json::cells::{self, bad_json};
use crate::read::text::json::grids::{empty_cell, grid};
use crate::read::text::line_records::Grids;
use crate::read::{ColumnInfo, InferTypes, Keep, ReadOptions};
use crate::table::reject::{RejectKind, RejectReason};

/// Columns and their types are inferred from this many bytes at the start of a text.
pub(crate) const HEAD_BYTES: usize = 1 << 20;

/// Parses JSON objects. The columns are inferred from the first objects of the text and the options.
pub(crate) struct ObjectParser {
    /// The names of the columns. A name is a key, or a path to a nested value, such as `game.board`.
    keys: KeyPositions,
    /// The columns whose values are inside other values. For each: its index, the index of the column that contains the
    /// value, and the keys that lead to it.
    paths: Vec<(usize, usize, Vec<String>)>,
    columns: Columns,
    types: Arc<ColumnTypes>,
    /// The numbers that stand for empty cells and for digits, in puzzles and in solutions that are arrays.
    symbols: (NumberSymbols, NumberSymbols),
    /// Whether a key that is not a column is ignored. Otherwise it causes the record to be rejected.
    drops_unknown_keys: bool,
    /// Whether the warning about a repeated key has been logged. It is logged only once.
    has_warned: AtomicBool,
    /// Whether the number of an empty cell was inferred.
    are_symbols_inferred: bool,
    /// Whether the inferred number has been logged.
    has_logged_symbols: AtomicBool,
}

impl ObjectParser {
    /// Infers the columns from `objects`, which are the first objects of the text.
    pub(crate) fn new<'a>(
        head: &Head<'a>,
        objects: impl Iterator<Item = &'a str>,
        options: &ReadOptions,
    ) -> Result<ObjectParser, Error> {
        let mut keys = KeyPositions::default();
        let mut may_be_grid = Vec::new();
        let mut inferred_types: Vec<InferredType> = Vec::new();
        let mut arrays: Vec<Vec<&str>> = Vec::new();
        for pairs in objects.filter_map(|object| json_keys::keys_and_values(object).ok()) {
            let mut next_key = 0;
            for (key, value) in pairs {
                let key_index = keys.position(&key, next_key).unwrap_or_else(|| {
                    may_be_grid.push(false);
                    inferred_types.push(InferredType::default());
                    arrays.push(Vec::new());
                    keys.add_name(key)
                });
                may_be_grid[key_index] |= value.starts_with(['"', '[']);
                inferred_types[key_index].add_value(Syntax::Json, value);
                if value.starts_with('[') {
                    arrays[key_index].push(value);
                }
                next_key = key_index + 1;
            }
        }
        let kept_names: &[String] = match &options.keep {
            Keep::Only(names) => names,
            Keep::All | Keep::None => &[],
        };
        let mut paths = Vec::new();
        for name in [&options.puzzle_column, &options.solution_column]
            .into_iter()
            .flatten()
        {
            let names = keys.names();
            if let Some((parent, path)) = find_nested_value(names, name) {
                paths.push((names.len(), parent, path));
            }
            if find_named(names, name).is_none() {
                keys.add_name(name.clone());
            }
        }
        let sampled_count = keys.names().len();
        for name in kept_names {
            keys.add_name(name.clone());
        }
        let names = keys.names();
        may_be_grid.resize(names.len(), true);
        inferred_types.resize(names.len(), InferredType::Text);
        let columns = choose(head.source_name, names, options, &|at| may_be_grid[at])?;
        let symbols = |column: Option<usize>| {
            let arrays = column.and_then(|at| arrays.get(at));
            let inferred = || arrays.map_or(0.into(), |arrays| cells::inferred_symbols(arrays));
            (options.token_offset).map_or_else(inferred, NumberSymbols::from)
        };
        let requested_types = RequestedTypes::new(&options.column_types);
        let fields = columns.carried.iter().map(|(at, name)| {
            let inferred = match options.infer_types {
                // The other inputs may have a type for it.
                _ if *at >= sampled_count && options.keep_may_lack => DataType::Null,
                InferTypes::None => InferredType::Text.data_type(),
                InferTypes::Auto | InferTypes::All => inferred_types[*at].data_type(),
            };
            let inferred = if options.nested_as_text && inferred.is_nested() {
                DataType::Utf8
            } else {
                inferred
            };
            let data_type = requested_types.type_of(name).unwrap_or(inferred);
            Arc::new(Field::new(name, data_type, true)) as FieldRef
        });
        Ok(ObjectParser {
            types: Arc::new(ColumnTypes::new(
                head.source_name,
                Syntax::Json,
                fields.collect(),
            )),
            symbols: (
                symbols(columns.puzzle),
                symbols(columns.solution).for_solutions(),
            ),
            keys,
            paths,
            columns,
            drops_unknown_keys: options.keep != Keep::All,
            has_warned: AtomicBool::new(false),
            are_symbols_inferred: options.token_offset.is_none(),
            has_logged_symbols: AtomicBool::new(false),
        })
    }

    /// The names and roles of the columns.
    pub(crate) fn column_infos(&self) -> Vec<ColumnInfo> {
        self.columns.roles(self.keys.names())
    }

    /// Whether there is a solution column.
    pub(crate) fn has_solutions(&self) -> bool {
        self.columns.solution.is_some()
    }

    /// The types of the columns that are copied to the output.
    pub(crate) fn types(&self) -> &Arc<ColumnTypes> {
        &self.types
    }

    fn warn_of_repeated_key(&self, at: usize) {
        if !self.has_warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "{}: an object has the key {:?} twice: the last value counts; this is said once",
                self.types.source_name(),
                self.keys.names()[at]
            );
        }
    }

    /// Parses an object. `values` is a reused buffer with one value per column. The JSON texts of the values that are
    /// copied to the output are appended to `carried_values`.
    pub(crate) fn parse_object<'a>(
        &self,
        record: &'a [u8],
        values: &mut Vec<Option<&'a str>>,
        carried_values: &mut Vec<Option<Cow<'a, str>>>,
    ) -> Result<Grids<'a>, RejectReason> {
        let text = std::str::from_utf8(record).map_err(|error| {
            let message = format!(
                "byte {} of the record is not UTF-8",
                error.valid_up_to() + 1
            );
            RejectReason::new(RejectKind::NotUtf8, message)
        })?;
        values.clear();
        values.resize(self.keys.names().len(), None);
        let special = json_keys::read_object(text, &self.keys, values).map_err(|error| {
            let mut reason = bad_json(&error);
            if text.contains("NaN") {
                reason.message += "; NaN is no JSON: write null";
            }
            reason
        })?;
        if let Some(at) = special.repeated_position {
            self.warn_of_repeated_key(at);
        }
        if let Some(key) = special.first_unknown.filter(|_| !self.drops_unknown_keys) {
            let message = format!(
                "no column has the key {key:?}, which is in none of the first records; name it with {KEEP}, or leave such keys out with {}",
                KEEP.set_to("none")
            );
            return Err(RejectReason::new(RejectKind::TooManyColumns, message));
        }
        for (at, parent, path) in &self.paths {
            values[*at] = values[*parent].and_then(|object| json_keys::value_at_path(object, path));
        }
        // A record whose puzzle is null keeps its other values, among them the key that predictions are joined by.
        for (at, _) in &self.columns.carried {
            carried_values.push(match values[*at] {
                None | Some("null") => None,
                Some(json) => {
                    // Escapes in this text have not been checked yet. An escape that is half of a surrogate pair is
                    // invalid.
                    if memchr(b'\\', json.as_bytes()).is_some() {
                        serde_json::from_str::<serde_json::Value>(json)
                            .map_err(|error| bad_json(&error))?;
                    }
                    Some(Cow::Borrowed(json))
                }
            });
        }
        let name = self.columns.puzzle.map(|at| &self.keys.names()[at]);
        let puzzle = match self.columns.puzzle.map(|at| values[at]) {
            None => Cow::Borrowed(""),
            Some(None) => {
                let name = name.map_or("", String::as_str);
                let message = format!("the object has no key {name:?}");
                return Err(RejectReason::new(RejectKind::MissingColumn, message));
            }
            Some(Some("null")) => {
                return Err(RejectReason::new(
                    RejectKind::NullValue,
                    "the puzzle is null",
                ));
            }
            Some(Some(json)) => {
                if self.are_symbols_inferred
                    && !self.has_logged_symbols.swap(true, Ordering::Relaxed)
                    && let Some(description) = self.symbols.0.description()
                {
                    let name = self.types.source_name();
                    tracing::info!("{name}: in most of its grids, {description}");
                }
                grid(json, self.symbols.0)?
            }
        };
        let solution = self.columns.solution.and_then(|at| values[at]);
        let solution = match solution {
            None | Some("null") => None,
            // A solution that is not a grid is kept as text, so that validation reports it as wrong.
            Some(json) => {
                let solution = grid(json, self.symbols.1);
                Some(solution.unwrap_or(Cow::Borrowed(json)))
            }
        };
        let solution = solution.filter(|solution| !solution.is_empty());
        let json = self.columns.puzzle.and_then(|at| values[at]);
        Ok(Grids {
            puzzle: into_bytes(puzzle),
            solution: solution.map(into_bytes),
            empty: json.and_then(|json| empty_cell(json, self.symbols.0)),
        })
    }
}

/// For a name such as `a.b.c`, finds a column `a` or `a.b`. Returns its index, and the keys inside its values that lead
/// to the named value. `None` if there is no such column, or if a column has the whole name.
fn find_nested_value(names: &[String], wanted: &str) -> Option<(usize, Vec<String>)> {
    if find_named(names, wanted).is_some() {
        return None;
    }
    wanted.char_indices().find_map(|(at, character)| {
        let parent = (character == '.').then(|| &wanted[..at])?;
        let parent = names.iter().position(|name| name == parent)?;
        let path = wanted[at + 1..].split('.').map(str::to_owned);
        Some((parent, path.collect()))
    })
}

fn into_bytes(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}
