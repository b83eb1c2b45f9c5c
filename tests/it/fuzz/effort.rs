//! Runs many random inputs of a test on several threads, and keeps and minimises the inputs that fail.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

use super::shrink::shrink;

/// The time limit for one input, which is much longer than any input needs.
const INPUT_TIME_LIMIT: Duration = Duration::from_secs(120);

/// The limit of a test's duration: a number of inputs, or a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) seed: u64,
    inputs: u64,
    time: Option<Duration>,
}

impl Effort {
    /// Reads the limit from the environment variables. By default, a test tries this number of inputs.
    pub(crate) fn from_environment(inputs: u64) -> Effort {
        let environment_number = |name: &str| {
            let text = std::env::var(name).ok()?;
            Some(
                text.parse()
                    .unwrap_or_else(|_| panic!("{name}={text} is no number")),
            )
        };
        let time = environment_number("FUZZ_SECONDS").map(Duration::from_secs);
        let default = if time.is_some() { u64::MAX } else { inputs };
        Effort {
            seed: environment_number("FUZZ_SEED").unwrap_or(1),
            inputs: environment_number("FUZZ_INPUTS").unwrap_or(default),
            time,
        }
    }

    /// Reduces the number of inputs for a test whose inputs take `times` as long as usual.
    pub(crate) fn reduced(self, times: u64) -> Effort {
        Effort {
            inputs: self.inputs.div_ceil(times),
            ..self
        }
    }
}

/// An input of a test: the name of its file, and its content.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// The folder in which failing inputs are kept.
pub(crate) fn kept_inputs_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fuzz")
}

/// The number of different failures after which a test ends early.
const MOST_FAILURES: usize = 12;

/// Runs inputs on all cores. `make` makes the n-th input. `run` panics if a condition is not satisfied;
/// otherwise it returns a word for the kind of result.
pub(crate) fn try_inputs(
    test_name: &str,
    effort: Effort,
    make: impl Fn(u64) -> Case + Sync,
    run: impl Fn(&Case) -> String + Sync,
) -> TriedInputs {
    let next_case = AtomicU64::new(0);
    let failures: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let totals: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());
    let start = Instant::now();
    eprintln!("{test_name}: seed {}", effort.seed);
    store_panics_instead_of_printing();
    let run_cases = || {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        loop {
            let number = next_case.fetch_add(1, Ordering::Relaxed);
            let is_time_over = effort.time.is_some_and(|time| start.elapsed() > time);
            if number >= effort.inputs
                || is_time_over
                || failures.lock().unwrap().len() >= MOST_FAILURES
            {
                break;
            }
            let case = make(number);
            match attempt(&run, &case) {
                Ok(word) => *counts.entry(word).or_default() += 1,
                Err(message) => {
                    let mut known_failures = failures.lock().unwrap();
                    let failure_count = known_failures.entry(failure_key(&message)).or_default();
                    *failure_count += 1;
                    let is_new = *failure_count == 1;
                    drop(known_failures);
                    if is_new {
                        report(test_name, effort.seed, number, &case, &message, &run);
                    }
                }
            }
        }
        let mut totals = totals.lock().unwrap();
        for (word, count) in counts {
            *totals.entry(word).or_default() += count;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let thread = std::thread::Builder::new().name(THREAD_NAME.to_owned());
            thread.spawn_scoped(scope, run_cases).unwrap();
        }
    });
    let totals = totals.into_inner().unwrap();
    let inputs: u64 = totals.values().sum();
    eprintln!(
        "{test_name}: seed {}, {inputs} inputs in {:.1?}: {totals:?}",
        effort.seed,
        start.elapsed()
    );
    TriedInputs {
        counts_by_result: totals,
        failures: failures.into_inner().unwrap(),
    }
}

/// The results of all inputs that a test has tried.
#[must_use]
pub(crate) struct TriedInputs {
    counts_by_result: BTreeMap<String, u64>,
    failures: BTreeMap<String, u64>,
}

impl TriedInputs {
    /// The number of inputs for each kind of result. Panics if an input failed.
    pub(crate) fn counts_by_result(self) -> BTreeMap<String, u64> {
        assert!(
            self.failures.is_empty(),
            "inputs failed, and how many in each way: {:?}",
            self.failures
        );
        self.counts_by_result
    }
}

/// A key for equal failures: the start and the position of a panic message, without numbers. Messages that only differ
/// in numbers have the same key.
fn failure_key(message: &str) -> String {
    let letters = message.chars().filter(char::is_ascii_alphabetic).take(12);
    let location = message.rsplit(" at ").next().unwrap_or_default();
    letters.chain([' ']).chain(location.chars()).collect()
}

/// The name of the threads that try inputs.
const THREAD_NAME: &str = "fuzz";

thread_local! {
    /// The message and the position of the last panic on this thread.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs a panic hook that stores the messages of the fuzz threads instead of printing them.
fn store_panics_instead_of_printing() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let default_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name() == Some(THREAD_NAME) {
                let message = panic.payload_as_str().unwrap_or("a panic");
                let location = panic.location().map(ToString::to_string);
                LAST_PANIC.set(format!("{message} at {}", location.unwrap_or_default()));
            } else {
                default_hook(panic);
            }
        }));
    });
}

/// Runs an input. Returns the word for its result, or the message of its panic. An input that takes too long
/// fails, too.
fn attempt(run: &(impl Fn(&Case) -> String + Sync), case: &Case) -> Result<String, String> {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| run(case))).map_err(|_| LAST_PANIC.take())?;
    match start.elapsed() {
        time if time > INPUT_TIME_LIMIT => Err(format!("it took {time:?}")),
        _ => Ok(result),
    }
}

/// Stores an input that fails, and a smaller one that fails in the same way.
fn report(
    test_name: &str,
    seed: u64,
    number: u64,
    case: &Case,
    message: &str,
    run: &(impl Fn(&Case) -> String + Sync),
) {
    let folder = kept_inputs_folder();
    std::fs::create_dir_all(&folder).unwrap();
    let small_case = shrink(&case.bytes, |bytes| {
        let smaller = Case {
            name: case.name.clone(),
            bytes: bytes.to_vec(),
        };
        matches!(attempt(run, &smaller), Err(other) if failure_key(&other) == failure_key(message))
    });
    let path = folder.join(format!("{seed}-{number}-{}", case.name));
    let small_path = folder.join(format!("{seed}-{number}-small-{}", case.name));
    std::fs::write(&path, &case.bytes).unwrap();
    std::fs::write(&small_path, &small_case).unwrap();
    eprintln!(
        "{test_name}: seed {seed}, input {number}: {message}\n  the input: {}\n  made smaller: {} ({} bytes): {:?}",
        path.display(),
        small_path.display(),
        small_case.len(),
        String::from_utf8_lossy(&small_case[..small_case.len().min(600)])
    );
}
