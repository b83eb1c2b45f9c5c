//! Adds colours to text on a terminal, by ANSI escape sequences.

use crate::explain::role::CandidateRole;

/// The style of a text on a terminal with colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextColour {
    Heading,
    Clue,
    Faint,
    Role(CandidateRole),
}

impl TextColour {
    /// The parameter of the SGR escape sequence that selects this style.
    const fn ansi_code(self) -> &'static str {
        match self {
            TextColour::Heading | TextColour::Clue => "1",
            TextColour::Faint => "2",
            TextColour::Role(CandidateRole::Pattern) => "1;36",
            TextColour::Role(CandidateRole::Other) => "1;33",
            TextColour::Role(CandidateRole::Removed) => "1;7;31",
            TextColour::Role(CandidateRole::Placed) => "1;7;32",
        }
    }
}

/// Adds ANSI escape sequences for styles to text, if colours are on.
#[derive(Clone, Copy)]
pub(super) struct AnsiPainter {
    pub(super) color: bool,
}

impl AnsiPainter {
    pub(super) fn paint_text(self, paint: TextColour, text: &str) -> String {
        if self.color {
            format!("\x1b[{}m{text}\x1b[0m", paint.ansi_code())
        } else {
            text.to_owned()
        }
    }
}
