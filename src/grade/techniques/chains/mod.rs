//! Alternating inference chains, read as reachability.

mod closure;
mod graph;
mod links;
mod listing;
mod single_digit;

use closure::Closure;
pub(in crate::grade) use graph::{Graph, GraphBuilder};
pub(in crate::grade) use single_digit::x_chains;

use crate::grade::technique::{Example, Info, Level, Technique, technique};
use crate::grade::{Pattern, Position, Steps};

technique! {
    /// Strong links of one digit (its two places in a house) joined by weak links (two places that
    /// see each other), strong at both ends: the digit goes out of all cells that see both ends.
    /// Chains of any length, loops included.
    ///
    /// # Why it is sound
    ///
    /// If the first end is false, then along the chain the last is true: one of the two is true,
    /// and a cell that sees both cannot hold the digit.
    XChain {
        id: "x_chain",
        name: "X-chain",
        level: Level::Unfair,
        effort: 260,
        hodoku: &["0701"],
        explainer: "6.5–6.9",
        example: Example {
            grid: "3897142.....5683191..23947869387.1.48..64....54.39.68....9875.1..8.56...9...238..",
            removed: "",
            effect: "r2c3<>7",
        },
    }
}

technique! {
    /// Cells with two candidates, each of which shares a digit with the next and sees it: a
    /// candidate that sees both ends of the chain goes out. Chains of any length, loops included.
    ///
    /// # Why it is sound
    ///
    /// If the first cell does not hold the end's digit it holds the other, so the second cell does
    /// not hold that one, and so on: one of the two ends is true, and what excludes both is false.
    XyChain {
        id: "xy_chain",
        name: "XY-chain",
        level: Level::Unfair,
        effort: 260,
        hodoku: &["0702"],
        explainer: "6.6–7.0",
        example: Example {
            grid: "9347516..7689231545126847..489167...173245..6256398417695412.7.321876.4.847539261",
            removed: "",
            effect: "r5c8<>8",
        },
    }
}

technique! {
    /// Strong links (the two candidates of a cell, the two places of a digit in a house) joined by
    /// weak links (two candidates of a cell, two places of a digit that see each other), strong at
    /// both ends: every candidate that excludes both ends goes out. Nice loops are chains whose
    /// ends exclude each other, or are one.
    ///
    /// # Why it is sound
    ///
    /// If the first end is false, then along the chain the last is true: one of the two is true,
    /// and a candidate that excludes both is false.
    Aic {
        id: "aic",
        name: "Alternating inference chain",
        level: Level::Unfair,
        effort: 280,
        hodoku: &["0706", "0707", "0708"],
        explainer: "7.0–7.5",
        example: Example {
            grid: "146853297.25749....9721654.23.687...56.1.2...7185.4.62972465831651378429483921...",
            removed: "",
            effect: "r4c8<>1",
        },
    }
}

technique! {
    /// Alternating inference chains whose ends and links can be groups: two or three cells where a
    /// box and a line cross, one of which holds the digit.
    ///
    /// # Why it is sound
    ///
    /// A group is true where one of its cells holds the digit. Where the places of a digit in a
    /// house are two groups, one of them is true; and two groups all of whose cells see each other
    /// are not both true. So the argument of the alternating inference chain holds for groups.
    GroupedAic {
        id: "grouped_aic",
        name: "Grouped alternating inference chain",
        level: Level::Unfair,
        effort: 300,
        hodoku: &["0709-1", "0710-1", "0710-2", "0711-1", "0711-2"],
        explainer: "~7.5",
        example: Example {
            grid: ".16.759.37.93..1.53.5..1746..1637852832...6.7567...3.41.47...386.81.3.79.73.8..61",
            removed: "",
            effect: "r2c5<>2",
        },
    }
}

technique! {
    /// Alternating inference chains whose links can be almost locked sets too: N cells of a house
    /// with N + 1 digits, of which at most one is missing. Where two of its digits are x and y, one
    /// of "x is in the set" and "y is in the set" is true; and where a cell sees all but one of its
    /// candidates in the set, one of "x is in the set" and "the cell holds that one" is, for the
    /// set's other digits x. Chains of almost locked sets alone are among them.
    ///
    /// # Why it is sound
    ///
    /// If x is missing in the set, every other of its digits is in it, and not in a cell that sees
    /// all its places there. So these are strong links; and the argument of the alternating
    /// inference chain holds.
    AlsChain {
        id: "als_chain",
        name: "ALS chain",
        level: Level::Unfair,
        effort: 340,
        hodoku: &["0903", "0709-2", "0710-3", "0710-4", "0711-3", "0711-4"],
        explainer: "~7.5",
        example: Example {
            grid: ".78.2.6436...7.2182416837953...68.27.26.3798..8729..368..7.9.62.6.3.287.712846359",
            removed: "524",
            effect: "r5c4<>4",
        },
    }
}

impl Technique for XChain {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        if found.is_listing() {
            let mut graph = GraphBuilder::default();
            links::bilocal(board, &mut graph);
            chains(board, &graph.build(board, false), found);
        } else if !board.x_chains().is_empty() {
            found.eliminate(board, board.x_chains().by_digit(), Pattern::default);
        }
    }
}

impl Technique for XyChain {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let mut graph = GraphBuilder::default();
        links::bivalue(board, &mut graph);
        chains(board, &graph.build(board, true), found);
    }
}

impl Technique for Aic {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let mut graph = GraphBuilder::default();
        links::bivalue(board, &mut graph);
        links::bilocal(board, &mut graph);
        chains(board, &graph.build(board, true), found);
    }
}

impl Technique for GroupedAic {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let mut graph = GraphBuilder::default();
        links::bivalue(board, &mut graph);
        links::bilocal(board, &mut graph);
        links::grouped(board, &mut graph);
        chains(board, &graph.build(board, true), found);
    }
}

impl Technique for AlsChain {
    fn info(&self) -> &'static Info {
        &Self::INFO
    }

    fn find_all(&self, board: &Position, found: &mut Steps) {
        let mut graph = GraphBuilder::default();
        links::bivalue(board, &mut graph);
        links::bilocal(board, &mut graph);
        links::grouped(board, &mut graph);
        board.almost_locked_sets().link(board, &mut graph);
        chains(board, &graph.build(board, true), found);
    }
}

/// What the chains of a graph remove.
fn chains(board: &Position, graph: &Graph, found: &mut Steps) {
    let eliminations = Closure::of(graph).eliminations(graph);
    if found.is_listing() {
        listing::list(board, graph, &eliminations, found);
    } else if !eliminations.is_empty() {
        found.eliminate(board, eliminations.by_digit(), Pattern::default);
    }
}
