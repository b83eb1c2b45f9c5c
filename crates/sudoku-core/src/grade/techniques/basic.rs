//! The list of the techniques up to jellyfish. Forcing chains use them to find the consequences of their assumptions.

use crate::grade::Technique;
use crate::grade::order::for_techniques;

macro_rules! basic {
    (
        basic { $($room:ident::$file:ident::$name:ident,)+ }
        advanced { $($other:path,)+ }
    ) => {
        /// The techniques of ranks 1–15: singles, locked candidates, subsets and fish.
        pub(super) const BASIC: &[&dyn Technique] = &[$(&super::$room::$file::$name),+];
    };
}
for_techniques!(basic);
