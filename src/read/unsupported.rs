//! Formats that are not supported: how they are recognised, and what users are told about them.
//!
//! Without this list, an input in such a format would be read as text, and each of its lines would become a
//! reject.

use crate::error::Error;
use crate::options::INPUT_FORMAT;
use crate::read::bytes::head::{BYTE_ORDER_MARK, Head};

/// A test of an input's first bytes that recognises a format.
enum Signature {
    /// These bytes are at this offset of the input.
    At(usize, &'static [u8]),
    /// The input starts with the first byte string, and has the second one at this offset.
    Both(&'static [u8], usize, &'static [u8]),
    /// The function tests the first bytes of the input.
    Matches(fn(&[u8]) -> bool),
}

use Signature::{At, Both, Matches};

/// An unsupported format: the test that recognises it, its name, and advice for the user.
struct UnsupportedFormat(Signature, &'static str, &'static str);

const WORKBOOK: &str = "an Excel or OpenDocument file";
const SAVE: &str = "save the sheet as CSV";
const UNPACK: &str = "unpack it first";
const DECOMPRESS: &str = "decompress it, or use gzip or zstd";
const EXPORT: &str = "write the table as Parquet or CSV";
const SAVE_NPY: &str = "save its arrays as .npy, with numpy.save(\"puzzles.npy\", tensor.numpy())";
const NO_DATA: &str = "puzzles are read from text and tables";
const RECODE: &str = "convert it to UTF-8, for instance with iconv";

/// The unsupported formats, in the order in which their tests are tried.
#[rustfmt::skip]
static FORMATS: &[UnsupportedFormat] = &[
    UnsupportedFormat(At(0, b"PAR1"), "Parquet inside gzip, zstd or zip", "decompress it first"),
    UnsupportedFormat(At(0, b"PARE"), "encrypted Parquet", "decrypt it first"),
    UnsupportedFormat(Both(b"PK\x03\x04", 30, b"[Content_Types].xml"), WORKBOOK, SAVE),
    UnsupportedFormat(Both(b"PK\x03\x04", 30, b"xl/"), WORKBOOK, SAVE),
    UnsupportedFormat(Both(b"PK\x03\x04", 30, b"_rels/"), WORKBOOK, SAVE),
    UnsupportedFormat(Both(b"PK\x03\x04", 30, b"mimetypeapplication/vnd"), WORKBOOK, SAVE),
    UnsupportedFormat(At(0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Excel or Word file", SAVE),
    UnsupportedFormat(At(0, b"PK\x03\x04"), "a zip archive inside gzip, zstd or zip", UNPACK),
    UnsupportedFormat(At(0, b"PK\x05\x06"), "an empty zip archive", "there is nothing in it"),
    UnsupportedFormat(At(0, b"7z\xbc\xaf\x27\x1c"), "a 7z archive", UNPACK),
    UnsupportedFormat(At(0, b"Rar!\x1a\x07"), "a RAR archive", UNPACK),
    UnsupportedFormat(Matches(is_tar), "a tar archive", UNPACK),
    UnsupportedFormat(At(0, b"\x1f\x8b"), "gzip inside gzip, zstd or zip", "decompress it once"),
    UnsupportedFormat(At(0, b"\x28\xb5\x2f\xfd"), "zstd inside gzip, zstd or zip", "decompress it once"),
    UnsupportedFormat(Both(b"BZh", 4, b"1AY&SY"), "bzip2", DECOMPRESS),
    UnsupportedFormat(Both(b"BZh", 4, b"\x17rE8P\x90"), "bzip2", DECOMPRESS),
    UnsupportedFormat(At(0, b"\xfd7zXZ\0"), "xz", DECOMPRESS),
    UnsupportedFormat(At(0, b"LZIP\x01"), "lzip", DECOMPRESS),
    UnsupportedFormat(At(0, b"\x04\x22\x4d\x18"), "lz4", DECOMPRESS),
    UnsupportedFormat(At(0, b"\x02\x21\x4c\x18"), "lz4 in its old form", DECOMPRESS),
    UnsupportedFormat(At(0, b"\xff\x06\0\0sNaPpY"), "snappy", DECOMPRESS),
    UnsupportedFormat(At(0, b"\x1f\x9d"), "the compress format (.Z)", DECOMPRESS),
    UnsupportedFormat(Matches(is_orc), "ORC", EXPORT),
    UnsupportedFormat(At(0, b"Obj\x01"), "Avro", EXPORT),
    UnsupportedFormat(At(0, b"FEA1"), "Feather version 1", "write it as version 2, or as Parquet"),
    UnsupportedFormat(At(0, b"SQLite format 3\0"), "an SQLite database", EXPORT),
    UnsupportedFormat(At(8, b"DUCK"), "a DuckDB database", EXPORT),
    UnsupportedFormat(At(0, b"\x89HDF\r\n\x1a\n"), "HDF5", EXPORT),
    UnsupportedFormat(At(0, b"\x93NUMPY"), "a NumPy array (.npy)", EXPORT),
    UnsupportedFormat(At(0, TORCH_MAGIC), "an old PyTorch file", SAVE_NPY),
    UnsupportedFormat(Matches(is_safetensors), "a safetensors file", SAVE_NPY),
    UnsupportedFormat(At(0, b"RDX2\n"), "R's RData", EXPORT),
    UnsupportedFormat(At(0, b"RDX3\n"), "R's RData", EXPORT),
    UnsupportedFormat(At(0, b"RDA2\n"), "R's RData", EXPORT),
    UnsupportedFormat(At(0, b"RDA3\n"), "R's RData", EXPORT),
    UnsupportedFormat(At(0, b"X\n\0\0\0\x02"), "R's RDS", EXPORT),
    UnsupportedFormat(At(0, b"X\n\0\0\0\x03"), "R's RDS", EXPORT),
    UnsupportedFormat(At(0, b"MATLAB "), "a MATLAB file (.mat)", EXPORT),
    UnsupportedFormat(At(0, b"<stata_dta>"), "Stata's .dta", EXPORT),
    UnsupportedFormat(At(0, b"$FL2@(#)"), "an SPSS file (.sav)", EXPORT),
    UnsupportedFormat(At(0, b"\xac\xed\0\x05"), "serialised Java objects", EXPORT),
    UnsupportedFormat(At(16, b"\xde\xc0\xef\xbe"), "an LMDB database", EXPORT),
    UnsupportedFormat(At(4, b"Standard Jet DB\0"), "an Access database", EXPORT),
    UnsupportedFormat(Matches(is_pickle), "a Python pickle", EXPORT),
    UnsupportedFormat(At(0, b"%PDF-"), "PDF", NO_DATA),
    UnsupportedFormat(At(0, b"\x89PNG\r\n\x1a\n"), "a PNG image", NO_DATA),
    UnsupportedFormat(At(0, b"\xff\xd8\xff"), "a JPEG image", NO_DATA),
    UnsupportedFormat(At(0, b"GIF87a"), "a GIF image", NO_DATA),
    UnsupportedFormat(At(0, b"GIF89a"), "a GIF image", NO_DATA),
    UnsupportedFormat(At(0, b"II*\0"), "a TIFF image", NO_DATA),
    UnsupportedFormat(At(0, b"MM\0*"), "a TIFF image", NO_DATA),
    UnsupportedFormat(Both(b"RIFF", 8, b"WEBP"), "a WebP image", NO_DATA),
    UnsupportedFormat(Matches(is_web_page), "a web page (HTML), perhaps one that asks for a login", "look at the address in a browser, and name that of the file itself"),
    UnsupportedFormat(At(0, b"\xff\xfe\0\0"), "UTF-32", RECODE),
    UnsupportedFormat(At(0, b"\0\0\xfe\xff"), "UTF-32", RECODE),
    UnsupportedFormat(At(0, b"\xff\xfe"), "UTF-16", RECODE),
    UnsupportedFormat(At(0, b"\xfe\xff"), "UTF-16", RECODE),
    UnsupportedFormat(Matches(|head| is_wide(head, 4)), "UTF-32 without a byte order mark", RECODE),
    UnsupportedFormat(Matches(|head| is_wide(head, 2)), "UTF-16 without a byte order mark", RECODE),
];

/// The first bytes of files that `torch.save` wrote before version 1.6: a pickle of PyTorch's magic number.
const TORCH_MAGIC: &[u8] = b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19";

/// Whether these are the first bytes of a safetensors file: the length of a JSON object, and the object.
fn is_safetensors(head: &[u8]) -> bool {
    let length = head
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes));
    (2..1 << 27).contains(&length) && head[8..].starts_with(b"{\"")
}

/// The message for an input with these first bytes, if its format is unsupported; otherwise `None`.
pub(crate) fn describe(head: &[u8]) -> Option<String> {
    let has_bytes_at =
        |at: usize, bytes| head.get(at..).is_some_and(|rest| rest.starts_with(bytes));
    let known_format = FORMATS
        .iter()
        .find(|UnsupportedFormat(sign, ..)| match sign {
            At(at, bytes) => has_bytes_at(*at, bytes),
            Both(start, at, bytes) => has_bytes_at(0, start) && has_bytes_at(*at, bytes),
            Matches(tells) => tells(head),
        });
    known_format.map(|UnsupportedFormat(_, what, advice)| {
        format!("this is {what}, which is not read: {advice}")
    })
}

/// The message for an input that starts with these bytes, if it is a pointer of Git LFS; otherwise `None`.
pub(crate) fn describe_pointer(head: &[u8]) -> Option<String> {
    let version = head.strip_prefix(b"version https://")?;
    let line = version.split(|byte| *byte == b'\n').next()?;
    let is_pointer = memchr::memmem::find(line, b"git-lfs").is_some()
        || memchr::memmem::find(line, b"hawser").is_some();
    is_pointer.then(|| {
        "this is a pointer of Git LFS, not the data: git lfs pull downloads the data".to_owned()
    })
}

/// The ends of names of compressed files. Those without a format that is read are refused by their bytes, if they have
/// such bytes.
const COMPRESSED_ENDS: [&str; 9] = [
    ".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz", ".lz4", ".zip", ".br",
];

/// Refuses a text that is not compressed, but is named like a compressed file: it is not what the user takes it for.
pub(crate) fn refuse_compressed_name(head: &Head<'_>) -> Result<(), Error> {
    let name = head.source_name.to_ascii_lowercase();
    let end = COMPRESSED_ENDS.iter().find(|end| name.ends_with(*end));
    match end.filter(|_| !head.bytes.is_empty()) {
        Some(end) => Err(head.unknown(format!(
            "its name ends with {end}, but it is not compressed: download it again, or rename it if it \
             has been decompressed; {INPUT_FORMAT} reads it as it is"
        ))),
        None => Ok(()),
    }
}

/// Refuses an input that is not text. If the user has named a text format (`format_is_given`), control
/// characters are accepted.
pub(crate) fn refuse(head: &Head<'_>, format_is_given: bool) -> Result<(), Error> {
    if let Some(what) = describe(head.bytes) {
        return Err(head.unknown(what));
    }
    if format_is_given || !is_binary(head) {
        return Ok(());
    }
    // Brotli has no magic bytes, so it is recognised by the extension of the file name.
    Err(head.unknown(if head.source_name.ends_with(".br") {
        format!("this is brotli, by its name, which is not read: {DECOMPRESS}")
    } else {
        format!(
            "this is neither text nor a known binary format: it may be compressed or \
              encrypted (brotli has no magic bytes); {INPUT_FORMAT} reads it as text anyway"
        )
    }))
}

/// Whether the bytes are binary data: most lines contain control characters, and at least one byte in fifty is a
/// control character. A text with a single damaged line is not binary.
fn is_binary(head: &Head<'_>) -> bool {
    let is_control = |byte: &u8| *byte < 0x20 && !matches!(byte, b'\t'..=b'\r' | 0x1a | 0x1b);
    let count = head.bytes.iter().filter(|byte| is_control(byte)).count();
    if count * 50 < head.bytes.len().max(1) {
        return false;
    }
    let (mut clean, mut all) = (0, 0);
    for line in head.lines().filter(|line| !line.text.is_empty()) {
        all += 1;
        clean += usize::from(!line.text.iter().any(is_control));
    }
    clean * 2 < all
}

/// Whether an HTML page starts here. An XML declaration and comments may come before its first tag.
fn is_web_page(head: &[u8]) -> bool {
    let trimmed_head = head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head);
    let trimmed_head = trimmed_head.trim_ascii_start();
    let lower_case_start = trimmed_head[..trimmed_head.len().min(512)].to_ascii_lowercase();
    let contains_mark = |mark: &[u8]| memchr::memmem::find(&lower_case_start, mark).is_some();
    lower_case_start.starts_with(b"<")
        && (contains_mark(b"<!doctype html") || contains_mark(b"<html"))
}

/// Whether the bytes are UTF-16 or UTF-32 without a byte order mark, with mostly ASCII characters. `width` is
/// the number of bytes per character, 2 or 4.
fn is_wide(head: &[u8], width: usize) -> bool {
    if head.starts_with(BYTE_ORDER_MARK) || head.len() < 4 * width {
        return false;
    }
    let characters = head.chunks_exact(width).take(1000);
    let character_count = characters.len();
    let mut little_endian_count = 0;
    let mut big_endian_count = 0;
    for character in characters {
        let others_are_zero = |own: usize| (0..width).all(|at| (at == own) == (character[at] != 0));
        little_endian_count += usize::from(others_are_zero(0) && character[0].is_ascii());
        big_endian_count +=
            usize::from(others_are_zero(width - 1) && character[width - 1].is_ascii());
    }
    little_endian_count.max(big_endian_count) * 10 >= character_count * 9
}

/// Recognises a tar archive by its magic text, or by the checksum of its first header.
fn is_tar(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<512>() else {
        return false;
    };
    if header[257..].starts_with(b"ustar") {
        return true;
    }
    let checksum_field = &header[148..156];
    let digits = checksum_field.iter().skip_while(|byte| **byte == b' ');
    let digits: Vec<u8> = digits.copied().take_while(u8::is_ascii_digit).collect();
    let checksum_text = std::str::from_utf8(&digits).ok();
    let stated_checksum = checksum_text.and_then(|digits| u32::from_str_radix(digits, 8).ok());
    // For the checksum, the bytes of the checksum field count as spaces.
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    header[0] != 0 && stated_checksum == Some(sum(&header[..148]) + sum(&header[156..]) + 8 * 32)
}

/// Recognises ORC by its three letters and the zero byte after them. The letters alone could be the start of a text.
fn is_orc(head: &[u8]) -> bool {
    head.starts_with(b"ORC") && head.contains(&0)
}

fn is_pickle(head: &[u8]) -> bool {
    matches!(head, [0x80, 2..=5, next, ..] if !next.is_ascii_graphic() || matches!(next, b'}' | b']' | b'c'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn refused(source_name: &str, bytes: &[u8]) -> Option<String> {
        let head = Head::new(source_name, bytes);
        refuse(&head, false).err().map(|error| error.to_string())
    }

    #[test]
    fn every_format_is_named_by_its_first_bytes() {
        for UnsupportedFormat(sign, what, advice) in FORMATS {
            assert!(!advice.is_empty());
            let head = match sign {
                At(at, bytes) => [&vec![b' '; *at][..], bytes, &[b'x'; 20]].concat(),
                Both(start, at, bytes) => {
                    [start, &vec![b' '; at - start.len()][..], bytes, b"x"].concat()
                }
                Matches(_) => continue,
            };
            let message = describe(&head).unwrap();
            assert_eq!(
                message,
                format!("this is {what}, which is not read: {advice}")
            );
        }
    }

    #[test]
    fn formats_without_a_fixed_mark_are_recognised() {
        let text = format!("{PUZZLE}\n").repeat(20);
        let to_utf16 = |order: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(order).collect();
        let little_endian: Vec<u8> = to_utf16(u16::to_le_bytes);
        let big_endian: Vec<u8> = to_utf16(u16::to_be_bytes);
        let utf32: Vec<u8> = text.bytes().flat_map(|byte| [byte, 0, 0, 0]).collect();
        let mut old_tar = vec![0; 512];
        old_tar[..5].copy_from_slice(b"a.txt");
        old_tar[148..156].fill(b' ');
        let sum: u32 = old_tar.iter().map(|byte| u32::from(*byte)).sum();
        old_tar[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
        old_tar[154] = 0;
        old_tar.extend_from_slice(text.as_bytes());
        let mut noise = 1u32;
        let noise: Vec<u8> = (0..5000)
            .map(|_| {
                noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (noise >> 24) as u8
            })
            .collect();
        for (bytes, words) in [
            (little_endian, "UTF-16 without"),
            (big_endian, "UTF-16 without"),
            (utf32, "UTF-32 without"),
            (old_tar, "a tar archive"),
            (b"BZh91AY&SY\x01".to_vec(), "bzip2"),
            (b"ORC\n\0\x01".to_vec(), "ORC"),
            (noise, "this is neither text nor a known binary format"),
        ] {
            let message = refused("in", &bytes).unwrap();
            assert!(message.contains(words), "{words}: {message}");
        }
        let message = refused("in.txt.br", b"\x8b\0\x80\x03\x01\x02").unwrap();
        assert!(message.contains("brotli, by its name"), "{message}");
    }

    #[test]
    fn a_text_is_a_text() {
        let good_line = format!("{PUZZLE}\n");
        let text_with_hole = format!("{good_line}{}\n{good_line}{good_line}", "\0".repeat(5000));
        for text in [
            "",
            "ORC, board\n",
            "BZh\n",
            "PK\n",
            "Obj\n",
            &good_line,
            &text_with_hole,
            "\u{feff}puzzle\n",
            "\u{1b}[1mbold\u{1b}[0m\n",
            "Пазл,имя\n",
        ] {
            assert_eq!(refused("in.br", text.as_bytes()), None, "{text:?}");
        }
    }
}
