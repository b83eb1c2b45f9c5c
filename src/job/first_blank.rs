//! Finds how the first puzzle of a run writes its empty cells.

use sudoku_core::text::notation::describe;
use tracing::subscriber::{NoSubscriber, with_default};

use crate::formats::open;
use crate::job::inputs::Inputs;
use crate::job::threads::records::parse_record;
use crate::read::{ReadOptions, alphabets, can_be_read_once};
use crate::store::display_name;

impl Inputs {
    /// The name of the first input, and the text of an empty cell in its first puzzle. `None` if that cannot be read, has no
    /// empty cell, or is in an input in an object store or one that can be read only once.
    pub fn first_blank(&self, options: &ReadOptions) -> Option<(String, String)> {
        let path = &self.own.first()?.job.path;
        if path.contains("://") || can_be_read_once(path) {
            return None;
        }
        // What is said about the input has been said.
        with_default(NoSubscriber::default(), || blank_of(path, options))
    }
}

fn blank_of(path: &str, options: &ReadOptions) -> Option<(String, String)> {
    let mut input = open(path, options).ok()?;
    let alphabets = alphabets(&mut input, options).ok()?;
    let batch = input.source.next(Vec::new()).ok()??;
    let records = input.parser.parse(&batch).ok()?;
    let mut puzzles = records.rows.iter();
    let record = puzzles.find(|record| parse_record(record, &alphabets).is_ok())?;
    let written = describe(record.puzzle.as_deref().ok()?, alphabets.digits())?;
    let blank = record
        .empty
        .map_or(written.empty, |cell| Some(cell.to_string()))?;
    Some((display_name(path), blank))
}
