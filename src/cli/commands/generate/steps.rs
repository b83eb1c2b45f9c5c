//! The steps of a `generate` run: its table, and a progress line that counts the puzzles as they are made.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sudoku_pipeline::error::Error;
use sudoku_pipeline::job::{Inputs, Progress, Stages, Steps, Watch};
use sudoku_pipeline::table::layout::Layout;
use sudoku_pipeline::write::{FileOutput, Output, TableWriter};

use crate::cli::terminal::progress::ProgressLine;

pub(super) struct GenerateSteps {
    pub(super) layout: Layout,
    pub(super) stages: Stages,
    /// The table for the puzzles; `None` after the job has taken it.
    pub(super) table: Option<TableWriter>,
    pub(super) bar: ProgressLine,
    /// The number of puzzles that have been made; with `--near`, the number of puzzles that have been tried.
    pub(super) puzzles_made: Arc<AtomicU64>,
}

impl Watch for GenerateSteps {
    fn progress(&mut self, progress: Progress) {
        self.bar.show(Progress {
            rows: self.puzzles_made.load(Ordering::Relaxed),
            ..progress
        });
    }
}

impl Steps for GenerateSteps {
    type Error = Error;

    fn layout(&mut self, _: &Inputs) -> Result<Layout, Error> {
        Ok(self.layout.clone())
    }

    fn output(&mut self, _: &mut Inputs, _: &mut Layout) -> Result<Box<dyn Output>, Error> {
        Ok(Box::new(FileOutput::new(self.table.take(), None)))
    }

    fn stages(&self) -> Stages {
        self.stages.clone()
    }
}
