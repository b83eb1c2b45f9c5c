//! A cache for values that are computed from a board when they are first needed.

use std::any::Any;
use std::cell::OnceCell;

/// A linked list that caches values computed from a board, with at most one value of each type.
#[derive(Debug, Default)]
pub(super) struct DerivedValues(OnceCell<Box<DerivedValue>>);

#[derive(Debug)]
struct DerivedValue {
    value: Box<dyn Any>,
    rest: DerivedValues,
}

/// The clone starts with an empty cache, because its board may be changed separately.
impl Clone for DerivedValues {
    fn clone(&self) -> DerivedValues {
        DerivedValues::default()
    }
}

impl DerivedValues {
    /// The cached value of the type `T`. If it is not cached yet, it is computed by `compute`.
    pub(super) fn get_or_compute<T: Any>(&self, compute: impl FnOnce() -> T) -> &T {
        let mut list = self;
        while let Some(entry) = list.0.get() {
            if let Some(value) = entry.value.downcast_ref() {
                return value;
            }
            list = &entry.rest;
        }
        let value = Box::new(compute());
        // `compute` may have added other values to the list.
        while let Some(entry) = list.0.get() {
            list = &entry.rest;
        }
        let later_values = DerivedValues::default();
        let entry = list.0.get_or_init(|| {
            Box::new(DerivedValue {
                value,
                rest: later_values,
            })
        });
        let value = entry.value.downcast_ref();
        value.expect("the entry that was just made")
    }

    /// Drops all cached values, because the board has changed.
    pub(super) fn clear(&mut self) {
        self.0.take();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_is_computed_once_until_it_is_cleared() {
        let mut values = DerivedValues::default();
        let sum = |values: &DerivedValues| {
            *values.get_or_compute(|| u32::from(*values.get_or_compute(|| 7_u8)) + 1)
        };
        assert_eq!(sum(&values), 8);
        assert_eq!(*values.get_or_compute::<u32>(|| unreachable!()), 8);
        assert_eq!(*values.get_or_compute::<u8>(|| unreachable!()), 7);
        values.clear();
        assert_eq!(*values.get_or_compute(|| 9_u8), 9);
        assert_eq!(sum(&values), 10);
    }
}
