//! Totals to which several threads add counts at the same time.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::error::Error;

/// Partial totals. A thread takes one, adds to it, and puts it back, so there are at most as many as there are threads.
/// Which of them gets a count depends on the timing of the threads. The merged total must not depend on it.
pub(crate) struct Partials<T>(Mutex<Vec<T>>);

impl<T> Default for Partials<T> {
    fn default() -> Partials<T> {
        Partials(Mutex::default())
    }
}

impl<T: Send> Partials<T> {
    fn free(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds counts to a partial total that no other thread uses.
    ///
    /// # Errors
    ///
    /// Those of `add`.
    pub(crate) fn add(
        &self,
        new: impl FnOnce() -> T,
        add: impl FnOnce(&mut T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let free = self.free().pop();
        let mut partial = free.unwrap_or_else(new);
        let result = add(&mut partial);
        self.free().push(partial);
        result
    }

    /// Merges all partial totals on these threads; without threads, one after the other. `None` if nothing was added.
    ///
    /// # Errors
    ///
    /// Those of `merge`.
    pub(crate) fn merge(
        &self,
        pool: Option<&ThreadPool>,
        merge: impl Fn(&mut T, T) -> Result<(), Error> + Sync,
    ) -> Result<Option<T>, Error> {
        let mut partials = std::mem::take(&mut *self.free());
        if let (Some(pool), true) = (pool, partials.len() > 2) {
            let merged = pool.install(|| {
                let partials = partials.into_par_iter().map(Ok);
                partials.try_reduce_with(|mut one, other| merge(&mut one, other).map(|()| one))
            });
            return merged.transpose();
        }
        let Some(mut merged) = partials.pop() else {
            return Ok(None);
        };
        for partial in partials {
            merge(&mut merged, partial)?;
        }
        Ok(Some(merged))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_add_to_partials_whose_merge_has_all_counts() {
        for threads in [1, 2, 3, 7, 16] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let pool = pool.unwrap();
            let partials = Partials::default();
            assert_eq!(
                partials
                    .merge(Some(&pool), |_: &mut u64, _| Ok(()))
                    .unwrap(),
                None
            );
            pool.install(|| {
                (1..=1000u64).into_par_iter().for_each(|number| {
                    let add = |sum: &mut u64| {
                        *sum += number;
                        Ok(())
                    };
                    partials.add(|| 0, add).unwrap();
                });
            });
            assert!(partials.free().len() <= threads);
            let merge = |sum: &mut u64, other| {
                *sum += other;
                Ok(())
            };
            assert_eq!(partials.merge(Some(&pool), merge).unwrap(), Some(500_500));
        }
    }
}
