//! Stores rows of subfolders on disk if too many subfolders have open tables. The rows are distributed to
//! buckets, by the hash of their subfolder. The buckets are read one after the other, so that fewer subfolders
//! are open at a time.
//!
//! ```text
//! (folder, rows) ─ hash of the folder ─┬─ bucket 0: an Arrow stream, the folder's name in each row
//!                                      ├─ …
//!                                      └─ bucket 31
//! ```
//!
//! The rows of a subfolder keep their order. The files have no names, so the system removes them when the
//! process ends.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, RecordBatch, StringArray, UInt32Array};
use arrow::compute::{concat_batches, take_record_batch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use crate::error::Error;
use crate::hash::fnv1a;
use crate::open_files;
use crate::temporary::{BatchSpool, SpooledBatches};

/// The maximum number of buckets into which rows are spilled. Each bucket is an open file.
const BUCKET_COUNT: usize = 32;

/// The number of buckets, a power of two, for a process that may have `files` open files.
pub(super) fn bucket_count(files: usize) -> usize {
    match files {
        ..64 => 4,
        64..256 => 8,
        256.. => BUCKET_COUNT,
    }
}

/// The size in bytes of the rows that a bucket collects in memory before it writes them to its file.
const WAITING_BYTES_PER_BUCKET: usize = 128 << 10;

/// Rows that wait on disk until the tables of other subfolders are complete.
pub(super) struct RowSpill {
    /// The number of times that these rows have been spilled before. Each time, other bits of the hash determine the
    /// bucket.
    spill_depth: u32,
    /// The columns of the spilled rows, followed by a column with the name of their subfolder.
    schema: SchemaRef,
    buckets: Vec<Bucket>,
}

struct Bucket {
    waiting_batches: Vec<RecordBatch>,
    waiting_bytes: usize,
    spool: BatchSpool,
}

impl RowSpill {
    /// An empty spill for rows with this schema. `folder` is the folder for the temporary files.
    pub(super) fn new(schema: &SchemaRef, folder: &Path, depth: u32) -> RowSpill {
        let mut fields = schema.fields().to_vec();
        fields.push(Arc::new(Field::new("folder", DataType::Utf8, false)));
        let buckets = std::iter::repeat_with(|| Bucket {
            waiting_batches: Vec::new(),
            waiting_bytes: 0,
            spool: BatchSpool::new(folder).compressed(),
        });
        RowSpill {
            spill_depth: depth,
            schema: Arc::new(Schema::new(fields)),
            buckets: buckets.take(bucket_count(open_files::limit())).collect(),
        }
    }

    pub(super) fn depth(&self) -> u32 {
        self.spill_depth
    }

    /// Adds rows of one subfolder to the bucket for this subfolder.
    pub(super) fn add_rows(&mut self, folder: &str, rows: &RecordBatch) -> Result<(), Error> {
        let names = std::iter::repeat_n(folder, rows.num_rows());
        let names: ArrayRef = Arc::new(StringArray::from_iter_values(names));
        let columns = rows.columns().iter().cloned().chain([names]).collect();
        let rows = RecordBatch::try_new(self.schema.clone(), columns)?;
        let (count, hash) = (self.buckets.len(), fnv1a(folder.as_bytes()));
        let bucket_index = hash.rotate_right(self.spill_depth * count.ilog2()) as usize % count;
        let bucket = &mut self.buckets[bucket_index];
        bucket.waiting_bytes += rows.get_array_memory_size();
        bucket.waiting_batches.push(rows);
        if bucket.waiting_bytes > WAITING_BYTES_PER_BUCKET {
            bucket.write_waiting(&self.schema)
        } else {
            Ok(())
        }
    }

    /// Ends the writing of rows, and returns the buckets for reading.
    pub(super) fn into_buckets(self) -> Buckets {
        Buckets {
            schema: self.schema,
            buckets_left: self.buckets.into_iter(),
        }
    }
}

/// The buckets of a spill that have not been read yet.
pub(super) struct Buckets {
    schema: SchemaRef,
    buckets_left: std::vec::IntoIter<Bucket>,
}

impl Buckets {
    /// The rows of the next bucket that is not empty, in the order in which they were added; `None` after the last
    /// one. [`group_by_folder`] groups them by subfolder.
    pub(super) fn next_rows(&mut self) -> Result<Option<SpooledBatches>, Error> {
        for mut bucket in &mut self.buckets_left {
            bucket.write_waiting(&self.schema)?;
            if !bucket.spool.is_empty() {
                return bucket.spool.into_reader().map(Some);
            }
        }
        Ok(None)
    }
}

impl Bucket {
    /// Writes the rows that are collected in memory to the file of the bucket.
    fn write_waiting(&mut self, schema: &SchemaRef) -> Result<(), Error> {
        if self.waiting_batches.is_empty() {
            return Ok(());
        }
        let rows = concat_batches(schema, &self.waiting_batches)?;
        self.waiting_batches.clear();
        self.waiting_bytes = 0;
        self.spool.push(&rows)
    }
}

/// Groups the rows by the subfolder that their last column names, and removes that column.
pub(super) fn group_by_folder(rows: &RecordBatch) -> Result<BTreeMap<String, RecordBatch>, Error> {
    let last_column = rows.num_columns() - 1;
    let names = rows.column(last_column).as_string::<i32>();
    let mut rows_by_folder: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
    for (row, name) in (0..).zip(names.iter().flatten()) {
        rows_by_folder.entry(name).or_default().push(row);
    }
    let columns: Vec<usize> = (0..last_column).collect();
    let other_columns = rows.project(&columns)?;
    let mut batches_by_folder = BTreeMap::new();
    for (name, rows) in rows_by_folder {
        let rows = take_record_batch(&other_columns, &UInt32Array::from(rows))?;
        batches_by_folder.insert(name.to_owned(), rows);
    }
    Ok(batches_by_folder)
}
