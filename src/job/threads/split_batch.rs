//! Processes a batch. One worker parses the records. Other workers help to solve and grade the puzzles if
//! these take long.
//!
//! ```text
//! accept   records → outcomes, carried columns, rejects
//!   │      ┌ sub-batch: chunk after chunk of puzzles; if the rest would take long, half of it
//!   ├──────┤            becomes a new sub-batch, which any worker may take
//!   │      └ sub-batch
//! finish   the worker that ends the last sub-batch joins all outcomes and fills the columns
//! ```
//!
//! The result does not depend on how the batch was split.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::error::Error;
use crate::job::threads::progress::RecordCounts;
use crate::job::threads::worker::{Accepted, InputWork, Processed, Worker};
use crate::panics::caught;
use crate::read::{Batch, SelectedRecords};
use crate::table::outcome::Outcome;

/// A batch whose records have been parsed.
struct SplitBatch<F> {
    worker: Arc<Worker>,
    input: Arc<InputWork>,
    record_counts: Arc<RecordCounts>,
    first_row: u64,
    state: Mutex<SplitState<F>>,
}

struct SplitState<F> {
    /// The number of sub-batches that are not finished.
    unfinished_parts: usize,
    /// The outcomes (a result for each record) of the finished sub-batches. Each sub-batch has the index of its first
    /// outcome in the batch.
    finished_parts: Vec<(usize, Vec<Outcome>)>,
    first_error: Option<Error>,
    /// The parsed batch and the callback for the result. The worker that ends the last sub-batch takes both.
    accepted_and_send: Option<(Accepted, F)>,
}

/// Processes a batch on this worker and on idle ones, and calls `send` with the result.
pub(crate) fn process<F>(
    worker: Arc<Worker>,
    input: Arc<InputWork>,
    count: Arc<RecordCounts>,
    (batch, taken): (Batch, &SelectedRecords),
    send: F,
) where
    F: FnOnce(Result<Processed, Error>) + Send + 'static,
{
    let (first_row, rows) = (batch.first_row, batch.rows);
    let accepted = caught(|| worker.accept_batch(&input, batch, taken));
    let accepted = accepted.unwrap_or_else(|text| Err(bug_error(&input, first_row, rows, &text)));
    let mut accepted = match accepted {
        Ok(accepted) => accepted,
        Err(error) => return send(Err(error)),
    };
    count.add_skipped(rows - accepted.outcomes.len() - accepted.rejects.len());
    count.add_rejected(accepted.rejects.len());
    let outcomes = std::mem::take(&mut accepted.outcomes);
    let split_batch = SplitBatch {
        worker,
        input,
        record_counts: count,
        first_row,
        state: Mutex::new(SplitState {
            unfinished_parts: 1,
            finished_parts: Vec::new(),
            first_error: None,
            accepted_and_send: Some((accepted, send)),
        }),
    };
    Arc::new(split_batch).run_part(0, outcomes);
}

impl<F: FnOnce(Result<Processed, Error>) + Send + 'static> SplitBatch<F> {
    /// Processes a sub-batch. `first` is the index of its first outcome in the batch.
    fn run_part(self: Arc<Self>, first: usize, mut outcomes: Vec<Outcome>) {
        let rows = outcomes.len();
        let work_result = caught(|| self.work_on_part(first, &mut outcomes));
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.unfinished_parts -= 1;
        match work_result {
            Ok(()) => state.finished_parts.push((first, outcomes)),
            Err(text) => {
                let first_row = self.first_row + first as u64;
                state.first_error = Some(bug_error(&self.input, first_row, rows, &text));
            }
        }
        if state.unfinished_parts > 0 {
            return;
        }
        let (mut done, failed) = (
            std::mem::take(&mut state.finished_parts),
            state.first_error.take(),
        );
        let accepted_and_send = state.accepted_and_send.take();
        drop(state);
        let Some((accepted, send)) = accepted_and_send else {
            return;
        };
        if let Some(error) = failed {
            return send(Err(error));
        }
        done.sort_unstable_by_key(|(first, _)| *first);
        let outcomes: Vec<Outcome> = done
            .into_iter()
            .flat_map(|(_, outcomes)| outcomes)
            .collect();
        let rows = outcomes.len();
        let processed = caught(|| self.worker.finish_batch(&self.input, accepted, outcomes));
        send(
            processed
                .unwrap_or_else(|text| Err(bug_error(&self.input, self.first_row, rows, &text))),
        );
    }

    /// Solves and grades the puzzles of these outcomes. If workers are idle, they get a part of the outcomes.
    fn work_on_part(self: &Arc<Self>, first: usize, outcomes: &mut Vec<Outcome>) {
        let pace = &self.worker.pace;
        let mut offset = 0;
        while offset < outcomes.len() {
            let rows_left = outcomes.len() - offset;
            let chunk = match self.worker.stages.solve {
                Some(_) => pace.puzzles_per_chunk().min(rows_left),
                None => rows_left,
            };
            // More rows remain than this worker keeps for itself, so an idle worker gets half of them.
            if !self.worker.is_alone && rows_left > pace.puzzles_to_keep(chunk) && offset > 0 {
                let kept_rows = offset + rows_left.div_ceil(2);
                let rows_to_share = outcomes.split_off(kept_rows);
                self.share_with_other_threads(first + kept_rows, rows_to_share);
                continue;
            }
            let start = Instant::now();
            let rows = &mut outcomes[offset..offset + chunk];
            self.worker.process_rows(&self.input.source, rows);
            pace.record(chunk, start.elapsed());
            self.record_counts.add_done(chunk);
            offset += chunk;
        }
    }

    fn share_with_other_threads(self: &Arc<Self>, first: usize, outcomes: Vec<Outcome>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.unfinished_parts += 1;
        drop(state);
        let split_batch = Arc::clone(self);
        rayon::spawn_fifo(move || split_batch.run_part(first, outcomes));
    }
}

/// The error for a panic on a worker. The panic hook has already printed the report of the panic.
pub(super) fn bug_error(input: &InputWork, first_row: u64, rows: usize, text: &str) -> Error {
    let last_row = first_row + (rows as u64).max(1) - 1;
    Error::Internal(format!(
        "the work on {}, rows {first_row} to {last_row}, failed: {text}",
        input.source
    ))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc::channel;

    use sudoku_core::grade::Ladder;
    use sudoku_core::random::Rng;
    use sudoku_core::solve::{Kernel, Limits};

    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::job::Stages;
    use crate::job::threads::pace::Pace;
    use crate::read::{self, ColumnMapping, ReadOptions};
    use crate::table::columns::ColumnGroup;
    use crate::table::layout::Layout;
    use crate::write::BatchResult;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// Processes these lines as a batch, with a pace of `nanoseconds` per puzzle.
    fn process_lines(
        lines: &str,
        nanoseconds: u64,
        threads: usize,
    ) -> (BatchResult, Arc<RecordCounts>) {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(lines.as_bytes()).unwrap();
        let options = ReadOptions::default();
        let mut opened_input =
            crate::formats::open(&file.path().display().to_string(), &options).unwrap();
        let alphabets = read::alphabets(&mut opened_input, &options).unwrap();
        let kernel = Kernel::fastest();
        let groups = [
            ColumnGroup::Puzzle,
            ColumnGroup::Solution,
            ColumnGroup::Grade,
        ];
        let worker = Worker {
            stages: Stages {
                solve: Some(Limits {
                    solutions: 2,
                    nodes: 1_000_000,
                }),
                grade: Some(Ladder::default()),
                validate: true,
                ..Stages::default()
            },
            layout: Some(Layout::new(&groups, &[], &opened_input.carried)),
            kernel,
            pace: Pace {
                nanoseconds_per_puzzle: AtomicU64::new(nanoseconds),
                ..Pace::default()
            },
            rating: None,
            is_alone: false,
            row_divider: None,
        };
        let input = InputWork {
            source: "in.txt".into(),
            parser: opened_input.parser.clone(),
            has_puzzles: true,
            mapping: ColumnMapping::new(&opened_input.carried, &opened_input.carried).unwrap(),
            alphabets,
            bytes_read: Arc::default(),
        };
        let batch = opened_input.source.next(Vec::new()).unwrap().unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        let (results, inbox) = channel();
        let count = Arc::new(RecordCounts::default());
        count.add_read(batch.rows);
        let shared_count = count.clone();
        pool.spawn_fifo(move || {
            let (worker, input) = (Arc::new(worker), Arc::new(input));
            process(
                worker,
                input,
                shared_count,
                (batch, &SelectedRecords::All),
                move |done| {
                    let _ = results.send(done);
                },
            );
        });
        (inbox.recv().unwrap().unwrap().result, count)
    }

    #[test]
    fn the_result_of_a_batch_does_not_depend_on_how_it_is_split() {
        let mut rng = Rng::new(11);
        let lines: String = (0..400)
            .map(|line| match rng.below(6) {
                0 if line > 0 => "short\n".to_owned(),
                1 => format!("{}\n", PUZZLE.replacen('5', ".", 1)),
                2 => format!("{}\n", ".".repeat(81)),
                _ => format!("{PUZZLE}\n"),
            })
            .collect();
        let (whole, _) = process_lines(&lines, 1, 1);
        for threads in [1, 3] {
            let (shared, count) = process_lines(&lines, 1 << 40, threads);
            assert_eq!(shared.rows, whole.rows);
            assert_eq!(shared.failures, whole.failures);
            assert_eq!(shared.rejects, whole.rejects);
            assert_eq!(shared.tally, whole.tally);
            let progress = count.progress(1000);
            assert_eq!((progress.rows, progress.bytes_done), (400, 1000));
        }
    }
}
