//! A macro for types of small numbers, so that the numbers of two lists cannot be mixed.

/// Declares a type of numbers below 65,536. Each number is the index of an item in a list. A separate type for each list
/// makes the compiler refuse the number of one list as an index of another. It costs no time.
macro_rules! number_type {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        $visibility struct $name(u16);

        impl $name {
            /// The number of the item with this index. The index must be below 65,536.
            #[inline(always)]
            $visibility const fn new(index: usize) -> $name {
                $name(index as u16)
            }

            #[inline(always)]
            $visibility const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

pub(crate) use number_type;
