use super::conjugate::conjugate_pairs;
use crate::board::{CellSet, Digit, DigitSet};
use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Link, Node, Pattern, Position, Steps};

technique! {
    /// Two cells have the same two candidates x and y, and x has two places in some house, one of
    /// which sees the first cell and the other the second: y goes out of all cells that see both
    /// cells.
    ///
    /// # Why it is sound
    ///
    /// If neither cell held y, both would hold x, and the house would have no place left for x.
    WWing {
        id: "w_wing",
        name: "W-wing",
        level: Level::Hard,
        effort: 150,
        hodoku: &["0803"],
        explainer: "~4.4",
        example: Example {
            grid: "231985764658427391.7.631852547813926192576483863249175.853...1731.75..4.72.1..53.",
            removed: "",
            effect: "r7c1<>9",
        },
    }
}

impl Technique for WWing {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let [_, two, three] = board.at_least();
        let bivalue = board.unsolved() & two.without(three);
        for x in Digit::ALL {
            let with_x = bivalue & board.places(x);
            if with_x.len() < 2 {
                continue;
            }
            let mut pairs = None;
            for y in Digit::ALL {
                let mut cells = with_x & board.places(y);
                if x == y || cells.is_empty() || cells.single().is_some() {
                    continue;
                }
                let pairs =
                    pairs.get_or_insert_with(|| conjugate_pairs(board, x).collect::<Vec<_>>());
                while let Some(first) = cells.next() {
                    for second in cells {
                        let targets = first.peers() & second.peers() & board.open_places(y);
                        if targets.is_empty() {
                            continue;
                        }
                        for pair in pairs.iter() {
                            for (a, b) in pair.both_ways() {
                                if !first.peers().contains(a) || !second.peers().contains(b) {
                                    continue;
                                }
                                found.eliminate(board, [(y, targets)], || {
                                    let link = |(d, from), (e, to), strong| Link {
                                        from: Node::of(d, from),
                                        to: Node::of(e, to),
                                        strong,
                                    };
                                    Pattern::new(
                                        [pair.house],
                                        CellSet::from_iter([first, second]),
                                        DigitSet::from_iter([x, y]),
                                    )
                                    .with_others(CellSet::from_iter([a, b]))
                                    .with_chain(vec![
                                        link((y, first), (x, first), true),
                                        link((x, first), (x, a), false),
                                        link((x, a), (x, b), true),
                                        link((x, b), (x, second), false),
                                        link((x, second), (y, second), true),
                                    ])
                                    .because(format!(
                                        "{x} stands in {} in {a} or {b}, so {first} or {second} \
                                         holds {y}",
                                        pair.house
                                    ))
                                });
                            }
                        }
                    }
                }
            }
        }
    }
}
