//! Results of batches, which threads make in any order, and which are taken in the order of the batches.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::error::Error;
use crate::write::Background;

/// The time after which a thread that waits for a result checks whether the work on it has failed.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The results of batches that have not been taken.
pub(super) struct InOrder<T> {
    made: Arc<Made<T>>,
    waiting: BTreeMap<u64, T>,
    next_number: u64,
    next_taken: u64,
}

struct Made<T> {
    results: Mutex<Vec<(u64, T)>>,
    added: Condvar,
}

impl<T> Made<T> {
    fn results(&self) -> MutexGuard<'_, Vec<(u64, T)>> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Default for InOrder<T> {
    fn default() -> InOrder<T> {
        InOrder {
            made: Arc::new(Made {
                results: Mutex::default(),
                added: Condvar::new(),
            }),
            waiting: BTreeMap::new(),
            next_number: 0,
            next_taken: 0,
        }
    }
}

impl<T> InOrder<T> {
    /// The place for the result of the next batch.
    pub(super) fn next_place(&mut self) -> ResultPlace<T> {
        let number = self.next_number;
        self.next_number += 1;
        ResultPlace {
            number,
            made: Arc::clone(&self.made),
        }
    }

    /// The number of batches whose results have not been taken.
    pub(super) fn in_progress(&self) -> usize {
        (self.next_number - self.next_taken) as usize
    }

    /// The result of the next batch; `None` if it has not been made yet.
    pub(super) fn take(&mut self) -> Option<T> {
        self.waiting.extend(self.made.results().drain(..));
        let result = self.waiting.remove(&self.next_taken)?;
        self.next_taken += 1;
        Some(result)
    }

    /// Waits for the result of the next batch, which these threads make; `None` if there is no such batch. Not to be called
    /// on one of these threads.
    ///
    /// # Errors
    ///
    /// The first error of the work on these threads.
    pub(super) fn wait(&mut self, background: &Background) -> Result<Option<T>, Error> {
        while self.in_progress() > 0 {
            if let Some(result) = self.take() {
                return Ok(Some(result));
            }
            background.check_error()?;
            let results = self.made.results();
            if results.is_empty() {
                let waited = self.made.added.wait_timeout(results, CHECK_INTERVAL);
                drop(waited.unwrap_or_else(PoisonError::into_inner));
            }
        }
        Ok(None)
    }
}

/// The place for the result of a batch.
pub(super) struct ResultPlace<T> {
    number: u64,
    made: Arc<Made<T>>,
}

impl<T> ResultPlace<T> {
    pub(super) fn put(self, result: T) {
        self.made.results().push((self.number, result));
        self.made.added.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::Pool;

    #[test]
    fn results_are_taken_in_the_order_of_the_batches() {
        let pool = Pool::start(3);
        let background = Background::new(Arc::new(pool.unwrap()), || {});
        let mut results = InOrder::default();
        for number in 0..100 {
            let place = results.next_place();
            background.spawn(move || {
                if number % 7 == 0 {
                    std::thread::sleep(Duration::from_millis(1));
                }
                place.put(number);
                Ok(())
            });
        }
        for number in 0..100 {
            assert_eq!(results.wait(&background).unwrap(), Some(number));
        }
        assert_eq!(results.wait(&background).unwrap(), None);
        let _place = results.next_place();
        background.spawn(|| Err(Error::Internal("an error".into())));
        assert!(results.wait(&background).is_err());
    }
}
