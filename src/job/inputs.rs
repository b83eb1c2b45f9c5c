//! The inputs of a run: each is opened once to learn its columns, then they are shared out among the
//! shards.

use arrow::datatypes::FieldRef;

use crate::error::{Error, InputError};
use crate::job::sharding::{Other, Shares};
use crate::read::{Catalog, CatalogInput, Input, InputInfo, ReadOptions};
use crate::table::type_name;
use crate::write::Shard;

/// The inputs of a run.
pub struct Inputs {
    /// The columns of the inputs of all shards, so that the shards' tables have the same columns.
    pub catalog: Catalog,
    /// The inputs of this shard.
    pub own: Vec<RunInput>,
    /// The inputs of the other shards.
    pub(super) others: Vec<Other>,
}

/// An input of a job.
pub struct JobInput {
    /// Its path, or `-`.
    pub path: String,
    /// Of a Parquet file: the row groups that are read, where not all are.
    pub row_groups: Option<Vec<usize>>,
    /// The input, where it is open already.
    pub opened: Option<Input>,
}

/// An input of this run.
pub struct RunInput {
    /// The input, for the job.
    pub job: JobInput,
    /// What it is, where that can be determined.
    pub about: Option<InputInfo>,
}

impl Inputs {
    /// Opens each of these files or objects, and takes the shard's share of them. With `keep_going` an
    /// input that cannot be read as data is left to the job, which reports it as damaged.
    ///
    /// # Errors
    /// An input cannot be read; their columns do not fit together; or a type of `options` is that of no
    /// column.
    pub fn find(
        paths: &[String],
        options: &ReadOptions,
        shard: Option<Shard>,
        keep_going: bool,
    ) -> Result<Inputs, Error> {
        let mut catalog = Catalog::of(paths, options)?;
        for unified in catalog.unified() {
            tracing::warn!("{unified}");
        }
        refuse_unused_types(options, &catalog)?;
        let inputs = std::mem::take(&mut catalog.inputs);
        let shares = match shard {
            None => Shares::whole(inputs),
            Some(shard) => Shares::of(inputs, shard, keep_going)?,
        };
        let own = shares.own.into_iter().map(|(known, row_groups)| {
            let CatalogInput {
                path,
                about,
                opened,
            } = known;
            let about = match about {
                Ok(about) => Some(about),
                Err(_) if keep_going => None,
                // Reported before the work rather than in the midst of it.
                Err(error) => return Err(error),
            };
            Ok(RunInput {
                about,
                job: JobInput {
                    path,
                    opened: opened.filter(|_| row_groups.is_none()),
                    row_groups,
                },
            })
        });
        Ok(Inputs {
            own: own.collect::<Result<_, _>>()?,
            others: shares.others,
            catalog,
        })
    }

    /// What is known of the inputs of this shard.
    pub fn infos(&self) -> impl Iterator<Item = &InputInfo> {
        self.own.iter().flat_map(|input| &input.about)
    }

    /// The size of this shard's inputs as they are stored, where all are known.
    pub fn bytes(&self) -> Option<u64> {
        let sizes = self.own.iter().map(|input| input.about.as_ref()?.bytes);
        sizes.sum()
    }
}

/// Refuses types that no column is read as: only columns of text are read as the type that is asked for.
fn refuse_unused_types(options: &ReadOptions, catalog: &Catalog) -> Result<(), Error> {
    for asked in &options.column_types {
        let mut carried = catalog.carried.iter();
        let is_read = |field: &FieldRef| {
            field.name().eq_ignore_ascii_case(asked.name())
                && field.data_type() == asked.data_type()
        };
        if !carried.any(is_read) {
            let column = asked.name().clone();
            let data_type = type_name(asked.data_type());
            return Err(InputError::TypeNotUsed { column, data_type }.into());
        }
    }
    Ok(())
}
