//! The versions of the reference.

use std::fmt;
use std::str::FromStr;

/// A version of HoDoKu.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HodokuVersion {
    /// HoDoKu 2.2.0 of 2012, the original.
    #[default]
    V2_2,
    /// HoDoKu 2.3, a later fork. Among chains with equally many removals, it prefers the shortest.
    V2_3,
}

impl HodokuVersion {
    /// All versions.
    pub const ALL: [HodokuVersion; 2] = [HodokuVersion::V2_2, HodokuVersion::V2_3];

    /// The id in options: `2.2` or `2.3`.
    pub const fn id(self) -> &'static str {
        match self {
            HodokuVersion::V2_2 => "2.2",
            HodokuVersion::V2_3 => "2.3",
        }
    }
}

impl fmt::Display for HodokuVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error of a text that is not a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the versions of HoDoKu are 2.2 and 2.3")]
pub struct ParseVersionError;

impl FromStr for HodokuVersion {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<HodokuVersion, ParseVersionError> {
        let mut all = HodokuVersion::ALL.into_iter();
        all.find(|version| version.id() == text)
            .ok_or(ParseVersionError)
    }
}
