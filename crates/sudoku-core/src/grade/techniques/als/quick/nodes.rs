//! The nodes of the graph of almost locked sets: each node is a digit with its places in such a set.

use wide::u16x8;

use super::eights::zeros;
use crate::bit_rows::{bits, number_type};
use crate::board::{CellSet, Digit, House, HouseKind};
use crate::grade::Position;

number_type! {
    /// The number of a node of the graph of almost locked sets: its index in [`Nodes::all`]. The nodes that only chains
    /// with other links need have the numbers after these.
    pub(in crate::grade::techniques) SetNodeId
}

/// A node of the graph: a digit with its places in an almost locked set. Several sets may share a node.
pub(in crate::grade::techniques) struct SetNode {
    pub(in crate::grade::techniques) digit: Digit,
    pub(in crate::grade::techniques) cells: CellSet,
    /// The open places of the node's digit that see all cells of the node.
    pub(in crate::grade::techniques) seen: CellSet,
    /// Whether two or more houses contain all cells of the node. This is so for a single cell, and for cells that are
    /// in both a box and a line.
    pub(in crate::grade::techniques) is_in_crossing: bool,
}

/// All nodes of a board, stored so that the nodes of one house and digit are found quickly.
///
/// Two nodes of a digit exclude each other if every cell of one sees every cell of the other. That is so if a house
/// contains the cells of both, and they have no cell in common. Therefore the nodes are listed by house.
pub(super) struct Nodes {
    nodes: Vec<SetNode>,
    /// Chunks of up to eight nodes of one house and digit. The chunks of the same house and digit form a linked list.
    eights: Vec<Eight>,
    /// For each house and digit, the index in `eights` of the chunk that was added last.
    latest: [[u16; 9]; 27],
    /// The house whose nodes can currently be looked up in `of_places`.
    house: House,
    /// For each digit, its open places in this house.
    open: [CellSet; 9],
    of_places: Box<[[SetNodeId; 512]; 9]>,
}

/// The number of a node that does not exist.
pub(super) const NO_NODE: SetNodeId = SetNodeId(u16::MAX);

/// The index of a chunk that does not exist.
const NO_CHUNK: u16 = u16::MAX;

/// A chunk of up to eight nodes of one digit whose cells are all in one house.
struct Eight {
    len: u8,
    numbers: [SetNodeId; 8],
    /// For each node, its places in the house as bits; all bits are set in unused entries.
    places: [u16; 8],
    /// The index of the chunk before this one for the same house and digit; [`NO_CHUNK`] if there is none.
    before: u16,
}

impl Eight {
    fn empty(before: u16) -> Eight {
        Eight {
            len: 0,
            numbers: [NO_NODE; 8],
            places: [!0; 8],
            before,
        }
    }

    /// Adds a node to a chunk of fewer than eight nodes.
    fn push(&mut self, number: SetNodeId, places: u16) {
        let at = usize::from(self.len % 8);
        self.numbers[at] = number;
        self.places[at] = places;
        self.len += 1;
    }

    /// Calls `visit` with each node of this chunk and each node of the chunk `other`, if the two have no place in
    /// common.
    fn for_each_disjoint(&self, other: &Eight, visit: impl FnMut(SetNodeId, SetNodeId)) {
        self.visit_pairs(other, self.disjoint_pairs(other), visit);
    }

    /// Calls `visit` with each two nodes of this chunk that have no place in common.
    fn for_each_disjoint_pair(&self, visit: impl FnMut(SetNodeId, SetNodeId)) {
        // The bits 8·a + b for a < b.
        const EACH_ONCE: u64 = 0x0080_c0e0_f0f8_fcfe;
        self.visit_pairs(self, self.disjoint_pairs(self) & EACH_ONCE, visit);
    }

    /// Bit 8·a + b is set if node a of this chunk and node b of the other chunk have no place in common.
    fn disjoint_pairs(&self, other: &Eight) -> u64 {
        let others = u16x8::new(other.places);
        let nodes = self.nodes().enumerate();
        nodes.fold(0, |pairs, (n, (_, places))| {
            pairs | u64::from(zeros(others & u16x8::splat(places))) << (8 * n)
        })
    }

    fn visit_pairs(&self, other: &Eight, pairs: u64, mut visit: impl FnMut(SetNodeId, SetNodeId)) {
        for pair in bits(pairs) {
            visit(self.numbers[pair / 8], other.numbers[pair % 8]);
        }
    }

    /// The numbers of the nodes in this chunk, each with its places in the house.
    fn nodes(&self) -> impl Iterator<Item = (SetNodeId, u16)> + '_ {
        let nodes = self.numbers.into_iter().zip(self.places);
        nodes.take(self.len.into())
    }
}

impl Nodes {
    /// Creates an empty collection of nodes, with room for the nodes of a usual board.
    pub(super) fn new() -> Nodes {
        Nodes {
            nodes: Vec::with_capacity(768),
            eights: Vec::with_capacity(320),
            latest: [[NO_CHUNK; 9]; 27],
            house: House::row(0),
            open: [CellSet::EMPTY; 9],
            of_places: Box::new([[NO_NODE; 512]; 9]),
        }
    }

    /// Fills the lookup table `of_places` with the nodes whose cells are all in this house.
    pub(super) fn enter(&mut self, board: &Position, house: House) {
        self.open = (board.all_open_places()).map(|places| places & house.cells());
        let before = std::mem::replace(&mut self.house, house);
        for (digit, of_places) in Digit::ALL.into_iter().zip(&mut *self.of_places) {
            let listed = |house| eights_of(&self.eights, &self.latest, house, digit);
            listed(before)
                .flat_map(Eight::nodes)
                .for_each(|(_, places)| {
                    of_places[usize::from(places)] = NO_NODE;
                });
            listed(house)
                .flat_map(Eight::nodes)
                .for_each(|(number, places)| {
                    of_places[usize::from(places)] = number;
                });
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes. The index of a node is its number.
    pub(super) fn all(&self) -> &[SetNode] {
        &self.nodes
    }

    pub(super) fn get(&self, node: SetNodeId) -> &SetNode {
        &self.nodes[node.index()]
    }

    /// The number of the node for a digit of a set, whose places are given as bits of the house that [`Nodes::enter`]
    /// was last called with. If there is no such node, it is added. `set` has the cells of the set.
    pub(super) fn number(
        &mut self,
        board: &Position,
        digit: Digit,
        places: u16,
        set: CellSet,
    ) -> SetNodeId {
        let known = self.of_places[digit.index()][usize::from(places)];
        if known != NO_NODE {
            return known;
        }
        let number = SetNodeId::new(self.nodes.len());
        self.of_places[digit.index()][usize::from(places)] = number;
        let open = self.open[digit.index()];
        let cells = open & set;
        let is_in_crossing = is_in_crossing(self.house, places);
        let seen = if is_in_crossing {
            let all = self.list_in_crossing(number, digit, places);
            (all & board.open_places(digit)).without(cells)
        } else {
            self.list(number, digit, self.house, places);
            open.without(cells)
        };
        self.nodes.push(SetNode {
            digit,
            cells,
            seen,
            is_in_crossing,
        });
        number
    }

    /// Adds a node that is in a crossing to the chunks of all houses that contain its cells. Returns all cells of these
    /// houses.
    fn list_in_crossing(&mut self, number: SetNodeId, digit: Digit, places: u16) -> CellSet {
        let house = self.house;
        if places.is_power_of_two() {
            let cell = house.cell(places.trailing_zeros() as usize);
            let (row, column) = (cell.row(), cell.column());
            let [of_row, of_column, of_box] = cell.houses();
            self.list(number, digit, of_row, 1 << column);
            self.list(number, digit, of_column, 1 << row);
            self.list(number, digit, of_box, 1 << (row % 3 * 3 + column % 3));
            return cell.peers();
        }
        self.list(number, digit, house, places);
        let mut all = house.cells();
        if let Some((other, places)) = other_house(house, places) {
            self.list(number, digit, other, places);
            all |= other.cells();
        }
        all
    }

    /// Adds a node to the chunks of a house that contains all its cells.
    fn list(&mut self, number: SetNodeId, digit: Digit, house: House, places: u16) {
        let latest = &mut self.latest[house.index()][digit.index()];
        match self.eights.get_mut(usize::from(*latest)) {
            Some(eight) if eight.len < 8 => eight.push(number, places),
            _ => {
                let mut eight = Eight::empty(*latest);
                eight.push(number, places);
                *latest = self.eights.len() as u16;
                self.eights.push(eight);
            }
        }
    }

    /// The node for a digit in these places of a house; `None` if there is no such node.
    pub(super) fn find(&self, house: House, digit: Digit, places: u16) -> Option<SetNodeId> {
        let eights = eights_of(&self.eights, &self.latest, house, digit);
        let mut nodes = eights.flat_map(Eight::nodes);
        nodes
            .find(|(_, own)| *own == places)
            .map(|(number, _)| number)
    }

    /// All pairs of nodes that exclude each other. A pair is listed once for each house that contains the cells of both.
    pub(super) fn excluded_pairs(&self) -> Vec<[SetNodeId; 2]> {
        let mut pairs = Vec::with_capacity(256);
        for house in House::ALL {
            for digit in Digit::ALL {
                let mut eights = eights_of(&self.eights, &self.latest, house, digit);
                while let Some(one) = eights.next() {
                    one.for_each_disjoint_pair(|a, b| pairs.push([a, b]));
                    for two in eights.clone() {
                        one.for_each_disjoint(two, |a, b| pairs.push([a, b]));
                    }
                }
            }
        }
        pairs
    }
}

/// The chunks of `eights` with the nodes of this house and digit, the latest chunk first.
fn eights_of<'a>(
    eights: &'a [Eight],
    latest: &[[u16; 9]; 27],
    house: House,
    digit: Digit,
) -> impl Iterator<Item = &'a Eight> + Clone + use<'a> {
    let mut next = latest[house.index()][digit.index()];
    std::iter::from_fn(move || {
        let eight = eights.get(usize::from(next))?;
        next = eight.before;
        Some(eight)
    })
}

/// The open places of the digit that see all these places of the house.
pub(super) fn seen(board: &Position, house: House, digit: Digit, places: u16) -> CellSet {
    if places.is_power_of_two() {
        let cell = house.cell(places.trailing_zeros() as usize);
        return cell.peers() & board.open_places(digit);
    }
    let mut all = house.cells();
    if let Some((other, _)) = other_house(house, places) {
        all |= other.cells();
    }
    (all & board.open_places(digit)).without(house.unproject(places))
}

/// Whether another house contains all these places of a house. False if there are no places.
pub(super) fn is_in_crossing(house: House, places: u16) -> bool {
    let of_box = matches!(house.kind(), HouseKind::Box);
    let (line, _) = CROSSINGS[usize::from(of_box)][usize::from(places)];
    usize::from(line) != NO_CROSSING
}

/// Another house that contains all these places of a house, and the places as bits in that other house; `None` if no
/// other house contains them. There must be at least two places.
fn other_house(house: House, places: u16) -> Option<(House, u16)> {
    let i = house.index() % 9;
    let of_box = matches!(house.kind(), HouseKind::Box);
    let (line, three) = CROSSINGS[usize::from(of_box)][usize::from(places)];
    let line = usize::from(line);
    let apart = (three & 1 | (three & 2) << 2 | (three & 4) << 4) as u16;
    let three = u16::from(three);
    Some(match (house.kind(), line) {
        (_, NO_CROSSING) => return None,
        (HouseKind::Row, _) => (House::box_(i - i % 3 + line), three << (3 * (i % 3))),
        (HouseKind::Column, _) => (House::box_(3 * line + i / 3), apart << (i % 3)),
        (HouseKind::Box, 0..3) => (House::row(i - i % 3 + line), three << (3 * (i % 3))),
        (HouseKind::Box, _) => (House::column(3 * (i % 3) + line - 3), three << (i - i % 3)),
    })
}

const NO_CROSSING: usize = 6;

/// A lookup table by places of a line, and of a box. Each entry has the index of the first crossing (three cells that
/// are also in another house) that contains all these places, or [`NO_CROSSING`]; and the places as bits of the
/// crossing's three cells. A line has three crossings, a box six.
static CROSSINGS: [[(u8, u8); 512]; 2] = {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444];
    let mut crossings = [[(NO_CROSSING as u8, 0); 512]; 2];
    let mut places = 1;
    while places < 512 {
        let mut line = lines.len();
        while line > 0 {
            line -= 1;
            if places & !lines[line] == 0 {
                let three = if line < 3 {
                    places >> (3 * line)
                } else {
                    let column = places >> (line - 3);
                    column & 1 | column >> 2 & 2 | column >> 4 & 4
                };
                let crossing = (line as u8, three as u8);
                crossings[1][places] = crossing;
                if line < 3 {
                    crossings[0][places] = crossing;
                }
            }
        }
        places += 1;
    }
    crossings
};

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
