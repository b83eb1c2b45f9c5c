//! Formats numbers for messages.

/// Separates thousands by commas: `1234567` becomes `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with its noun: `1 input`, `2,000 inputs`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {}", thousands(number), noun_for(number, noun))
}

/// A noun after a number: `input` after 1, and `inputs` after other numbers.
pub fn noun_for(number: u64, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_by_three() {
        assert_eq!(thousands(7), "7");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1,234,567");
        assert_eq!(counted(1, "row"), "1 row");
        assert_eq!(counted(2000, "row"), "2,000 rows");
        assert_eq!(noun_for(0, "row") + &noun_for(1, "row"), "rowsrow");
    }
}
