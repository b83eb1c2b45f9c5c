//! Processes many files or objects on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::open_files;

/// Calls a function for all items on several threads, because object stores respond slowly. The results have the order
/// of the items.
pub(crate) fn map_parallel<T: Sync, R: Send, E: Send>(
    items: &[T],
    process: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let results: Vec<Mutex<Option<Result<R, E>>>> =
        items.iter().map(|_| Mutex::default()).collect();
    run_parallel(items.len(), &|index| {
        let result = process(&items[index]);
        let succeeded = result.is_ok();
        *results[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(result);
        succeeded
    });
    // An item has no result only if an earlier item failed. `collect` stops at the earlier item.
    results
        .into_iter()
        .filter_map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// Calls a function with the numbers from 0 to `count - 1`, on several threads. A thread stops when the function
/// returns false. The function is not generic, so that it is compiled only once.
fn run_parallel(count: usize, process_index: &(dyn Fn(usize) -> bool + Sync)) {
    const MOST_THREADS: usize = 16;
    let thread_limit = MOST_THREADS.min(open_files::limit() / 8).max(1);
    let next_index = AtomicUsize::new(0);
    thread::scope(|scope| {
        let run_items = || {
            loop {
                let index = next_index.fetch_add(1, Ordering::Relaxed);
                if index >= count || !process_index(index) {
                    break;
                }
            }
        };
        // The calling thread also works, so all items are processed even if no other thread can be started.
        let threads = 1..count.min(thread_limit);
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, run_items).ok();
        let threads: Vec<_> = threads.map_while(spawn).collect();
        run_items();
        for thread in threads {
            if let Err(panic) = thread.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    #[test]
    fn results_are_in_order_and_an_error_is_returned() {
        let numbers: Vec<usize> = (0..1000).collect();
        assert_eq!(
            map_parallel(&numbers, |one| Ok::<_, Error>(one * 2)).unwrap()[999],
            1998
        );
        assert!(
            map_parallel(&numbers[..0], |one| Ok::<_, Error>(*one))
                .unwrap()
                .is_empty()
        );
        let fail_at_77 = |one: &usize| match one {
            77 => Err(Error::BrokenPipe),
            _ => Ok(()),
        };
        assert!(map_parallel(&numbers, fail_at_77).is_err());
    }
}
