//! The messages for zip archives that cannot be read as one input.

/// The maximum number of file names in a message.
const MOST_NAMES: usize = 3;

/// The message for an archive with files of these names that cannot be read; the names are empty if they are unknown.
pub(super) fn several_files_message(names: &[&str]) -> String {
    if let Some(what) = describe_foreign(names) {
        return what;
    }
    let listed_names: Vec<String> = (names.iter().take(MOST_NAMES))
        .map(|name| name.escape_debug().to_string())
        .collect();
    let listed_names = match names.len() {
        0 => String::new(),
        count if count > MOST_NAMES => {
            format!(
                " ({} and {} more)",
                listed_names.join(", "),
                count - MOST_NAMES
            )
        }
        _ => format!(" ({})", listed_names.join(", ")),
    };
    let description = if !names.is_empty() && names.iter().all(|name| name.ends_with(".npy")) {
        "its arrays cannot be read from a pipe or within another archive: save it as a file"
    } else {
        "unpack it, and name the files or their folder"
    };
    format!("the zip archive holds several files{listed_names}: {description}")
}

/// The message for an archive with files of these names, if it is one file of another program; otherwise `None`.
fn describe_foreign(names: &[&str]) -> Option<String> {
    let has_name = |name: &str| {
        let mut folders = names.iter().filter_map(|own| own.strip_suffix(name));
        folders.any(|folder| folder.is_empty() || folder.ends_with('/'))
    };
    let (what, advice) = if has_name("data.pkl") {
        (
            "a PyTorch file",
            "save its arrays as .npy, with numpy.save(\"puzzles.npy\", tensor.numpy())",
        )
    } else if has_name("xl/workbook.xml") || has_name("xl/workbook.bin") {
        ("an Excel workbook", "save the sheet as CSV")
    } else if has_name("[Content_Types].xml") || has_name("content.xml") && has_name("mimetype") {
        ("an Excel or OpenDocument file", "save the sheet as CSV")
    } else {
        return None;
    };
    Some(format!("this is {what}, which is not read: {advice}"))
}
