use super::manifest::Entry;
use super::sweep::PART;

/// An input, as manifests know it.
#[derive(Clone, Debug)]
pub struct PartInput {
    /// The input, as it was named.
    pub source: String,
    /// Its size as it is stored.
    pub bytes: Option<u64>,
    /// What tells this state of it from another; without, it is never taken for done.
    pub state: Option<String>,
    /// The row groups that are read, where not all are.
    pub row_groups: Option<Vec<usize>>,
}

impl PartInput {
    pub(super) fn is(&self, entry: &Entry) -> bool {
        self.state.is_some()
            && self.source == entry.source
            && self.bytes == entry.bytes
            && self.state == entry.state
            && self.row_groups == entry.row_groups
    }

    /// `part-millions-1a2b3c4d`: the same whatever other inputs there are.
    pub(super) fn part_name(&self) -> String {
        let name = match self.source.as_str() {
            "-" => "stdin",
            source => source.rsplit('/').next().unwrap_or(source),
        };
        let stem = name.split('.').find(|stem| !stem.is_empty());
        let stem: String = (stem.unwrap_or("input").chars().take(64))
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
            .collect();
        let mut whole = self.source.clone();
        if let Some(groups) = &self.row_groups {
            whole += &format!("#{groups:?}");
        }
        format!("{PART}{stem}-{:08x}", crc32fast::hash(whole.as_bytes()))
    }
}
