//! Detects the format of a text from its first bytes.

use crate::error::Error;
use crate::options::INPUT_FORMAT;
use crate::read::ReadOptions;
use crate::read::bytes::head::Head;
use crate::read::detect::unsupported;
use crate::read::text_format::TextFormat;
use crate::read::text_formats::FORMATS;

/// Whether lines end with a carriage return alone, as in files of old Macintosh computers.
fn has_old_mac_line_ends(head: &[u8]) -> bool {
    let first_return = memchr::memchr(b'\r', head.trim_ascii_end());
    first_return.is_some() && memchr::memchr(b'\n', head).is_none()
}

/// Detects the format of a text. Also returns a sentence with the reason.
pub(crate) fn text(
    head: &Head<'_>,
    options: &ReadOptions,
) -> Result<(&'static dyn TextFormat, String), Error> {
    unsupported::refuse(head, options.format.is_some())?;
    if has_old_mac_line_ends(head.bytes) {
        return Err(head.unknown(
            "its lines end with carriage returns alone, as on old Macs: convert them with tr '\\r' '\\n'",
        ));
    }
    if let Some(asked) = options.format {
        let asked_format = FORMATS.iter().find(|format| format.format() == asked);
        let not_a_text_format = || head.unknown(format!("{} is not a format of text", asked.id()));
        let reason = INPUT_FORMAT.set_to(asked.id());
        return Ok((*asked_format.ok_or_else(not_a_text_format)?, reason));
    }
    // The user named columns or a delimiter, so the text must be a table with a header.
    let must_have_header = options.puzzle_column.is_some() || options.delimiter.is_some();
    for format in FORMATS {
        if must_have_header && !format.has_header() {
            continue;
        }
        if let Some(why) = format.detect(head, options)? {
            return Ok((*format, why));
        }
    }
    Err(head.unknown("there is no header line that names the columns"))
}
