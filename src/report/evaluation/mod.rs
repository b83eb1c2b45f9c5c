//! How good the predictions of a model are: counts of verdicts, for all rows and for each level, hardest
//! technique, number of clues and rating.

mod intervals;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::report::sheets::Sheet;
use crate::table::outcome::Outcome;
use intervals::{mcnemar, wilson};
use sudoku_core::grade::{Grade, HardestTechnique, Level, Rank};
use sudoku_core::judge::{Judgement, Verdict};
use sudoku_core::rating::RatingOutcome;

/// Counts of judged predictions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    rows: u64,
    verdicts: BTreeMap<Verdict, u64>,
    /// Empty cells of the puzzles whose predictions are grids that can be compared, and how many are right.
    blanks: u64,
    blanks_right: u64,
}

impl VerdictCounts {
    fn add(&mut self, judgement: &Judgement) {
        self.rows += 1;
        *self.verdicts.entry(judgement.verdict).or_default() += 1;
        if let Some(right) = judgement.blanks_right {
            self.blanks += u64::from(judgement.blanks);
            self.blanks_right += u64::from(right);
        }
    }

    fn merge(&mut self, other: &VerdictCounts) {
        self.rows += other.rows;
        self.blanks += other.blanks;
        self.blanks_right += other.blanks_right;
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(*verdict).or_default() += count;
        }
    }

    /// How many predictions have this verdict.
    pub fn verdict(&self, verdict: Verdict) -> u64 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// How many predictions solve their puzzle.
    pub fn exact(&self) -> u64 {
        let exact = Verdict::ALL
            .into_iter()
            .filter(|verdict| verdict.is_exact());
        exact.map(|verdict| self.verdict(verdict)).sum()
    }

    /// How many puzzles there are.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn to_json(&self) -> Map<String, Value> {
        let (low, high) = wilson(self.exact(), self.rows);
        let mut all = Map::new();
        all.insert("rows".into(), self.rows.into());
        all.insert("exact".into(), self.exact().into());
        all.insert("exact_share".into(), share(self.exact(), self.rows));
        all.insert("exact_low".into(), json!(low));
        all.insert("exact_high".into(), json!(high));
        for verdict in Verdict::ALL {
            all.insert(verdict.id().into(), self.verdict(verdict).into());
        }
        all.insert("blanks".into(), self.blanks.into());
        all.insert("blanks_right".into(), self.blanks_right.into());
        all
    }
}

fn share(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        whole => json!(part as f64 / whole as f64),
    }
}

/// What rows are grouped by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Level,
    Technique,
    Clues,
    Rating,
}

impl Group {
    const ALL: [Group; 4] = [Group::Level, Group::Technique, Group::Clues, Group::Rating];

    const fn id(self) -> &'static str {
        match self {
            Group::Level => "level",
            Group::Technique => "technique",
            Group::Clues => "clues",
            Group::Rating => "se",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Group::Level => "By level",
            Group::Technique => "By hardest technique",
            Group::Clues => "By number of clues",
            Group::Rating => "By rating (se), in whole steps",
        }
    }

    /// The group of a row: a number that orders the groups, and its name.
    fn of(self, row: &Outcome) -> Option<(u32, String)> {
        let needed = || row.grade.as_ref().map(Grade::needed);
        match self {
            Group::Level => {
                let level = needed()?.level;
                let place = Level::ALL.iter().position(|one| Some(*one) == level);
                let place = place.unwrap_or(Level::ALL.len()) as u32;
                Some((
                    place,
                    level
                        .map_or(HardestTechnique::BEYOND.id, Level::id)
                        .to_owned(),
                ))
            }
            Group::Technique => {
                let needed = needed()?;
                let rank = needed
                    .rank
                    .map_or(u32::MAX, |rank| u32::from(Rank::number(rank)));
                Some((rank, needed.id.to_owned()))
            }
            Group::Clues => {
                let clues = row.clue_count();
                Some((clues as u32, clues.to_string()))
            }
            Group::Rating => match row.ratings.written? {
                RatingOutcome::Rated(ratings) => {
                    let whole = u32::from(ratings.puzzle.tenths() / 10);
                    Some((whole, format!("{whole}.0–{whole}.9")))
                }
                _ => None,
            },
        }
    }
}

/// How good the predictions for the rows of a run are. Those of its batches are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    all: VerdictCounts,
    groups: BTreeMap<(Group, u32), (String, VerdictCounts)>,
    against: Option<Against>,
}

/// How often one model, the other, both or none solve a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Against {
    both: u64,
    only_this: u64,
    only_other: u64,
    none: u64,
}

impl Against {
    fn counts(self) -> [(&'static str, u64); 4] {
        [
            ("both", self.both),
            ("only_this", self.only_this),
            ("only_other", self.only_other),
            ("none", self.none),
        ]
    }
}

impl Evaluation {
    /// The counts of these rows, which have been judged.
    pub fn of(rows: &[Outcome]) -> Evaluation {
        let mut evaluation = Evaluation::default();
        for row in rows {
            let Some(judged) = &row.judged else { continue };
            evaluation.all.add(&judged.judgement);
            for group in Group::ALL {
                if let Some((place, name)) = group.of(row) {
                    let counts = evaluation.groups.entry((group, place));
                    let counts = counts.or_insert_with(|| (name, VerdictCounts::default()));
                    counts.1.add(&judged.judgement);
                }
            }
            if let Some(other) = judged.other {
                let against = evaluation.against.get_or_insert_default();
                let exact = [judged.judgement, other].map(|one| one.verdict.is_exact());
                *match exact {
                    [true, true] => &mut against.both,
                    [true, false] => &mut against.only_this,
                    [false, true] => &mut against.only_other,
                    [false, false] => &mut against.none,
                } += 1;
            }
        }
        evaluation
    }

    /// Adds the counts of other rows.
    pub fn merge(&mut self, other: &Evaluation) {
        self.all.merge(&other.all);
        for (place, (name, counts)) in &other.groups {
            let own = self.groups.entry(*place);
            let own = own.or_insert_with(|| (name.clone(), VerdictCounts::default()));
            own.1.merge(counts);
        }
        if let Some(other) = other.against {
            let own = self.against.get_or_insert_default();
            own.both += other.both;
            own.only_this += other.only_this;
            own.only_other += other.only_other;
            own.none += other.none;
        }
    }

    /// The counts of all rows.
    pub fn all(&self) -> &VerdictCounts {
        &self.all
    }

    /// The counts, shares and 95 % intervals as JSON.
    pub fn to_json(&self) -> Value {
        let mut json = self.all.to_json();
        for group in Group::ALL {
            let rows: Vec<Value> = (self.of_group(group))
                .map(|(name, counts)| {
                    let mut row = Map::from_iter([(group.id().to_owned(), Value::from(name))]);
                    row.extend(counts.to_json());
                    row.into()
                })
                .collect();
            if !rows.is_empty() {
                json.insert(format!("by_{}", group.id()), rows.into());
            }
        }
        if let Some(against) = self.against {
            let counts = against
                .counts()
                .map(|(name, count)| (name.to_owned(), count.into()));
            let mut object = Map::from_iter(counts);
            object.insert(
                "mcnemar_p".into(),
                json!(mcnemar(against.only_this, against.only_other)),
            );
            json.insert("against".into(), object.into());
        }
        json.into()
    }

    fn of_group(&self, group: Group) -> impl Iterator<Item = (&str, &VerdictCounts)> {
        let groups = self
            .groups
            .iter()
            .filter(move |((own, _), _)| *own == group);
        groups.map(|(_, (name, counts))| (name.as_str(), counts))
    }

    /// The evaluation as small tables.
    pub fn sheets(&self) -> Vec<Sheet> {
        let mut sheets = vec![self.verdict_sheet()];
        for group in Group::ALL {
            let rows: Vec<_> = self.of_group(group).collect();
            if !rows.is_empty() {
                sheets.push(group_sheet(group, &rows));
            }
        }
        sheets.extend(self.against.map(against_sheet));
        sheets
    }

    fn verdict_sheet(&self) -> Sheet {
        let rows = Verdict::ALL.into_iter().filter_map(|verdict| {
            let count = self.all.verdict(verdict);
            let row = vec![
                verdict.id().into(),
                count.into(),
                share(count, self.all.rows),
            ];
            (count > 0).then_some(row)
        });
        let (low, high) = wilson(self.all.exact(), self.all.rows);
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        let cells = match self.all.blanks {
            0 => String::new(),
            blanks => {
                let right = self.all.blanks_right as f64 / blanks as f64;
                format!(" {} of the empty cells of grids are right.", percent(right))
            }
        };
        let exact = self.all.exact() as f64 / (self.all.rows as f64).max(1.0);
        Sheet {
            rows: rows.collect(),
            notes: vec![format!(
                "{} of the predictions solve their puzzle; 95 % interval: {} to {}.{cells}",
                percent(exact),
                percent(low),
                percent(high)
            )],
            ..Sheet::new(
                "verdicts",
                "Verdicts",
                1,
                &["verdict", "predictions", "share"],
            )
        }
    }
}

fn group_sheet(group: Group, rows: &[(&str, &VerdictCounts)]) -> Sheet {
    let columns = [
        "puzzles",
        "exact",
        "exact share",
        "low share",
        "high share",
        "right cells share",
    ];
    let mut names = vec![group.id()];
    names.extend(columns);
    let rows = rows.iter().map(|(name, counts)| {
        let (low, high) = wilson(counts.exact(), counts.rows);
        vec![
            Value::from(*name),
            counts.rows.into(),
            counts.exact().into(),
            share(counts.exact(), counts.rows),
            json!(low),
            json!(high),
            share(counts.blanks_right, counts.blanks),
        ]
    });
    Sheet {
        rows: rows.collect(),
        ..Sheet::new(&format!("by_{}", group.id()), group.title(), 1, &names)
    }
}

fn against_sheet(against: Against) -> Sheet {
    let all: u64 = against.counts().iter().map(|(_, count)| count).sum();
    let rows = against.counts().map(|(name, count)| {
        let name = name.replace('_', " ");
        vec![name.into(), count.into(), share(count, all)]
    });
    let p = mcnemar(against.only_this, against.only_other);
    Sheet {
        rows: rows.to_vec(),
        notes: vec![format!(
            "McNemar's exact test: p = {p:.4}, the probability of a difference at least as large if both models \
             were equally good."
        )],
        ..Sheet::new(
            "against",
            "Puzzles that the models solve",
            1,
            &["model", "puzzles", "share"],
        )
    }
}
