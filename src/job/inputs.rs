//! The inputs of a run. Each input is opened once to learn its columns; then the inputs are divided
//! among the shards.

use arrow::datatypes::FieldRef;

use crate::carry::type_name;
use crate::counts::Tally;
use crate::error::{Error, OptionError};
use crate::formats::{self, Catalog, CatalogInput};
use crate::job::RunOptions;
use crate::job::sharding::{OtherInput, ShardInputs};
use crate::numbers::thousands;
use crate::options::{KEEP, KEEP_GOING, TYPES};
use crate::read::{
    Input, InputInfo, Keep, KnownInputs, ReadOptions, Recognition, can_be_read_once,
};
use crate::store::{FetchedObject, FileMetadata, display_name};

/// The inputs of a run, divided among its shards.
pub struct Inputs {
    /// The columns of the inputs of all shards. They are used for every shard, so that all tables have the
    /// same columns.
    pub catalog: Catalog,
    /// The inputs of this shard.
    pub own: Vec<RunInput>,
    /// The inputs of the other shards.
    pub(super) inputs_of_other_shards: Vec<OtherInput>,
    /// The counts of the parts that earlier runs have written and that this run keeps.
    pub(super) earlier: Tally,
}

/// A file, an object or standard input, of which a job reads the whole or some row groups.
pub struct JobInput {
    /// The path, or `-` for standard input.
    pub path: String,
    /// The row groups that are read from a Parquet file; `None` for the whole input.
    pub row_groups: Option<Vec<usize>>,
    /// The size and version when the input was first opened. The run fails if they have changed when the input
    /// is read. The default value matches every input.
    pub metadata: FileMetadata,
    /// The opened input; `None` if the job still has to open it.
    pub opened: Option<Input>,
    /// The bytes of a small object of a store that has been fetched already.
    pub fetched: Option<FetchedObject>,
}

/// An input of this shard, with what is known about it from its first opening.
pub struct RunInput {
    /// The input as the job reads it.
    pub job: JobInput,
    /// The format and size; `None` if the input cannot be read as data.
    pub info: Option<InputInfo>,
    /// What manifests keep about an object of a store.
    pub(super) recognition: Option<Recognition>,
}

impl Inputs {
    /// Opens each of these files or objects, and selects the inputs of this shard. With `keep_going`, an input
    /// that cannot be parsed stays in the list, and the job reports it as damaged. Small objects of stores are kept
    /// until they are read, as far as the memory plan has room for them.
    ///
    /// # Errors
    /// An input cannot be read, the columns of the inputs do not fit together, or `options` give a
    /// type to a column that no input has.
    pub fn find(paths: &[String], options: &RunOptions) -> Result<Inputs, Error> {
        Inputs::find_with_known(paths, options, &KnownInputs::default())
    }

    /// A single input that is open, such as generated puzzles.
    pub(super) fn opened(input: JobInput) -> Inputs {
        let carried = input.opened.as_ref();
        let carried = carried.map(|opened| opened.carried.clone());
        Inputs {
            catalog: Catalog::from_carried(carried.unwrap_or_default()),
            own: vec![RunInput {
                job: input,
                info: None,
                recognition: None,
            }],
            inputs_of_other_shards: Vec::new(),
            earlier: Tally::default(),
        }
    }

    /// Like [`Inputs::find`], but does not open the inputs that an earlier run has recognised and that have not changed
    /// since.
    ///
    /// # Errors
    /// Those of [`Inputs::find`].
    pub fn find_with_known(
        paths: &[String],
        options: &RunOptions,
        known: &KnownInputs,
    ) -> Result<Inputs, Error> {
        let RunOptions {
            shard, keep_going, ..
        } = *options;
        let object_bytes = options.memory.object_bytes;
        let mut catalog = Catalog::with_known(paths, &options.read, object_bytes, known)?;
        for warning in catalog.warnings() {
            tracing::warn!("{warning}");
        }
        for note in catalog.notes() {
            tracing::warn!("{note}");
        }
        refuse_unused_types(&options.read, &catalog)?;
        refuse_missing_columns(&options.read, &catalog)?;
        let inputs = std::mem::take(&mut catalog.inputs);
        if !keep_going {
            log_unreadable(&inputs);
        }
        let shard_inputs = match shard {
            None => ShardInputs::without_sharding(inputs),
            Some(shard) => ShardInputs::for_shard(inputs, shard, keep_going)?,
        };
        let run_inputs = shard_inputs
            .own_inputs
            .into_iter()
            .map(|(known, row_groups)| {
                let CatalogInput {
                    path,
                    info,
                    metadata,
                    opened,
                    fetched,
                    recognition,
                } = known;
                let info = match info {
                    Ok(info) => Some(info),
                    Err(_) if keep_going => None,
                    // Without `keep_going`, the error is reported before the work starts.
                    Err(error) => return Err(error),
                };
                Ok(RunInput {
                    info,
                    recognition,
                    job: JobInput {
                        path,
                        metadata,
                        opened: opened.filter(|_| row_groups.is_none()),
                        row_groups,
                        fetched,
                    },
                })
            });
        Ok(Inputs {
            own: run_inputs.collect::<Result<_, _>>()?,
            inputs_of_other_shards: shard_inputs.other_inputs,
            catalog,
            earlier: Tally::default(),
        })
    }

    /// The formats and sizes of this shard's inputs. Inputs that cannot be parsed are left out.
    pub fn infos(&self) -> impl Iterator<Item = &InputInfo> {
        self.own.iter().flat_map(|input| &input.info)
    }

    /// The total stored size of this shard's inputs in bytes; `None` if one of the sizes is unknown.
    pub fn bytes(&self) -> Option<u64> {
        let sizes = self.own.iter().map(|input| input.info.as_ref()?.bytes);
        sizes.sum()
    }
}

/// Logs all inputs that cannot be parsed, if there are several. The error of the run names only the first.
fn log_unreadable(inputs: &[CatalogInput]) {
    let errors: Vec<&Error> = (inputs.iter())
        .filter_map(|input| input.info.as_ref().err())
        .collect();
    let (unreadable, all) = (errors.len() as u64, inputs.len() as u64);
    if unreadable == 0 || all == 1 {
        return;
    }
    for error in errors.iter().skip(1) {
        tracing::error!("{error}");
    }
    tracing::error!(
        "{} of {} inputs cannot be read{}",
        thousands(unreadable),
        thousands(all),
        if unreadable == all {
            String::new()
        } else {
            format!(": {KEEP_GOING} reads the others")
        }
    );
}

/// Refuses a name in `keep` that is no column of any input. An input that cannot be read may have it.
fn refuse_missing_columns(options: &ReadOptions, catalog: &Catalog) -> Result<(), Error> {
    let Keep::Only(wanted) = &options.keep else {
        return Ok(());
    };
    let is_carried = |name: &str| {
        let mut carried = catalog.carried.iter();
        carried.any(|field| field.name().eq_ignore_ascii_case(name))
    };
    let is_known = |name: &str| is_carried(name) || catalog.names.is_column(name);
    let mut missing = wanted.iter().filter(|name| !is_known(name.trim()));
    let (Some(missing), false) = (missing.next(), has_unreadable(catalog)) else {
        return Ok(());
    };
    // An input that can be opened again names all its columns, also those that are not kept.
    let options = ReadOptions {
        keep: Keep::Only(vec![missing.clone()]),
        ..options.clone()
    };
    let paths = catalog.inputs.iter().map(|input| input.path.as_str());
    let mut reopened = paths.clone().filter(|path| !can_be_read_once(path));
    let error = reopened
        .next()
        .and_then(|path| formats::open(path, &options).err());
    let columns = catalog
        .names
        .columns()
        .iter()
        .map(|column| column.name.clone());
    Err(error.unwrap_or_else(|| Error::NoColumn {
        source_name: display_name(paths.clone().next().unwrap_or_default()),
        wanted: format!("column {missing:?}"),
        columns: columns.collect(),
        option: KEEP,
    }))
}

fn has_unreadable(catalog: &Catalog) -> bool {
    catalog.inputs.iter().any(|input| input.info.is_err())
}

/// Fails if an option sets the type of a column, but no input has this column with this type. Only columns of
/// text formats can get a type.
fn refuse_unused_types(options: &ReadOptions, catalog: &Catalog) -> Result<(), Error> {
    for column_type in &options.column_types {
        let mut carried = catalog.carried.iter();
        let is_read_as_type = |field: &FieldRef| {
            field.name().eq_ignore_ascii_case(column_type.name())
                && field.data_type() == column_type.data_type()
        };
        if !carried.any(is_read_as_type) {
            let column = column_type.name();
            let problem = format!(
                "no CSV or JSON input carries a column {column}, or another input has it with another type"
            );
            let value = format!("{column}={}", type_name(column_type.data_type()));
            return Err(OptionError::new(TYPES, problem).with_value(value).into());
        }
    }
    Ok(())
}
