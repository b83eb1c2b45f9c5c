//! Divides the inputs of a run among its shards.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::formats::{self, CatalogInput};
use crate::store::{self, Location};
use crate::write::Shard;

/// An input of this shard. The second value has the row groups to read from a Parquet file; `None` for the
/// whole input.
type OwnInput = (CatalogInput, Option<Vec<usize>>);

/// The path of an input of another shard. The second value has the row groups that are read from a Parquet
/// file; `None` for the whole input.
pub(super) type OtherInput = (String, Option<Vec<usize>>);

/// The inputs of one shard, and the inputs of all other shards.
#[derive(Default)]
pub(super) struct ShardInputs {
    pub(super) own_inputs: Vec<OwnInput>,
    pub(super) other_inputs: Vec<OtherInput>,
}

/// The name by which shards divide the inputs: the address of an object, and the folder and the name of a file, with all
/// links resolved. It does not depend on how the user spells the path (`in`, `./in`, an absolute path), since shards that
/// spell it differently would both leave a file to the other one. Nor does it depend on where the folder is mounted.
fn name_of_file(path: &str) -> Result<String, Error> {
    let location = Location::parse(path)?;
    let Location::Local(local) = &location else {
        return Ok(location.to_string());
    };
    if let Some((archive, member)) = store::archive_and_member(local) {
        let archive = name_of_file(&store::path_text(&archive))?;
        return Ok(format!("{archive}/{member}"));
    }
    // A missing file is reported when it is opened.
    let Ok(real) = std::fs::canonicalize(local) else {
        return Ok(location.to_string());
    };
    let folder = real.parent().and_then(Path::file_name).unwrap_or_default();
    let name = PathBuf::from(folder).join(real.file_name().unwrap_or_default());
    Ok(name.to_string_lossy().into_owned())
}

impl ShardInputs {
    /// A single shard with all inputs, for a run without sharding.
    pub(super) fn without_sharding(inputs: Vec<CatalogInput>) -> ShardInputs {
        ShardInputs {
            own_inputs: inputs.into_iter().map(|input| (input, None)).collect(),
            other_inputs: Vec::new(),
        }
    }

    /// Selects the inputs of shard I of N: the inputs for which the hash of [`name_of_file`] is I modulo N. Of a Parquet
    /// file with several row groups, the shard has every N-th one. How an input is divided depends on this input alone, so
    /// that shards that start at different times agree, even if a new input has arrived in between.
    ///
    /// With `keep_going`, a damaged Parquet file belongs to one shard as a whole.
    pub(super) fn for_shard(
        inputs: Vec<CatalogInput>,
        shard: Shard,
        keep_going: bool,
    ) -> Result<ShardInputs, Error> {
        let row_groups = |input: &CatalogInput| match &input.info {
            Ok(info) => Ok(info.row_groups),
            Err(_) => match formats::parquet_row_groups(&input.path) {
                Err(error) if keep_going && error.is_about_data() => Ok(None),
                count => count,
            },
        };
        let mut shard_inputs = ShardInputs::default();
        for input in inputs {
            let name = name_of_file(&input.path)?;
            match row_groups(&input)? {
                Some(count) if count > 1 => shard_inputs.add_row_groups(input, &name, count, shard),
                _ => shard_inputs.add_file(input, shard.owns(&name)),
            }
        }
        Ok(shard_inputs)
    }

    fn add_file(&mut self, input: CatalogInput, is_own: bool) {
        if is_own {
            self.own_inputs.push((input, None));
        } else {
            self.other_inputs.push((input.path, None));
        }
    }

    fn add_row_groups(&mut self, input: CatalogInput, name: &str, count: usize, shard: Shard) {
        let mut groups_by_shard: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for group in 0..count {
            let owner = shard.owner(name, group);
            groups_by_shard.entry(owner).or_default().push(group);
        }
        let own_groups = groups_by_shard.remove(&shard.index());
        let path_with_groups = |groups| (input.path.clone(), Some(groups));
        self.other_inputs
            .extend(groups_by_shard.into_values().map(path_with_groups));
        self.own_inputs
            .extend(own_groups.map(|groups| (input, Some(groups))));
    }
}
