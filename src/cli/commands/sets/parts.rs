//! The parts of `split`, as they are written in options: `train=0.8,test=10%`, `train=rest,test=1000`.

use std::str::FromStr;

use sudoku_pipeline::sets::PartSize;

/// The names of the parts of a split, and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartSizes(pub(crate) Vec<(String, PartSize)>);

/// The size of a part, as it is written in an option.
enum Size {
    Share(f64),
    Rows(u64),
    /// The share of the rows that the other parts leave.
    Rest,
}

impl PartSizes {
    /// The parts of a cross-validation, all of the same size: `fold_1`, `fold_2` and so on.
    pub(crate) fn folds(count: u16) -> PartSizes {
        let share = PartSize::Share(1.0 / f64::from(count));
        PartSizes(
            (1..=count)
                .map(|fold| (format!("fold_{fold}"), share))
                .collect(),
        )
    }
}

impl FromStr for PartSizes {
    type Err = String;

    fn from_str(text: &str) -> Result<PartSizes, String> {
        let mut sizes: Vec<(String, Size)> = Vec::new();
        for part in text.split(',') {
            let (name, size) = part
                .split_once('=')
                .ok_or("write NAME=SIZE,…, such as train=0.9,test=0.1")?;
            let (name, size) = (name.trim(), size.trim());
            let is_plain_character = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
            if name.is_empty()
                || name.starts_with(['.', '_'])
                || !name.chars().all(is_plain_character)
            {
                return Err(format!(
                    "{name:?} cannot be the name of a part: use letters, digits, -, _ and ."
                ));
            }
            let is_same_name = |(other, _): &(String, Size)| other.eq_ignore_ascii_case(name);
            if sizes.iter().any(is_same_name) {
                return Err(format!("{name} is named twice"));
            }
            sizes.push((name.to_owned(), parse_size(name, size)?));
        }
        let shares = sizes.iter().map(|(_, size)| match size {
            Size::Share(share) => *share,
            Size::Rows(_) | Size::Rest => 0.0,
        });
        let sum: f64 = shares.sum();
        let parts_with_rest = sizes.iter().filter(|(_, size)| matches!(size, Size::Rest));
        match parts_with_rest.count() {
            0 if sum == 0.0 => {
                // 80 and 20 of a hundred are meant as percentages.
                let rows = sizes.iter().filter_map(|(_, size)| match size {
                    Size::Rows(rows) => Some(*rows),
                    _ => None,
                });
                let are_percentages = rows.sum::<u64>() == 100;
                let percentages = if are_percentages {
                    "; 80% is a share"
                } else {
                    ""
                };
                return Err(format!(
                    "the rows beyond the numbers have no part: add one such as train=rest{percentages}"
                ));
            }
            0 if (sum - 1.0).abs() > 1e-6 => {
                return Err(format!("the sum of the shares is {sum}, but must be 1"));
            }
            1 if sum >= 1.0 => return Err("the shares leave nothing for the rest".into()),
            0 | 1 => {}
            _ => return Err("only one part is the rest".into()),
        }
        let sizes = sizes.into_iter().map(|(name, size)| match size {
            Size::Share(share) => (name, PartSize::Share(share)),
            Size::Rows(rows) => (name, PartSize::Rows(rows)),
            Size::Rest => (name, PartSize::Share(1.0 - sum)),
        });
        Ok(PartSizes(sizes.collect()))
    }
}

/// Parses the size of a part: `0.1`, `10%`, `1000`, `rest`. The number 1 is a share.
fn parse_size(name: &str, text: &str) -> Result<Size, String> {
    if text == "rest" {
        return Ok(Size::Rest);
    }
    if let Some(rows) = text.parse().ok().filter(|rows| *rows > 1) {
        return Ok(Size::Rows(rows));
    }
    let (number, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let share: f64 = number.parse().map_err(|_| {
        format!("{text:?} is not a size: write a share such as 0.1, 10%, a number of rows, or rest")
    })?;
    let share = share / unit;
    if share > 0.0 && share <= 1.0 {
        Ok(Size::Share(share))
    } else {
        Err(format!(
            "the share of {name} must be above 0 and at most 1; a number of rows is a whole number above 1"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shares_percentages_numbers_of_rows_and_the_rest() {
        use PartSize::{Rows, Share};
        for (text, expected_parts) in [
            ("all=1", &[("all", Share(1.0))][..]),
            ("a=0.8,b=20%", &[("a", Share(0.8)), ("b", Share(0.2))]),
            ("a=rest,b=1000", &[("a", Share(1.0)), ("b", Rows(1000))]),
            (
                "a=75%, b=rest ,c=2",
                &[("a", Share(0.75)), ("b", Share(0.25)), ("c", Rows(2))],
            ),
            (
                "a=50 %,b=50%,c=7",
                &[("a", Share(0.5)), ("b", Share(0.5)), ("c", Rows(7))],
            ),
        ] {
            let expected_parts = expected_parts
                .iter()
                .map(|(name, size)| ((*name).to_owned(), *size));
            assert_eq!(
                text.parse(),
                Ok(PartSizes(expected_parts.collect())),
                "{text}"
            );
        }
        for text in [
            "",
            "a",
            "a=0.5",
            "a=0,b=1",
            "a=0.5,a=0.5",
            "a=1000",
            "a=10,b=20",
            "a=rest,b=rest",
            "a=1,b=rest",
            "a=101%",
            "a=-1,b=2",
            "a=1.5",
            "a=x",
            "a=nan",
            "a=0.5,b=0.6",
            "../a=1",
            "_a=1",
            "a=%",
        ] {
            assert!(text.parse::<PartSizes>().is_err(), "{text}");
        }
        let PartSizes(folds) = PartSizes::folds(4);
        assert_eq!(folds[3], ("fold_4".to_owned(), Share(0.25)));
    }
}
