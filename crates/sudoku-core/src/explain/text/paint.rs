//! Colours for text on a terminal.

use crate::explain::role::CandidateRole;

/// The style of a text on a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Heading,
    Clue,
    Faint,
    Role(CandidateRole),
}

impl Paint {
    /// The parameter of the escape sequence that selects this style (SGR).
    const fn code(self) -> &'static str {
        match self {
            Paint::Heading | Paint::Clue => "1",
            Paint::Faint => "2",
            Paint::Role(CandidateRole::Pattern) => "1;36",
            Paint::Role(CandidateRole::Other) => "1;33",
            Paint::Role(CandidateRole::Removed) => "1;7;31",
            Paint::Role(CandidateRole::Placed) => "1;7;32",
        }
    }
}

/// Applies styles to text, or returns it unchanged if colours are off.
#[derive(Clone, Copy)]
pub(super) struct Painter {
    pub(super) color: bool,
}

impl Painter {
    pub(super) fn paint(self, paint: Paint, text: &str) -> String {
        if self.color {
            format!("\x1b[{}m{text}\x1b[0m", paint.code())
        } else {
            text.to_owned()
        }
    }
}
