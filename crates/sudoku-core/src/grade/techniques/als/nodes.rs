//! Nodes: the digits of almost locked sets with their places.

use crate::board::{CellSet, Digit, House, HouseKind};
use crate::grade::Position;

/// A digit with its places in a set. Several sets may share a node.
pub(super) struct SetNode {
    pub(super) digit: Digit,
    pub(super) cells: CellSet,
    /// The open places of the digit that see all cells of the node.
    pub(super) seen: CellSet,
    /// The cells as bits within the row, the column and the box that contain all of them; 0 if no such
    /// house exists.
    places: [u16; 3],
    /// The next node in the linked list of the digit in each of these houses: the one added before.
    before: [u16; 3],
}

/// All nodes of a board.
///
/// Two nodes of a digit exclude each other if every cell of one sees every cell of the other. This
/// means that a house contains all these cells, and that the nodes have no cell in common. So nodes
/// are listed by house.
pub(super) struct Nodes {
    nodes: Vec<SetNode>,
    /// By house and digit, the node that was added last.
    latest: [[u16; 9]; 27],
    /// The house whose nodes are looked up, and its nodes by digit and places.
    house: House,
    of_places: Box<[[u16; 512]; 9]>,
}

const NO_NODE: u16 = u16::MAX;

impl Nodes {
    /// The empty list of nodes.
    pub(super) fn new() -> Nodes {
        Nodes {
            nodes: Vec::with_capacity(512),
            latest: [[NO_NODE; 9]; 27],
            house: House::row(0),
            of_places: Box::new([[NO_NODE; 512]; 9]),
        }
    }

    /// Looks up the nodes of this house from now on.
    pub(super) fn enter(&mut self, house: House) {
        let before = std::mem::replace(&mut self.house, house);
        for digit in Digit::ALL {
            let of_places = &mut self.of_places[digit.index()];
            for (_, places) in of_house(&self.nodes, &self.latest, before, digit) {
                of_places[usize::from(places)] = NO_NODE;
            }
            for (number, places) in of_house(&self.nodes, &self.latest, house, digit) {
                of_places[usize::from(places)] = number;
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, node: usize) -> &SetNode {
        &self.nodes[node]
    }

    /// The number of the node for a digit in these places of the house that was entered. The node is
    /// added if it does not exist. `cells` must contain these places and no other places of the digit.
    pub(super) fn number(
        &mut self,
        board: &Position,
        digit: Digit,
        places: u16,
        cells: CellSet,
    ) -> u16 {
        let known = self.of_places[digit.index()][usize::from(places)];
        if known != NO_NODE {
            return known;
        }
        self.add(board, digit, places, cells)
    }

    fn add(&mut self, board: &Position, digit: Digit, places: u16, cells: CellSet) -> u16 {
        let house = self.house;
        let cells = cells & board.places(digit);
        let number = self.nodes.len() as u16;
        let mut node = SetNode {
            digit,
            cells,
            seen: CellSet::EMPTY,
            places: [0; 3],
            before: [NO_NODE; 3],
        };
        let mut list = |house: House, places: u16| {
            let kind = house.index() / 9;
            node.seen |= house.cells();
            node.places[kind] = places;
            let latest = &mut self.latest[house.index()][digit.index()];
            node.before[kind] = *latest;
            *latest = number;
        };
        if places.is_power_of_two() {
            let cell = house.cell(places.trailing_zeros() as usize);
            let (row, column) = (cell.row(), cell.column());
            let [of_row, of_column, of_box] = cell.houses();
            list(of_row, 1 << column);
            list(of_column, 1 << row);
            list(of_box, 1 << (row % 3 * 3 + column % 3));
        } else {
            list(house, places);
            if let Some((other, places)) = other_house(house, places) {
                list(other, places);
            }
        }
        node.seen = (node.seen & board.open_places(digit)).without(cells);
        self.of_places[digit.index()][usize::from(places)] = number;
        self.nodes.push(node);
        number
    }

    /// The nodes of a digit whose cells are all in this house, each with its places in the house.
    pub(super) fn of_house(
        &self,
        house: House,
        digit: Digit,
    ) -> impl Iterator<Item = (u16, u16)> + '_ {
        of_house(&self.nodes, &self.latest, house, digit)
    }

    /// All pairs of nodes that exclude each other, in both orders.
    pub(super) fn excluded_pairs(&self) -> Vec<(u16, u16)> {
        let mut pairs = Vec::with_capacity(512);
        let mut of_house = Vec::with_capacity(64);
        for house in House::ALL {
            for digit in Digit::ALL {
                of_house.clear();
                for (number, places) in self.of_house(house, digit) {
                    let disjoint = of_house.iter().filter(|(_, other)| places & other == 0);
                    for (other, _) in disjoint {
                        pairs.extend([(number, *other), (*other, number)]);
                    }
                    of_house.push((number, places));
                }
            }
        }
        pairs
    }
}

/// [`Nodes::of_house`], of its fields.
fn of_house<'a>(
    nodes: &'a [SetNode],
    latest: &[[u16; 9]; 27],
    house: House,
    digit: Digit,
) -> impl Iterator<Item = (u16, u16)> + use<'a> {
    let kind = house.index() / 9;
    let mut next = latest[house.index()][digit.index()];
    std::iter::from_fn(move || {
        let number = next;
        let node = nodes.get(usize::from(number))?;
        next = node.before[kind];
        Some((number, node.places[kind]))
    })
}

/// The other house that contains all these places of a house, with the places in it. There must be
/// several places.
fn other_house(house: House, places: u16) -> Option<(House, u16)> {
    let i = house.index() % 9;
    // The third of the house that contains all places, if there is one.
    let third = [0o007_u16, 0o070, 0o700]
        .iter()
        .position(|all| places & !all == 0);
    let three = |third| places >> (3 * third) & 7;
    match house.kind() {
        HouseKind::Row => third.map(|third| {
            let box_ = House::box_(i - i % 3 + third);
            (box_, three(third) << (3 * (i % 3)))
        }),
        HouseKind::Column => third.map(|third| {
            let box_ = House::box_(3 * third + i / 3);
            let [a, b, c] = [1, 2, 4].map(|bit| three(third) & bit);
            (box_, (a | b << 2 | c << 4) << (i % 3))
        }),
        HouseKind::Box => match third {
            Some(third) => {
                let row = House::row(i - i % 3 + third);
                Some((row, three(third) << (3 * (i % 3))))
            }
            None => {
                let column = (0..3).find(|column| {
                    places >> column & !0o111 == 0 && places & ((1 << column) - 1) == 0
                })?;
                let [a, b, c] = [1, 0o10, 0o100].map(|bit| places >> column & bit);
                let column = House::column(3 * (i % 3) + column);
                Some((column, (a | b >> 2 | c >> 4) << (i - i % 3)))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_house_has_the_same_cells() {
        for house in House::ALL {
            for places in 1..512_u16 {
                if places.is_power_of_two() {
                    continue;
                }
                let cells = house.unproject(places);
                let others = House::ALL.into_iter();
                let mut others =
                    others.filter(|other| *other != house && cells.is_subset(other.cells()));
                let expected = others.next().map(|other| (other, other.project(cells)));
                assert_eq!(other_house(house, places), expected, "{house}: {cells:?}");
                assert_eq!(others.next(), None);
            }
        }
    }
}
