//! Stores the pages of an encoded row group in buffers without unused memory.
//!
//! The encoder returns each page in a buffer with the size of the uncompressed page, and each page header in a
//! buffer of 1 KiB. With 9,000 columns, the headers alone would take 18 MB per group.

use std::ops::Range;

use bytes::Bytes;
use parquet::column::page_store::{PageKey, PageStore, PageStoreArgs, PageStoreFactory};
use parquet::errors::ParquetError;

/// The size in bytes below which a page is copied to a buffer that the short pages of a column share.
const SHORT_PAGE_BYTES: usize = 4 << 10;

#[derive(Debug)]
pub(super) struct ExactPageStores;

impl PageStoreFactory for ExactPageStores {
    fn create(&self, _: &PageStoreArgs<'_>) -> Result<Box<dyn PageStore>, ParquetError> {
        Ok(Box::new(ColumnPages::default()))
    }
}

/// The encoded pages of one column in a row group.
#[derive(Default)]
struct ColumnPages {
    pages: Vec<Page>,
    short_pages: Vec<u8>,
}

enum Page {
    /// A page in the buffer that short pages share. The field is the page's range of bytes in the buffer.
    Short(Range<usize>),
    Long(Bytes),
}

impl PageStore for ColumnPages {
    fn put(&mut self, value: Bytes) -> Result<PageKey, ParquetError> {
        let page = if value.len() < SHORT_PAGE_BYTES {
            let start = self.short_pages.len();
            self.short_pages.reserve_exact(value.len());
            self.short_pages.extend_from_slice(&value);
            Page::Short(start..self.short_pages.len())
        } else {
            Page::Long(Bytes::copy_from_slice(&value))
        };
        self.pages.push(page);
        Ok(PageKey::new(self.pages.len() as u64 - 1))
    }

    fn take(&mut self, key: PageKey) -> Result<Bytes, ParquetError> {
        let page = usize::try_from(key.get()).ok();
        match page.and_then(|at| self.pages.get_mut(at)) {
            Some(Page::Short(range)) => {
                Ok(Bytes::copy_from_slice(&self.short_pages[range.clone()]))
            }
            Some(Page::Long(bytes)) => Ok(std::mem::take(bytes)),
            None => Err(ParquetError::General(format!("no page {}", key.get()))),
        }
    }

    fn memory_size(&self) -> usize {
        let long_pages = self.pages.iter().map(|page| match page {
            Page::Short(_) => 0,
            Page::Long(bytes) => bytes.len(),
        });
        self.short_pages.capacity() + long_pages.sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_stored_without_unused_memory() {
        let mut pages = ColumnPages::default();
        let mut expected = Vec::new();
        for length in [40, SHORT_PAGE_BYTES, 0, 10 * SHORT_PAGE_BYTES, 1] {
            let mut page = Vec::with_capacity(1 << 20);
            page.resize(length, length as u8);
            expected.push((pages.put(page.clone().into()).unwrap(), page));
        }
        assert_eq!(pages.memory_size(), 41 + 11 * SHORT_PAGE_BYTES);
        for (key, page) in expected.into_iter().rev() {
            assert_eq!(pages.take(key).unwrap(), page);
        }
        assert!(pages.take(PageKey::new(5)).is_err());
    }
}
