//! Full houses, naked and hidden singles, from the queues of the state.

use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

pub(crate) fn full_house(search: &mut Search) -> Option<Step> {
    let single = search.state.full_house()?;
    Some(Step::placing(search.name, single))
}

pub(crate) fn naked_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_naked()?;
    Some(Step::placing(search.name, single))
}

pub(crate) fn hidden_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_hidden()?;
    Some(Step::placing(search.name, single))
}
