use arrow::array::{ArrayRef, AsArray, Int64Array, StringArray};
use arrow::compute::concat_batches;
use arrow::datatypes::UInt64Type;
use arrow::error::ArrowError;
use sudoku_core::grade::Ladder;
use sudoku_core::solve::Limits;

use super::*;
use crate::batches::BatchFunction;
use crate::job::Task;
use crate::job::memory::MemoryPlan;

const PUZZLE: &str =
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn graded_with_origin() -> BatchOptions {
    BatchOptions {
        origin: true,
        run: RunOptions {
            memory: MemoryPlan::without_limit(2),
            ..RunOptions::default()
        },
        ..BatchOptions::new(Task::Grade {
            ladder: Ladder::default(),
            uniqueness: false,
            limits: Limits::default(),
        })
    }
}

/// A batch of `rows` records, whose ids count up from `first`. Every seventh record is not a puzzle.
fn batch(first: i64, rows: i64) -> RecordBatch {
    let ids = first..first + rows;
    let puzzle_texts = ids.clone().map(|id| match id % 7 {
        3 => "short".to_owned(),
        5 => PUZZLE.replacen('5', ".", 1),
        _ => PUZZLE.to_owned(),
    });
    let puzzle_column: ArrayRef = Arc::new(StringArray::from_iter_values(puzzle_texts));
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(ids));
    RecordBatch::try_from_iter([("id", ids), ("puzzle", puzzle_column)]).unwrap()
}

fn batches() -> Vec<RecordBatch> {
    let mut first_row = 0;
    let sizes = [1, 0, 9000, 13, 4096, 500];
    let batches = sizes.map(|rows| {
        first_row += rows;
        batch(first_row - rows, rows)
    });
    batches.to_vec()
}

fn stream(batches: Vec<Result<RecordBatch, ArrowError>>, options: &BatchOptions) -> BatchStream {
    let schema = batch(0, 0).schema();
    BatchStream::new(&schema, Box::new(batches.into_iter()), options).unwrap()
}

fn all_rows(stream: &mut BatchStream) -> Result<RecordBatch, Error> {
    let mut rows = Vec::new();
    loop {
        match stream.next_within(Duration::from_secs(60))? {
            StreamItem::Rows(batch) => rows.push(batch),
            StreamItem::Waiting => panic!("the stream takes too long"),
            StreamItem::End => return Ok(concat_batches(stream.schema(), &rows)?),
        }
    }
}

#[test]
fn a_stream_has_the_rows_of_the_function_in_order() {
    for rejects in [RejectsAs::Table, RejectsAs::Rows] {
        let options = BatchOptions {
            rejects,
            ..graded_with_origin()
        };
        let given_batches = batches().into_iter().map(Ok).collect();
        let mut stream_rows = stream(given_batches, &options);
        let table = all_rows(&mut stream_rows).unwrap();
        let function = BatchFunction::new(&batch(0, 0).schema(), options).unwrap();
        let mut first_row = 0;
        let function_rows: Vec<RecordBatch> = (batches().iter())
            .map(|batch| {
                let one_batch = function.run(batch, first_row).unwrap();
                first_row += batch.num_rows() as u64;
                one_batch.rows
            })
            .collect();
        assert_eq!(
            table,
            concat_batches(&function.schema(), &function_rows).unwrap()
        );
        let rejected: usize = stream_rows
            .take_rejects()
            .unwrap()
            .map(|batch| batch.unwrap().num_rows())
            .sum();
        assert_eq!(rejected as u64, stream_rows.tally().rejects());
        assert_eq!(rejected, (0..first_row).filter(|id| id % 7 == 3).count());
        match rejects {
            RejectsAs::Table => assert_eq!(table.num_rows() + rejected, first_row as usize),
            RejectsAs::Rows => {
                let status = table.column_by_name("status").unwrap().as_string::<i32>();
                let rows = table.column_by_name("row").unwrap();
                let rows = rows.as_primitive::<UInt64Type>();
                for row in 0..first_row {
                    assert_eq!(rows.value(row as usize), row);
                    let expected = match row % 7 {
                        3 => "rejected",
                        5 => "multiple",
                        _ => "unique",
                    };
                    let is_same = status.value(row as usize) == expected;
                    assert!(is_same || row % 7 == 5, "{row}");
                }
            }
        }
    }
}

#[test]
fn values_of_carried_columns_are_not_copied() {
    let whole_batch = batch(0, 3);
    let mut stream = stream(vec![Ok(whole_batch.clone())], &graded_with_origin());
    let Ok(StreamItem::Rows(rows)) = stream.next_within(Duration::from_secs(60)) else {
        panic!("there are rows");
    };
    let address =
        |batch: &RecordBatch| batch.column_by_name("id").unwrap().to_data().buffers()[0].as_ptr();
    assert_eq!(address(&rows), address(&whole_batch));
}

#[test]
fn a_stream_without_records_has_no_rows_and_one_without_puzzles_fails() {
    let mut empty_stream = stream(vec![Ok(batch(0, 0))], &graded_with_origin());
    assert_eq!(all_rows(&mut empty_stream).unwrap().num_rows(), 0);
    let bad_batches = || vec![Ok(batch(3, 1))];
    let error = all_rows(&mut stream(bad_batches(), &graded_with_origin())).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("its only record is not a puzzle"),
        "{error}"
    );
    let mut options = graded_with_origin();
    options.run.allow_empty = true;
    let rows = all_rows(&mut stream(bad_batches(), &options)).unwrap();
    assert_eq!(rows.num_rows(), 0);
}

#[test]
fn a_failing_producer_is_named_after_the_rows_before_it() {
    let source_error = ArrowError::CDataInterface("ValueError: out of paper".to_owned());
    let mut stream = stream(
        vec![Ok(batch(0, 2)), Err(source_error)],
        &graded_with_origin(),
    );
    let error = all_rows(&mut stream).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read arrow: ValueError: out of paper"
    );
    assert!(stream.has_ended());
    assert!(matches!(
        stream.next_within(Duration::ZERO),
        Ok(StreamItem::End)
    ));
}

#[test]
fn a_stream_that_nobody_takes_reads_no_further() {
    let rows_read = Arc::new(AtomicUsize::new(0));
    let count = rows_read.clone();
    let endless = std::iter::repeat_with(move || {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(batch(0, 100))
    });
    let schema = batch(0, 0).schema();
    let mut stream = BatchStream::new(&schema, Box::new(endless), &graded_with_origin()).unwrap();
    let first_batch = stream.next_within(Duration::from_secs(60));
    assert!(matches!(first_batch, Ok(StreamItem::Rows(_))));
    std::thread::sleep(Duration::from_millis(300));
    let batches_ahead = rows_read.load(Ordering::Relaxed);
    assert!(
        batches_ahead < 40,
        "{batches_ahead} batches were read ahead"
    );
    stream.stop();
    assert!(matches!(
        stream.next_within(Duration::ZERO),
        Ok(StreamItem::End)
    ));
}

/// A batch of this many records that are puzzles.
fn good_batch(rows: i64) -> RecordBatch {
    let all = batch(0, 2 * rows);
    let good = (0..2 * rows).filter(|id| id % 7 != 3).take(rows as usize);
    let good: arrow::array::UInt64Array = good.map(|id| id as u64).collect();
    arrow::compute::take_record_batch(&all, &good).unwrap()
}

#[test]
fn a_small_batch_has_the_rows_of_a_stream() {
    let solve = || {
        BatchOptions::new(Task::Solve {
            method: sudoku_core::solve::Method::default(),
            limits: Limits::default(),
        })
    };
    let named = |change: fn(&mut BatchOptions)| {
        let mut options = solve();
        change(&mut options);
        options
    };
    let cases = [
        solve(),
        BatchOptions::new(Task::Convert),
        graded_with_origin(),
        named(|options| options.origin = true),
        named(|options| options.name = "mine".to_owned()),
        named(|options| options.rejects = RejectsAs::Rows),
        named(|options| options.view.condition = Some("clues < 20".to_owned())),
        named(|options| options.view.select = Some(vec!["id".to_owned(), "status".to_owned()])),
        named(|options| options.run.selection.limit = Some(2)),
        named(|options| options.with = vec!["canonical".to_owned()]),
    ];
    for (number, options) in cases.iter().enumerate() {
        for rows in [0, 1, 3, 4, 8, 9, 256, 257] {
            let is_good = number % 2 == 0 || rows > 9;
            let batch = if is_good {
                good_batch(rows)
            } else {
                batch(0, rows)
            };
            let once = || Box::new(std::iter::once(Ok(batch.clone()))) as RecordBatches;
            let mut small = BatchStream::new(&batch.schema(), once(), options).unwrap();
            let mut large = BatchStream::on_threads(&batch.schema(), once(), options).unwrap();
            assert_eq!(small.schema(), large.schema());
            let (small_rows, large_rows) = (all_rows(&mut small), all_rows(&mut large));
            let case = format!("case {number}, {rows} rows");
            assert_eq!(small_rows.unwrap(), large_rows.unwrap(), "{case}");
            let counts = |stream: &BatchStream| serde_json::to_string(stream.tally()).unwrap();
            assert_eq!(counts(&small), counts(&large), "{case}");
            assert_eq!(small.reject_rows(), large.reject_rows(), "{case}");
            assert!(small.has_ended());
        }
    }
}
