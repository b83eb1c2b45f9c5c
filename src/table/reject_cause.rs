//! Probable causes of rejects: changes that other programs made to a dataset.

sudoku_core::enum_with_ids! {
    /// The probable cause of a reject.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RejectCause {
        /// Another program converted the digits to a number, which lost its leading zeros.
        LeadingZeros = "leading_zeros_lost",
        /// Another program converted the digits to a number, and wrote it in scientific notation.
        ScientificNotation = "scientific_notation",
    }
}

/// The minimum number of digits of a puzzle that has lost its leading zeros. Puzzles rarely start with more than
/// twenty empty cells.
const FEWEST_DIGITS: usize = 60;

impl RejectCause {
    /// A phrase that describes the cause, for a message about one record.
    pub const fn what(self) -> &'static str {
        match self {
            RejectCause::LeadingZeros => "its leading zeros were lost",
            RejectCause::ScientificNotation => "its digits were written as a number",
        }
    }

    /// A phrase that describes the cause, for a message about several records. Advice follows.
    pub const fn advice(self) -> &'static str {
        match self {
            RejectCause::LeadingZeros => {
                "they are 60 to 80 digits: their leading zeros were lost when a program read them as numbers; \
                 write the column as text (zeros can be put back: text.rjust(81, \"0\") in Python)"
            }
            RejectCause::ScientificNotation => {
                "they are numbers like 4.0003E+80: a program read the digits as numbers, and most digits are \
                 lost; write the column as text, from the source"
            }
        }
    }

    /// The cause that the text of a puzzle with a wrong length suggests; `None` if it suggests no cause.
    pub(crate) fn from_text(text: &[u8]) -> Option<RejectCause> {
        let text = text.trim_ascii();
        let is_number = text.iter().all(u8::is_ascii_digit);
        if is_number && (FEWEST_DIGITS..81).contains(&text.len()) && text.contains(&b'0') {
            return Some(RejectCause::LeadingZeros);
        }
        is_scientific(text).then_some(RejectCause::ScientificNotation)
    }
}

/// Whether a text is a number in scientific notation, such as `4.0003E+80`.
fn is_scientific(text: &[u8]) -> bool {
    let Some(at) = text
        .iter()
        .position(|byte| byte.eq_ignore_ascii_case(&b'e'))
    else {
        return false;
    };
    let (mantissa, exponent) = (&text[..at], &text[at + 1..]);
    let exponent = exponent.strip_prefix(b"+").unwrap_or(exponent);
    let exponent = std::str::from_utf8(exponent).ok();
    let is_digits = |digits: &[u8]| digits.iter().all(u8::is_ascii_digit);
    let is_mantissa = match mantissa {
        [first, b'.' | b',', rest @ ..] => first.is_ascii_digit() && is_digits(rest),
        [first] => first.is_ascii_digit(),
        _ => false,
    };
    let exponent = exponent.and_then(|text| text.parse::<u8>().ok());
    is_mantissa && exponent.is_some_and(|exponent| (59..=80).contains(&exponent))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::reject::{RejectKind, RejectReason};

    #[test]
    fn texts_that_were_numbers_are_recognised() {
        let cause = |text: &str| RejectCause::from_text(text.as_bytes());
        let zeros = Some(RejectCause::LeadingZeros);
        assert_eq!(cause(&format!("4{}", "01".repeat(39))), zeros);
        assert_eq!(cause(&"40".repeat(30)), zeros);
        assert_eq!(cause(&format!(" 4{} ", "0".repeat(79))), zeros);
        for text in ["4.0003E+80", "4e80", "1.2e+79", "4,03E+75"] {
            assert_eq!(cause(text), Some(RejectCause::ScientificNotation), "{text}");
        }
        // These texts are too short, have no zero, have another character for empty cells, or are not numbers.
        let dots = format!("4{}", ".".repeat(78));
        let (short, full) = ("40".repeat(29), "12".repeat(35));
        for text in [
            short.as_str(),
            &full,
            &dots,
            "4e8",
            "e80",
            "4.x3e80",
            "-1e80",
            "",
        ] {
            assert_eq!(cause(text), None, "{text}");
        }
        let zeros = [b'0'; 70];
        let reason = |kind| RejectReason::new(kind, "").with_cause(&zeros);
        assert!(reason(RejectKind::WrongLength).cause.is_some());
        assert_eq!(reason(RejectKind::Conflict).cause, None);
    }
}
