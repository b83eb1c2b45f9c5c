//! The peers of each cell as two words of 64 bits, and the number of peers that are in a set.

/// A set of cells in two words: bands 1 and 2 in the first word, band 3 in the second.
pub(super) type Halves = [u64; 2];

/// The number of bits of [`Halves`]. A place is the index of a bit; some places do not belong to a cell.
pub(super) const PLACES: usize = 128;

/// For each place, which is the index of a bit in [`Halves`], the peers of the cell with this bit.
pub(super) static PEERS: [Halves; PLACES] = {
    let mut peer_sets = [[0; 2]; PLACES];
    let mut cell = 0;
    while cell < 81 {
        let mut bands = [0; 4];
        let mut peer = 0;
        while peer < 81 {
            let same_box = cell / 27 == peer / 27 && cell % 9 / 3 == peer % 9 / 3;
            if (cell / 9 == peer / 9 || cell % 9 == peer % 9 || same_box) && cell != peer {
                bands[peer / 27] |= 1 << bit(peer);
            }
            peer += 1;
        }
        peer_sets[32 * (cell / 27) + bit(cell)] = halves(bands);
        cell += 1;
    }
    peer_sets
};

/// The index of the bit of a cell (0–80) within the word of its band.
const fn bit(cell: usize) -> usize {
    cell / 9 % 3 * 10 + cell % 9
}

/// Joins four words into two: those of three bands, and a fourth one whose bits belong to no cell.
#[inline(always)]
pub(super) const fn halves(bands: [u32; 4]) -> Halves {
    [
        bands[0] as u64 | (bands[1] as u64) << 32,
        bands[2] as u64 | (bands[3] as u64) << 32,
    ]
}

/// The peers of a cell, as one word for each band. The cell is given as its band and its bit in the band.
#[inline(always)]
pub(in super::super) fn peers_by_band(band: usize, cell: u32) -> [u32; 3] {
    let place = 32 * band + cell.trailing_zeros() as usize;
    let [low, high] = PEERS[place % PLACES];
    [low as u32, (low >> 32) as u32, high as u32]
}

/// The number of peers that are among `cells`.
#[inline(always)]
pub(super) fn count(cells: Halves, peers: Halves) -> u32 {
    (cells[0] & peers[0]).count_ones() + (cells[1] & peers[1]).count_ones()
}
