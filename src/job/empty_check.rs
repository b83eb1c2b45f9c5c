//! Decides whether a run without `--allow-empty` fails because an input has no puzzle.
//!
//! | content of the input | as the only input | beside other inputs |
//! |---|---|---|
//! | records, but no puzzle | fails | fails |
//! | no bytes | fails | fails |
//! | a header, or a schema, and no records | fails | passes |

use crate::counts::{Damage, Tally};
use crate::error::Error;
use crate::formats::input_name::input_name;
use crate::read::{Detection, InputColumns, InputFormat};
use crate::table::reject::{Reject, RejectKind};

/// The format of an input, and the way it was recognised.
pub(crate) struct RecognisedFormat {
    pub(crate) format: InputFormat,
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
    /// The counts of the current input.
    input_tally: Tally,
    /// The kinds of errors in the current input, each with the text of its first reject, in the order in which they occur.
    first_rejects: Vec<(RejectKind, String)>,
}

impl EmptyCheck {
    pub(crate) fn new(keep_going: bool, may_be_empty: bool) -> EmptyCheck {
        EmptyCheck {
            keep_going,
            may_be_empty,
            describes_tables: false,
            input_tally: Tally::default(),
            first_rejects: Vec::new(),
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
        (self.input_tally, self.first_rejects) = (Tally::default(), Vec::new());
    }

    /// Adds the counts of a batch, and its rejects.
    pub(crate) fn add_batch(&mut self, tally: &Tally, rejects: &[Reject]) {
        self.input_tally.merge(tally);
        for reject in rejects {
            let kind = reject.reason.kind;
            if self.first_rejects.iter().all(|(known, _)| *known != kind) {
                self.first_rejects.push((kind, reject_text(reject)));
            }
        }
    }

    /// Ends the current input. If it must have a puzzle but has none, the check fails; with `--keep-going`, the
    /// input is reported as damaged instead.
    pub(crate) fn end_input(
        &self,
        source: &str,
        recognised: &RecognisedFormat,
    ) -> Result<Option<Damage>, Error> {
        let source_name = input_name(source);
        // Formats whose columns have no names may match any text by mistake.
        let is_table = recognised.format.columns == InputColumns::Named;
        let (records, rejects) = (self.input_tally.rows(), self.input_tally.rejects());
        let error = if records > 0 && rejects == records && !(self.describes_tables && is_table) {
            self.no_puzzle(source_name, recognised)
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

    /// The error for an input whose records are all rejects. It speaks of the most frequent kind of error.
    fn no_puzzle(&self, source_name: String, recognised: &RecognisedFormat) -> Error {
        let records = self.input_tally.rows();
        let count = |kind: RejectKind| self.input_tally.rejects_of(kind);
        let mut kinds: Vec<&(RejectKind, String)> = self.first_rejects.iter().collect();
        // The order of kinds with the same count stays the same.
        kinds.sort_by_key(|(kind, _)| std::cmp::Reverse(count(*kind)));
        let by_kind = kinds
            .iter()
            .map(|(kind, _)| format!("{} {}", count(*kind), kind.id()));
        let counts = match kinds.len() {
            0 | 1 => String::new(),
            _ => format!(": {}", by_kind.collect::<Vec<_>>().join(", ")),
        };
        let mut causes = self.input_tally.reject_causes();
        let cause = causes.find(|(_, count)| count * 2 > records);
        let conflicts = count(RejectKind::Conflict);
        let advice = match cause {
            Some((cause, count)) => format!("{count} for one cause: {}", cause.advice()),
            None if conflicts * 2 > records => format!(
                "{conflicts} of them are grids in which a house has a digit twice, so they were read as what they are \
                 ({}): look for an error where the grids come from",
                recognised.format
            ),
            None if recognised.detection.why.is_empty() => recognised.detection.hint.to_string(),
            None => format!(
                "it was read as {} ({}): {}",
                recognised.format, recognised.detection.why, recognised.detection.hint
            ),
        };
        let first = kinds.first().map_or("", |(_, text)| text.as_str());
        Error::NoPuzzle {
            source_name,
            records,
            what: format!("{counts}; the first, {first}; {advice}"),
            kept_in: None,
        }
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
