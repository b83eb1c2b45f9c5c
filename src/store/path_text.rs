//! Converts paths to texts and back. Messages, tables and manifests store the names of inputs as text, but a
//! name on disk can have any bytes.

use std::ffi::OsString;
use std::fmt::Write;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A path as text. Bytes that are not UTF-8 are written as `\xHH`: `caf\xe9.csv`.
/// [`Location::parse`](super::Location::parse) accepts this text if no file has exactly this name.
pub fn path_text(path: &Path) -> String {
    escape_bytes(path.as_os_str().as_bytes())
}

/// The bytes as text. A byte that is not part of valid UTF-8 becomes `\xHH`.
pub(crate) fn escape_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(text, "\\x{byte:02x}");
        }
    }
    text
}

/// Converts a text from [`path_text`] back to the path.
pub(super) fn path_from_text(text: &str) -> PathBuf {
    let plain_path = PathBuf::from(text);
    if !text.contains("\\x") || plain_path.symlink_metadata().is_ok() {
        return plain_path;
    }
    let unescaped_path = PathBuf::from(OsString::from_vec(unescape_text(text)));
    match unescaped_path.symlink_metadata() {
        Ok(_) => unescaped_path,
        // The path is that of a file in an archive.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => unescaped_path,
        Err(_) => plain_path,
    }
}

/// Replaces each `\xHH` that stands for a byte outside ASCII with this byte.
fn unescape_text(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut remaining_text = text;
    while let Some((before, escape)) = remaining_text.split_once("\\x") {
        bytes.extend_from_slice(before.as_bytes());
        let byte = escape.get(..2).filter(|hex| !hex.starts_with('+'));
        match byte.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte @ 0x80..) => {
                bytes.push(byte);
                remaining_text = &escape[2..];
            }
            _ => {
                bytes.extend_from_slice(b"\\x");
                remaining_text = escape;
            }
        }
    }
    bytes.extend_from_slice(remaining_text.as_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn any_bytes_are_written_as_text_and_back() {
        let bytes = b"in/caf\xe9 \xff\xfe\xc3\xa9.csv";
        let text = path_text(Path::new(OsStr::from_bytes(bytes)));
        assert_eq!(text, "in/caf\\xe9 \\xff\\xfeé.csv");
        assert_eq!(unescape_text(&text), bytes);
        for plain in ["a\\x", "a\\x4", "a\\x41", "a\\x+f", "a\\xé", "\\xzz\\"] {
            assert_eq!(unescape_text(plain), plain.as_bytes());
        }
    }

    #[test]
    fn a_file_of_exactly_this_name_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path_of = |name: &[u8]| folder.path().join(OsStr::from_bytes(name));
        let text = path_text(&path_of(b"\xe9"));
        assert_eq!(path_from_text(&text), path_of(b"\\xe9"));
        std::fs::write(path_of(b"\xe9"), "").unwrap();
        assert_eq!(path_from_text(&text), path_of(b"\xe9"));
        std::fs::write(path_of(b"\\xe9"), "").unwrap();
        assert_eq!(path_from_text(&text), path_of(b"\\xe9"));
    }
}
