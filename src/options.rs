//! The names of all options that messages mention, as constants.
//!
//! The library does not know how its caller writes an option: `--max-rejects` on the command line,
//! `max_rejects=` in Python. Messages name the constants below, and each caller spells them.
//!
//! ```
//! use sudoku_pipeline::options::{KEEP, TYPES};
//!
//! assert_eq!(format!("leave it out with {KEEP}"), "leave it out with `keep`");
//! assert_eq!(TYPES.set_to("id=text").to_string(), "`types` = id=text");
//! ```

mod option_error;

use std::fmt::{self, Display};
use std::sync::{PoisonError, RwLock};

pub use option_error::OptionError;

/// Whether an option of the command line or of a Python function takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// The option needs a value.
    Valued,
    /// The value may be left out.
    OptionalValue,
    /// The option has no value.
    Switch,
}

/// An option of the command line and of the Python functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionName {
    constant: &'static str,
    /// Whether the option takes a value.
    pub kind: OptionKind,
}

/// The value of an option in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionValue<'a> {
    /// The message has no value: it names only the option.
    Unsaid,
    /// The message has a placeholder for the value, such as `FILE`.
    Placeholder(&'a str),
    /// The message has this value, which it recommends or reports.
    Given(&'a str),
}

/// An option with its value, as a message names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpokenOption<'a> {
    /// The name of the option, with `_` between its words.
    pub name: &'a str,
    /// Whether the option takes a value.
    pub kind: OptionKind,
    /// The option's value, as the message shows it.
    pub value: OptionValue<'a>,
}

/// A function that writes an option in the form that the users of one interface, such as Python, know.
pub type Spelling = fn(SpokenOption<'_>) -> String;

static SPELLING: RwLock<Spelling> = RwLock::new(spell_plainly);

/// Sets the function that writes options in messages, for the whole process.
pub fn spell_as(spelling: Spelling) {
    *SPELLING.write().unwrap_or_else(PoisonError::into_inner) = spelling;
}

/// Writes an option with the function that [`spell_as`] set.
pub fn spell(option: SpokenOption<'_>) -> String {
    let spelling = *SPELLING.read().unwrap_or_else(PoisonError::into_inner);
    spelling(option)
}

/// The default spelling, for users of the library: the option's name without dashes.
fn spell_plainly(option: SpokenOption<'_>) -> String {
    match option.value {
        OptionValue::Unsaid => format!("`{}`", option.name),
        OptionValue::Placeholder(value) | OptionValue::Given(value) => {
            format!("`{}` = {value}", option.name)
        }
    }
}

impl OptionName {
    /// The name of the option, with `_` between its words.
    pub fn name(self) -> String {
        self.constant.to_ascii_lowercase()
    }

    /// The option and this value, in the form in which the user would write them.
    pub fn set_to(self, value: impl Display) -> String {
        self.spelled(OptionValue::Given(&value.to_string()))
    }

    /// The option with a placeholder such as `FILE` for its value, in the form in which the user would write them.
    pub fn taking(self, placeholder: &str) -> String {
        self.spelled(OptionValue::Placeholder(placeholder))
    }

    fn spelled(self, value: OptionValue<'_>) -> String {
        spell(SpokenOption {
            name: &self.name(),
            kind: self.kind,
            value,
        })
    }
}

impl Display for OptionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.spelled(OptionValue::Unsaid))
    }
}

/// The options as a list for a message: `a, b and c`, if `last` is "and".
pub fn listed(options: &[OptionName], last: &str) -> String {
    let names: Vec<String> = options.iter().map(OptionName::to_string).collect();
    match names.split_last() {
        Some((name, others)) if !others.is_empty() => {
            format!("{} {last} {name}", others.join(", "))
        }
        _ => names.concat(),
    }
}

/// Declares a constant for each option, and [`ALL`]. An option has the same name as its constant.
macro_rules! options {
    ($($kind:ident: $($constant:ident)+;)+) => {
        $($(
            #[doc = concat!("The option `", stringify!($constant), "`.")]
            pub const $constant: OptionName = OptionName {
                constant: stringify!($constant),
                kind: OptionKind::$kind,
            };
        )+)+

        /// Every option that a message can name.
        pub const ALL: &[OptionName] = &[$($($constant),+),+];
    };
}

options! {
    Valued:
        AGAINST ALPHABET BLANK BY CARD CLUES COMPRESSION DELIMITER DUPLICATES FORMAT FROM
        HODOKU_LEVEL HODOKU_SCORE HODOKU_VERSION INPUT_FORMAT INTO KEEP KEY LABEL LEVEL LIMIT MAX
        MAX_ATTEMPTS MAX_DAMAGED MAX_RANK MAX_RECORD_BYTES MAX_REJECTS MAX_ROWS_PER_FILE MAX_WRONG MEMORY_LIMIT METRICS METRICS_TASK
        MIN_EXACT MIX NEAR NODE_LIMIT ORDER OUTPUT PARTITION_BY PATTERN PREDICTION_COLUMN
        PREDICTION_FORMAT PREDICTION_TOKEN_OFFSET PUZZLE_COLUMN RATING REJECTS RENAME REPEAT REPORT ROUNDS ROW SCHEME SE SEED SELECT SE_MAX
        SE_WORK SHARD SIZE SKIP SOLUTIONS SOLUTION_COLUMN SOLUTION_LIMIT SOLVER STEPS STRATIFY SWAP TECHNIQUE TEMPLATE
        TOKEN_OFFSET TYPES WHERE WITH;
    OptionalValue: INFER_TYPES;
    Switch: ALLOW_EMPTY BRIEF EXTRACT FIX_SOLUTIONS KEEP_GOING MINIMAL MOVES OVERWRITE PRUNE RESUME UNIQUENESS WITH_ORIGINAL;
}
