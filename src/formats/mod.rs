//! All formats of inputs and outputs, and the opening of inputs by them.
//!
//! ```text
//! Format ─┬─ read:  ReadFormat   how it is recognised, its columns, its reader
//!         └─ write: WriteFormat  its extensions, the columns that it holds, its writer
//! ```
//!
//! A new format is a file with a [`ReadFormat`], a [`WriteFormat`](crate::write::WriteFormat) or
//! both, and a line in [`FORMATS`]. The options, their
//! help, the detection and the checks of what a format can hold are derived from it.

mod archived;
mod catalog;
mod decompressed;
pub(crate) mod input_name;
mod open;
mod sniff;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
#[cfg(test)]
mod twin_formats;

use std::sync::LazyLock;

use clap::ValueEnum;
use clap::builder::PossibleValue;

use crate::read::boards::opensudoku;
use crate::read::format::{InputFormat, ReadFormat};
use crate::read::text::{hodoku, puzzle_bank, puzzle_count};
use crate::write::OutputFormat;
use crate::write::formats::{arrow_ipc, blocks, delimited, hrm};

pub use catalog::{Catalog, CatalogInput};
pub(crate) use open::open_ahead;
pub(crate) use open::open_stored;
pub use open::{open, parquet_row_groups};
#[cfg(test)]
pub(crate) use sniff::text as sniff_text;

/// A format of inputs, of outputs or of both.
pub struct Format {
    /// How it is read; `None` if it is only written.
    pub read: Option<InputFormat>,
    /// The forms in which it is written, the usual one first; empty if it is only read.
    pub write: &'static [OutputFormat],
    /// The output format that replaces it where inputs are written in their own format; `None` if that is the first of
    /// `write`.
    pub replacement: Option<OutputFormat>,
}

/// All formats, in the order in which the help lists them. Formats are recognised in this order too; for texts, see
/// the order of their turns.
pub static FORMATS: &[Format] = &[
    Format::new(InputFormat::PARQUET, &[OutputFormat::PARQUET]),
    Format::new(
        InputFormat::CSV,
        &[OutputFormat::CSV, OutputFormat(&delimited::TSV_FORMAT)],
    ),
    Format::new(InputFormat::JSON, &[]).replaced_by(OutputFormat::NDJSON),
    Format::new(InputFormat::NDJSON, &[OutputFormat::NDJSON]),
    Format::new(
        InputFormat::ARROW,
        &[OutputFormat::ARROW, OutputFormat(&arrow_ipc::STREAM_FORMAT)],
    ),
    Format::new(InputFormat::LINES, &[OutputFormat::LINES]),
    // Boards have no place for solutions, and lines do.
    Format::new(
        InputFormat::BLOCKS,
        &[
            OutputFormat(&blocks::SDK_FORMAT),
            OutputFormat(&blocks::EULER_FORMAT),
            OutputFormat(&blocks::SIMPLE_SUDOKU_FORMAT),
        ],
    )
    .replaced_by(OutputFormat::LINES),
    Format::new(InputFormat::NPY, &[OutputFormat::NPY]),
    Format::new(InputFormat::NPZ, &[]).replaced_by(OutputFormat::PARQUET),
    Format::written(&[OutputFormat(&hrm::FORMAT)]),
    Format::read(&opensudoku::FORMAT),
    Format::read(&hodoku::FORMAT),
    Format::read(&puzzle_bank::FORMAT),
    Format::read(&puzzle_count::FORMAT),
];

impl Format {
    const fn new(read: InputFormat, write: &'static [OutputFormat]) -> Format {
        Format {
            read: Some(read),
            write,
            replacement: None,
        }
    }

    /// A format that is only read.
    const fn read(format: &'static ReadFormat) -> Format {
        Format::new(InputFormat(format), &[])
    }

    /// A format that is only written.
    const fn written(write: &'static [OutputFormat]) -> Format {
        Format {
            read: None,
            write,
            replacement: None,
        }
    }

    const fn replaced_by(self, format: OutputFormat) -> Format {
        Format {
            replacement: Some(format),
            ..self
        }
    }
}

/// All formats that can be read.
pub fn input_formats() -> impl Iterator<Item = InputFormat> {
    FORMATS.iter().filter_map(|format| format.read)
}

/// All formats that can be written.
pub fn output_formats() -> impl Iterator<Item = OutputFormat> {
    FORMATS.iter().flat_map(|format| format.write).copied()
}

impl InputFormat {
    /// The format with this id; `None` for an unknown id.
    pub fn from_id(id: &str) -> Option<InputFormat> {
        input_formats().find(|format| format.id == id)
    }

    /// The output format that holds the same columns as inputs in this format. The extension of an input's name chooses
    /// among several, such as `tsv`; `named` is the format that this extension stands for.
    pub fn output_format(self, named: Option<OutputFormat>) -> OutputFormat {
        let entry = FORMATS.iter().find(|format| format.read == Some(self));
        let usual = entry.and_then(|format| format.replacement.or(format.write.first().copied()));
        let usual = usual.unwrap_or(OutputFormat::CSV);
        let forms = entry.map_or(&[][..], |format| format.write);
        let is_alike = |named: &OutputFormat| forms.contains(named) && named.holds == usual.holds;
        named.filter(is_alike).unwrap_or(usual)
    }
}

impl OutputFormat {
    /// The format of files with this extension; `None` for an unknown extension.
    pub fn from_ending(ending: &str) -> Option<OutputFormat> {
        let ending = ending.to_ascii_lowercase();
        output_formats().find(|format| format.endings.contains(&ending.as_str()))
    }
}

impl ValueEnum for InputFormat {
    fn value_variants<'a>() -> &'a [InputFormat] {
        static ALL: LazyLock<Vec<InputFormat>> = LazyLock::new(|| input_formats().collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let value = PossibleValue::new(self.id).help(self.doc);
        Some(value.aliases(self.aliases))
    }
}

impl ValueEnum for OutputFormat {
    fn value_variants<'a>() -> &'a [OutputFormat] {
        static ALL: LazyLock<Vec<OutputFormat>> = LazyLock::new(|| output_formats().collect());
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.id).help(self.doc))
    }
}
