//! Full houses, naked and hidden singles, from the queues of the state.

use super::search::Search;
use super::step::Step;

pub(super) fn full_house(search: &mut Search) -> Option<Step> {
    let single = search.state.full_house()?;
    Some(Step::placing(search.name, single))
}

pub(super) fn naked_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_naked()?;
    Some(Step::placing(search.name, single))
}

pub(super) fn hidden_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_hidden()?;
    Some(Step::placing(search.name, single))
}
