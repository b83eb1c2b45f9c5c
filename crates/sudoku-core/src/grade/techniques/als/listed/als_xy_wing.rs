//! Lists the steps of the technique ALS-XY-wing.

use super::links::AlsLinks;
use super::reach::restricted_common;
use crate::board::DigitSet;
use crate::grade::{Link, Pattern, Position, SetName, Steps};

pub(in super::super) fn list_steps(board: &Position, found: &mut Steps) {
    let links = board.derived::<AlsLinks>();
    let sets = 0..links.sets.len();
    for centre in sets.clone() {
        let wings: Vec<_> = sets
            .clone()
            .flat_map(|wing| {
                let digits = restricted_common(links, centre, wing);
                digits.into_iter().map(move |link| (wing, link))
            })
            .collect();
        for (at, &(one, (x, c_x, a_x))) in wings.iter().enumerate() {
            for &(two, (y, c_y, b_y)) in &wings[at + 1..] {
                if x == y {
                    continue;
                }
                let restricted = DigitSet::from_iter([x, y]);
                let effect = links.common_exclusions(one, two, restricted);
                if effect.is_empty() {
                    continue;
                }
                found.eliminate(board, effect.by_digit(), || {
                    let [a, b, c] = [one, two, centre].map(|set| links.sets[set]);
                    let end = |node| links.graph.node(node);
                    let names = [a, b, c].into_iter().zip((0..).map(SetName::Letter));
                    Pattern::new([], c.cells, restricted)
                        .with_others((a.cells | b.cells).without(c.cells))
                        .with_sets(names.map(|(set, name)| set.named(name)).collect())
                        .with_chain(vec![
                            Link::weak(end(a_x), end(c_x)),
                            Link::weak(end(c_y), end(b_y)),
                        ])
                        .because(format!(
                            "C lacks one digit at most, so it holds {x} or {y}. If it holds {x}, A \
                             lacks {x}; if it holds {y}, B lacks {y}. The set that lacks it holds \
                             all its other digits; each removed candidate sees all places of its \
                             digit in A and in B"
                        ))
                });
            }
        }
    }
}
