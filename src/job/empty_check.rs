//! Decides whether a run without `--allow-empty` fails because an input has no puzzle.
//!
//! | content of the input | as the only input | beside other inputs |
//! |---|---|---|
//! | records, but no puzzle | fails | fails |
//! | no bytes | fails | fails |
//! | a header, or a schema, and no records | fails | passes |

use crate::error::Error;
use crate::read::Detection;
use crate::report::{Damage, Tally};
use crate::table::reject::Reject;

/// The formats whose columns have names. Other formats may match any text by mistake.
const FORMATS_WITH_COLUMNS: [&str; 5] = ["csv", "ndjson", "json", "parquet", "arrow"];

/// The format of an input, and the way it was recognised.
pub(crate) struct RecognisedFormat {
    pub(crate) format: &'static str,
    pub(crate) detection: Detection,
}

/// Counts the records and the puzzles of the current input, to notice an input without puzzles.
pub(crate) struct EmptyCheck {
    keep_going: bool,
    /// Whether a run may have no records, because its shard or its range of records may be empty.
    may_be_empty: bool,
    /// Whether the run computes statistics of tables. A table without rows, or a table of rejects, is then a
    /// valid input.
    describes_tables: bool,
    record_count: u64,
    accepted_count: u64,
    first_reject: Option<String>,
}

impl EmptyCheck {
    pub(crate) fn new(keep_going: bool, may_be_empty: bool) -> EmptyCheck {
        EmptyCheck {
            keep_going,
            may_be_empty,
            describes_tables: false,
            record_count: 0,
            accepted_count: 0,
            first_reject: None,
        }
    }

    /// Changes the check for a run that computes statistics of tables.
    pub(crate) fn for_tables(self) -> EmptyCheck {
        EmptyCheck {
            describes_tables: true,
            ..self
        }
    }

    pub(crate) fn begin_input(&mut self) {
        (self.record_count, self.accepted_count, self.first_reject) = (0, 0, None);
    }

    pub(crate) fn add_batch(&mut self, tally: &Tally, rejects: &[Reject]) {
        self.add_records(tally.rows(), tally.rejects(), rejects.first());
    }

    /// Adds the counts of a batch: `records` records, of which `rejected` are rejects. `first` is the first
    /// reject.
    pub(crate) fn add_records(&mut self, records: u64, rejected: u64, first: Option<&Reject>) {
        self.record_count += records;
        self.accepted_count += records - rejected;
        if self.first_reject.is_none() {
            self.first_reject = first.map(reject_text);
        }
    }

    /// Ends the current input. If it must have a puzzle but has none, the check fails; with `--keep-going`, the
    /// input is reported as damaged instead.
    pub(crate) fn end_input(
        &self,
        source: &str,
        recognised: &RecognisedFormat,
    ) -> Result<Option<Damage>, Error> {
        let source_name = source.to_owned();
        let is_table = FORMATS_WITH_COLUMNS.contains(&recognised.format);
        let error = if self.record_count > 0
            && self.accepted_count == 0
            && !(self.describes_tables && is_table)
        {
            Error::NoPuzzle {
                source_name,
                records: self.record_count,
                first: self.first_reject.clone().unwrap_or_default(),
                read_as: format!("{} ({})", recognised.format, recognised.detection.why),
                hint: recognised.detection.hint.clone(),
            }
        } else if recognised.detection.is_empty {
            Error::EmptyInput { source_name }
        } else {
            return Ok(None);
        };
        if !self.keep_going {
            return Err(error);
        }
        Ok(Some(Damage {
            source: source.to_owned(),
            message: error.to_string(),
            stored_bytes_unread: Some(0),
            bytes_dropped: 0,
            rows_lost: None,
            nothing_read: false,
        }))
    }

    /// Fails if no input has a puzzle. `whole` counts the rows of the whole output, including the parts of earlier
    /// runs.
    pub(crate) fn check_output(&self, sources: &[String], whole: &Tally) -> Result<(), Error> {
        let accepted = whole.rows() - whole.rejects();
        if accepted > 0 || self.describes_tables || whole.rows() == 0 && self.may_be_empty {
            return Ok(());
        }
        let inputs = match sources {
            [one] => one.clone(),
            all => format!("the {} inputs", all.len()),
        };
        Err(Error::NothingRead { inputs })
    }
}

/// The position of a reject, and its reason: `on line 7: wrong_length: 80 cells; a puzzle has 81`.
fn reject_text(reject: &Reject) -> String {
    let position_text = match reject.line {
        Some(line) => format!("on line {line}"),
        None => format!("row {}", reject.row),
    };
    format!(
        "{position_text}: {}: {}",
        reject.reason.kind.id(),
        reject.reason.message
    )
}
