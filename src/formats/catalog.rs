//! Opens all inputs of a run to learn their formats. Also finds common types for the columns that are copied to the
//! output.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, FieldRef};

use crate::carry::common_type::common_type;
use crate::carry::logical;
use crate::carry::name_index::NameIndex;
use crate::carry::widening::is_readable_as;
use crate::error::{Error, InputError};
use crate::formats::open::open_ahead;
use crate::read::detect::names::ColumnNames;
use crate::read::detect::{folder_columns, variants};
use crate::read::{
    Input, InputFormat, InputInfo, Keep, KnownInputs, ReadOptions, RecognisedInput, Recognition,
    can_be_read_once,
};
use crate::store::{
    AheadInput, FetchedObject, FileMetadata, LEAST_OBJECT_BYTES, Location, ReadAhead, UrlScheme,
    is_scratch, without_secrets,
};

/// The maximum number of files of a single call that stay open until they are read. Those with columns that are copied are
/// opened again, because the columns of the other inputs can change how they are read.
const MOST_OPEN_OF_CALL: usize = 8;

/// All inputs of a run, in the order in which they are read, and their columns.
#[derive(Default)]
pub struct Catalog {
    /// The properties of each input.
    pub inputs: Vec<CatalogInput>,
    /// The columns that are copied to the output, from all inputs together. Column names that differ only in case are
    /// the same.
    pub carried: Vec<FieldRef>,
    /// The names and the order of the input's columns, for outputs with the same columns as the input.
    pub names: ColumnNames,
    /// The warning about the first input whose puzzles may be of a variant of Sudoku.
    variant_warning: Option<String>,
    /// Whether any input has a column of given solutions.
    pub has_solutions: bool,
    /// Maps the name of each column in `carried` to its index there.
    index: NameIndex,
    /// For each column in `carried`, its different types in the inputs, each with the first input that has this type.
    types: Vec<Vec<(FieldRef, String)>>,
    /// What the log says about the way in which inputs are read, each with the first input and the number of inputs.
    notes: BTreeMap<String, (String, usize)>,
    /// For each column in `carried`, whether every input can read it as text, even if its type there is nested.
    has_text: Vec<bool>,
}

/// An input of the run, in the state that it had when the catalog was made.
pub struct CatalogInput {
    /// The path, as the user gave it.
    pub path: String,
    /// The format and size of the input, or the error if it could not be opened.
    pub info: Result<InputInfo, Error>,
    /// The size and time of the file, or the version of the object, when the input was opened.
    pub metadata: FileMetadata,
    /// The opened input, if it is the run's only input, cannot be opened twice, or is one of few files of a single call;
    /// otherwise `None`.
    pub opened: Option<Input>,
    /// The bytes of a small object of a store, so that they need not be requested again; otherwise `None`.
    pub fetched: Option<FetchedObject>,
    /// What manifests keep about an object of a store.
    pub recognition: Option<Recognition>,
}

impl Catalog {
    /// Opens every input. An input with bad data stays in the catalog, and its error is reported when the job
    /// reads it.
    ///
    /// # Errors
    /// An input cannot be read, or the types of columns with the same name have no common type.
    pub fn from_paths(paths: &[String], options: &ReadOptions) -> Result<Catalog, Error> {
        Catalog::with_known(paths, options, LEAST_OBJECT_BYTES, &KnownInputs::default())
    }

    /// The catalog of an input that is open already, which has these columns.
    pub(crate) fn from_carried(carried: Vec<FieldRef>) -> Catalog {
        Catalog {
            carried,
            ..Catalog::default()
        }
    }

    /// Like [`Catalog::from_paths`], but does not open inputs that an earlier run has recognised and that have not
    /// changed since. Small objects of stores are fetched before their turn and kept until they are read;
    /// `object_bytes` limits their size in total.
    ///
    /// # Errors
    /// Those of [`Catalog::from_paths`].
    pub fn with_known(
        paths: &[String],
        options: &ReadOptions,
        object_bytes: u64,
        known: &KnownInputs,
    ) -> Result<Catalog, Error> {
        let mut catalog = Catalog {
            inputs: Vec::with_capacity(paths.len()),
            ..Catalog::default()
        };
        let options = &ReadOptions {
            keep_may_lack: paths.len() > 1,
            ..options.clone()
        };
        let folder_types = folder_columns::types(paths, options);
        let known: Vec<_> = paths
            .iter()
            .map(|path| known.find(path, options, InputFormat::from_id))
            .collect();
        let planned = paths.iter().zip(&known).map(|(path, known)| {
            let is_fetched = known.is_none() && paths.len() > 1;
            ReadAhead::plan(path, None).filter(|_| is_fetched)
        });
        let mut objects = ReadAhead::new(planned, object_bytes);
        let mut free_bytes = object_bytes.saturating_sub(ReadAhead::share_of(object_bytes));
        for (path, known) in paths.iter().zip(known) {
            let ahead = objects.next();
            if let Some((recognised, recognition, metadata)) = known {
                catalog.add(path, &recognised, &folder_types)?;
                catalog.inputs.push(CatalogInput {
                    path: path.clone(),
                    info: Ok(recognised.info),
                    metadata,
                    opened: None,
                    fetched: None,
                    recognition: Some(recognition),
                });
                continue;
            }
            let fetched = match &ahead {
                Some(Ok(AheadInput::Fetched(object))) => Some(object.clone()),
                _ => None,
            };
            let fetched = fetched
                .filter(|object| object.size() <= free_bytes)
                .inspect(|object| free_bytes -= object.size());
            let catalog_input = match open_ahead(path, options, ahead) {
                Ok(input) => {
                    let recognised = RecognisedInput::from(&input);
                    catalog.add(path, &recognised, &folder_types)?;
                    let name = without_secrets(path);
                    for note in &input.detection.notes {
                        let inputs = catalog.notes.entry(note.clone());
                        inputs.or_insert_with(|| (name.clone().into_owned(), 0)).1 += 1;
                    }
                    if catalog.variant_warning.is_none() {
                        let columns = &input.detection.columns;
                        catalog.variant_warning = variants::warning(&name, columns);
                    }
                    let recognition = (is_object_in_store(path))
                        .then(|| Recognition::new(&recognised, options))
                        .flatten();
                    let before = catalog.inputs.last();
                    let before = before.and_then(|input| input.recognition.as_ref());
                    let recognition =
                        recognition.map(|recognition| recognition.shared_with(before));
                    let has_few_files =
                        paths.len() <= MOST_OPEN_OF_CALL && is_scratch(Path::new(path));
                    let keeps_input = paths.len() == 1
                        || can_be_read_once(path)
                        || has_few_files && input.carried.is_empty();
                    CatalogInput {
                        path: path.clone(),
                        info: Ok(recognised.info.clone()),
                        metadata: input.metadata.clone(),
                        opened: keeps_input.then_some(input),
                        fetched,
                        recognition,
                    }
                }
                Err(error) if error.is_about_data() => CatalogInput {
                    path: path.clone(),
                    info: Err(error),
                    metadata: FileMetadata::default(),
                    opened: None,
                    fetched,
                    recognition: None,
                },
                Err(error) => return Err(error),
            };
            catalog.inputs.push(catalog_input);
        }
        if matches!(options.keep, Keep::Only(_)) {
            catalog.keep_as_text();
        }
        Ok(catalog)
    }

    /// Adds the columns of an input.
    fn add(
        &mut self,
        path: &str,
        input: &RecognisedInput,
        folder_types: &BTreeMap<String, DataType>,
    ) -> Result<(), Error> {
        let name = without_secrets(path);
        self.carry(&name, input, folder_types)?;
        self.names.add(&name, input);
        self.has_solutions |= input.info.has_solutions;
        Ok(())
    }

    /// Adds the columns of an input that are copied to the output. `folder_types` are the types of partition columns,
    /// by name.
    fn carry(
        &mut self,
        path: &str,
        input: &RecognisedInput,
        folder_types: &BTreeMap<String, DataType>,
    ) -> Result<(), Error> {
        let folder_fields = input.folders.iter().map(|column| {
            let data_type = folder_types.get(&column.name.to_ascii_lowercase());
            let data_type = data_type.cloned().unwrap_or(DataType::Utf8);
            Arc::new(Field::new(&column.name, data_type, true))
        });
        let folder_fields: Vec<FieldRef> = folder_fields.collect();
        for field in input.carried.iter().chain(&folder_fields) {
            let has_text =
                input.info.format.has_any_value_as_text || !field.data_type().is_nested();
            let Some(at) = self.index.index_of(field.name()) else {
                self.index.add(field.name(), self.carried.len());
                self.carried.push(Arc::clone(field));
                self.types.push(vec![(Arc::clone(field), path.to_owned())]);
                self.has_text.push(has_text);
                continue;
            };
            let is_same_type = |(known, _): &(FieldRef, String)| {
                known.data_type() == field.data_type() && known.metadata() == field.metadata()
            };
            if !self.types[at].iter().any(is_same_type) {
                self.types[at].push((Arc::clone(field), path.to_owned()));
            }
            self.has_text[at] &= has_text;
            let has_text = self.has_text[at];
            match &mut self.carried[at] {
                known if known.data_type() == field.data_type() => {
                    if known.metadata() != field.metadata() {
                        // The storage types of the inputs agree, but their extension types do not, so the extension
                        // type is dropped.
                        let without_metadata =
                            Field::clone(known).with_metadata(Default::default());
                        *known = Arc::new(without_metadata);
                    }
                }
                // The earlier inputs have no values in this column, so it takes the type of this input.
                known if *known.data_type() == DataType::Null => {
                    *known = Arc::new(Field::clone(field).with_name(known.name()));
                }
                _ if *field.data_type() == DataType::Null => {}
                known => {
                    let text_type = has_text.then_some(DataType::Utf8);
                    let shared_type =
                        common_type(known.data_type(), field.data_type()).or(text_type);
                    let shared_type = shared_type.ok_or_else(|| InputError::TypesDiffer {
                        column: field.name().clone(),
                        data_type: field.data_type().clone(),
                        input: path.to_owned(),
                        earlier: known.data_type().clone(),
                    })?;
                    *known = Arc::new(Field::new(known.name(), shared_type, true));
                }
            }
        }
        Ok(())
    }

    /// Makes the columns text that are kept by name and have no values in the first records of any input: JSON can
    /// have them later.
    fn keep_as_text(&mut self) {
        let infos = self
            .inputs
            .iter()
            .filter_map(|input| input.info.as_ref().ok());
        if !infos
            .into_iter()
            .any(|info| info.format.has_any_value_as_text)
        {
            return;
        }
        for field in self
            .carried
            .iter_mut()
            .filter(|field| field.data_type().is_null())
        {
            *field = Arc::new(Field::clone(field).with_data_type(DataType::Utf8));
        }
    }

    /// What the log says about the way in which inputs are read.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let notes = self.notes.iter();
        notes.map(|(note, (path, inputs))| match inputs {
            1 => format!("{path}: {note}"),
            more => format!("{path} and {} more: {note}", more - 1),
        })
    }

    /// Warnings about the inputs: puzzles that may be of a variant of Sudoku, and columns whose types differ.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.variant_warning.iter().cloned().chain(self.unified())
    }

    /// The first input that has the column with this index in `carried`.
    pub(crate) fn first_input_of(&self, at: usize) -> Option<&str> {
        let (_, input) = self.types.get(at)?.first()?;
        Some(input)
    }

    /// The first input with the current type of the column with this index in `carried`; otherwise the first input that
    /// has the column.
    pub(crate) fn input_of_type(&self, at: usize) -> Option<&str> {
        let data_type = self.carried.get(at)?.data_type();
        let mut types = self.types.get(at)?.iter();
        let same_type = types.find(|(field, _)| field.data_type() == data_type);
        same_type.map_or_else(|| self.first_input_of(at), |(_, input)| Some(input))
    }

    /// Gives the column with this index in `carried` a type that can also hold values of the type `earlier`. Returns
    /// whether the type has changed.
    pub(crate) fn widen(&mut self, at: usize, earlier: &DataType) -> bool {
        let Some(field) = self.carried.get_mut(at) else {
            return false;
        };
        let text_type = self.has_text[at].then_some(DataType::Utf8);
        let shared_type = common_type(earlier, field.data_type()).or(text_type);
        match shared_type.filter(|shared| is_readable_as(earlier, shared)) {
            Some(shared) if shared != *field.data_type() => {
                *field = Arc::new(Field::new(field.name(), shared, true));
                true
            }
            _ => false,
        }
    }

    /// Messages about columns whose types differ between the inputs: one message for each such column.
    fn unified(&self) -> impl Iterator<Item = String> {
        let columns = self.carried.iter().zip(&self.types);
        columns
            .map(|(field, types)| {
                // A column without values takes its type from the other inputs. This does not count as a difference.
                let has_type = |(known, _): &&(FieldRef, String)| !known.data_type().is_null();
                (field, types.iter().filter(has_type).collect::<Vec<_>>())
            })
            .filter(|(_, types)| types.len() > 1)
            .map(|(field, types)| {
                let types: Vec<String> = types
                    .iter()
                    .map(|(field, path)| format!("{} in {path}", logical::type_name(field)))
                    .collect();
                let becomes = logical::type_name(field);
                format!(
                    "column {} is {}: it becomes {becomes}",
                    field.name(),
                    types.join(", ")
                )
            })
    }
}

/// Whether an input is an object in a store, and not a file of a web server.
fn is_object_in_store(path: &str) -> bool {
    matches!(Location::parse(path), Ok(Location::Remote(url)) if url.scheme() != UrlScheme::Http)
}
