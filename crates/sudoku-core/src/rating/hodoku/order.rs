//! HoDoKu's table of techniques in the order in which they are tried, with their levels and points.

use super::almost_locked::{linked_sets, sue_de_coq};
use super::basics::{locked, subsets};
use super::chains::{forcing, nets, nice_loops, simple_chains};
use super::fish::{franken, line_fish};
use super::path::state::State;
use super::path::step::Step;
use super::search::Search;
use super::single_digit::{colors, strong_links};
use super::uniqueness::{avoidable, bug, unique_rectangles};
use super::wings;
use crate::board::House;
use crate::grade::Level;

/// A row of HoDoKu's table of techniques. Its steps can have names other than the row's.
pub(super) struct TableRow {
    pub(super) name: &'static str,
    pub(super) level: Level,
    /// The points that each step found by this row adds to the score.
    pub(super) points: u32,
    pub(super) find: fn(&mut Search) -> Option<Step>,
}

/// Declares the rows of the table. Each search is called with `Search` and with the arguments after its name.
macro_rules! rows {
    ($($level:ident $points:literal $name:literal: $family:ident::$find:ident $(($($more:expr),+))?;)+) => {
        &[$(TableRow {
            name: $name,
            level: Level::$level,
            points: $points,
            find: |search| $family::$find(search $($(, $more)+)?),
        }),+]
    };
}

/// The techniques that HoDoKu tries by default. After each step, it starts again from the first row.
///
/// The searches of the grading ladder are not used here. The solving path depends on which of several steps is found
/// first, and on the order in which a step removes its candidates.
pub(super) static ROWS: &[TableRow] = rows! {
    Easy 4 "Full House": Search::single(State::full_house);
    Easy 4 "Naked Single": Search::single(State::next_naked);
    Easy 14 "Hidden Single": Search::single(State::next_hidden);
    Medium 40 "Locked Pair": subsets::locked(2);
    Medium 60 "Locked Triple": subsets::locked(3);
    Medium 50 "Locked Candidates Type 1 (Pointing)": locked::find(House::boxes());
    Medium 50 "Locked Candidates Type 2 (Claiming)": locked::find(House::lines());
    Medium 60 "Naked Pair": subsets::naked(2);
    Medium 80 "Naked Triple": subsets::naked(3);
    Medium 70 "Hidden Pair": subsets::hidden(2);
    Medium 100 "Hidden Triple": subsets::hidden(3);
    Hard 120 "Naked Quadruple": subsets::naked(4);
    Hard 150 "Hidden Quadruple": subsets::hidden(4);
    Hard 140 "X-Wing": line_fish::basic(2);
    Hard 150 "Swordfish": line_fish::basic(3);
    Hard 160 "Jellyfish": line_fish::basic(4);
    Hard 110 "Remote Pair": simple_chains::remote_pair;
    Hard 100 "Bivalue Universal Grave + 1": bug::bug_plus_1;
    Hard 130 "Skyscraper": strong_links::skyscraper;
    Hard 150 "2-String Kite": strong_links::two_string_kite;
    Hard 120 "Turbot Fish": simple_chains::one_digit_chain(3);
    Hard 120 "Empty Rectangle": strong_links::empty_rectangle;
    Hard 150 "W-Wing": wings::w_wing;
    Hard 160 "XY-Wing": wings::xy_wing;
    Hard 180 "XYZ-Wing": wings::xyz_wing;
    Hard 100 "Uniqueness Test 1": unique_rectangles::find;
    Hard 100 "Uniqueness Test 2": unique_rectangles::find;
    Hard 100 "Uniqueness Test 3": unique_rectangles::find;
    Hard 100 "Uniqueness Test 4": unique_rectangles::find;
    Hard 100 "Uniqueness Test 5": unique_rectangles::find;
    Hard 100 "Uniqueness Test 6": unique_rectangles::find;
    Hard 100 "Hidden Rectangle": unique_rectangles::find;
    Hard 100 "Avoidable Rectangle Type 1": avoidable::find(1);
    Hard 100 "Avoidable Rectangle Type 2": avoidable::find(2);
    Hard 130 "Finned X-Wing": line_fish::with_fins(2, false);
    Hard 150 "Sashimi X-Wing": line_fish::with_fins(2, true);
    Unfair 200 "Finned Swordfish": line_fish::with_fins(3, false);
    Unfair 240 "Sashimi Swordfish": line_fish::with_fins(3, true);
    Unfair 250 "Finned Jellyfish": line_fish::with_fins(4, false);
    Unfair 260 "Sashimi Jellyfish": line_fish::with_fins(4, true);
    Unfair 250 "Sue de Coq": sue_de_coq::find;
    Hard 150 "Simple Colors": colors::simple;
    Hard 200 "Multi Colors": colors::multi;
    Unfair 260 "X-Chain": simple_chains::one_digit_chain(simple_chains::MOST_LINKS);
    Unfair 260 "XY-Chain": simple_chains::xy_chain;
    Unfair 280 "Nice Loop/AIC": nice_loops::find(false);
    Unfair 300 "Grouped Nice Loop/AIC": nice_loops::find(true);
    Unfair 300 "Almost Locked Set XZ-Rule": linked_sets::xz_rule;
    Unfair 320 "Almost Locked Set XY-Wing": linked_sets::xy_wing;
    Unfair 340 "Almost Locked Set Chain": linked_sets::set_chain;
    Unfair 300 "Franken X-Wing": franken::find(2, false);
    Unfair 350 "Franken Swordfish": franken::find(3, false);
    Unfair 390 "Finned Franken X-Wing": franken::find(2, true);
    Unfair 410 "Finned Franken Swordfish": franken::find(3, true);
    Extreme 500 "Forcing Chain": forcing::find;
    Extreme 700 "Forcing Net": nets::find;
    Extreme 10000 "Brute Force": nets::brute_force;
};
