//! Detects the format of a text from its first bytes.

use crate::error::Error;
use crate::formats::input_formats;
use crate::options::INPUT_FORMAT;
use crate::read::bytes::head::Head;
use crate::read::format::{InputColumns, TextFormat};
use crate::read::{InputFormat, ReadOptions, unsupported};

/// Whether lines end with a carriage return alone, as in files of old Macintosh computers.
fn has_old_mac_line_ends(head: &[u8]) -> bool {
    let first_return = memchr::memchr(b'\r', head.trim_ascii_end());
    first_return.is_some() && memchr::memchr(b'\n', head).is_none()
}

/// Detects the format of a text. Also returns a sentence with the reason.
pub(crate) fn text(
    head: &Head<'_>,
    options: &ReadOptions,
) -> Result<(InputFormat, &'static dyn TextFormat, String), Error> {
    unsupported::refuse(head, options.format.is_some())?;
    if has_old_mac_line_ends(head.bytes) {
        return Err(head.unknown(
            "its lines end with carriage returns alone, as on old Macs: convert them with tr '\\r' '\\n'",
        ));
    }
    let has_text = |format: InputFormat| Some((format, format.text?));
    if let Some(asked) = options.format {
        let not_a_text_format = || head.unknown(format!("{asked} is not a format of text"));
        let (format, text_format) = has_text(asked).ok_or_else(not_a_text_format)?;
        return Ok((format, text_format, INPUT_FORMAT.set_to(asked.id)));
    }
    // The user named columns or a delimiter, so the text must be a table with a header.
    let must_have_header = options.puzzle_column.is_some() || options.delimiter.is_some();
    let mut formats: Vec<_> = input_formats().filter_map(has_text).collect();
    // Formats with the same turn keep the order of the registry.
    formats.sort_by_key(|(_, text_format)| text_format.turn());
    for (format, text_format) in formats {
        if must_have_header && format.columns != InputColumns::Named {
            continue;
        }
        if let Some(why) = text_format.detect(head, options)? {
            return Ok((format, text_format, why));
        }
    }
    Err(head.unknown("there is no header line that names the columns"))
}
