//! The versions of HoDoKu whose ratings can be computed.

use std::fmt;
use std::str::FromStr;

crate::enum_with_ids! {
    /// A version of HoDoKu. They differ in which of several chains with equally many removals they prefer.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum HodokuVersion {
        /// HoDoKu 2.2.0 of 2012, the original.
        #[default]
        V2_2 = "2.2",
        /// HoDoKu 2.3, a later fork. Among chains with equally many removals, it prefers the shortest.
        V2_3 = "2.3",
    }
}

impl fmt::Display for HodokuVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// The error for a text that is not a version of HoDoKu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the versions of HoDoKu are 2.2 and 2.3")]
pub struct ParseVersionError;

impl FromStr for HodokuVersion {
    type Err = ParseVersionError;

    fn from_str(text: &str) -> Result<HodokuVersion, ParseVersionError> {
        HodokuVersion::from_id(text).ok_or(ParseVersionError)
    }
}
