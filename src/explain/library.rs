use super::choose::{Changes, simplest_cover, simplest_first};
use super::walk::{self, Wave};
use super::words;
use crate::error::Error;
use crate::grade::{Rank, Step, Steps};
use crate::hodoku::LibraryLine;

/// Steps shown of one technique, where several do what the line lists.
const SHOWN: usize = 6;

/// A position of HoDoKu's library, and what our techniques of that name find in it.
#[derive(Clone, Debug)]
pub struct LibraryPosition {
    /// The line.
    pub line: LibraryLine,
    /// How what is found fits what the line lists.
    pub fit: Fit,
    /// For each technique that has the line's code, the steps that fit best.
    pub found: Vec<Wave>,
}

/// How steps fit a listed effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// A step does what is listed, and nothing else.
    Exact,
    /// A step does what is listed, and more.
    Containing,
    /// Several steps together do what is listed.
    Together,
    /// What is listed is not found.
    Missing,
}

impl Fit {
    /// As JSON has it.
    pub const fn id(self) -> &'static str {
        match self {
            Fit::Exact => "exact",
            Fit::Containing => "containing",
            Fit::Together => "together",
            Fit::Missing => "missing",
        }
    }
}

impl LibraryPosition {
    /// Runs the techniques that have the line's code on its board.
    ///
    /// # Errors
    /// [`Error::BadData`] where no technique has the code, or the board holds a digit twice in a
    /// house.
    pub fn new(line: LibraryLine) -> Result<LibraryPosition, Error> {
        let board = line.position.board();
        if let Some(conflict) = board.solved_grid().conflict() {
            return Err(Error::BadData(format!("conflict: {conflict}")));
        }
        let listed = Changes::new(&line.placed, &line.removed);
        let mut found: Vec<(Fit, Wave)> = techniques(&line)
            .map(|rank| {
                let mut steps = Steps::listing();
                if let Some(technique) = rank.technique() {
                    technique.find_all(&line.position, &mut steps);
                }
                let (fit, shown) = fitting(&steps, &listed);
                let wave = Wave {
                    rank,
                    board: board.clone(),
                    clues: line.position.clues(),
                    instances: steps.list().len(),
                    steps: shown,
                };
                (fit, wave)
            })
            .collect();
        let Some(fit) = found.iter().map(|(fit, _)| *fit).min() else {
            return Err(Error::BadData(format!(
                "no technique of the ladder has HoDoKu's code {}",
                code(&line)
            )));
        };
        found.retain(|(own, _)| *own == fit);
        Ok(LibraryPosition {
            line,
            fit,
            found: found.into_iter().map(|(_, wave)| wave).collect(),
        })
    }

    /// `0300`, or with its variant `0300-2`.
    pub fn code(&self) -> String {
        code(&self.line)
    }

    /// What the line lists, and how what is found fits it.
    pub(super) fn verdict(&self) -> String {
        let names = words::list(self.found.iter().map(|wave| walk::name(wave.rank)));
        let listed = Changes::new(&self.line.placed, &self.line.removed).to_string();
        if listed.is_empty() {
            let instances = self.found.iter().map(|wave| wave.instances).sum();
            let found = words::count(instances, "instance");
            return format!("The line lists nothing. {names}: {found} found.");
        }
        let fit = match self.fit {
            Fit::Exact => "a step does that and nothing else",
            Fit::Containing => "no step does that alone; those shown do that and more",
            Fit::Together => "no single step does that; those shown do it together",
            Fit::Missing => "not found: no step does that, nor do all of them together",
        };
        format!("The line lists {listed}. {names}: {fit}.")
    }
}

fn code(line: &LibraryLine) -> String {
    match &line.variant {
        Some(variant) => format!("{}-{variant}", line.code),
        None => line.code.clone(),
    }
}

/// The techniques with the line's code. Some have it in one variant only; a line without a variant
/// means any.
fn techniques(line: &LibraryLine) -> impl Iterator<Item = Rank> + '_ {
    let whole = code(line);
    let fits = move |own: &str| {
        let any_variant = line.variant.is_none()
            && own
                .split_once('-')
                .is_some_and(|(code, _)| code == line.code);
        own == line.code || own == whole || any_variant
    };
    Rank::all().filter(move |rank| {
        let codes = rank.technique().map(|technique| technique.info().hodoku);
        codes.is_some_and(|codes| codes.iter().any(|own| fits(own)))
    })
}

fn fitting(steps: &Steps, listed: &Changes) -> (Fit, Vec<Step>) {
    if listed.is_empty() {
        return (Fit::Missing, Vec::new());
    }
    let sorted = simplest_first(steps.list());
    let those = |fits: &dyn Fn(&Changes) -> bool| -> Vec<Step> {
        let fitting = sorted.iter().filter(|(_, changes)| fits(changes));
        fitting
            .take(SHOWN)
            .map(|(step, _)| (*step).clone())
            .collect()
    };
    let exact = those(&|changes| changes == listed);
    if !exact.is_empty() {
        return (Fit::Exact, exact);
    }
    let containing = those(&|changes| changes.contains(listed));
    if !containing.is_empty() {
        return (Fit::Containing, containing);
    }
    if Changes::of(steps.union()).contains(listed) {
        return (Fit::Together, simplest_cover(steps.list(), *listed));
    }
    (Fit::Missing, Vec::new())
}
