//! The techniques in the order in which they are asked, with their levels and points.

use super::search::{Kind, Search};
use super::step::Step;
use super::{
    als_steps, avoidable, bug, chains, colors, fish, forcing, franken, locked, nets, nice_loops,
    single_digit, singles, subsets, sue_de_coq, uniqueness, wings,
};
use crate::grade::Level;

/// A row of the reference's table of techniques. A row can find steps of several names.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) level: Level,
    /// What each of its steps adds to the score.
    pub(super) points: u32,
    pub(super) find: fn(&mut Search) -> Option<Step>,
}

macro_rules! row {
    ($name:literal, $level:ident, $points:literal, $find:expr) => {
        Row {
            name: $name,
            level: Level::$level,
            points: $points,
            find: $find,
        }
    };
}

/// A finder of steps of one size.
macro_rules! sized {
    ($find:path, $size:literal, $name:literal $(, $more:expr)*) => {
        |search| $find(search, $size, $name $(, $more)*)
    };
}

/// The rows that the reference asks by default. After each step it asks again from the first one.
///
/// None of the finders of our own ladder is used here: which of several steps is found first, and in which
/// order it removes its candidates, decides the rest of the path.
pub(super) static ROWS: &[Row] = &[
    row!("Full House", Easy, 4, singles::full_house),
    row!("Naked Single", Easy, 4, singles::naked_single),
    row!("Hidden Single", Easy, 14, singles::hidden_single),
    row!(
        "Locked Pair",
        Medium,
        40,
        sized!(subsets::locked, 2, "Locked Pair")
    ),
    row!(
        "Locked Triple",
        Medium,
        60,
        sized!(subsets::locked, 3, "Locked Triple")
    ),
    row!(
        "Locked Candidates Type 1 (Pointing)",
        Medium,
        50,
        locked::type_1
    ),
    row!(
        "Locked Candidates Type 2 (Claiming)",
        Medium,
        50,
        locked::type_2
    ),
    row!(
        "Naked Pair",
        Medium,
        60,
        sized!(subsets::naked, 2, "Naked Pair")
    ),
    row!(
        "Naked Triple",
        Medium,
        80,
        sized!(subsets::naked, 3, "Naked Triple")
    ),
    row!(
        "Hidden Pair",
        Medium,
        70,
        sized!(subsets::hidden, 2, "Hidden Pair")
    ),
    row!(
        "Hidden Triple",
        Medium,
        100,
        sized!(subsets::hidden, 3, "Hidden Triple")
    ),
    row!(
        "Naked Quadruple",
        Hard,
        120,
        sized!(subsets::naked, 4, "Naked Quadruple")
    ),
    row!(
        "Hidden Quadruple",
        Hard,
        150,
        sized!(subsets::hidden, 4, "Hidden Quadruple")
    ),
    row!(
        "X-Wing",
        Hard,
        140,
        sized!(fish::basic, 2, "X-Wing", Kind::Fish2)
    ),
    row!(
        "Swordfish",
        Hard,
        150,
        sized!(fish::basic, 3, "Swordfish", Kind::Fish3)
    ),
    row!(
        "Jellyfish",
        Hard,
        160,
        sized!(fish::basic, 4, "Jellyfish", Kind::Fish4)
    ),
    row!("Remote Pair", Hard, 110, chains::remote_pair),
    row!("Bivalue Universal Grave + 1", Hard, 100, bug::bug_plus_1),
    row!("Skyscraper", Hard, 130, single_digit::skyscraper),
    row!("2-String Kite", Hard, 150, single_digit::two_string_kite),
    row!("Turbot Fish", Hard, 120, chains::turbot_fish),
    row!("Empty Rectangle", Hard, 120, single_digit::empty_rectangle),
    row!("W-Wing", Hard, 150, wings::w_wing),
    row!("XY-Wing", Hard, 160, wings::xy_wing),
    row!("XYZ-Wing", Hard, 180, wings::xyz_wing),
    row!("Uniqueness Test 1", Hard, 100, |search| uniqueness::find(
        search, 0
    )),
    row!("Uniqueness Test 2", Hard, 100, |search| uniqueness::find(
        search, 1
    )),
    row!("Uniqueness Test 3", Hard, 100, |search| uniqueness::find(
        search, 2
    )),
    row!("Uniqueness Test 4", Hard, 100, |search| uniqueness::find(
        search, 3
    )),
    row!("Uniqueness Test 5", Hard, 100, |search| uniqueness::find(
        search, 4
    )),
    row!("Uniqueness Test 6", Hard, 100, |search| uniqueness::find(
        search, 5
    )),
    row!("Hidden Rectangle", Hard, 100, |search| uniqueness::find(
        search, 6
    )),
    row!("Avoidable Rectangle Type 1", Hard, 100, |search| {
        avoidable::find(search, 0)
    }),
    row!("Avoidable Rectangle Type 2", Hard, 100, |search| {
        avoidable::find(search, 1)
    }),
    row!("Finned X-Wing", Hard, 130, |search| fish::finned(
        search,
        2,
        ["Finned X-Wing", "Sashimi X-Wing"],
        Kind::Finned2
    )),
    row!("Sashimi X-Wing", Hard, 150, |search| fish::sashimi(
        search, 2
    )),
    row!("Finned Swordfish", Unfair, 200, |search| fish::finned(
        search,
        3,
        ["Finned Swordfish", "Sashimi Swordfish"],
        Kind::Finned3
    )),
    row!("Sashimi Swordfish", Unfair, 240, |search| fish::sashimi(
        search, 3
    )),
    row!("Finned Jellyfish", Unfair, 250, |search| fish::finned(
        search,
        4,
        ["Finned Jellyfish", "Sashimi Jellyfish"],
        Kind::Finned4
    )),
    row!("Sashimi Jellyfish", Unfair, 260, |search| fish::sashimi(
        search, 4
    )),
    row!("Sue de Coq", Unfair, 250, sue_de_coq::find),
    row!("Simple Colors", Hard, 150, colors::simple),
    row!("Multi Colors", Hard, 200, colors::multi),
    row!("X-Chain", Unfair, 260, chains::x_chain),
    row!("XY-Chain", Unfair, 260, chains::xy_chain),
    row!("Nice Loop/AIC", Unfair, 280, |search| nice_loops::find(
        search, false
    )),
    row!("Grouped Nice Loop/AIC", Unfair, 300, |search| {
        nice_loops::find(search, true)
    }),
    row!("Almost Locked Set XZ-Rule", Unfair, 300, als_steps::xz),
    row!("Almost Locked Set XY-Wing", Unfair, 320, als_steps::xy_wing),
    row!("Almost Locked Set Chain", Unfair, 340, als_steps::chain),
    row!("Franken X-Wing", Unfair, 300, |search| franken::find(
        search,
        2,
        "Franken X-Wing",
        Kind::Franken2
    )),
    row!("Franken Swordfish", Unfair, 350, |search| franken::find(
        search,
        3,
        "Franken Swordfish",
        Kind::Franken3
    )),
    row!(
        "Finned Franken X-Wing",
        Unfair,
        390,
        |search| franken::find(search, 2, "Finned Franken X-Wing", Kind::FinnedFranken2)
    ),
    row!("Finned Franken Swordfish", Unfair, 410, |search| {
        franken::find(search, 3, "Finned Franken Swordfish", Kind::FinnedFranken3)
    }),
    row!("Forcing Chain", Extreme, 500, forcing::find),
    row!("Forcing Net", Extreme, 700, nets::find),
    row!("Brute Force", Extreme, 10000, nets::brute_force),
];
