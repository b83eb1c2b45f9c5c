//! Tests that run over all solving techniques: those of the ladder, and the uniqueness techniques.

use super::testing::steps;
use super::*;
use crate::generate::Generator;
use crate::grade::order::TechniqueName;
use crate::grade::{Info, Ladder, Position, Rank, SEARCH, Steps};
use crate::random::Rng;

/// All techniques of the ladder, and all uniqueness techniques.
fn all_techniques() -> impl Iterator<Item = &'static dyn Technique> {
    LADDER.iter().chain(UNIQUENESS).copied()
}

fn infos() -> impl Iterator<Item = &'static Info> {
    all_techniques().map(Technique::info)
}

#[test]
fn ids_are_unique_and_levels_never_decrease() {
    let mut ids: Vec<_> = Rank::all().map(Rank::id).collect();
    ids.extend(UNIQUENESS.iter().map(|technique| technique.info().id));
    let levels = LADDER.iter().map(|technique| technique.info().level);
    assert!(levels.is_sorted());
    let mut ladder_ids = LADDER.iter().map(|technique| technique.info().id);
    assert!(ladder_ids.all(|id| Rank::from_id(id).is_some()));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), Rank::COUNT + UNIQUENESS.len());
}

#[test]
fn hodoku_has_each_technique_in_one_place() {
    let mut places: Vec<u16> = infos().filter_map(|info| info.hodoku_order).collect();
    let count = places.len();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), count);
    let ladder = Ladder::named("hodoku").unwrap().with_uniqueness();
    let mut ids: Vec<_> = ladder.rungs().map(|(_, own)| own.info().id).collect();
    let mut all_ids: Vec<_> = infos().map(|info| info.id).collect();
    ids.sort_unstable();
    all_ids.sort_unstable();
    assert_eq!(ids, all_ids);
}

#[test]
fn every_technique_says_what_it_finds_and_why_it_is_sound() {
    for info in infos() {
        assert!(info.doc.contains("# Why it is sound"), "{}", info.id);
        assert!(!info.name.is_empty(), "{}", info.id);
        assert!(!info.explainer.is_empty() && info.effort > 0, "{}", info.id);
    }
}

#[test]
fn every_example_has_the_step_it_shows() {
    for technique in all_techniques() {
        let Info { id, example, .. } = technique.info();
        let mut found_steps = Steps::listing();
        technique.find_all(&example.position(), &mut found_steps);
        let steps: Vec<_> = found_steps
            .list()
            .iter()
            .map(|s| s.effect.to_string())
            .collect();
        assert!(
            steps.iter().any(|step| step == example.effect),
            "{id}: {steps:?}"
        );
    }
}

/// Whether listing the steps of the technique is fast. It is slow for chains and harder techniques.
fn is_quick(technique: &dyn Technique) -> bool {
    let rank = Rank::from_id(technique.info().id);
    rank.is_none_or(|rank| rank < Rank::for_technique(TechniqueName::Aic))
}

/// Compares the two searches of each technique on the boards of some puzzles.
#[test]
fn listed_steps_together_are_the_union() {
    let seed = 2024;
    let generator = Generator::any(seed);
    let mut rng = Rng::new(seed);
    let ladder = Ladder::default();
    let mut listing = Steps::listing();
    for n in 0..60 {
        let mut board = Position::new(&generator.puzzle(n).unwrap().puzzle);
        // Listing the steps is slow on boards with thousands of chains or with long forcing chains. So only a few
        // puzzles are tested with all techniques.
        while !board.is_solved() {
            for technique in
                all_techniques().filter(|technique| n % 20 == 0 || is_quick(*technique))
            {
                steps(technique, &board, &format!("seed {seed}, puzzle {n}"));
            }
            if ladder.wave(&board, &mut listing).is_none() {
                break;
            }
            // Apply only one of the listed steps, so that the boards differ from the boards of grading.
            let step_index = rng.below(listing.list().len());
            board.apply(&listing.list()[step_index].effect);
        }
    }
}

/// Compares the tables in `docs/grading.md` with the techniques. If `UPDATE_DOCS=1` is set, rewrites the tables.
#[test]
fn the_documented_ladder_is_this_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/grading.md");
    let Ok(text) = std::fs::read_to_string(path) else {
        return; // A packaged crate has no documents beside it.
    };
    let ladder = Rank::all().map(|rank| (rank, rank.technique()));
    let uniqueness = UNIQUENESS.iter().map(|own| (Rank::UNIQUENESS, Some(*own)));
    let with_ladder = with_table(&text, "ladder", ladder);
    let expected_text = with_table(&with_ladder, "uniqueness", uniqueness);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected_text).unwrap();
    } else {
        assert_eq!(text, expected_text, "run UPDATE_DOCS=1 cargo test");
    }
}

/// Replaces the table `name` in the text, which is between two markers. A rank without a technique is search.
fn with_table(
    text: &str,
    name: &str,
    techniques: impl Iterator<Item = (Rank, Option<&'static dyn Technique>)>,
) -> String {
    let (begin, end) = (
        format!("<!-- {name}: begin -->\n"),
        format!("<!-- {name}: end -->"),
    );
    let (before, rest) = text.split_once(&begin).expect("the marker of its begin");
    let (_, after) = rest.split_once(&end).expect("the marker of its end");
    let mut table = "| rank | id | name | level | effort | HoDoKu's code | Sudoku Explainer |\n\
                     |---:|---|---|---|---:|---|---|\n"
        .to_owned();
    for (rank, technique) in techniques {
        let rank = rank.number();
        table += &match technique.map(Technique::info) {
            Some(info) => format!(
                "| {rank} | {} | {} | {} | {} | {} | {} |\n",
                info.id,
                info.name,
                info.level,
                info.effort,
                or_dash(&info.hodoku_codes.join(", ")),
                info.explainer
            ),
            None => format!(
                "| {rank} | {} | Search | {} | {} | – | – |\n",
                SEARCH.id(),
                SEARCH.level(),
                SEARCH.effort()
            ),
        };
    }
    format!("{before}{begin}{table}{end}{after}")
}

fn or_dash(text: &str) -> &str {
    if text.is_empty() { "–" } else { text }
}
