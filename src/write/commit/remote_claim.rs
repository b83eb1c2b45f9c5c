//! The claim of an output in an object store: an object that is put with the condition that it does not exist.
//!
//! Object stores have no locks that end with the process. The object therefore names the process that holds the claim,
//! and that process puts the object again every [`RENEWAL_INTERVAL`].
//!
//! ```text
//! claim      put, if there is none ──▶ held
//!              there is one ─┬─ its process has ended, or it is older than CLAIM_DURATION
//!                            │    put, if it is still that version ──▶ held; what that run left is undone
//!                            └─ else: another run is at work
//! renewal    put, if it is still the own version; if not, another run has taken it over
//! publish    renewal, so that the whole duration is left for it
//! end        delete
//! ```
//!
//! If several runs try to take over a claim, only one of them finds the version that it wants to replace, and
//! gets the claim. The age of a claim is the difference of two times of the store's clock.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::claim_note::ClaimNote;
use super::write_error;
use crate::error::Error;
use crate::hash::fnv1a;
use crate::store::{self, ObjectVersion, PutCondition, RequestFailure, SmallObject, Url};

/// The interval at which a claim is renewed.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(15);

/// The age of a claim from which on another run may take it over.
const CLAIM_DURATION: Duration = Duration::from_secs(60);

/// If a claim lasts for less than this time, it is renewed before it is used.
const SAFETY_MARGIN: Duration = Duration::from_secs(15);

/// The maximum number of attempts to get a claim while other runs create and delete claims.
const MOST_TRIES: usize = 5;

/// The claim of an output in an object store. It ends when the value is dropped.
pub(crate) struct RemoteClaim {
    shared_state: Arc<SharedClaim>,
    /// Stops the thread that renews the claim, when this value is dropped.
    renewal_stopper: Option<Sender<()>>,
    is_kept: bool,
    repeats_earlier_run: bool,
    adopts_earlier_run: bool,
}

struct SharedClaim {
    /// The path of the output, for messages.
    output_path: PathBuf,
    lock_url: Url,
    claim_state: Mutex<ClaimState>,
}

struct ClaimState {
    note: ClaimNote,
    /// The version of the claim's object that this run has put last.
    lock_version: ObjectVersion,
    held_since: Moment,
    /// Whether this run has written the output. Late uploads have no effect then.
    is_published: bool,
    /// A description of the run that has taken over the claim; `None` as long as this run has it.
    new_holder: Option<String>,
}

/// A point in time, measured by two clocks. The monotonic clock may stop while the machine sleeps, and the system clock
/// may be changed.
#[derive(Clone, Copy)]
struct Moment(Instant, SystemTime);

impl Moment {
    fn now() -> Moment {
        Moment(Instant::now(), SystemTime::now())
    }

    fn elapsed(self) -> Duration {
        self.0.elapsed().max(self.1.elapsed().unwrap_or_default())
    }
}

impl SharedClaim {
    fn lock_state(&self) -> MutexGuard<'_, ClaimState> {
        self.claim_state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the claim's note into the store again, which renews the claim.
    fn renew(&self, state: &mut ClaimState) -> Result<(), Error> {
        if let Some(holder) = &state.new_holder {
            return Err(self.taken_over_error(holder));
        }
        let now = Moment::now();
        let condition = PutCondition::Replacing(state.lock_version.clone());
        match store::put_object(
            &self.lock_url,
            note_text(&state.note)?.as_bytes(),
            &condition,
        ) {
            Ok(version) => {
                state.lock_version = version;
                state.held_since = now;
                Ok(())
            }
            Err(failure) if failure.kind() == io::ErrorKind::AlreadyExists => {
                let holder = holder_text(&self.lock_url);
                let error = self.taken_over_error(&holder);
                state.new_holder = Some(holder);
                Err(error)
            }
            Err(failure) => Err(write_error(&self.output_path, failure.into())),
        }
    }

    fn taken_over_error(&self, holder: &str) -> Error {
        let claim_seconds = CLAIM_DURATION.as_secs();
        let message = format!(
            "another run, {holder}, has taken its claim over, because this one could not renew it for {claim_seconds} \
             seconds"
        );
        Error::Write {
            path: self.output_path.clone(),
            error: io::Error::other(message),
        }
    }
}

impl RemoteClaim {
    /// Claims the output at `path`, with the object `url`. Undoes the publishing steps of a killed run.
    ///
    /// # Errors
    ///
    /// Another run has claimed the output.
    pub(super) fn acquire(path: &Path, url: &Url) -> Result<RemoteClaim, Error> {
        let to_write_error = |failure: RequestFailure| write_error(path, failure.into());
        let note = ClaimNote {
            run: Some(store::run_id().to_owned()),
            command: Some(command_id()),
            ..ClaimNote::default().for_this_process()
        };
        let bytes = note_text(&note)?;
        let mut holder = String::new();
        for _ in 0..MOST_TRIES {
            let now = Moment::now();
            match store::put_object(url, bytes.as_bytes(), &PutCondition::New) {
                Ok(version) => {
                    let version =
                        warn_if_conditions_are_ignored(path, url, bytes.as_bytes(), version);
                    return Ok(RemoteClaim::start(path, url, note, version, now));
                }
                Err(failure) if failure.kind() == io::ErrorKind::AlreadyExists => {}
                Err(failure) => return Err(to_write_error(failure)),
            }
            let Some(found) = store::read_small(url).map_err(to_write_error)? else {
                continue;
            };
            let earlier_note = match holder_from_object(&found) {
                Holder::Process(process) => {
                    return Err(Error::InUse {
                        path: path.to_owned(),
                        holder: process,
                    });
                }
                Holder::Nobody(left) => left,
            };
            let now = Moment::now();
            let note = ClaimNote {
                late: if earlier_note.command == note.command {
                    earlier_note.late_runs()
                } else {
                    Vec::new()
                },
                ..note.clone()
            };
            match store::put_object(
                url,
                note_text(&note)?.as_bytes(),
                &PutCondition::Replacing(found.version),
            ) {
                Ok(version) => {
                    store::expect_late_uploads(&note.late);
                    let mut claim = RemoteClaim::start(path, url, note.clone(), version, now);
                    claim.repeats_earlier_run = earlier_note.command == note.command;
                    claim.adopts_earlier_run =
                        claim.repeats_earlier_run && earlier_note.adopt_steps()?;
                    if !claim.adopts_earlier_run {
                        earlier_note.recover_files()?;
                    }
                    return Ok(claim);
                }
                // Another run has claimed the output in the meantime.
                Err(failure) if failure.kind() == io::ErrorKind::AlreadyExists => {
                    holder = holder_text(url);
                }
                Err(failure) => return Err(to_write_error(failure)),
            }
        }
        Err(Error::InUse {
            path: path.to_owned(),
            holder,
        })
    }

    fn start(
        path: &Path,
        url: &Url,
        note: ClaimNote,
        version: ObjectVersion,
        held_since: Moment,
    ) -> RemoteClaim {
        let shared_claim = Arc::new(SharedClaim {
            output_path: path.to_owned(),
            lock_url: url.clone(),
            claim_state: Mutex::new(ClaimState {
                note,
                lock_version: version,
                held_since,
                is_published: false,
                new_holder: None,
            }),
        });
        let (end, ended) = channel();
        let renewed_claim = Arc::clone(&shared_claim);
        // If the thread cannot be started, the claim is renewed only before the output is published.
        let thread = thread::Builder::new().name("claim".into()).spawn(move || {
            while ended.recv_timeout(RENEWAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                // An error is ignored here. If another run has taken over the claim during an outage, a later renewal
                // reports it.
                let _ = renewed_claim.renew(&mut renewed_claim.lock_state());
            }
        });
        RemoteClaim {
            shared_state: shared_claim,
            renewal_stopper: thread.is_ok().then_some(end),
            is_kept: false,
            repeats_earlier_run: false,
            adopts_earlier_run: false,
        }
    }

    /// Whether an earlier run with the same command line has left this claim behind.
    pub(super) fn repeats_earlier_run(&self) -> bool {
        self.repeats_earlier_run
    }

    /// Whether an earlier run may have completed the output without knowing it, because its last request got no answer.
    /// If so, this run may replace the output.
    pub(super) fn adopts_earlier_run(&self) -> bool {
        self.adopts_earlier_run
    }

    /// Writes a note, which also renews the claim for its full duration. Fails if another run has taken over the claim.
    pub(super) fn write_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        let mut state = self.shared_state.lock_state();
        state.note = ClaimNote {
            run: state.note.run.clone(),
            command: state.note.command.clone(),
            late: state.note.late.clone(),
            ..note.for_this_process()
        };
        self.shared_state.renew(&mut state)
    }

    /// Renews the claim for its full duration. Fails if another run has taken over the claim.
    pub(super) fn check_held(&self) -> Result<(), Error> {
        self.shared_state.renew(&mut self.shared_state.lock_state())
    }

    /// Writes a note for the next run. With it, the next run need not wait until the claim is old enough to be taken
    /// over.
    pub(super) fn leave_note(&mut self, note: &ClaimNote) -> Result<(), Error> {
        let mut state = self.shared_state.lock_state();
        let late = std::mem::take(&mut state.note.late);
        state.note = ClaimNote {
            command: state.note.command.take().filter(|_| !late.is_empty()),
            late,
            ..note.clone()
        };
        self.shared_state.renew(&mut state)?;
        drop(state);
        self.is_kept = true;
        Ok(())
    }

    /// Keeps the claim's object when the value is dropped. The object tells the next run that the output set is
    /// incomplete.
    pub(super) fn keep_claim(&mut self) {
        self.is_kept = true;
    }

    /// Forgets the late uploads of earlier runs, because this run has written the output. The store refuses them.
    pub(super) fn forget_late_uploads(&mut self) {
        self.shared_state.lock_state().is_published = true;
    }

    /// Deletes the claim's object, unless it may belong to another run.
    fn delete_object(&mut self) -> Result<(), Error> {
        let mut state = self.shared_state.lock_state();
        if state.new_holder.is_some() {
            return Ok(());
        }
        if state.held_since.elapsed() + SAFETY_MARGIN > CLAIM_DURATION {
            self.shared_state.renew(&mut state)?;
        }
        let may_be_late = !state.note.late.is_empty() || store::has_unanswered_change();
        if may_be_late && !state.is_published {
            // The claim's object stays as a note for the next run of the same command.
            let note = ClaimNote {
                command: state.note.command.clone(),
                late: state.note.late_runs(),
                ..ClaimNote::default()
            };
            state.note = note;
            return self.shared_state.renew(&mut state);
        }
        let to_write_error =
            |failure: RequestFailure| write_error(&self.shared_state.output_path, failure.into());
        match store::delete_briefly(&self.shared_state.lock_url) {
            // This run may not delete objects. It puts a note that names no process, so that another run may take over
            // the claim.
            Err(failure) if failure.kind() == io::ErrorKind::PermissionDenied => {
                state.note = ClaimNote::default();
                self.shared_state.renew(&mut state)
            }
            deleted => deleted.map_err(to_write_error),
        }
    }
}

impl Drop for RemoteClaim {
    fn drop(&mut self) {
        self.renewal_stopper = None;
        let late_runs = self.shared_state.lock_state().note.late.clone();
        store::forget_late_uploads(&late_runs);
        if self.is_kept {
            return;
        }
        if let Err(error) = store::while_cleaning_up(|| self.delete_object()) {
            let claim_seconds = CLAIM_DURATION.as_secs();
            tracing::warn!(
                "the claim {} could not be removed ({error}): a run of another machine can write there \
                 after {claim_seconds} seconds",
                self.shared_state.lock_url
            );
        }
    }
}

/// Puts a new claim again, on the condition that there is none. A store that accepts this ignores conditions, so that
/// claims have no effect there. This is checked once for each bucket. `output` is the path for messages. Returns the
/// current version of the claim.
fn warn_if_conditions_are_ignored(
    output: &Path,
    url: &Url,
    bytes: &[u8],
    version: ObjectVersion,
) -> ObjectVersion {
    static CHECKED_BUCKETS: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut checked = CHECKED_BUCKETS
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if checked.iter().any(|bucket| bucket == url.bucket()) {
        return version;
    }
    checked.push(url.bucket().to_owned());
    drop(checked);
    match store::put_object(url, bytes, &PutCondition::New) {
        Ok(newer_version) => {
            tracing::warn!(
                "{}: the store ignores the condition of a put (If-None-Match): a second run into this output would \
                 not be noticed",
                output.display()
            );
            newer_version
        }
        Err(_) => version,
    }
}

/// The holder of a claim in an object store: a process, or nobody.
pub(super) enum Holder {
    /// The claim is held by a process, which this text describes in messages.
    Process(String),
    /// Nobody holds the claim: the previous run has ended, and left this note.
    Nobody(ClaimNote),
}

/// The process that a claim's object names, or nobody.
fn holder_from_object(found: &SmallObject) -> Holder {
    let Ok(note) = serde_json::from_slice::<ClaimNote>(&found.bytes) else {
        return Holder::Process("which is none of pipeline's".to_owned());
    };
    if note.has_ended() || found.age >= CLAIM_DURATION {
        Holder::Nobody(note)
    } else {
        let (age, period) = (found.age.as_secs(), CLAIM_DURATION.as_secs());
        let holder = note.holder_text();
        Holder::Process(format!(
            "{holder} ({age} s ago; the claim of a run that was killed ends after {period} s)"
        ))
    }
}

/// The holder of the claim at this URL; `None` if there is no claim.
pub(super) fn read_holder(path: &Path, url: &Url) -> Result<Option<Holder>, Error> {
    let found_object =
        store::read_small(url).map_err(|failure| write_error(path, failure.into()))?;
    Ok(found_object.as_ref().map(holder_from_object))
}

/// A description of the claim's current holder, for messages.
fn holder_text(url: &Url) -> String {
    match store::read_small(url)
        .ok()
        .flatten()
        .as_ref()
        .map(holder_from_object)
    {
        Some(Holder::Process(holder)) => holder,
        Some(Holder::Nobody(note)) => note.holder_text(),
        None => "which has ended".to_owned(),
    }
}

fn note_text(note: &ClaimNote) -> Result<String, Error> {
    Ok(serde_json::to_string(note)? + "\n")
}

/// The hash of this process's command line.
fn command_id() -> String {
    let mut text = Vec::new();
    for argument in std::env::args_os() {
        text.extend_from_slice(argument.as_encoded_bytes());
        text.push(0);
    }
    format!("{:016x}", fnv1a(&text))
}
