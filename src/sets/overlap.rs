//! `overlap`: finds the rows of a dataset B whose class also occurs in a dataset A.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{ArrayRef, AsArray, BooleanArray, RecordBatch};
use arrow::compute::filter_record_batch;
use arrow::datatypes::{DataType, SchemaRef};
use serde_json::Map;

use super::class_index::{ClassIndex, IndexMemory, LookupResult};
use super::findings::{FallbackCounts, Findings, SharedFindings};
use super::ordered_lookups::{InOrder, Keys, OrderedLookups};
use super::row_places::{RowPlace, place_columns, repeated_places};
use super::waiting_rows::WaitingRows;
use crate::error::Error;
use crate::options::BY;
use crate::table::class::{ClassBy, ClassMembers};
use crate::table::class_key::ClassKey;
use crate::table::columns::described::{self, DescribedColumn};
use crate::write::{
    Background, BatchInProgress, BatchResult, EncodeTask, FileOutput, Output, OutputSet, Table,
    TableMetadata, TableWriter,
};

/// The size limit of row groups in the table of pairs, in bytes. It is small because one thread encodes the table.
const GROUP_BYTES: usize = 4 << 20;

/// Compares two datasets, A and B. The first `inputs_of_first_set` inputs are dataset A, and the other inputs are
/// dataset B.
pub struct OverlapOutput {
    /// Writes the rejects of both datasets.
    rejects_output: FileOutput,
    pairs_table: Option<TableWriter>,
    sources: Arc<[String]>,
    /// The number of inputs that belong to dataset A.
    inputs_of_first_set: usize,
    current_input: usize,
    /// The comparisons by each kind of class. The first is that of `--by`, whose pairs of rows are written. The others
    /// are only counted.
    comparisons: Vec<ClassComparison>,
    rows_of_first_set: u64,
    rows_of_second_set: u64,
    /// Runs the lookups on the worker threads; `None` to look up all rows on the calling thread.
    background: Option<Background>,
    /// The pairs that the worker threads have found, which are not written yet.
    found_pairs: InOrder<(Option<Pairs>, BatchInProgress)>,
    findings: SharedFindings,
}

/// Rows of dataset B whose class also occurs in dataset A, their positions, and those of their twins in A.
struct Pairs {
    rows: RecordBatch,
    places: Vec<RowPlace>,
    twins: Vec<RowPlace>,
}

impl Pairs {
    /// The rows with a twin; `None` if there are none.
    fn new(
        rows: &RecordBatch,
        places: &[RowPlace],
        twins: &[Option<RowPlace>],
    ) -> Result<Option<Pairs>, Error> {
        let has_twin: BooleanArray = twins.iter().map(|twin| Some(twin.is_some())).collect();
        if has_twin.true_count() == 0 {
            return Ok(None);
        }
        let (places, twins) = repeated_places(places, twins);
        Ok(Some(Pairs {
            rows: filter_record_batch(rows, &has_twin)?,
            places,
            twins,
        }))
    }
}

/// A comparison of two datasets by one kind of class.
struct ClassComparison {
    class_kind: ClassBy,
    class_index: ClassIndex,
    waiting_rows: WaitingRows,
    twin_count: Arc<AtomicU64>,
    fallback_counts: FallbackCounts,
}

impl ClassComparison {
    fn new(by: ClassBy, memory: IndexMemory) -> ClassComparison {
        ClassComparison {
            class_kind: by,
            waiting_rows: WaitingRows::new(memory.temp_folder.clone()),
            class_index: ClassIndex::new(memory),
            twin_count: Arc::default(),
            fallback_counts: FallbackCounts::default(),
        }
    }

    /// Counts the rows that have a twin.
    fn add_twins(&self, twins: &[Option<RowPlace>]) {
        let count = count_twins(twins);
        self.twin_count.fetch_add(count, Ordering::Relaxed);
    }

    fn twins(&self) -> u64 {
        self.twin_count.load(Ordering::Relaxed)
    }

    /// Adds the classes of rows of dataset A to the index on the worker threads. Returns false if the memory limit does not
    /// allow it.
    fn insert_in_background(
        &mut self,
        keys: &[ClassKey],
        places: &Arc<[RowPlace]>,
        batch: BatchInProgress,
    ) -> Result<bool, Error> {
        let Some(lookups) = self.class_index.lookups_for(keys)? else {
            return Ok(false);
        };
        let places = Arc::clone(places);
        let keys = Keys {
            keys: keys.to_vec(),
            place_of: Some(Box::new(move |row, _| places[row])),
        };
        lookups.look_up(keys, move |_, _| {
            drop(batch);
            Ok(())
        });
        Ok(true)
    }

    /// Finds the twins of rows of dataset B with these lookups on the worker threads, and passes them to `when_found`.
    fn find_in_background(
        &self,
        lookups: &OrderedLookups,
        keys: &[ClassKey],
        when_found: impl FnOnce(Vec<Option<RowPlace>>) -> Result<(), Error> + Send + 'static,
    ) {
        let keys = Keys {
            keys: keys.to_vec(),
            place_of: None,
        };
        let twin_count = Arc::clone(&self.twin_count);
        lookups.look_up(keys, move |_, twins| {
            twin_count.fetch_add(count_twins(&twins), Ordering::Relaxed);
            when_found(twins)
        });
    }

    /// Adds the classes of rows of dataset A to the index.
    fn insert_rows(&mut self, members: &ClassMembers, places: &[RowPlace]) -> Result<(), Error> {
        for (key, place) in members.keys.iter().zip(places) {
            self.class_index.insert_class(*key, *place)?;
        }
        Ok(())
    }

    /// Finds, for each of these rows of dataset B, the first row of A with the same class. Returns `None` if the rows
    /// of B have to wait for the results. Then all of them wait.
    fn find_twins(
        &mut self,
        members: &ClassMembers,
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
    ) -> Result<Option<Vec<Option<RowPlace>>>, Error> {
        let mut twins = Vec::with_capacity(places.len());
        for (key, place) in members.keys.iter().zip(places) {
            match self.class_index.find_class(*key, *place)? {
                LookupResult::New => twins.push(None),
                LookupResult::Again(first) => twins.push(Some(first)),
                LookupResult::Later => {}
            }
        }
        if twins.len() < places.len() {
            self.waiting_rows.push(rows, places)?;
            return Ok(None);
        }
        self.add_twins(&twins);
        Ok(Some(twins))
    }
}

fn count_twins(twins: &[Option<RowPlace>]) -> u64 {
    twins.iter().flatten().count() as u64
}

/// The columns of the table of pairs: a row of dataset B, and a row of A with the same class.
pub fn pair_columns() -> Vec<DescribedColumn> {
    use DataType::{UInt64, Utf8};
    vec![
        DescribedColumn::required_column("source", Utf8, "The input of B that the row is in."),
        DescribedColumn::required_column(
            "row",
            UInt64,
            "The record's number in this input, from 0.",
        ),
        DescribedColumn::required_column("puzzle", Utf8, "The puzzle of this row."),
        DescribedColumn::required_column(
            "twin_source",
            Utf8,
            format!(
                "The input of A with the first row that has the same puzzle, as `{BY}` understands it."
            ),
        ),
        DescribedColumn::required_column(
            "twin_row",
            UInt64,
            "The number of that record in its input, from 0.",
        ),
    ]
}

fn pairs_schema() -> SchemaRef {
    described::schema(&pair_columns())
}

impl OverlapOutput {
    /// Compares inputs by these kinds of classes, which the job determines in this order. `sources` are the names of
    /// the inputs, of which the first ones are dataset A. Pairs of rows are found by the first kind of class. Rejects
    /// are written to `rejects`. The counts are complete when the run ends.
    pub fn new(
        rejects: FileOutput,
        sources: Vec<String>,
        inputs_of_first_set: usize,
        classes: &[ClassBy],
        memory: &IndexMemory,
    ) -> (OverlapOutput, SharedFindings) {
        let findings = SharedFindings::default();
        let memory_share = IndexMemory {
            limit_bytes: memory
                .limit_bytes
                .map(|bytes| bytes / classes.len().max(1) as u64),
            temp_folder: memory.temp_folder.clone(),
        };
        let comparisons =
            (classes.iter()).map(|by| ClassComparison::new(*by, memory_share.clone()));
        let output = OverlapOutput {
            rejects_output: rejects,
            pairs_table: None,
            sources: sources.into(),
            inputs_of_first_set,
            current_input: 0,
            comparisons: comparisons.collect(),
            rows_of_first_set: 0,
            rows_of_second_set: 0,
            background: None,
            found_pairs: InOrder::default(),
            findings: findings.clone(),
        };
        (output, findings)
    }

    /// Also writes a table of pairs: each row of B whose class also occurs in A, with the first row of A that has this
    /// class.
    ///
    /// # Errors
    ///
    /// The table cannot be started.
    pub fn with_pairs(
        self,
        table: &Table,
        metadata: &TableMetadata,
    ) -> Result<OverlapOutput, Error> {
        let mut pairs = table.start(&pairs_schema(), metadata)?;
        pairs.shrink_groups(GROUP_BYTES);
        Ok(OverlapOutput {
            pairs_table: Some(pairs),
            ..self
        })
    }

    /// Writes the rows of B whose class also occurs in A, with the first row of this class in A.
    fn write_pairs(
        &mut self,
        rows: Option<&RecordBatch>,
        places: &[RowPlace],
        twins: &[Option<RowPlace>],
    ) -> Result<(), Error> {
        match rows {
            Some(rows) => self.write_found(Pairs::new(rows, places, twins)?),
            None => Ok(()),
        }
    }

    fn write_found(&mut self, found: Option<Pairs>) -> Result<(), Error> {
        let (Some(pairs), Some(found)) = (&mut self.pairs_table, found) else {
            return Ok(());
        };
        let puzzle: ArrayRef = Arc::new(found.rows.column(0).as_string::<i32>().clone());
        let mut columns = place_columns(&self.sources, &found.places);
        columns.push(puzzle);
        columns.extend(place_columns(&self.sources, &found.twins));
        pairs.write(RecordBatch::try_new(pairs_schema(), columns)?)
    }
}

impl Output for OverlapOutput {
    fn wants_rows(&self) -> bool {
        self.pairs_table.is_some()
    }

    fn use_background(&mut self, background: &Background) {
        for comparison in &mut self.comparisons {
            comparison.class_index.use_background(background);
        }
        self.background = Some(background.clone());
    }

    fn advance(&mut self) -> Result<Vec<EncodeTask>, Error> {
        while let Some((found, batch)) = self.found_pairs.take() {
            self.write_found(found)?;
            drop(batch);
        }
        Ok(Vec::new())
    }

    fn begin_input(&mut self, input: usize) -> Result<(), Error> {
        self.current_input = input;
        Ok(())
    }

    fn batch(&mut self, source: &str, result: &mut BatchResult) -> Result<Vec<EncodeTask>, Error> {
        self.rejects_output.write_rejects(source, &result.rejects)?;
        let BatchResult {
            rows,
            class_members,
            ..
        } = result;
        let input = self.current_input;
        let row_places: Arc<[RowPlace]> = (class_members.iter().take(1))
            .flat_map(|members| &members.rows)
            .map(|row| RowPlace::new(input, *row))
            .collect();
        let is_in_first_set = input < self.inputs_of_first_set;
        if is_in_first_set {
            self.rows_of_first_set += row_places.len() as u64;
        } else {
            self.rows_of_second_set += row_places.len() as u64;
        }
        for (at, members) in class_members.iter().enumerate() {
            let Some(comparison) = self.comparisons.get_mut(at) else {
                return Err(Error::Internal("a class that is not compared".into()));
            };
            comparison.fallback_counts.add(members);
            let background = self.background.as_ref();
            if is_in_first_set {
                let batch = background.map(Background::begin_batch);
                let is_inserted = match batch {
                    Some(batch) => {
                        comparison.insert_in_background(&members.keys, &row_places, batch)?
                    }
                    None => false,
                };
                if !is_inserted {
                    comparison.insert_rows(members, &row_places)?;
                }
                continue;
            }
            let rows = rows.as_ref().filter(|_| at == 0);
            if let Some(batch) = background.map(Background::begin_batch)
                && let Some(lookups) = comparison.class_index.finds()
            {
                let place = rows.map(|_| self.found_pairs.next_place());
                let (rows, places) = (rows.cloned(), Arc::clone(&row_places));
                comparison.find_in_background(lookups, &members.keys, move |twins| {
                    if let (Some(rows), Some(place)) = (&rows, place) {
                        place.put((Pairs::new(rows, &places, &twins)?, batch));
                    }
                    Ok(())
                });
                continue;
            }
            let twins = comparison.find_twins(members, rows, &row_places)?;
            if let (0, Some(twins)) = (at, twins) {
                self.write_pairs(rows, &row_places, &twins)?;
            }
        }
        Ok(Vec::new())
    }

    fn deferred(&mut self) -> Result<Option<Vec<EncodeTask>>, Error> {
        for (at, comparison) in self.comparisons.iter_mut().enumerate() {
            let Some(next) = comparison.waiting_rows.next(&mut comparison.class_index)? else {
                continue;
            };
            comparison.add_twins(&next.firsts);
            if at == 0 {
                self.write_pairs(next.rows.as_ref(), &next.places, &next.firsts)?;
            }
            return Ok(Some(Vec::new()));
        }
        Ok(None)
    }

    fn end(&mut self) -> Result<Vec<EncodeTask>, Error> {
        let (rows_a, rows_b) = (self.rows_of_first_set, self.rows_of_second_set);
        let mut counts = Map::new();
        counts.insert("rows_of_a".into(), rows_a.into());
        counts.insert("rows_of_b".into(), rows_b.into());
        if let Some(main) = self.comparisons.first() {
            let share = main.twins() as f64 / (rows_b as f64).max(1.0);
            counts.insert("twins".into(), main.twins().into());
            counts.insert("share_of_b".into(), share.into());
            main.fallback_counts.write_to(&mut counts);
        }
        let comparisons = self.comparisons.iter();
        let on_disk = comparisons
            .clone()
            .map(|comparison| comparison.waiting_rows.row_count());
        counts.insert("rows_on_disk".into(), on_disk.max().unwrap_or(0).into());
        let twins = comparisons.map(|comparison| {
            (
                comparison.class_kind.id().to_owned(),
                comparison.twins().into(),
            )
        });
        counts.insert("twins_by".into(), Map::from_iter(twins).into());
        let twins = self.comparisons.iter().take(1).map(|main| {
            let shared = main.class_kind.shared_text();
            (main.twins(), format!("of B with {shared} in A"))
        });
        let says = twins.collect();
        self.findings.store_findings(Findings {
            counts,
            says,
            ..Findings::default()
        });
        Ok(Vec::new())
    }

    fn finish(self: Box<Self>, set: &mut OutputSet) -> Result<(), Error> {
        Box::new(self.rejects_output).finish(set)?;
        match self.pairs_table {
            Some(pairs) => set.add_marker(pairs.finish()?),
            None => Ok(()),
        }
    }

    fn abandon(self: Box<Self>, why: &Error) -> Option<PathBuf> {
        drop(self.pairs_table);
        Box::new(self.rejects_output).abandon(why)
    }
}
