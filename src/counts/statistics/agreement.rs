//! Measures how well a dataset's own difficulty labels agree with the grades.

use sudoku_core::grade::{HardestTechnique, Rank, SEARCH};

use super::{Breakdown, BreakdownGroup};

/// What is known about the order of the labels in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labels {
    /// The labels are numbers.
    Numbers,
    /// The labels are words with a known order, such as `easy` and `hard`, or techniques, ordered by rank.
    Words,
    /// The order of the labels is not known.
    Unordered,
}

/// Measures of how well the labels in a column agree with the grades.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelAgreement {
    /// The number of rows with a label and a grade.
    pub rows: u64,
    /// What is known about the order of the labels.
    pub labels: Labels,
    /// Spearman's rank correlation of the label and the rank of the hardest technique, from -1 to 1; `None` if
    /// the order of the labels is unknown, or if all labels or all grades are equal.
    pub spearman: Option<f64>,
    /// The share of the variance of the hardest technique's rank that the labels explain (eta squared), from 0 to 1;
    /// `None` if all rows have the same rank.
    pub explained: Option<f64>,
}

/// Words for difficulty, from the easiest. Words on the same line are synonyms.
const DIFFICULTY_WORDS: [&[&str]; 8] = [
    &["trivial", "beginner", "kids", "very easy", "very_easy"],
    &["easy", "simple", "gentle", "low"],
    &["medium", "moderate", "normal", "intermediate", "mid"],
    &["hard", "tough", "difficult", "high"],
    &["very hard", "very_hard", "unfair", "challenging"],
    &["expert", "fiendish", "master"],
    &["evil", "diabolical", "extreme", "insane", "nightmare"],
    &["inhuman", "impossible", "ultimate", "beyond"],
];

/// The index of a word in [`DIFFICULTY_WORDS`]; `None` for other words.
fn word_difficulty(word: &str) -> Option<usize> {
    let word = word.trim().to_lowercase();
    DIFFICULTY_WORDS
        .iter()
        .position(|words| words.contains(&word.as_str()))
}

/// The rank of the technique with this id. The id can also be `beyond`, for puzzles that no technique solves. `None`
/// for an unknown id.
pub fn rank_of(technique: &str) -> Option<u64> {
    if technique == HardestTechnique::BEYOND.id {
        return Some(u64::from(SEARCH.number()) + 1);
    }
    Rank::from_id(technique).map(|rank| u64::from(rank.number()))
}

impl Breakdown {
    /// What is known about the order of the labels, and the position of each group in this order.
    fn group_positions(&self) -> (Labels, Vec<(f64, &BreakdownGroup)>) {
        let with_value = || self.groups.iter().filter(|group| !group.value.is_null());
        let label_number = |group: &BreakdownGroup| match &group.value {
            serde_json::Value::Number(label_number) => label_number.as_f64(),
            serde_json::Value::String(text) => text.trim().parse().ok(),
            _ => None,
        };
        let label_difficulty =
            |group: &BreakdownGroup| Some(word_difficulty(group.value.as_str()?)? as f64);
        let positions_by = |place: &dyn Fn(&BreakdownGroup) -> Option<f64>| {
            with_value()
                .map(|group| Some((place(group)?, group)))
                .collect::<Option<Vec<_>>>()
        };
        if let Some(positions) = positions_by(&label_number) {
            return (Labels::Numbers, positions);
        }
        let label_rank = |group: &BreakdownGroup| Some(rank_of(group.value.as_str()?)? as f64);
        match positions_by(&label_difficulty).or_else(|| positions_by(&label_rank)) {
            Some(positions) => (Labels::Words, positions),
            None => (
                Labels::Unordered,
                with_value().map(|group| (0.0, group)).collect(),
            ),
        }
    }

    /// The groups of rows in the order of their labels. The group of rows without a label is the last one.
    pub fn in_order(&self) -> Vec<&BreakdownGroup> {
        let (labels, mut positions) = self.group_positions();
        if labels == Labels::Unordered {
            return self.groups.iter().collect();
        }
        positions.sort_by(|one, other| one.0.total_cmp(&other.0));
        let groups_without_label = self.groups.iter().filter(|group| group.value.is_null());
        positions
            .into_iter()
            .map(|(_, group)| group)
            .chain(groups_without_label)
            .collect()
    }

    /// Measures how well the labels agree with the grades; `None` if no row has both.
    pub fn agreement(&self) -> Option<LabelAgreement> {
        let (labels, positions) = self.group_positions();
        // The number of rows for each pair of a label's position and a technique's rank.
        let cells: Vec<(f64, u64, u64)> = (positions.iter())
            .flat_map(|(place, group)| {
                let ranks = group.technique.iter();
                ranks.filter_map(|(id, rows)| Some((*place, rank_of(id)?, *rows)))
            })
            .collect();
        let rows: u64 = cells.iter().map(|(_, _, rows)| rows).sum();
        if rows == 0 {
            return None;
        }
        let spearman = match labels {
            Labels::Unordered => None,
            Labels::Numbers | Labels::Words => {
                let label_positions: Vec<(f64, u64)> = cells
                    .iter()
                    .map(|(place, _, rows)| (*place, *rows))
                    .collect();
                let technique_ranks: Vec<(f64, u64)> = (cells.iter())
                    .map(|(_, rank, rows)| (*rank as f64, *rows))
                    .collect();
                let (one, other) = (
                    average_ranks(&label_positions),
                    average_ranks(&technique_ranks),
                );
                let weights = cells.iter().map(|(_, _, rows)| *rows as f64);
                weighted_correlation(one.into_iter().zip(other).zip(weights))
            }
        };
        Some(LabelAgreement {
            rows,
            labels,
            spearman,
            explained: explained_variance(&positions),
        })
    }
}

/// The rank of each value among all values. Equal values get the average of their ranks.
fn average_ranks(values: &[(f64, u64)]) -> Vec<f64> {
    let mut indices: Vec<usize> = (0..values.len()).collect();
    indices.sort_by(|one, other| values[*one].0.total_cmp(&values[*other].0));
    let mut ranks = vec![0.0; values.len()];
    let mut smaller_count = 0;
    for tied in indices.chunk_by(|one, other| values[*one].0 == values[*other].0) {
        let rows: u64 = tied.iter().map(|at| values[*at].1).sum();
        for at in tied {
            ranks[*at] = smaller_count as f64 + (rows as f64 + 1.0) / 2.0;
        }
        smaller_count += rows;
    }
    ranks
}

/// Pearson's correlation of pairs with weights; `None` if the first or the second values of the pairs are all equal.
fn weighted_correlation(pairs: impl Iterator<Item = ((f64, f64), f64)>) -> Option<f64> {
    let pairs: Vec<_> = pairs.collect();
    let total_weight: f64 = pairs.iter().map(|(_, weight)| weight).sum();
    let mean = |of: &dyn Fn((f64, f64)) -> f64| {
        pairs
            .iter()
            .map(|(pair, weight)| of(*pair) * weight)
            .sum::<f64>()
            / total_weight
    };
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let product = mean(&|pair| (pair.0 - x) * (pair.1 - y));
    let spread = (mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2))).sqrt();
    (spread > 0.0).then(|| product / spread)
}

/// The share of the variance of the hardest technique's rank that the groups explain; `None` if all rows have the same
/// rank.
fn explained_variance(groups: &[(f64, &BreakdownGroup)]) -> Option<f64> {
    let moments = |group: &BreakdownGroup| {
        let ranks = group.technique.iter();
        let ranks = ranks.filter_map(|(id, rows)| Some((rank_of(id)? as f64, *rows as f64)));
        ranks.fold((0.0, 0.0, 0.0), |(count, sum, squares), (rank, rows)| {
            (
                count + rows,
                sum + rank * rows,
                squares + rank * rank * rows,
            )
        })
    };
    let group_moments: Vec<_> = groups.iter().map(|(_, group)| moments(group)).collect();
    let (count, sum, squares) = group_moments.iter().fold((0.0, 0.0, 0.0), |all, one| {
        (all.0 + one.0, all.1 + one.1, all.2 + one.2)
    });
    let total = squares - sum * sum / count;
    let with_rows = group_moments.iter().filter(|(count, _, _)| *count > 0.0);
    let between: f64 = with_rows
        .map(|(count, sum, _)| sum * sum / count)
        .sum::<f64>()
        - sum * sum / count;
    (total > 1e-9).then(|| (between / total).clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn breakdown(groups: &[(Value, &[(&str, u64)])]) -> Breakdown {
        let mut breakdown = Breakdown::default();
        for (value, techniques) in groups {
            let group = breakdown.group(value);
            for (id, rows) in *techniques {
                group.technique.insert((*id).to_owned(), *rows);
                group.rows += rows;
            }
        }
        breakdown
    }

    #[test]
    fn labels_that_follow_the_grades_agree_with_them() {
        let labels = breakdown(&[
            (json!("hard"), &[("aic", 3)]),
            (json!("easy"), &[("naked_single", 5)]),
            (json!("Medium"), &[("x_wing", 2)]),
        ]);
        let agreement = labels.agreement().unwrap();
        assert_eq!((agreement.rows, agreement.labels), (10, Labels::Words));
        assert!((agreement.spearman.unwrap() - 1.0).abs() < 1e-12);
        assert!((agreement.explained.unwrap() - 1.0).abs() < 1e-12);
        let values_in_order: Vec<_> = labels.in_order().iter().map(|group| &group.value).collect();
        assert_eq!(values_in_order, ["easy", "Medium", "hard"]);
    }

    #[test]
    fn labels_that_say_nothing_have_no_correlation() {
        let mixed: &[(&str, u64)] = &[("naked_single", 4), ("aic", 4)];
        let agreement = breakdown(&[(json!(1), mixed), (json!(2.5), mixed)]).agreement();
        let agreement = agreement.unwrap();
        assert!(agreement.spearman.unwrap().abs() < 1e-12);
        assert!(agreement.explained.unwrap().abs() < 1e-12);
    }

    #[test]
    fn labels_without_an_order_have_no_rank_correlation() {
        let groups = breakdown(&[
            (json!("blue"), &[("naked_single", 4)]),
            (json!("red"), &[("aic", 4)]),
        ]);
        let agreement = groups.agreement().unwrap();
        assert_eq!(
            (agreement.labels, agreement.spearman),
            (Labels::Unordered, None)
        );
        assert_eq!(agreement.explained, Some(1.0));
        assert_eq!(breakdown(&[(json!("red"), &[])]).agreement(), None);
    }
}
