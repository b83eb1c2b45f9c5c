//! Divides the rows of a row group into slices, which are decoded separately.
//!
//! ```text
//! rows       0       8192      16384     24576
//! slices     │    A    │    B    │    C    │
//! column 1   │   page 1    │   page 2    │ …
//! column 2   │    page 1          │   page 2 …
//! ```
//!
//! The pages are found by their headers, which state the numbers of values. A page that several slices need is
//! decompressed by the first of them, and freed after the last. Lists have several values a row, so row groups with lists
//! are not divided.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::ChunkReader;

use super::budget::PageBudget;
use super::guarded;
use super::page_header::read_header;
use super::pages::{CheckedPages, SingleChunk};

/// The encodings of pages whose values are keys of a dictionary: `PLAIN_DICTIONARY` and `RLE_DICTIONARY`.
const KEY_ENCODINGS: [i64; 2] = [2, 8];

/// The pages of a row group that no slice has been cut from yet.
pub(super) struct PagePlan(Vec<ColumnPages>);

/// The pages of a slice, for each column that is read.
pub(super) struct SlicePages(Vec<ColumnPages>);

/// The pages of a column, in order.
struct ColumnPages {
    /// The index of the leaf column.
    column: usize,
    dictionary: Option<Arc<SharedPage>>,
    pages: VecDeque<Arc<SharedPage>>,
}

/// A page that is decompressed when a slice first needs it.
struct SharedPage {
    /// The offsets of the page in the file, with its header.
    bytes: Range<u64>,
    is_dictionary: bool,
    /// Whether the values are keys of the dictionary.
    has_keys: bool,
    /// The rows of the page, counted from the start of the row group.
    rows: Range<u64>,
    values: i64,
    /// `None` if the page is damaged.
    loaded: OnceLock<Option<LoadedPage>>,
}

/// A decompressed page, and the memory in bytes that reading it is charged with.
struct LoadedPage {
    page: Page,
    charged_bytes: u64,
}

impl PagePlan {
    /// Finds the pages of a row group. `None` if its rows cannot be divided: the pages do not state their rows, are not
    /// as the footer describes them, or a row needs more than `most_bytes` of pages in memory.
    pub(super) fn new<R: ChunkReader>(
        file: &R,
        group: &RowGroupMetaData,
        mask: &ProjectionMask,
        most_bytes: u64,
    ) -> Option<PagePlan> {
        let rows = u64::try_from(group.num_rows()).ok()?;
        let chunks = group.columns().iter().enumerate();
        let chunks = chunks.filter(|(column, _)| mask.leaf_included(*column));
        let mut largest_pages = 0;
        let mut columns = Vec::new();
        for (column, chunk) in chunks {
            let (pages, largest) = column_pages(file, column, chunk)?;
            let all_rows = pages.pages.back().map_or(0, |page| page.rows.end);
            largest_pages += largest;
            if all_rows != rows || largest_pages > most_bytes {
                return None;
            }
            columns.push(pages);
        }
        Some(PagePlan(columns))
    }

    /// Takes the pages of the next slice. `rows` are its rows, counted from the start of the row group.
    pub(super) fn next_slice(&mut self, rows: &Range<u64>) -> SlicePages {
        let columns = self.0.iter_mut().map(|column| {
            let used = column.pages.iter();
            let used = used.take_while(|page| page.rows.start < rows.end);
            let pages: VecDeque<_> = used.cloned().collect();
            // Writers stop using a dictionary that has grown too large. Decoding it for each slice
            // would take time. The first slice has it in any case, so that damage in it is noticed.
            let needs_dictionary = rows.start == 0 || pages.iter().any(|page| page.has_keys);
            let slice = ColumnPages {
                column: column.column,
                dictionary: column.dictionary.clone().filter(|_| needs_dictionary),
                pages,
            };
            while column
                .pages
                .pop_front_if(|page| page.rows.end <= rows.end)
                .is_some()
            {}
            slice
        });
        SlicePages(columns.collect())
    }
}

/// Finds the pages of a column chunk. The second result is the memory in bytes that its largest page needs, and its
/// dictionary.
fn column_pages<R: ChunkReader>(
    file: &R,
    column: usize,
    chunk: &ColumnChunkMetaData,
) -> Option<(ColumnPages, u64)> {
    if chunk.column_descr().max_rep_level() > 0 {
        return None;
    }
    let (mut start, length) = chunk.byte_range();
    let end = start.checked_add(length)?;
    let budget = PageBudget::new();
    let (mut dictionary, mut pages) = (None, VecDeque::new());
    let (mut row, mut values) = (0, 0);
    let (mut largest_page, mut dictionary_bytes) = (0, 0);
    while start < end {
        // The slower reader of the whole group reports an error where the rows before it end.
        let header = read_header(file, start..end, &budget).ok()?;
        let is_dictionary = header.kind == 2;
        let page_rows = match header.kind {
            2 if dictionary.is_none() && pages.is_empty() => 0,
            0 => header.values,
            3 if header.rows == header.values => header.rows,
            _ => return None,
        };
        let page_rows = u64::try_from(page_rows).ok()?;
        if page_rows == 0 && !is_dictionary {
            return None;
        }
        let page_end = start + header.length as u64 + u64::try_from(header.compressed).ok()?;
        let page = Arc::new(SharedPage {
            bytes: start..page_end,
            is_dictionary,
            has_keys: KEY_ENCODINGS.contains(&header.encoding),
            rows: row..row + page_rows,
            values: header.values,
            loaded: OnceLock::new(),
        });
        let bytes = header.uncompressed.max(0) as u64;
        if is_dictionary {
            dictionary = Some(page);
            dictionary_bytes = bytes;
        } else {
            pages.push_back(page);
            values += header.values;
            largest_page = bytes.max(largest_page);
        }
        row += page_rows;
        start = page_end;
    }
    let pages = ColumnPages {
        column,
        dictionary,
        pages,
    };
    (values == chunk.num_values()).then_some((pages, largest_page + dictionary_bytes))
}

impl SharedPage {
    /// Reads and decompresses the page; `None` if it is damaged.
    fn load<R: ChunkReader>(
        &self,
        file: &Arc<R>,
        chunk: &ColumnChunkMetaData,
    ) -> Option<&LoadedPage> {
        let load = || {
            let start = i64::try_from(self.bytes.start).ok();
            let length = i64::try_from(self.bytes.end - self.bytes.start).ok()?;
            let page_chunk = ColumnChunkMetaData::builder(chunk.column_descr_ptr())
                .set_compression(chunk.compression())
                .set_data_page_offset(start?)
                .set_dictionary_page_offset(start.filter(|_| self.is_dictionary))
                .set_total_compressed_size(length)
                .set_num_values(if self.is_dictionary { 0 } else { self.values });
            let budget = PageBudget::new();
            let page = guarded(|| {
                let page_chunk = page_chunk.build()?;
                let rows = usize::try_from(self.rows.end - self.rows.start).unwrap_or(usize::MAX);
                CheckedPages::new(file.clone(), &page_chunk, rows, budget.clone())?.get_next_page()
            });
            Some(LoadedPage {
                page: page.ok()??,
                charged_bytes: budget.spent(),
            })
        };
        self.loaded.get_or_init(load).as_ref()
    }
}

/// A row group of which only the pages of a slice are read.
pub(super) struct SlicedRowGroup<R> {
    pub(super) file: Arc<R>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) index: usize,
    pub(super) budget: PageBudget,
    pub(super) pages: SlicePages,
}

impl<R: ChunkReader + 'static> RowGroups for SlicedRowGroup<R> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.row_group(self.index).num_rows()).unwrap_or_default()
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>, ParquetError> {
        let mut columns = self.pages.0.iter();
        let column_pages = columns.find(|pages| pages.column == column);
        let column_pages = column_pages.ok_or_else(unread_page)?;
        let first_page = column_pages.pages.front();
        let pages = SlicedPages {
            file: self.file.clone(),
            metadata: self.metadata.clone(),
            group: self.index,
            column,
            budget: self.budget.clone(),
            dictionary: column_pages.dictionary.clone(),
            rows_before: first_page.map_or(0, |page| page.rows.start),
            pages: column_pages.pages.clone(),
        };
        Ok(Box::new(SingleChunk(Some(Box::new(pages)))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.metadata.row_group(self.index)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

/// Reads the pages of a slice of a column chunk. All rows before its first page look like one page, which the decoder
/// skips.
struct SlicedPages<R> {
    file: Arc<R>,
    metadata: Arc<ParquetMetaData>,
    group: usize,
    column: usize,
    budget: PageBudget,
    dictionary: Option<Arc<SharedPage>>,
    rows_before: u64,
    pages: VecDeque<Arc<SharedPage>>,
}

/// The error for a page that is damaged or is not in the slice. The rows are then decoded again from the start of their
/// row group, and the error of that is reported.
fn unread_page() -> ParquetError {
    ParquetError::General("a page of a slice cannot be read".to_owned())
}

impl<R: ChunkReader> Iterator for SlicedPages<R> {
    type Item = Result<Page, ParquetError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for SlicedPages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>, ParquetError> {
        let page = match self.dictionary.take() {
            Some(dictionary) => dictionary,
            None if self.rows_before > 0 => return Err(unread_page()),
            None => match self.pages.pop_front() {
                Some(page) => page,
                None => return Ok(None),
            },
        };
        let chunk = self.metadata.row_group(self.group).column(self.column);
        let loaded = page.load(&self.file, chunk).ok_or_else(unread_page)?;
        self.budget.spend(loaded.charged_bytes)?;
        Ok(Some(loaded.page.clone()))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>, ParquetError> {
        let data_page = |rows: u64, values: Option<i64>| PageMetadata {
            num_rows: usize::try_from(rows).ok(),
            num_levels: values.and_then(|values| usize::try_from(values).ok()),
            is_dict: false,
        };
        Ok(match (&self.dictionary, self.rows_before) {
            (Some(_), _) => Some(PageMetadata {
                num_rows: None,
                num_levels: None,
                is_dict: true,
            }),
            (None, 0) => {
                let page = self.pages.front();
                page.map(|page| data_page(page.rows.end - page.rows.start, Some(page.values)))
            }
            (None, rows) => Some(data_page(rows, None)),
        })
    }

    fn skip_next_page(&mut self) -> Result<(), ParquetError> {
        if self.dictionary.take().is_none() && std::mem::take(&mut self.rows_before) == 0 {
            self.pages.pop_front();
        }
        Ok(())
    }
}
