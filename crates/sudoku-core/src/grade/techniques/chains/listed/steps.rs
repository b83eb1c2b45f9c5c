//! Lists chains as individual steps that can be explained: a shortest chain for each pair of ends.

use std::collections::VecDeque;

use crate::board::{CandidateSet, CellSet, Digit, DigitSet, House};
use crate::grade::techniques::als::{AlmostLockedSet, AlsLinks};
use crate::grade::techniques::link_graph::{Graph, NodeId};
use crate::grade::{Link, NamedSet, Node, Pattern, Position, SetName, Steps, StrongReason};

/// Lists chains that remove a candidate. For each pair of ends, lists a shortest chain, and if the ends exclude each
/// other, also the loop that the chain closes. For each removed candidate, also lists a shortest chain that removes it.
pub(in super::super) fn list(
    board: &Position,
    graph: &Graph,
    eliminations: &CandidateSet,
    found: &mut Steps,
) {
    let mut alone: Vec<(CandidateSet, Option<Chain>)> = eliminations
        .by_digit()
        .flat_map(|(digit, cells)| {
            cells.map(move |cell| (CandidateSet::with_digit(digit, CellSet::of(cell)), None))
        })
        .collect();
    for start in graph.ids() {
        if (graph.excluded_by(start) & eliminations).is_empty() {
            continue;
        }
        let tree = Tree::from(graph, start);
        for end in graph.ids() {
            let Some(chain) = tree.chain_to(end) else {
                continue;
            };
            let effect = chain.effect(graph);
            // A chain can be read from both ends. Only one direction is listed.
            if effect.is_empty() || end < start {
                continue;
            }
            for (candidate, best) in &mut alone {
                let is_shorter = |best: &Chain| chain.0.len() < best.0.len();
                if !(effect & candidate).is_empty() && best.as_ref().is_none_or(is_shorter) {
                    *best = Some(chain.clone());
                }
            }
            chain.list(board, graph, effect, found);
            if start == end {
                chain.list(board, graph, others_in_cell(graph, start), found);
            } else if graph.excludes(end, start) {
                chain.list(board, graph, chain.loop_effect(graph), found);
            }
        }
    }
    for (candidate, chain) in alone {
        if let Some(chain) = chain {
            chain.list(board, graph, candidate, found);
        }
    }
}

/// The consequences of one node being false, as a breadth-first tree of alternating strong and weak links.
struct Tree {
    start: NodeId,
    /// For each node that is made true, its parent: the false node with a strong link to it.
    made_true: Vec<Option<NodeId>>,
    /// For each node that is made false, its parent: the true node with a weak link to it.
    made_false: Vec<Option<NodeId>>,
}

impl Tree {
    fn from(graph: &Graph, start: NodeId) -> Tree {
        let nodes = graph.len();
        let mut tree = Tree {
            start,
            made_true: vec![None; nodes],
            made_false: vec![None; nodes],
        };
        let mut queue = VecDeque::from([start]);
        while let Some(off) = queue.pop_front() {
            for &on in graph.strong_links(off) {
                if tree.made_true[on.index()].is_some() {
                    continue;
                }
                tree.made_true[on.index()] = Some(off);
                for next in graph.excluded_nodes(on) {
                    if next != start && tree.made_false[next.index()].is_none() {
                        tree.made_false[next.index()] = Some(on);
                        queue.push_back(next);
                    }
                }
            }
        }
        tree
    }

    /// The chain from the root of the tree to `end`; `None` if nothing makes `end` true.
    fn chain_to(&self, end: NodeId) -> Option<Chain> {
        let mut nodes = vec![end];
        let mut off = self.made_true[end.index()]?;
        nodes.push(off);
        while off != self.start {
            let on = self.made_false[off.index()]?;
            off = self.made_true[on.index()]?;
            nodes.extend([on, off]);
        }
        nodes.reverse();
        Some(Chain(nodes))
    }
}

/// A chain: nodes joined by alternating strong and weak links, with strong links at both ends.
#[derive(Clone)]
struct Chain(Vec<NodeId>);

impl Chain {
    fn ends(&self) -> [NodeId; 2] {
        [self.0[0], self.0[self.0.len() - 1]]
    }

    /// The candidates that both ends of the chain exclude.
    fn effect(&self, graph: &Graph) -> CandidateSet {
        let [start, end] = self.ends();
        graph.excluded_by(start) & &graph.excluded_by(end)
    }

    /// If the ends exclude each other, the chain is a loop, and these are the candidates that the loop removes. Exactly
    /// one node of each weak link is then true, so candidates that both nodes of a weak link exclude are removed.
    fn loop_effect(&self, graph: &Graph) -> CandidateSet {
        self.0[1..self.0.len() - 1]
            .chunks(2)
            .fold(self.effect(graph), |all, weak| {
                let both = graph.excluded_by(weak[0]) & &graph.excluded_by(weak[1]);
                all | &both
            })
    }

    fn list(&self, board: &Position, graph: &Graph, effect: CandidateSet, found: &mut Steps) {
        found.eliminate(board, effect.by_digit(), || self.pattern(board, graph));
    }

    fn pattern(&self, board: &Position, graph: &Graph) -> Pattern {
        let nodes: Vec<_> = self.0.iter().map(|&node| graph.node(node)).collect();
        let cells = nodes
            .iter()
            .fold(CellSet::EMPTY, |all, node| all | node.cells);
        let digits: DigitSet = nodes.iter().map(|node| node.digit).collect();
        let mut sets = Vec::new();
        let links = nodes.windows(2).enumerate().map(|(at, ends)| {
            if at % 2 == 0 {
                strong_link(board, ends[0], ends[1], &mut sets)
            } else {
                Link::weak(ends[0], ends[1])
            }
        });
        let links = links.collect();
        let [start, end] = self.ends();
        let [start_node, end_node] = [start, end].map(|node| graph.node(node));
        let why = if start == end {
            own_negation_clause(start_node)
        } else {
            let [start_is, end_is] = [start_node, end_node].map(node_clause);
            if graph.excludes(end, start) {
                format!(
                    "either {start_is}, or {end_is}, and not both: the chain closes to a loop, in which exactly one end of \
                     each weak link is true"
                )
            } else {
                format!("either {start_is}, or {end_is}, or both")
            }
        };
        Pattern::new([], cells, digits)
            .with_chain(links)
            .with_sets(sets)
            .because(why)
    }
}

/// A clause that a node is true: `r9c7 is 2`, or `one of r4c8, r6c7, r6c8 is 2`.
fn node_clause(node: Node) -> String {
    match node.cells.single() {
        Some(cell) => format!("{cell} is {}", node.digit),
        None => format!("one of {} is {}", listed_cells(node), node.digit),
    }
}

/// The reason why a node is true from which a chain leads to the node itself.
fn own_negation_clause(node: Node) -> String {
    let digit = node.digit;
    match node.cells.single() {
        Some(cell) => format!("if {cell} were not {digit}, it would be {digit}"),
        None => format!(
            "if {digit} were in none of {}, it would be in one of them",
            listed_cells(node)
        ),
    }
}

fn listed_cells(node: Node) -> String {
    let names: Vec<String> = node.cells.map(|cell| cell.to_string()).collect();
    names.join(", ")
}

/// The strong link between two nodes, with its reason. If the reason is an almost locked set, it is added to
/// `sets` under a new name.
fn strong_link(board: &Position, from: Node, to: Node, sets: &mut Vec<NamedSet>) -> Link {
    let is_cell = || from.cells == to.cells && from.cells.single().is_some();
    let has_two = || from.cells.single().map(|cell| board.digits(cell).len()) == Some(2);
    let both = from.cells | to.cells;
    let is_split = |house: &House| board.open_places(from.digit) & house.cells() == both;
    let reason = if is_cell() && has_two() {
        Some(StrongReason::Cell)
    } else if from.digit == to.digit
        && let Some(house) = House::ALL.into_iter().find(is_split)
    {
        Some(StrongReason::House(house))
    } else {
        set_between(board, from, to).map(|(set, is_beside)| {
            let known = sets.iter().position(|own| own.cells == set.cells);
            let at = known.unwrap_or(sets.len());
            if known.is_none() {
                sets.push(set.named(SetName::Letter(at)));
            }
            if is_beside {
                StrongReason::SetBeside(at)
            } else {
                StrongReason::Set(at)
            }
        })
    };
    Link {
        from,
        to,
        strong: true,
        reason,
    }
}

/// The smallest almost locked set that links two nodes. The flag is false if both nodes are in the set. It is true if
/// one node is in the set, and the other is the only candidate that the set leaves in an outside cell.
fn set_between(board: &Position, from: Node, to: Node) -> Option<(AlmostLockedSet, bool)> {
    let holds = |set: &AlmostLockedSet, node: Node| {
        set.digits.contains(node.digit) && set.cells & board.places(node.digit) == node.cells
    };
    let leaves = |set: &AlmostLockedSet, inside: Node, beside: Node| {
        let Some(cell) = beside.cells.single() else {
            return false;
        };
        let stays = |digit: &Digit| {
            let places = set.cells & board.places(*digit);
            *digit == inside.digit || places.is_empty() || !places.is_subset(cell.peers())
        };
        let left: DigitSet = board.digits(cell).filter(stays).collect();
        holds(set, inside) && !set.cells.contains(cell) && left.single() == Some(beside.digit)
    };
    let sets = board.derived::<AlsLinks>().all();
    let inside = sets
        .iter()
        .filter(|set| from.digit != to.digit && holds(set, from) && holds(set, to))
        .min_by_key(|set| set.cells.len());
    if let Some(set) = inside {
        return Some((*set, false));
    }
    let beside = sets
        .iter()
        .filter(|set| leaves(set, from, to) || leaves(set, to, from))
        .min_by_key(|set| set.cells.len());
    beside.map(|set| (*set, true))
}

/// The other candidates in the cell of a node; empty if the node has several cells.
fn others_in_cell(graph: &Graph, node: NodeId) -> CandidateSet {
    let cells = graph.node(node).cells;
    graph
        .excluded_by(node)
        .by_digit()
        .fold(CandidateSet::EMPTY, |mut all, (digit, excluded)| {
            all.insert(digit, excluded & cells);
            all
        })
}
