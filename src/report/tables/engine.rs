//! Runs polars' plans on its streaming engine, and makes its failures errors of this library.

use std::sync::{Arc, Mutex};

use polars::prelude::*;

use crate::error::{AnalysisError, Error};
use crate::panics::expected;

/// Runs a plan whose result is small.
pub(super) fn collect(frame: LazyFrame) -> Result<DataFrame, Error> {
    let run = || frame.collect_with_engine(Engine::Streaming);
    match expected(run) {
        Ok(Ok(result)) => Ok(result.unwrap_single()),
        Ok(Err(error)) => Err(failed(&error)),
        Err(panic) => Err(AnalysisError::Engine { cause: panic }.into()),
    }
}

/// Runs a plan and takes its rows batch by batch, in order. The first error ends the plan.
pub(super) fn for_each_batch<S: Send + 'static>(
    frame: LazyFrame,
    state: S,
    take: impl Fn(&mut S, DataFrame) -> Result<(), Error> + Send + Sync + 'static,
) -> Result<S, Error> {
    let shared = Arc::new(Mutex::new((Some(state), None)));
    let own = Arc::clone(&shared);
    let callback = PlanCallback::new(move |batch: DataFrame| {
        let Ok(mut held) = own.lock() else {
            return Ok(true);
        };
        let held: &mut (Option<S>, Option<Error>) = &mut held;
        if held.1.is_some() {
            return Ok(true);
        }
        let Some(state) = &mut held.0 else {
            return Ok(true);
        };
        match take(state, batch) {
            Ok(()) => Ok(false),
            Err(error) => {
                held.1 = Some(error);
                Ok(true)
            }
        }
    });
    let frame = frame
        .sink_batches(callback, true, None)
        .map_err(|error| failed(&error))?;
    collect(frame)?;
    let lost = || Error::Internal("the rows of a plan are gone".into());
    let mut held = shared.lock().map_err(|_| lost())?;
    match held.1.take() {
        Some(error) => Err(error),
        None => held.0.take().ok_or_else(lost),
    }
}

/// The error of a plan.
pub(super) fn failed(error: &PolarsError) -> Error {
    let cause = plain(error);
    // The engine names neither the file nor the kind of its errors, only the format.
    let is_damage = [
        "parquet: ",
        "ipc: ",
        "Data corruption",
        "File out of specification",
    ];
    match is_damage.iter().any(|words| cause.contains(words)) {
        true => AnalysisError::Damaged { cause }.into(),
        false => AnalysisError::Engine { cause }.into(),
    }
}

/// The first lines of an error, without polars' hints for Python.
pub(super) fn plain(error: &PolarsError) -> String {
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines
        .take_while(|line| {
            let is_hint = |start: &&str| line.starts_with(start);
            ![
                "You might want to try",
                "Resolved plan",
                "This error occurred",
                "Consider",
            ]
            .iter()
            .any(is_hint)
        })
        .take(3)
        .collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::exit_code;

    #[test]
    fn damaged_files_are_told_from_failures_of_the_engine() {
        let damage = PolarsError::ComputeError("parquet: File out of specification: x".into());
        assert_eq!(failed(&damage).exit_code(), exit_code::DATA);
        let other = PolarsError::ComputeError("no memory".into());
        assert_eq!(failed(&other).exit_code(), exit_code::FAILED);
    }
}
