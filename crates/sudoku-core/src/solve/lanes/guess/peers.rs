//! The peers of a cell as words, and how many cells of a set are among them.

/// The cells of a board in two words: the upper two bands, and the lowest band.
pub(super) type Halves = [u64; 2];

/// The number of places of a cell in [`Halves`], some of which are no cell.
pub(super) const PLACES: usize = 128;

/// By place, the peers of a cell.
pub(super) static PEERS: [Halves; PLACES] = {
    let mut all = [[0; 2]; PLACES];
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
        all[32 * (cell / 27) + bit(cell)] = halves(bands);
        cell += 1;
    }
    all
};

/// The bit of a cell, 0–80, within its band.
const fn bit(cell: usize) -> usize {
    cell / 9 % 3 * 10 + cell % 9
}

/// The words of four bands, of which the last is spare.
#[inline(always)]
pub(super) const fn halves(bands: [u32; 4]) -> Halves {
    [
        bands[0] as u64 | (bands[1] as u64) << 32,
        bands[2] as u64 | (bands[3] as u64) << 32,
    ]
}

/// The peers of the cell that is this bit of a band, by band.
#[inline(always)]
pub(in super::super) fn peers_by_band(band: usize, cell: u32) -> [u32; 3] {
    let place = 32 * band + cell.trailing_zeros() as usize;
    let [low, high] = PEERS[place % PLACES];
    [low as u32, (low >> 32) as u32, high as u32]
}

/// The number of these cells among the peers.
#[inline(always)]
pub(super) fn count(cells: Halves, peers: Halves) -> u32 {
    (cells[0] & peers[0]).count_ones() + (cells[1] & peers[1]).count_ones()
}
