//! HoDoKu's simple colouring and multi-colouring.

use crate::board::{Cell, CellSet, Digit};
use crate::rating::hodoku::path::state::State;
use crate::rating::hodoku::path::step::Step;
use crate::rating::hodoku::search::Search;

/// The places of a digit that strong links connect, in two colours. The two ends of a link have different colours.
type Component = [CellSet; 2];

/// The connected components of a digit's strong links, ordered by first cell. Places without a strong link are left
/// out.
fn components(state: &State, digit: Digit) -> Vec<Component> {
    let mut components = Vec::new();
    let mut coloured = CellSet::EMPTY;
    for cell in state.places(digit) {
        if !coloured.contains(cell) {
            let mut colors = [CellSet::EMPTY; 2];
            color_component(state, digit, cell, 0, &mut colors);
            coloured |= colors[0] | colors[1];
            components.push(colors);
        }
    }
    components.retain(|colors| !colors[1].is_empty());
    components
}

fn color_component(state: &State, digit: Digit, cell: Cell, color: usize, colors: &mut Component) {
    if colors[color].contains(cell) || colors[1 - color].contains(cell) {
        return;
    }
    colors[color].insert(cell);
    for house in cell.houses() {
        if let Some(other) = state.other_end(house, digit, cell) {
            color_component(state, digit, other, 1 - color, colors);
        }
    }
}

/// Simple colouring. A colour with two cells that see each other is false. So is a place that sees both colours.
pub(crate) fn simple(search: &mut Search) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let state = &search.state;
        let mut all = components(state, digit).into_iter();
        all.find_map(|colors| {
            let wrapped = colors.into_iter().filter(|color| sees(*color, *color));
            let wrapped = wrapped.fold(CellSet::EMPTY, |all, color| all | color);
            Step::removing_digit("Simple Colors Wrap", state, digit, wrapped).or_else(|| {
                let trapped = colors[0].all_peers() & colors[1].all_peers();
                let trapped = trapped.without(colors[0] | colors[1]);
                Step::removing_digit("Simple Colors Trap", state, digit, trapped)
            })
        })
    })
}

/// Multi-colouring, with two components. Type 2: a colour that sees both colours of the other component is false. Type
/// 1: if two colours see each other, one of their opposite colours is true.
pub(crate) fn multi(search: &mut Search) -> Option<Step> {
    search.find_in_each(Digit::ALL, |search, digit| {
        let state = &search.state;
        let all = components(state, digit);
        let pairs = all.iter().flat_map(|a| all.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a != b).find_map(|(a, b)| {
            let sees_both = a.iter().filter(|color| b.iter().all(|b| sees(**color, *b)));
            let removed = sees_both.fold(CellSet::EMPTY, |all, color| all | *color);
            Step::removing_digit("Multi Colors 2", state, digit, removed).or_else(|| {
                // The removals are ordered by the pair of colours, not by cell.
                let mut removed = Vec::new();
                for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    if sees(a[x], b[y]) {
                        let seen = a[1 - x].all_peers() & b[1 - y].all_peers();
                        removed.extend((seen & state.places(digit)).map(|cell| (cell, digit)));
                    }
                }
                Step::removing("Multi Colors 1", removed)
            })
        })
    })
}

/// Whether any cell of set `a` sees any cell of set `b`.
fn sees(a: CellSet, b: CellSet) -> bool {
    !(a.all_peers() & b).is_empty()
}
