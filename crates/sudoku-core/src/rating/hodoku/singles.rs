//! Full houses, naked and hidden singles, from the queues of the state.

use super::search::Search;
use super::step::Step;

pub(super) fn full_house(search: &mut Search) -> Option<Step> {
    let single = search.state.full_house()?;
    Some(Step::placing("Full House", single))
}

pub(super) fn naked_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_naked()?;
    Some(Step::placing("Naked Single", single))
}

pub(super) fn hidden_single(search: &mut Search) -> Option<Step> {
    let single = search.state.next_hidden()?;
    Some(Step::placing("Hidden Single", single))
}
