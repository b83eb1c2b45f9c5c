//! Parses numbers that have bounds.

use std::fmt::Display;
use std::str::FromStr;

use bytesize::ByteSize;

/// A parser for whole numbers within these bounds, both included. `T` has to be the type of the option's field,
/// because clap compares the types only when it runs.
pub(crate) fn between<T>(
    least: T,
    most: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Copy + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| format!("must be a whole number from {least} to {most}"))
    }
}

/// Parses a size in bytes.
pub(crate) fn size(text: &str) -> Result<ByteSize, String> {
    let problem = "a size is a number with a unit, such as 512MiB or 2GiB";
    text.parse().map_err(|_| problem.to_owned())
}

#[cfg(test)]
mod tests {
    use sudoku_core::grade::SEARCH;

    use super::*;

    #[test]
    fn numbers_within_the_bounds_are_parsed() {
        let parse = between::<u8>(2, 200);
        assert_eq!(["2", "200", "+7"].map(&parse), [Ok(2), Ok(200), Ok(7)]);
        for text in ["1", "201", "256", "-3", "2..5", "2.0", "two", ""] {
            let message = "must be a whole number from 2 to 200".to_owned();
            assert_eq!(parse(text), Err(message), "{text}");
        }
    }

    /// A parser of another type than the option's field would make clap panic for every value.
    #[test]
    fn every_bounded_option_has_the_type_of_its_field() {
        let highest_rank = SEARCH.number().to_string();
        for (arguments, most) in [
            ("augment in -o out --copies", "65536"),
            ("compare in -o out --repeat", "1000"),
            ("compare in -o out --solution-limit", "4294967295"),
            ("compare in -o out --parallel-runs", "1024"),
            ("convert in -o out --hints", "64"),
            (
                "convert in -o out --max-rows-per-file",
                "18446744073709551615",
            ),
            ("generate 1 --clues", "625"),
            ("generate 1 --solutions", "1000000"),
            ("generate --near in --swap", "3"),
            ("grade in -o out --max-rank", &highest_rank),
            ("grade in -o out --se-work", "18446744073709551615"),
            ("grade in -o out --solution-limit", "4294967295"),
            ("split in -o out --folds", "1000"),
            ("validate in --threads", "1024"),
        ] {
            let parse = |value: &str| {
                let words = ["pipeline"].into_iter().chain(arguments.split(' '));
                let words: Vec<_> = words.chain([value]).map(Into::into).collect();
                crate::cli::parse(&words).map(drop)
            };
            assert!(parse(most).is_ok(), "{arguments} {most}");
            let message = parse("0").unwrap_err().to_string();
            let bounds = format!(" to {most}\n");
            assert!(message.contains(&bounds), "{arguments} 0: {message}");
        }
    }
}
