//! A macro for enums whose values have stable ids as text.

/// Declares an enum whose values have stable ids: the texts that stand for the values in options, tables and
/// reports. The enum has the constant `ALL` and the functions `id` and `from_id`. The macro is for the crates of this
/// repository, and can change in any version.
///
/// ```
/// sudoku_core::enum_with_ids! {
///     /// A direction.
///     #[derive(Clone, Copy, Debug, PartialEq, Eq)]
///     pub enum Direction {
///         /// Upwards.
///         Up = "up",
///         /// Downwards.
///         Down = "down",
///     }
/// }
/// assert_eq!(Direction::ALL.map(Direction::id), ["up", "down"]);
/// assert_eq!(Direction::from_id("down"), Some(Direction::Down));
/// ```
#[doc(hidden)]
#[macro_export]
macro_rules! enum_with_ids {
    (
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident {
            $($(#[$value_attribute:meta])* $value:ident = $id:expr,)+
        }
    ) => {
        $(#[$attribute])*
        $visibility enum $name {
            $($(#[$value_attribute])* $value,)+
        }

        impl $name {
            /// All values, in the order of reports.
            $visibility const ALL: [$name; [$($name::$value),+].len()] = [$($name::$value),+];

            /// The stable id in options, tables and reports.
            $visibility const fn id(self) -> &'static str {
                match self {
                    $($name::$value => $id,)+
                }
            }

            /// The value with this id; `None` for an unknown id.
            $visibility fn from_id(id: &str) -> Option<$name> {
                $name::ALL.into_iter().find(|value| value.id() == id)
            }
        }
    };
}
