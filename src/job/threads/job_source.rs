//! Opens the inputs of a run, the next ones on worker threads while the current one is read.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::mpsc::{Receiver, sync_channel};

use arrow::datatypes::FieldRef;

use crate::error::Error;
use crate::formats::open_ahead;
use crate::job::inputs::JobInput;
use crate::panics::caught;
use crate::pool::Pool;
use crate::read::{self, BatchSource, ColumnMapping, Input, ReadOptions, can_be_read_once};
use crate::store::{AheadInput, Location, ReadAhead, StoreError, display_name};
use sudoku_core::sizes::Alphabets;

/// An input that is ready to be read.
pub(crate) struct JobSource {
    pub(crate) info: read::InputInfo,
    pub(crate) detection: read::Detection,
    pub(crate) source: Box<dyn BatchSource>,
    pub(crate) parser: Arc<dyn read::Parse>,
    pub(crate) bytes_read: Arc<AtomicU64>,
    pub(crate) mapping: ColumnMapping,
    pub(crate) alphabets: Alphabets,
}

/// What is needed to open an input of a run.
pub(crate) struct InputOpener {
    pub(crate) options: ReadOptions,
    pub(crate) carried: Vec<FieldRef>,
}

impl InputOpener {
    /// Opens an input. `ahead` is the answer to its request, if this has been sent before.
    fn open(
        &self,
        input: JobInput,
        ahead: Option<Result<AheadInput, StoreError>>,
    ) -> Result<JobSource, Error> {
        let ahead = match input.fetched {
            Some(object) => Some(Ok(AheadInput::Fetched(object))),
            None => ahead,
        };
        let fetched = match &ahead {
            Some(Ok(AheadInput::Fetched(object))) => Some(AheadInput::Fetched(object.clone())),
            _ => None,
        };
        let is_part = input.row_groups.is_some();
        let mut opened_input = match input.opened {
            Some(opened_input) => opened_input,
            None => {
                let options = ReadOptions {
                    row_groups: input.row_groups,
                    ..self.options.clone()
                };
                let opened_input = open_ahead(&input.path, &options, ahead)?;
                let unchanged = input.metadata.expect_same(&opened_input.metadata);
                unchanged.map_err(|error| read_error(&input.path, error))?;
                opened_input
            }
        };
        let mapping =
            ColumnMapping::new(&self.carried, &opened_input.carried).ok_or_else(|| {
                let problem = "its columns have changed since the run started: run again";
                read_error(&input.path, io::Error::other(problem))
            })?;
        let mapping = mapping.with_folders(&display_name(&input.path), &opened_input.folders)?;
        let alphabets = if is_part {
            // The alphabets are inferred from the first records of the whole file, even if a shard reads only a
            // part of it. All shards thus use the same alphabets.
            let mut whole_input = open_ahead(&input.path, &self.options, fetched.map(Ok))?;
            read::alphabets(&mut whole_input, &self.options)?
        } else {
            read::alphabets(&mut opened_input, &self.options)?
        };
        let Input {
            info,
            detection,
            source,
            parser,
            bytes_read,
            ..
        } = opened_input;
        Ok(JobSource {
            info,
            detection,
            source,
            parser,
            bytes_read,
            mapping,
            alphabets,
        })
    }
}

fn read_error(path: &str, error: io::Error) -> Error {
    Error::Read {
        source_name: display_name(path),
        error,
    }
}

/// The inputs of a run, in the order in which they are read.
pub(crate) struct JobSources {
    /// The inputs that are not being opened yet.
    later_inputs: VecDeque<JobInput>,
    /// The inputs that workers open, with their paths.
    opening: VecDeque<(String, Receiver<Result<JobSource, Error>>)>,
    /// The maximum number of inputs that are opened before their turn.
    most_ahead: usize,
    /// Fetches the small objects among the inputs.
    objects: ReadAhead,
    opener: Arc<InputOpener>,
    pool: Arc<Pool>,
}

impl JobSources {
    /// `most_ahead` is the maximum number of inputs that are opened before their turn.
    pub(crate) fn new(
        inputs: Vec<JobInput>,
        most_ahead: usize,
        objects: ReadAhead,
        opener: InputOpener,
        pool: Arc<Pool>,
    ) -> JobSources {
        JobSources {
            later_inputs: VecDeque::from(inputs),
            opening: VecDeque::new(),
            most_ahead,
            objects,
            opener: Arc::new(opener),
            pool,
        }
    }

    /// The path of the next input, which [`JobSources::open`] opens; `None` at the end.
    pub(crate) fn next_path(&self) -> Option<String> {
        let opening = self.opening.front().map(|(path, _)| path);
        let path = opening.or_else(|| Some(&self.later_inputs.front()?.path));
        path.cloned()
    }

    /// Opens the next input; `None` at the end.
    pub(crate) fn open(&mut self) -> Option<Result<JobSource, Error>> {
        self.open_more();
        let Some((_, opening)) = self.opening.pop_front() else {
            let input = self.later_inputs.pop_front()?;
            let ahead = self.objects.next();
            self.open_more();
            return Some(self.opener.open(input, ahead));
        };
        let opened = opening.recv();
        self.open_more();
        Some(opened.unwrap_or_else(|_| Err(Error::Internal("the workers are gone".to_owned()))))
    }

    /// Lets workers open the next inputs. Objects of stores are opened by the reader thread, so that no worker waits for
    /// an answer.
    fn open_more(&mut self) {
        while self.opening.len() < self.most_ahead
            && let Some(input) = self
                .later_inputs
                .pop_front_if(|input| can_be_opened_ahead(input))
        {
            // The objects are requested in the order of all inputs.
            let ahead = self.objects.next();
            let (result, opening) = sync_channel(1);
            self.opening.push_back((input.path.clone(), opening));
            let opener = Arc::clone(&self.opener);
            self.pool.spawn_fifo(move || {
                let opened = caught(|| opener.open(input, ahead));
                let failed = |panic| Err(Error::Internal(format!("reading failed: {panic}")));
                let _ = result.send(opened.unwrap_or_else(failed));
            });
        }
    }
}

/// Whether an input is a file on disk that can be read several times, and has not been opened.
fn can_be_opened_ahead(input: &JobInput) -> bool {
    let path = &input.path;
    input.opened.is_none()
        && matches!(Location::parse(path), Ok(Location::Local(_)))
        && !can_be_read_once(path)
}
