//! Checks the pages of a Parquet row group before memory is allocated for them.

use std::collections::VecDeque;
use std::sync::Arc;

use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Encoding, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;
use parquet::file::serialized_reader::SerializedPageReader;

use super::budget::PageBudget;
use super::page_header::read_header;
use super::{delta, thrift};

/// The decoder's message if the checksum of a page is wrong.
const WRONG_CHECKSUM: &str = "Page CRC checksum mismatch";

/// A row group whose pages are checked before the decoder reads them.
pub(super) struct ParquetRowGroup<R> {
    pub(super) file: Arc<R>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) index: usize,
    pub(super) budget: PageBudget,
}

impl<R: ChunkReader + 'static> RowGroups for ParquetRowGroup<R> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.row_group(self.index).num_rows()).unwrap_or_default()
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>, ParquetError> {
        let chunk = self.metadata.row_group(self.index).column(column);
        let (file, budget) = (self.file.clone(), self.budget.clone());
        let pages = CheckedPages::new(file, chunk, self.num_rows(), budget)?;
        Ok(Box::new(SingleChunk(Some(Box::new(pages)))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.metadata.row_group(self.index)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

pub(super) struct SingleChunk(pub(super) Option<Box<dyn PageReader>>);

impl Iterator for SingleChunk {
    type Item = Result<Box<dyn PageReader>, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(Ok)
    }
}

impl PageIterator for SingleChunk {}

/// How a column's values are stored in its pages, as far as it determines their sizes.
#[derive(Clone, Copy)]
struct PageEncoding {
    has_definitions: bool,
    has_repetitions: bool,
    /// The minimum number of bytes that a value needs in memory.
    width: u64,
    /// The minimum number of bytes of a value in a dictionary. For booleans, which need only a bit, it is 1.
    dictionary_width: u64,
}

impl PageEncoding {
    fn from_chunk(chunk: &ColumnChunkMetaData) -> PageEncoding {
        let column = chunk.column_descr();
        let fixed_length = u64::try_from(column.type_length()).unwrap_or_default();
        PageEncoding {
            has_definitions: column.max_def_level() > 0,
            has_repetitions: column.max_rep_level() > 0,
            width: match column.physical_type() {
                Type::FIXED_LEN_BYTE_ARRAY => fixed_length.max(16),
                _ => 16,
            },
            dictionary_width: match column.physical_type() {
                Type::BOOLEAN => 1,
                Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
                Type::INT64 | Type::DOUBLE => 8,
                Type::INT96 => 12,
                Type::FIXED_LEN_BYTE_ARRAY => fixed_length.max(1),
            },
        }
    }
}

/// Reads the pages of a column chunk, and checks the header of each page first.
pub(super) struct CheckedPages<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    file: Arc<R>,
    budget: PageBudget,
    page_encoding: PageEncoding,
    /// The number of values in the pages that have been checked so far.
    values: i64,
    /// The number of values in all pages, according to the footer.
    all_values: i64,
    /// The offset of the page header that is checked next.
    start: u64,
    /// The offset of the end of the column chunk.
    end: u64,
    /// Pages that have been checked but not read yet, each with the offset of its header.
    ahead: VecDeque<(thrift::PageHeader, u64)>,
}

impl<R: ChunkReader> CheckedPages<R> {
    /// A reader for the pages of a column chunk in a row group with this many rows.
    pub(super) fn new(
        file: Arc<R>,
        chunk: &ColumnChunkMetaData,
        rows: usize,
        budget: PageBudget,
    ) -> Result<CheckedPages<R>, ParquetError> {
        let (start, length) = chunk.byte_range();
        Ok(CheckedPages {
            pages: SerializedPageReader::new(file.clone(), chunk, rows, None)?,
            file,
            budget,
            page_encoding: PageEncoding::from_chunk(chunk),
            values: 0,
            all_values: chunk.num_values(),
            start,
            end: start.saturating_add(length),
            ahead: VecDeque::new(),
        })
    }

    /// Checks the header of the next page, and returns it with its offset; `None` at the end.
    fn check_header(&mut self) -> Result<Option<(thrift::PageHeader, u64)>, ParquetError> {
        if let Some(page) = self.ahead.front() {
            return Ok(Some(*page));
        }
        while self.start < self.end {
            let header = read_header(self.file.as_ref(), self.start..self.end, &self.budget)?;
            let start = self.start;
            self.start += header.length as u64 + header.compressed as u64;
            if let 0 | 2 | 3 = header.kind {
                let is_dictionary = header.kind == 2;
                self.values += if is_dictionary { 0 } else { header.values };
                self.ahead.push_back((header, start));
                return Ok(Some((header, start)));
            }
        }
        if self.values == self.all_values {
            Ok(None)
        } else {
            Err(ParquetError::General(format!(
                "the pages of a column have {} values, and the footer says {}",
                self.values, self.all_values
            )))
        }
    }

    /// Before a page is read, subtracts the memory that it needs from the budget of the batch. A long list can span
    /// several pages, all of which belong to the same batch.
    fn charge(&self, header: thrift::PageHeader) -> Result<(), ParquetError> {
        let mut bytes = header.uncompressed as u64 + header.compressed as u64;
        let values = header.values as u64;
        if header.kind != 2 && self.page_encoding.has_repetitions {
            bytes = bytes.saturating_add(values.saturating_mul(self.page_encoding.width));
        }
        self.budget.spend(bytes)
    }

    /// Checks the number of values that a decompressed page states.
    fn check(&self, page: &Page) -> Result<(), ParquetError> {
        let damaged_page =
            || ParquetError::General("a page has fewer bytes than values".to_owned());
        match page {
            Page::DictionaryPage {
                buf, num_values, ..
            } => {
                let least_bytes = match self.page_encoding.dictionary_width {
                    1 => u64::from(*num_values) / 8,
                    width => u64::from(*num_values) * width,
                };
                if least_bytes <= buf.len() as u64 {
                    Ok(())
                } else {
                    Err(damaged_page())
                }
            }
            Page::DataPage { encoding, .. } | Page::DataPageV2 { encoding, .. } => {
                if !is_delta(*encoding) {
                    return Ok(());
                }
                let values = page.num_values().into();
                let expanded_bytes = self
                    .values(page)
                    .and_then(|bytes| delta::expanded_bytes(*encoding, bytes, values));
                self.budget.spend(expanded_bytes.ok_or_else(damaged_page)?)
            }
        }
    }

    /// The bytes of the values in a page, without the definition and repetition levels before them.
    fn values<'a>(&self, page: &'a Page) -> Option<&'a [u8]> {
        match page {
            Page::DataPageV2 {
                buf,
                rep_levels_byte_len,
                def_levels_byte_len,
                ..
            } => {
                let levels = rep_levels_byte_len.checked_add(*def_levels_byte_len)?;
                buf.get(levels as usize..)
            }
            Page::DataPage {
                buf,
                def_level_encoding,
                rep_level_encoding,
                ..
            } => {
                let mut remaining_bytes: &[u8] = buf;
                for (has, encoding) in [
                    (self.page_encoding.has_repetitions, rep_level_encoding),
                    (self.page_encoding.has_definitions, def_level_encoding),
                ] {
                    if has && *encoding != Encoding::RLE {
                        return None;
                    }
                    if has {
                        let (length, levels) = remaining_bytes.split_first_chunk::<4>()?;
                        remaining_bytes = levels.get(u32::from_le_bytes(*length) as usize..)?;
                    }
                }
                Some(remaining_bytes)
            }
            Page::DictionaryPage { .. } => None,
        }
    }
}

fn is_delta(encoding: Encoding) -> bool {
    matches!(
        encoding,
        Encoding::DELTA_BINARY_PACKED
            | Encoding::DELTA_LENGTH_BYTE_ARRAY
            | Encoding::DELTA_BYTE_ARRAY
    )
}

impl<R: ChunkReader> Iterator for CheckedPages<R> {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for CheckedPages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let next_header = self.check_header()?;
        if let Some((header, _)) = next_header {
            self.charge(header)?;
        }
        self.ahead.pop_front();
        let page = self
            .pages
            .get_next_page()
            .map_err(|error| match (error, next_header) {
                (ParquetError::General(what), Some((_, start))) if what == WRONG_CHECKSUM => {
                    ParquetError::General(format!(
                        "the checksum of the page at byte {start} does not match"
                    ))
                }
                (error, _) => error,
            })?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        self.check_header()?;
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        self.check_header()?;
        self.ahead.pop_front();
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool, ParquetError> {
        self.check_header()?;
        self.pages.at_record_boundary()
    }
}
