//! Replaces the names of hidden folders in messages. The files of an output folder are written in a hidden folder
//! first, but messages show their final names.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The hidden folders of this process, each with the folder name that messages show instead.
static PATHS_AND_NAMES: Mutex<Vec<(PathBuf, PathBuf)>> = Mutex::new(Vec::new());

/// A hidden folder whose name is replaced in messages, as long as this value exists.
pub(crate) struct NamedInMessages(PathBuf);

impl NamedInMessages {
    pub(crate) fn new(folder: PathBuf, name: &Path) -> NamedInMessages {
        let mut names_by_path = PATHS_AND_NAMES
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        names_by_path.push((folder.clone(), name.to_owned()));
        NamedInMessages(folder)
    }
}

impl Drop for NamedInMessages {
    fn drop(&mut self) {
        let mut names_by_path = PATHS_AND_NAMES
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = names_by_path
            .iter()
            .position(|(folder, _)| *folder == self.0)
        {
            names_by_path.swap_remove(at);
        }
    }
}

/// The path that messages show for a path: `/data/.out.x1Y2z3.tmp/part-a.csv` → `out/part-a.csv`.
pub(crate) fn name_in_messages(path: &Path) -> PathBuf {
    let names_by_path = PATHS_AND_NAMES
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let names_within = names_by_path.iter().filter_map(|(folder, name)| {
        let path_within = path.strip_prefix(folder).ok()?;
        Some((folder.as_os_str().len(), name, path_within))
    });
    // Hidden folders can be nested: that of an unfinished run is inside another one. The innermost one determines the
    // name.
    match names_within.max_by_key(|(length, ..)| *length) {
        Some((_, name, rest)) if rest.as_os_str().is_empty() => name.clone(),
        Some((_, name, rest)) => name.join(rest),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_hidden_folder_are_named_as_those_of_the_output() {
        let root = Path::new("/data/out");
        let root_guard = NamedInMessages::new(root.to_owned(), Path::new("out/"));
        let stage_guard = NamedInMessages::new(root.join(".unfinished"), Path::new("out/"));
        for (path, name) in [
            ("/data/out/.unfinished/x=1/part-a.csv", "out/x=1/part-a.csv"),
            ("/data/out/.unfinished", "out/"),
            ("/data/out/_SUCCESS", "out/_SUCCESS"),
            ("/data/other", "/data/other"),
        ] {
            assert_eq!(name_in_messages(Path::new(path)), Path::new(name), "{path}");
        }
        drop((root_guard, stage_guard));
        assert_eq!(name_in_messages(&root.join("a")), root.join("a"));
    }
}
